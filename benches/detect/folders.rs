//! Detection on files that others have collected: texts in subfolders named after their encoding, or files
//! that are not text.

use std::path::{Path, PathBuf};
use std::{fs, io};

use simdtext::Encoding;
use simdtext::detect::{Guess, Options, Reason, detect};

/// Names that chardet's tests use and that are not labels of the standard.
const ALIASES: [(&str, &str); 5] = [
    ("cp932", "shift_jis"),
    ("cp949", "euc-kr"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("macroman", "macintosh"),
    ("utf-8-sig", "utf-8"),
];

/// Counts the files of `--labelled FOLDER` that are recognised: as the encoding that the subfolder is named
/// after, possibly followed by a language (`iso-8859-2-czech`), or as one that gives the same text. Other
/// subfolders are skipped, and named.
pub(crate) fn labelled(folder: &Path) -> io::Result<()> {
    let (mut right, mut count) = (0, 0);
    for kind in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let Some(encoding) = encoding_of(&kind) else {
            println!("{}: no encoding of the standard", kind.display());
            continue;
        };
        for path in entries(&kind)? {
            let bytes = fs::read(&path)?;
            let guess = detect(&bytes, true, &Options::default());
            let text = |encoding: &'static Encoding| encoding.decode(&bytes).text;
            count += 1;
            if guess.encoding.map(text) == Some(text(encoding)) {
                right += 1;
            } else {
                print(&path, &guess);
            }
        }
    }
    println!("{right} of {count} right");
    Ok(())
}

/// Counts the files of `--binaries FOLDER`, in all subfolders, that are taken for text.
pub(crate) fn binaries(folder: &Path) -> io::Result<()> {
    let (mut text, mut count) = (0, 0);
    for kind in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&kind)? {
            let guess = detect(&fs::read(&path)?, true, &Options::default());
            count += 1;
            if guess.encoding.is_some() || matches!(guess.reason, Reason::Utf32 { .. }) {
                text += 1;
                print(&path, &guess);
            }
        }
    }
    println!("{text} of {count} files are taken for text");
    Ok(())
}

fn print(path: &Path, guess: &Guess) {
    let name = guess.encoding.map_or("none", |encoding| encoding.name());
    println!("{}: {name}, {}", path.display(), guess.reason);
}

fn encoding_of(folder: &Path) -> Option<&'static Encoding> {
    let name = folder.file_name()?.to_string_lossy().to_ascii_lowercase();
    let front = name.rsplit_once('-').map_or("", |(front, _)| front);
    [name.as_str(), front].into_iter().find_map(|name| {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let label = alias.map_or(name, |(_, label)| label);
        // In the standard, ISO-2022-KR is a label of the replacement encoding.
        Encoding::for_label(label.as_bytes()).filter(|it| it.name() != "replacement")
    })
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
