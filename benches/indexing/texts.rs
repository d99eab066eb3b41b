//! Where the texts come from.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The languages, as the files of a corpus and those of `samples/` are named.
const NAMES: [(&str, &str, &str); 15] = [
    ("ar", "arabic", "Arabic"),
    ("cs", "czech", ""),
    ("de", "german", ""),
    ("el", "greek", ""),
    ("en", "english", "Latin"),
    ("fr", "french", ""),
    ("he", "hebrew", "Hebrew"),
    ("ja", "japanese", "Japanese"),
    ("ko", "korean", "Korean"),
    ("ru", "russian", "Russian"),
    ("th", "thai", ""),
    ("tr", "turkish", ""),
    ("vi", "vietnamese", ""),
    ("zh-hans", "chinese", "Chinese"),
    ("zh-hant", "chinese", "Chinese"),
];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/utf-8")
}

pub(crate) fn folder() -> PathBuf {
    env::var_os("SIMDTEXT_CORPUS").map_or_else(samples, PathBuf::from)
}

/// A web page in a language.
pub(crate) fn html(language: &str) -> String {
    read(language, |page, _| format!("wikipedia_mars/{page}.html"))
}

/// Prose in a language and nothing else.
pub(crate) fn dense(language: &str) -> String {
    read(language, |page, lipsum| match lipsum {
        "" => format!("wikipedia_mars/{page}.utf8.txt"),
        _ => format!("lipsum/{lipsum}-Lipsum.utf8.txt"),
    })
}

fn read(language: &str, file: impl Fn(&str, &str) -> String) -> String {
    let names = NAMES.iter().find(|(code, ..)| *code == language);
    let (code, page, lipsum) = names.expect("one of the languages");
    let path = if folder() == samples() {
        samples().join(format!("{code}.txt"))
    } else {
        folder().join(file(page, lipsum))
    };
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
