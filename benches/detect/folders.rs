//! What detection says of files in a folder that somebody else has collected: texts, in subfolders that
//! are called as their encoding is, or files that are no text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use simdtext::detect::{Guess, Options, Reason, detect};
use simdtext::{Bom, Encoding};

/// Names that chardet's tests have for encodings, beside labels of the standard.
const ALIASES: [(&str, &str); 5] = [
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("macroman", "macintosh"),
    ("utf-8-sig", "utf-8"),
];

/// Counts the files of `--labelled FOLDER` whose text is found: by the encoding of the subfolder's name,
/// which a language may follow (`iso-8859-2-czech`), or by one that gives the same text. Subfolders that
/// are called otherwise are left out, and named.
pub(crate) fn labelled(folder: &Path) -> io::Result<()> {
    let (mut right, mut count) = (0, 0);
    for kind in entries(folder)? {
        let name = name_of(&kind);
        if !kind.is_dir() {
            continue;
        }
        let files = entries(&kind)?;
        let Some(encoding) = encoding_of(&name) else {
            println!("{name}: no encoding of the standard; {} files", files.len());
            continue;
        };
        for path in files {
            let bytes = fs::read(&path)?;
            let guess = detect(&bytes, true, &Options::default());
            let text = |encoding: &'static Encoding| encoding.decode_with(&bytes, Bom::Sniff).text;
            count += 1;
            if guess.encoding.map(text) == Some(text(encoding)) {
                right += 1;
            } else {
                println!("{}: {}", path.display(), in_words(&guess));
            }
        }
    }
    println!("{right} of {count} right");
    Ok(())
}

/// Counts the files of `--binaries FOLDER` that are taken for text, in all subfolders.
pub(crate) fn binaries(folder: &Path) -> io::Result<()> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&kind)? {
            let bytes = fs::read(&path)?;
            let guess = detect(&bytes, true, &Options::default());
            let (count, text) = kinds.entry(name_of(&kind)).or_default();
            *count += 1;
            *reasons
                .entry(match guess.reason {
                    Reason::Binary(_) => "binary",
                    Reason::Implausible => "implausible",
                    Reason::Utf32 { .. } => "UTF-32",
                    _ => "text",
                })
                .or_default() += 1;
            let is_text = guess.encoding.is_some() || matches!(guess.reason, Reason::Utf32 { .. });
            if is_text {
                *text += 1;
                let (len, path) = (bytes.len(), path.display());
                println!("{path}, {len} bytes: {}", in_words(&guess));
            }
        }
    }
    let (count, text) = kinds.values().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    let kinds = kinds.len();
    println!("{text} of {count} files of {kinds} kinds are taken for text; {reasons:?}");
    Ok(())
}

fn in_words(guess: &Guess) -> String {
    let name = guess.encoding.map_or("none", |encoding| encoding.name());
    format!("{name}, {}", guess.reason)
}

fn encoding_of(folder: &str) -> Option<&'static Encoding> {
    let name = folder.to_ascii_lowercase();
    let front = name.rsplit_once('-').map_or("", |(front, _)| front);
    [name.as_str(), front].into_iter().find_map(|name| {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let label = alias.map_or(name, |(_, label)| label);
        // As the standard has it, ISO-2022-KR is a label, but of no encoding that has text.
        Encoding::for_label(label.as_bytes()).filter(|it| it.name() != "replacement")
    })
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
