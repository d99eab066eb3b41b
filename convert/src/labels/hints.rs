//! Names that people type for encodings although they are not labels: what to type instead, or which program
//! converts such text if this one does not.

use simdtext::Encoding;

/// Names that other programs use for encodings of the standard.
const OTHER_NAMES: [(&str, &str); 68] = [
    ("cp932", "shift_jis"),
    ("cp943", "shift_jis"),
    ("cp936", "gbk"),
    ("cp1386", "gbk"),
    ("cp949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("cp950", "big5"),
    ("cp874", "windows-874"),
    ("cp1200", "utf-16le"),
    ("cp1201", "utf-16be"),
    ("cp12000", "utf-32le"),
    ("cp12001", "utf-32be"),
    ("cp65001", "utf-8"),
    ("cp20127", "us-ascii"),
    ("cp20866", "koi8-r"),
    ("cp878", "koi8-r"),
    ("cp21866", "koi8-u"),
    ("cp1168", "koi8-u"),
    ("cp28591", "iso-8859-1"),
    ("cp28592", "iso-8859-2"),
    ("cp912", "iso-8859-2"),
    ("cp28595", "iso-8859-5"),
    ("cp28597", "iso-8859-7"),
    ("cp28605", "iso-8859-15"),
    ("cp923", "iso-8859-15"),
    ("cp51932", "euc-jp"),
    ("cp20932", "euc-jp"),
    ("cp50220", "iso-2022-jp"),
    ("cp50221", "iso-2022-jp"),
    ("cp50222", "iso-2022-jp"),
    ("cp51949", "euc-kr"),
    ("cp51936", "gbk"),
    ("cp54936", "gb18030"),
    ("cp10000", "macintosh"),
    ("cp10007", "x-mac-cyrillic"),
    ("macroman", "macintosh"),
    ("mac-roman", "macintosh"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("mac-cyrillic", "x-mac-cyrillic"),
    ("latin9", "iso-8859-15"),
    ("latin-9", "iso-8859-15"),
    ("latin0", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    // MySQL and PostgreSQL
    ("koi8r", "koi8-r"),
    ("koi8u", "koi8-u"),
    ("ujis", "euc-jp"),
    ("eucjp", "euc-jp"),
    ("eucjpms", "euc-jp"),
    // PHP
    ("sjis-win", "shift_jis"),
    ("eucjp-win", "euc-jp"),
    ("euckr", "euc-kr"),
    ("euc-cn", "gbk"),
    // TeX
    ("ansinew", "windows-1252"),
    ("applemac", "macintosh"),
    // Emacs
    ("iso-latin-1", "iso-8859-1"),
    ("iso-latin-2", "iso-8859-2"),
    ("iso-latin-9", "iso-8859-15"),
    ("cyrillic-koi8", "koi8-r"),
    ("euc-japan", "euc-jp"),
    ("japanese-iso-8bit", "euc-jp"),
    ("japanese-shift-jis", "shift_jis"),
    ("euc-korea", "euc-kr"),
    ("korean-iso-8bit", "euc-kr"),
    ("euc-china", "gbk"),
    ("cn-gb-2312", "gbk"),
    ("chinese-iso-8bit", "gbk"),
    ("ucs4", "utf-32"),
    ("ucs-4", "utf-32"),
];

/// DOS code pages, except 866, which is in the standard.
const DOS: [&str; 16] = [
    "437", "737", "775", "850", "852", "855", "856", "857", "858", "860", "861", "862", "863",
    "864", "865", "869",
];

/// EBCDIC code pages.
const EBCDIC: [&str; 23] = [
    "037", "37", "273", "277", "278", "280", "284", "285", "297", "420", "424", "500", "870",
    "871", "875", "1025", "1026", "1047", "1140", "1141", "1147", "1148", "1149",
];

/// Names that iconv has for encodings close to one of the standard, and the label of that one.
const LARGER: [(&str, &str, &str); 8] = [
    ("shift-jis-2004", "SHIFT_JISX0213", "shift_jis"),
    ("shift-jisx0213", "SHIFT_JISX0213", "shift_jis"),
    ("sjis-2004", "SHIFT_JISX0213", "shift_jis"),
    ("euc-jis-2004", "EUC-JISX0213", "euc-jp"),
    ("euc-jisx0213", "EUC-JISX0213", "euc-jp"),
    ("iso-2022-jp-2", "ISO-2022-JP-2", "iso-2022-jp"),
    ("iso-2022-jp-2004", "ISO-2022-JP-3", "iso-2022-jp"),
    ("iso-2022-jp-3", "ISO-2022-JP-3", "iso-2022-jp"),
];

/// Encodings that are close to none of the standard, and a command that converts them: glibc's iconv, or
/// ICU's uconv if iconv does not have them.
const ELSEWHERE: [(&str, &str); 17] = [
    ("utf-7", "iconv -f UTF-7"),
    ("utf7", "iconv -f UTF-7"),
    ("hz", "uconv -f HZ"),
    ("hz-gb2312", "uconv -f HZ"),
    ("johab", "iconv -f JOHAB"),
    ("cp1361", "iconv -f JOHAB"),
    ("viscii", "iconv -f VISCII"),
    ("tcvn", "iconv -f TCVN"),
    ("armscii-8", "iconv -f ARMSCII-8"),
    ("armscii8", "iconv -f ARMSCII-8"),
    ("koi8-t", "iconv -f KOI8-T"),
    ("macgreek", "uconv -f x-mac-greek"),
    ("mac-greek", "uconv -f x-mac-greek"),
    ("maccentraleurope", "uconv -f x-mac-centraleurroman"),
    ("mac-latin2", "uconv -f x-mac-centraleurroman"),
    ("macturkish", "uconv -f x-mac-turkish"),
    ("mac-turkish", "uconv -f x-mac-turkish"),
];

/// What is known about a name that is not a label.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// The label to use instead, if there is one. (UTF-32, which is not in the standard, has none.)
    pub(super) label: Option<&'static str>,
    /// What to do, in words.
    pub(super) phrase: String,
    /// The rest of it, for users of the command.
    pub(super) for_command: &'static str,
}

impl Hint {
    fn instead(label: &'static str) -> Self {
        let known = Encoding::for_label(label.as_bytes());
        Hint {
            label: known.map(|_| label),
            phrase: format!("use {label}"),
            for_command: "",
        }
    }
}

/// The hint for a name that is known but is not a label.
pub(super) fn hint(given: &str) -> Option<Hint> {
    // Python writes them like this, and so do people.
    let name = hyphenated(given);
    if let Some((_, same)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
        return Some(Hint::instead(same));
    }
    match name.as_str() {
        "utf-8-sig" | "utf8-sig" | "utf-8sig" | "utf8sig" | "utf-8-bom" | "utf8-bom"
        | "utf-8bom" | "utf8bom" => {
            return Some(Hint {
                for_command: ": a byte order mark is removed from the input, and --output-bom begins the \
                              output with one",
                ..Hint::instead("utf-8")
            });
        }
        "ansi" | "mbcs" | "oem" | "acp" | "dos" => {
            return Some(Hint {
                phrase: format!(
                    "{given:?} means another encoding on every computer; in western Europe and America use \
                     windows-1252"
                ),
                for_command: ", and `simdtext detect FILE` tells what a file is most likely in",
                ..Hint::instead("windows-1252")
            });
        }
        "wtf-8" | "cesu-8" | "utf-8-mac" => {
            return Some(Hint {
                for_command: ", and see with `simdtext check` what in the files is not",
                ..Hint::instead("utf-8")
            });
        }
        _ => {}
    }
    if let Some(hint) = outside(given) {
        return Some(hint);
    }
    let number = code_page(&name)?;
    let cp = format!("cp{number}");
    if let Some((_, same)) = OTHER_NAMES.iter().find(|(other, _)| *other == cp) {
        return Some(Hint::instead(same));
    }
    label_of(&format!("windows-{number}")).map(Hint::instead)
}

/// A name in small letters, with hyphens between its words, as most labels have them.
pub(super) fn hyphenated(given: &str) -> String {
    given.trim().to_ascii_lowercase().replace(['_', ' '], "-")
}

/// This label, if it is one.
pub(super) fn label_of(name: &str) -> Option<&'static str> {
    let labels = Encoding::for_label(name.as_bytes())?.labels();
    labels.iter().copied().find(|label| *label == name)
}

/// The hint for a name of an encoding that is not in the standard.
pub(super) fn outside(given: &str) -> Option<Hint> {
    let name = hyphenated(given);
    if name == "utf-ebcdic" || name.starts_with("ebcdic") {
        return Some(elsewhere("EBCDIC", "iconv -f IBM1047"));
    }
    if matches!(&*name, "utf-8-emacs" | "emacs-mule" | "emacs-internal") {
        return Some(no_label(String::from(
            "it is an internal encoding of Emacs, which converts such a file itself",
        )));
    }
    if let Some((_, iconv, close)) = LARGER.iter().find(|(other, ..)| *other == name) {
        return Some(Hint {
            phrase: format!(
                "{close} is close, and lacks some of its characters; `iconv -f {iconv} -t UTF-8` has all of \
                 them"
            ),
            ..Hint::instead(close)
        });
    }
    if let Some((_, command)) = ELSEWHERE.iter().find(|(other, _)| *other == name) {
        return Some(elsewhere(given.trim(), command));
    }
    let number = code_page(&name)?;
    if DOS.contains(&number) {
        return Some(no_label(format!(
            "it is a code page of DOS, of which the Encoding Standard has ibm866 only; `iconv -f \
             CP{number} -t UTF-8` converts it"
        )));
    }
    EBCDIC
        .contains(&number)
        .then(|| elsewhere("EBCDIC", &format!("iconv -f IBM{number:0>3}")))
}

fn elsewhere(name: &str, command: &str) -> Hint {
    no_label(format!(
        "{name} is not in the Encoding Standard; `{command} -t UTF-8` converts it"
    ))
}

fn no_label(phrase: String) -> Hint {
    Hint {
        label: None,
        phrase,
        for_command: "",
    }
}

/// The number in the name of a code page.
fn code_page(name: &str) -> Option<&str> {
    const PREFIXES: [&str; 9] = [
        "codepage", "windows", "ibm", "cpdos", "dos", "oem", "win", "ms", "cp",
    ];
    let rest = PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let number = rest.trim_start_matches('-');
    let is_number = (2..=5).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(number)
}

#[cfg(test)]
mod tests {
    use simdtext::Encoding;

    use super::{ELSEWHERE, LARGER, OTHER_NAMES, hint};
    use crate::labels::parse_charset;

    #[test]
    fn other_names_are_no_labels_and_what_they_mean_is_one() {
        let others = OTHER_NAMES.iter().copied();
        let larger = LARGER.iter().map(|(name, _, close)| (*name, *close));
        for (name, same) in others.chain(larger) {
            assert!(Encoding::for_label(name.as_bytes()).is_none(), "{name}");
            assert!(parse_charset(same).is_ok(), "{same}");
        }
        for (name, _) in ELSEWHERE {
            assert!(Encoding::for_label(name.as_bytes()).is_none(), "{name}");
        }
    }

    #[test]
    fn what_people_type() {
        for (given, wanted) in [
            ("cp850", "iconv -f CP850 "),
            ("IBM437", "iconv -f CP437 "),
            ("437", "iconv -f CP437 "),
            ("dos-852", "iconv -f CP852 "),
            ("utf-8-sig", "use utf-8:"),
            ("UTF8_SIG", "use utf-8:"),
            ("utf8bom", "use utf-8:"),
            ("utf-7", "iconv -f UTF-7 "),
            ("UTF7", "iconv -f UTF-7 "),
            ("sjis-win", "use shift_jis"),
            ("cp037", "iconv -f IBM037 "),
            ("cp500", "iconv -f IBM500 "),
            ("shift_jis_2004", "shift_jis is close"),
            ("shift-jis-2004", "iconv -f SHIFT_JISX0213 "),
            ("CP932", "use shift_jis"),
            ("ms949", "use euc-kr"),
            ("win1251", "use windows-1251"),
            ("28605", "use iso-8859-15"),
            ("UCS-4", "use utf-32"),
            ("ansi", "simdtext detect"),
        ] {
            let hint = hint(given).map(|hint| hint.phrase + hint.for_command);
            let hint = hint.unwrap_or_default();
            assert!(hint.contains(wanted), "{given}: {hint}");
        }
        for given in ["klingon", "", "cp", "99999", "cpcpcp"] {
            assert!(hint(given).is_none(), "{given}");
        }
    }
}
