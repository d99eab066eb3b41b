//! The texts that benchmarks convert.
//!
//! | kind | what it is |
//! |---|---|
//! | `html` | a page of Wikipedia: more than half markup |
//! | `text` | the text of that page, with its Latin names, digits and links |
//! | `dense` | prose in that language and nothing else |
//!
//! The `dense` texts of the legacy encodings are different and longer: see [`messages`]. The rest of this
//! page is about the others.
//!
//! They come from the folder that `SIMDTEXT_CORPUS` names, or from `../shared/corpus`, with the layout of the
//! public collection github.com/lemire/unicode_lipsum (`wikipedia_mars/LANGUAGE.html`, `….utf8.txt`,
//! `lipsum/LANGUAGE-Lipsum.utf8.txt`). If there is neither, or with `SIMDTEXT_CORPUS=samples`, the files of
//! `samples/` are used, which are too short to quote figures from.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::{env, fmt, fs};

use crate::messages;
use crate::tsv::root;

/// The size of a text that is not cut.
pub const WHOLE: usize = usize::MAX;

/// The size of a text that is cut into words, whose lengths differ.
pub const WORDS: usize = usize::MAX - 1;

/// The number of words that a text is cut into.
const MAX_WORDS: usize = 4096;

/// Up to this many bytes, words are not cut.
const LONGEST_WORD: u32 = 48;

/// The maximum length of a character in UTF-8, in bytes.
const LONGEST_CHAR: usize = 4;

/// A language, and the names of its files.
pub struct Language {
    /// The code of the language, such as `ru`.
    pub code: &'static str,
    /// Its name in `wikipedia_mars`.
    page: &'static str,
    /// Its name in `lipsum`, if it is there.
    lipsum: &'static str,
    /// Its name in `samples/utf-8`.
    sample: &'static str,
    /// Its name after `libreoffice-l10n-`, if it is there.
    pub messages: &'static str,
}

const fn language([code, page, lipsum, sample, messages]: [&'static str; 5]) -> Language {
    Language {
        code,
        page,
        lipsum,
        sample,
        messages,
    }
}

/// All languages.
pub const LANGUAGES: [Language; 24] = [
    language(["ar", "arabic", "Arabic", "ar", "ar"]),
    language(["cs", "czech", "", "cs", "cs"]),
    language(["de", "german", "", "de", "de"]),
    language(["el", "greek", "", "el", "el"]),
    language(["emoji", "", "Emoji", "", ""]),
    language(["en", "english", "", "en", "en-gb"]),
    language(["eo", "esperanto", "", "eo", "eo"]),
    language(["fa", "persan", "", "ar", "fa"]),
    language(["fr", "french", "", "fr", "fr"]),
    language(["he", "hebrew", "Hebrew", "he", "he"]),
    language(["hi", "hindi", "Hindi", "th", ""]),
    language(["ja", "japanese", "Japanese", "ja", "ja"]),
    language(["ko", "korean", "Korean", "ko", "ko"]),
    language(["lt", "", "", "lt", "lt"]),
    language(["lv", "", "", "lv", "lv"]),
    language(["pl", "", "", "pl", "pl"]),
    language(["pt", "portuguese", "", "fr", "pt"]),
    language(["ru", "russian", "Russian", "ru", "ru"]),
    language(["th", "thai", "", "th", "th"]),
    language(["tr", "turkish", "", "tr", "tr"]),
    language(["uk", "", "", "uk", "uk"]),
    language(["vi", "vietnamese", "", "vi", "vi"]),
    language(["zh", "chinese", "Chinese", "zh-hans", "zh-cn"]),
    language(["zh-tw", "chinese", "", "zh-hant", "zh-tw"]),
];

/// Languages in which only the legacy encodings are measured.
pub const LEGACY: [&str; 5] = ["lt", "lv", "pl", "uk", "zh-tw"];

/// Plain ASCII: English without its few other characters.
pub const ASCII: &str = "ascii";

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A web page.
    Html,
    /// The text of a web page.
    Text,
    /// Prose.
    Dense,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Html, Kind::Text, Kind::Dense];

    /// The name of the kind, such as `html`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Text => "text",
            Kind::Dense => "dense",
        }
    }
}

/// The kind of text to measure a language with if there is only one.
pub fn prose(code: &str) -> Kind {
    match language_of(code) {
        Some(language) if !language.lipsum.is_empty() => Kind::Dense,
        _ => Kind::Text,
    }
}

fn language_of(code: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.code == code)
}

/// The texts that were read, with `None` for those that do not exist.
type Cache = HashMap<(String, Kind), Option<Rc<str>>>;

/// All texts.
pub struct Corpus {
    /// The folder of the texts. Without it, those of `samples/` are used.
    folder: Option<PathBuf>,
    cache: RefCell<Cache>,
    /// The `dense` texts of the legacy encodings.
    long: RefCell<HashMap<&'static str, Rc<str>>>,
}

impl fmt::Display for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.folder {
            Some(_) => "Wikipedia pages and dense text (unicode_lipsum)",
            None => "no corpus: the files of samples/, repeated; too short and regular to quote",
        })?;
        let long = self.long.borrow();
        let mut sizes: Vec<(&&str, usize)> = long.iter().map(|it| (it.0, it.1.len())).collect();
        sizes.sort_unstable();
        let Some((first, _)) = sizes.first() else {
            return Ok(());
        };
        let version = language_of(first).and_then(|language| messages::version(language.messages));
        let version = version.unwrap_or_default();
        f.write_str("; dense text in legacy encodings: LibreOffice's messages, ")?;
        write!(f, "`libreoffice-l10n-…` {version}, KB of UTF-8:")?;
        for (code, len) in sizes {
            write!(f, " {code} {}", len / 1000)?;
        }
        Ok(())
    }
}

impl Corpus {
    /// Finds the folder of the texts, and falls back to the samples.
    pub fn find() -> Result<Self, String> {
        let beside = root().join("../shared/corpus");
        let folder = match env::var_os("SIMDTEXT_CORPUS") {
            Some(name) if name == "samples" => None,
            Some(folder) => {
                let folder = PathBuf::from(folder);
                if !folder.is_dir() {
                    return Err(format!("SIMDTEXT_CORPUS: {}: no folder", folder.display()));
                }
                Some(folder)
            }
            None => beside.is_dir().then_some(beside),
        };
        Ok(Corpus {
            folder,
            cache: RefCell::default(),
            long: RefCell::default(),
        })
    }

    /// Makes the `dense` texts of the legacy encodings available.
    pub fn prepare_legacy(&self) {
        if self.folder.is_some() {
            messages::fetch();
            let texts = LANGUAGES.iter();
            let texts = texts.filter_map(|it| Some((it.code, messages::text(it.messages)?.into())));
            self.long.borrow_mut().extend(texts);
        }
    }

    /// A text for a legacy encoding. If there is no long `dense` text, it is the one used for the language
    /// elsewhere.
    pub fn legacy_text(&self, code: &str, kind: Kind) -> Option<Rc<str>> {
        if kind != Kind::Dense {
            return self.text(code, kind);
        }
        let long = self.long.borrow().get(code).cloned();
        long.or_else(|| self.text(code, prose(code)))
    }

    /// A text, or `None` if the corpus has none of that kind.
    pub fn text(&self, code: &str, kind: Kind) -> Option<Rc<str>> {
        let mut cache = self.cache.borrow_mut();
        let text = cache.entry((code.to_owned(), kind));
        text.or_insert_with(|| self.read(code, kind).map(Rc::from))
            .clone()
    }

    fn read(&self, code: &str, kind: Kind) -> Option<String> {
        if code == ASCII {
            let mut text = self.read("en", kind)?;
            text.retain(|ch| ch.is_ascii());
            return Some(text);
        }
        let language = language_of(code)?;
        if code == "emoji" && self.folder.is_none() {
            return (kind == Kind::Dense).then(emoji);
        }
        let (page, lipsum) = (language.page, language.lipsum);
        let path = match (&self.folder, kind) {
            (Some(folder), Kind::Dense) if !lipsum.is_empty() => {
                folder.join(format!("lipsum/{lipsum}-Lipsum.utf8.txt"))
            }
            (Some(folder), Kind::Html) if !page.is_empty() => {
                folder.join(format!("wikipedia_mars/{page}.html"))
            }
            (Some(folder), Kind::Text) if !page.is_empty() => {
                folder.join(format!("wikipedia_mars/{page}.utf8.txt"))
            }
            (None, kind) if kind == prose(code) => {
                root().join(format!("samples/utf-8/{}.txt", language.sample))
            }
            _ => return None,
        };
        fs::read_to_string(&path)
            .map_err(|error| eprintln!("{}: {error}", path.display()))
            .ok()
    }
}

/// Emoji of the Supplementary Multilingual Plane, in an order without a pattern.
fn emoji() -> String {
    let mut random = Random(1);
    let emoji = |number| char::from_u32(0x1F600 + number).unwrap_or('💩');
    (0..16 * 1024).map(|_| emoji(random.below(80))).collect()
}

/// A generator of pseudo-random numbers, which are the same in every run (xorshift64*).
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to one less than `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        let number = (high * u64::from(limit)) >> 32;
        u32::try_from(number).unwrap_or_default()
    }
}

/// Cuts a text into pieces of at most `size` bytes, each as long as its characters allow: pieces from all parts
/// of the text, about 64 KiB in all but at most 256; or one piece if `size` is larger than that.
pub fn cut(text: &str, size: usize) -> Vec<String> {
    if size == WHOLE {
        return vec![text.to_owned()];
    }
    if size == WORDS {
        return words(text);
    }
    let repeated;
    let text = if text.len() < size {
        repeated = text.repeat(size.div_ceil(text.len().max(1)));
        &repeated
    } else {
        text
    };
    let count = (64 * 1024 / size.max(1)).clamp(1, 256);
    let room = text.len().saturating_sub(size);
    (0..count)
        .map(|piece| {
            let start = boundary(text, room * (2 * piece + 1) / (2 * count));
            text[start..boundary(text, start + size)].to_owned()
        })
        .collect()
}

/// Words from all parts of a text, in random order: so many, and so different in length, that no branch predictor learns
/// them. What has no spaces for long is cut at random.
fn words(text: &str) -> Vec<String> {
    let all: Vec<&str> = text.split_whitespace().collect();
    let mut random = Random(0xD1CE);
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    (0..MAX_WORDS)
        .map(|_| {
            let word = all[random.below(count) as usize];
            let most = LONGEST_CHAR + random.below(LONGEST_WORD) as usize;
            match word.len() > LONGEST_WORD as usize {
                true => word[..boundary(word, most)].to_owned(),
                false => word.to_owned(),
            }
        })
        .collect()
}

/// The last boundary between characters at or before `at`.
pub fn boundary(text: &str, at: usize) -> usize {
    let mut places = (0..=at.min(text.len())).rev();
    places.find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
