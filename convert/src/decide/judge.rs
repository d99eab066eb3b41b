//! Whether an input really is in the encoding that it is said to be in, judged by all of its bytes. This is
//! the last decision before anything is written.

use simdtext::sniff::Utf8Verdict;
use simdtext::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::seven_bit::Late;
use super::watch::Seen;
use super::{Answer, Basis, declarations};
use crate::binary::NotText;
use crate::charset::Charset;
use crate::message::Counted;
use crate::options::{Binary, Options};

/// An input of this many bytes or more that is valid ASCII or UTF-8, without NUL or another control
/// character, is not UTF-16. In the corpus of Chinese, Japanese and Korean in UTF-16, nothing longer than
/// half of this looks like that by chance (`docs/detection.md` has the figures).
const TELLS_UTF16: u64 = 64;

/// The same limit for bytes that are not valid UTF-8, and so in some other byte-oriented encoding.
const TELLS_UTF16_OF_BYTES: u64 = 256;

/// What to do with an input.
#[derive(Debug)]
pub(crate) enum Judgement {
    Convert,
    /// Convert it, and report this.
    Believe(String),
    /// Nothing: it is already UTF-8, the encoding of the output.
    Already,
    /// Leave it alone, and report this.
    Leave(Doubt),
    /// It is not text, and `--binary` says what to do about that. It can't be converted if its encoding is a guess.
    Binary(NotText),
}

/// What to do with an input of which all bytes were seen, or those up to the point at which they decide. If it is
/// converted `in_place`, the output replaces it.
pub(crate) fn judge(answer: &Answer, seen: &Seen, options: &Options, in_place: bool) -> Judgement {
    if seen.len == 0 {
        return Judgement::Convert;
    }
    // A guess at the encoding of what is not text is worth nothing.
    if let Some(not_text) = seen.not_text
        && (options.binary != Some(Binary::Convert) || answer.basis.is_guess())
    {
        return Judgement::Binary(not_text);
    }
    if seen.charset == REPLACEMENT {
        return Judgement::Leave(Doubt::undecodable(answer));
    }
    if let Some(late) = seen.late
        && !(options.believes_labels() && seen.charset.is_utf16())
    {
        return Judgement::Leave(late.doubt(seen.charset));
    }
    if options.misses_jis()
        && let Some(has) = seen.jis()
    {
        let doubt = Doubt::new(
            format!("{has}, which --from does not list"),
            "--force takes them for ASCII; ",
        );
        return Judgement::Leave(
            doubt.or("--from=auto:LIST with iso-2022-jp in the list converts these lines"),
        );
    }
    if options.believes_labels() {
        return Judgement::Convert;
    }
    if let Some(doubt) = Doubt::undeclared(answer) {
        return Judgement::Leave(doubt);
    }
    let charset = seen.charset;
    if charset == UTF_8 {
        return judge_jis(answer, seen);
    }
    if charset.is_utf16() {
        return judge_utf16(answer, seen, options, in_place);
    }
    if let Charset::Utf32(_) = charset
        && seen.is_plain
    {
        // Every unit of UTF-32 has a NUL, so this is not UTF-32.
        return leave(
            format!("it is text in a byte-oriented encoding, and not {charset}"),
            FORCE,
        );
    }
    let said = answer.basis.said();
    let is_said = answer.basis.is_label();
    match seen.verdict {
        Utf8Verdict::Utf8 if is_said => already(seen, options),
        // The declaration may be older than a conversion to UTF-8.
        Utf8Verdict::Unclear if answer.basis.is_declared() && seen.malformed == 0 => {
            already(seen, options)
        }
        Utf8Verdict::Damaged => leave(
            format!(
                "it is UTF-8 with {} (the first at offset {}), and not {charset}",
                Counted(seen.malformed, "malformed sequence"),
                seen.first_malformed,
            ),
            format!("--from=utf-8 --invalid=replace converts it as UTF-8, --force as {charset}"),
        ),
        Utf8Verdict::Unclear if is_said && in_place && options.resume.is_none() => leave(
            "it may be UTF-8 and converted already, and is too short to tell",
            format!("--force converts it from {charset}, the encoding that is {said}"),
        ),
        Utf8Verdict::Unclear if is_said => Judgement::Believe(format!(
            "it may be UTF-8, and is too short to tell; read as {charset}, the encoding that is {said}"
        )),
        _ => judge_lines(answer, seen),
    }
}

/// What to do about most inputs that are not in the encoding that they are said to be in.
const FORCE: &str = "--force converts it anyway";

fn leave(what: impl Into<String>, hint: impl Into<String>) -> Judgement {
    Judgement::Leave(Doubt::new(what, hint))
}

/// Judges text in an encoding other than UTF-8. It may have lines in UTF-8 or ISO-2022-JP.
fn judge_lines(answer: &Answer, seen: &Seen) -> Judgement {
    let Some(offset) = seen.utf8_at else {
        return judge_jis(answer, seen);
    };
    let charset = seen.charset;
    let doubt = Doubt::new(
        format!("it has lines in UTF-8, the first at offset {offset}, and is {charset} otherwise"),
        format!("--force converts it from {charset}; "),
    );
    Judgement::Leave(doubt.or("--per-line converts it line by line"))
}

/// Judges text in an encoding in which ASCII bytes are ASCII. It may have lines in ISO-2022-JP, which are ASCII, too.
fn judge_jis(answer: &Answer, seen: &Seen) -> Judgement {
    let Some(has) = seen.jis() else {
        return Judgement::Convert;
    };
    let charset = seen.charset;
    // A byte order mark may say that it is in another encoding than the one that is named.
    if answer.basis == Basis::Label && answer.charset == Some(charset) {
        return Judgement::Believe(format!(
            "{has}; read as {charset}, the encoding that is named"
        ));
    }
    let doubt = Doubt::new(
        format!("{has}, and is {charset} otherwise"),
        format!("--force converts it from {charset}; "),
    );
    Judgement::Leave(
        doubt.or("--per-line converts it line by line, --from=iso-2022-jp all of it from that"),
    )
}

/// Judges valid UTF-8 that is said to be in another byte-oriented encoding.
fn already(seen: &Seen, options: &Options) -> Judgement {
    if options.to == UTF_8 {
        return Judgement::Already;
    }
    let charset = seen.charset;
    leave(
        format!("it is valid UTF-8, and not {charset}"),
        format!("--from=utf-8 converts it as UTF-8, --force from {charset} anyway"),
    )
}

/// The other one of the two byte orders of UTF-16, and what converts text in it.
fn in_other_order(charset: Charset) -> (&'static Encoding, &'static str) {
    if charset == UTF_16LE {
        (UTF_16BE, "--from=utf-16be converts it")
    } else {
        (UTF_16LE, "--from=utf-16le converts it")
    }
}

/// Judges what is said to be UTF-16, or is by its byte order mark or by its units.
fn judge_utf16(answer: &Answer, seen: &Seen, options: &Options, in_place: bool) -> Judgement {
    let charset = seen.charset;
    let (other, converts_other) = in_other_order(charset);
    let is_named = answer.basis == Basis::Label;
    if let Some(offset) = seen.other_mark_at {
        let doubt = Doubt::new(
            format!(
                "it is {charset} at first, and {other} from the byte order mark at offset {offset} on"
            ),
            format!("{FORCE}. "),
        );
        return Judgement::Leave(doubt.or("Cut it there and convert each part"));
    }
    // If all of it is plain bytes, the label decides.
    if let Some(offset) = seen.ascii_at
        && !(is_named && seen.is_plain)
    {
        return leave(
            format!(
                "it is {charset} at first, and from offset {offset} on text in ASCII or another byte-oriented encoding"
            ),
            FORCE,
        );
    }
    if !is_named || answer.charset != Some(charset) {
        // The bytes of the mark are malformed in UTF-8.
        let (what, tells) = if seen.malformed <= 2 {
            ("UTF-8", TELLS_UTF16)
        } else {
            (
                "text in another byte-oriented encoding",
                TELLS_UTF16_OF_BYTES,
            )
        };
        if seen.is_plain && seen.len >= tells {
            return leave(
                format!("its byte order mark is that of {charset}, and what follows is {what}"),
                FORCE,
            );
        }
        return Judgement::Convert;
    }
    if seen.is_swapped {
        let doubt = Doubt::new(
            format!("it is {other}, by its characters, and not {charset}"),
            format!("{FORCE}; "),
        );
        return Judgement::Leave(doubt.or(converts_other));
    }
    // Text with a few control characters still has them after its conversion to UTF-8.
    let is_nearly_plain = seen.verdict == Utf8Verdict::Utf8 && seen.is_nearly_plain;
    if !seen.is_plain && !is_nearly_plain {
        return Judgement::Convert;
    }
    let is_utf8 = seen.malformed == 0;
    let what = match seen.verdict {
        Utf8Verdict::Ascii => "ASCII",
        _ if is_utf8 => "UTF-8",
        _ => "text in a byte-oriented encoding",
    };
    let tells = if is_utf8 {
        seen.len >= TELLS_UTF16
    } else {
        seen.len >= TELLS_UTF16_OF_BYTES
    };
    if in_place {
        let already = if is_utf8 && options.to == UTF_8 {
            ", and converted already"
        } else {
            ""
        };
        let sure = if tells { "is" } else { "may be" };
        return leave(
            format!("it {sure} {what}{already}, and not {charset}"),
            FORCE,
        );
    }
    match (tells, is_utf8) {
        (true, true) => already(seen, options),
        (true, false) => leave(format!("it is {what}, and not {charset}"), FORCE),
        (false, true) => leave(
            format!("it may be {what}, and is too short to tell it from {charset}"),
            format!("--force converts it from {charset}, --from=utf-8 as {what}"),
        ),
        (false, false) => Judgement::Believe(format!(
            "it may be {what}, and is too short to tell; read as {charset}, the encoding that is named"
        )),
    }
}

impl Seen {
    /// Says that there is ISO-2022-JP in what is read as another encoding.
    pub(crate) fn jis(&self) -> Option<String> {
        self.jis_at.map(|offset| {
            format!("it has escape sequences of ISO-2022-JP, the first at offset {offset}")
        })
    }
}

impl Late {
    /// The message about an input that was taken for ASCII by its first bytes, or is said to be UTF-16.
    pub(crate) fn doubt(self, charset: Charset) -> Doubt {
        let Self { encoding, offset } = self;
        let doubt = if charset.is_utf16() {
            Doubt::new(
                format!(
                    "it has escape sequences of {encoding}, the first at offset {offset}, and is not {charset}"
                ),
                format!("{FORCE}; "),
            )
        } else {
            Doubt::new(
                format!(
                    "its beginning, which decided how it was read, is ASCII, and from offset {offset} on it has \
                     escape sequences of {encoding}"
                ),
                "",
            )
        };
        doubt.or(if encoding == ISO_2022_JP.name() {
            "--from=iso-2022-jp converts it"
        } else {
            ELSEWHERE
        })
    }
}

/// What converts text in the encodings that the standard maps to `replacement`.
const ELSEWHERE: &str = "`uconv -f HZ -t UTF-8` or `iconv -f ISO-2022-KR -t UTF-8` converts it";

impl Judgement {
    /// What the input is and the encoding that was named is not, if only malformed sequences are looked for.
    pub(crate) fn finding(self) -> Option<String> {
        match self {
            Self::Convert | Self::Believe(_) => None,
            Self::Already => Some(String::from("it is valid UTF-8")),
            Self::Leave(doubt) => Some(doubt.what),
            Self::Binary(not_text) => Some(not_text.in_words()),
        }
    }

    /// What to report if there is one output for all inputs, which is written whatever is found.
    pub(crate) fn doubt(&self, charset: Charset, options: &Options) -> Option<String> {
        match self {
            // It is too short to tell, and the encoding was named.
            Self::Convert | Self::Believe(_) => None,
            Self::Already => Some(format!(
                "it is valid UTF-8, and was read as {charset}; --from=utf-8 reads it as UTF-8"
            )),
            Self::Leave(doubt) if doubt.elsewhere.is_empty() => {
                Some(format!("{}; it was read as {charset}", doubt.what))
            }
            Self::Leave(doubt) => Some(format!("{}. {}", doubt.what, doubt.elsewhere)),
            Self::Binary(not_text) => {
                let what = not_text.in_words();
                let unpack = not_text.advice(options.decompress);
                match options.binary {
                    Some(Binary::Copy) => None,
                    Some(Binary::Convert) => Some(format!(
                        "{what}, and was read as {charset}, which is a guess; --from=LABEL says what it is"
                    )),
                    None => Some(format!(
                        "{what}, and was read as {charset}; {unpack}--binary=convert reads it so without this warning"
                    )),
                }
            }
        }
    }
}

/// Why an input should be left alone.
#[derive(Debug)]
pub(crate) struct Doubt {
    /// What the input really is.
    pub(crate) what: String,
    /// What the user can do, if each file has an output of its own.
    pub(crate) hint: String,
    /// What the user can do in any case.
    pub(crate) elsewhere: &'static str,
}

impl Doubt {
    fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: hint.into(),
            elsewhere: "",
        }
    }

    /// Names something else that converts it.
    fn or(self, elsewhere: &'static str) -> Self {
        Self { elsewhere, ..self }
    }

    /// What is said to be in one encoding looks as if it had been converted to the other.
    pub(crate) fn converted(from: Charset, to: &'static Encoding) -> Self {
        Self::new(
            format!(
                "it is far more plausible as {to}, the encoding of the output, than as {from}, and may be \
                 converted already"
            ),
            format!(
                "--force converts it from {from}, the journal of --resume tells what was converted"
            ),
        )
    }

    /// What is said to be in one encoding is rather in another.
    pub(crate) fn misnamed(from: Charset, said: &str, rather: &'static Encoding) -> Self {
        let label = rather.name().to_ascii_lowercase();
        Self::new(
            format!(
                "it is far more plausible as {rather} than as {from}, the encoding that is {said}"
            ),
            format!("--from={label} converts it from that, --force from {from}"),
        )
    }

    /// The input is in one of the encodings that the standard maps to `replacement`.
    pub(crate) fn undecodable(answer: &Answer) -> Self {
        let said = match answer.basis {
            Basis::Label => "that is named",
            Basis::Undecodable("HZ") => "that its header names",
            Basis::Undecodable(_) => "of its escape sequences",
            _ => "that is declared",
        };
        let what = format!(
            "neither browsers nor this command decodes the encoding {said} (one of hz-gb-2312, iso-2022-kr, \
             iso-2022-cn)"
        );
        Self::new(what, "").or(ELSEWHERE)
    }

    /// The input declares an encoding that is not in the standard, and would be guessed.
    pub(crate) fn undeclared(answer: &Answer) -> Option<Self> {
        let (label, charset) = (answer.unknown?, answer.charset?);
        Some(Self::new(
            declarations::in_words(label),
            declarations::advice(label, charset),
        ))
    }

    /// An earlier run has noted that it converted the file to this encoding. `is_done` if that is the encoding of the
    /// output.
    pub(crate) fn noted(name: &str, from: Charset, is_done: bool) -> Self {
        let what = format!("an earlier run converted it to {name}");
        let force = format!("--force converts it from {from}");
        if is_done {
            Self::new(what, force)
        } else {
            let hint = format!("--from={} converts it, {force}", name.to_ascii_lowercase());
            Self::new(format!("{what}, and it is not {from}"), hint)
        }
    }

    /// The message for a file that is left alone.
    pub(crate) fn message(&self, in_place: bool) -> String {
        let left = if in_place {
            "left alone"
        } else {
            "nothing was written for it"
        };
        format!("{}; {left}. {}{}", self.what, self.hint, self.elsewhere)
    }
}
