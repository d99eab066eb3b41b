//! The operations that are measured, each with a sentence about its use.

pub(crate) mod buffers;
mod counts;
mod latin1;
mod legacy;
mod legacy_rare;
mod legacy_trouble;
mod lossy;
mod units;
mod utf16;
mod utf32;
mod utf8;

use std::sync::LazyLock;
use std::time::Duration;

use crate::select::{LATIN, Subject, USUAL};
use crate::timing::{Measured, Pieces};
use simdtext_bench::corpus::{self, ASCII, Kind, LANGUAGES, Random, WHOLE, cut};

pub(crate) use legacy::LEGACY;

/// The texts for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// All texts.
    Every,
    /// Texts in Latin-1, without the few characters that Latin-1 lacks.
    Latin1,
    /// Each encoding with its language: [`LEGACY`].
    Legacy,
    /// These texts, with output buffers of each size.
    Buffers,
    /// Some of these texts, with rare characters.
    Rare,
}

/// The encoding, if it is a legacy text, the language, and the kind of text.
type Text = (Option<&'static str>, &'static str, Kind);

impl Texts {
    /// Whether texts come with encodings.
    pub(crate) fn are_legacy(self) -> bool {
        !matches!(self, Texts::Every | Texts::Latin1)
    }

    pub(crate) fn list(self) -> Vec<Text> {
        let each = |pairs: &[(&'static str, &'static str)], kinds: &[Kind]| -> Vec<Text> {
            let pairs = pairs.iter();
            pairs
                .flat_map(|&(encoding, code)| {
                    kinds.iter().map(move |&it| (Some(encoding), code, it))
                })
                .collect()
        };
        let unicode = |codes: &[&'static str]| -> Vec<Text> {
            let kinds = [Kind::Html, Kind::Text, Kind::Dense];
            let codes = codes.iter();
            codes
                .flat_map(|&code| kinds.map(|kind| (None, code, kind)))
                .collect()
        };
        match self {
            Texts::Every => {
                let codes = LANGUAGES.iter().map(|language| language.code);
                let codes = codes.filter(|code| !corpus::LEGACY.contains(code));
                unicode(&codes.chain([ASCII]).collect::<Vec<_>>())
            }
            Texts::Latin1 => unicode(&LATIN),
            Texts::Legacy | Texts::Buffers => each(&LEGACY, &[Kind::Html, Kind::Dense]),
            Texts::Rare => each(&legacy_rare::TEXTS, &[Kind::Dense]),
        }
    }
}

/// The sizes of text for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sizes {
    /// 64 KiB; for legacy encodings, whole texts.
    Usual,
    /// Also pieces of legacy texts; else some texts from 16 bytes to 1 MiB, every script from 8 to 128 bytes.
    Many,
    /// Also every script from 4 KiB to 1 MiB, and some texts with 64 MiB.
    All,
}

/// The result, or `None` if one of the compared functions does not support the case.
pub(crate) type Outcome = Result<Option<Measured>, String>;

/// Measures ours and the peers' functions.
type Compete = fn(&Case<'_>) -> Outcome;

/// An operation on text, with all functions that implement it.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// The name of its file, and of its group on the command line and in the report.
    pub(crate) family: &'static str,
    /// A sentence about the use that the benchmark represents.
    pub(crate) purpose: &'static str,
    pub(crate) texts: Texts,
    pub(crate) sizes: Sizes,
    pub(crate) compete: Compete,
}

impl Operation {
    /// The size at which every text is measured, in bytes.
    pub(crate) fn usual(&self) -> usize {
        match self.texts {
            Texts::Buffers => 4096,
            texts if texts.are_legacy() => WHOLE,
            _ => USUAL,
        }
    }
}

/// The operations so far, and the family and texts of those that are added next.
struct List {
    family: &'static str,
    texts: Texts,
    operations: Vec<Operation>,
}

impl List {
    /// Begins an operation, with the sentence about its use.
    fn about(&mut self, purpose: &'static str) -> Begun<'_> {
        Begun {
            list: self,
            purpose,
        }
    }
}

/// An operation without its name and functions, which follow with its sizes.
struct Begun<'a> {
    list: &'a mut List,
    purpose: &'static str,
}

impl Begun<'_> {
    fn usual(self, name: &'static str, compete: Compete) {
        self.sized(Sizes::Usual, name, compete);
    }

    fn many(self, name: &'static str, compete: Compete) {
        self.sized(Sizes::Many, name, compete);
    }

    fn all(self, name: &'static str, compete: Compete) {
        self.sized(Sizes::All, name, compete);
    }

    fn sized(self, sizes: Sizes, name: &'static str, compete: Compete) {
        self.list.operations.push(Operation {
            name,
            family: self.list.family,
            purpose: self.purpose,
            texts: self.list.texts,
            sizes,
            compete,
        });
    }
}

/// Every operation, family by family.
pub(crate) fn all() -> impl Iterator<Item = &'static Operation> {
    static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        type Lists = fn(&mut List);
        let families: [(&str, Texts, Lists); 10] = [
            ("utf8", Texts::Every, utf8::list),
            ("utf16", Texts::Every, utf16::list),
            ("utf32", Texts::Every, utf32::list),
            ("latin1", Texts::Latin1, latin1::list),
            ("lossy", Texts::Every, lossy::list),
            ("counts", Texts::Every, counts::list),
            ("legacy", Texts::Legacy, legacy::list),
            ("legacy-trouble", Texts::Legacy, legacy_trouble::list),
            ("legacy-rare", Texts::Rare, legacy_rare::list),
            ("buffers", Texts::Buffers, buffers::list),
        ];
        let mut operations = Vec::new();
        for (family, texts, add) in families {
            let mut list = List {
                family,
                texts,
                operations,
            };
            add(&mut list);
            operations = list.operations;
        }
        operations
    });
    OPERATIONS.iter()
}

/// The families, in the order of the matrix.
pub(crate) fn families() -> Vec<&'static str> {
    let mut families: Vec<&str> = all().map(|operation| operation.family).collect();
    families.dedup();
    families
}

/// The input of one comparison.
pub(crate) struct Case<'a> {
    pub(crate) subject: Subject,
    /// The text from which pieces are cut.
    pub(crate) text: &'a str,
    /// The duration of a comparison of two functions.
    pub(crate) cell: Duration,
    /// Whether ICU and iconv are compared as well.
    pub(crate) c_peers: bool,
}

impl Case<'_> {
    /// The text in pieces of this size.
    fn pieces(&self) -> Vec<String> {
        cut(self.text, self.subject.size)
    }

    fn utf8(&self) -> Pieces<u8> {
        Pieces::new(self.pieces().into_iter().map(String::into_bytes))
    }

    fn utf16(&self) -> Pieces<u16> {
        let pieces = self.pieces().into_iter();
        Pieces::new(pieces.map(|piece| piece.encode_utf16().collect()))
    }

    fn utf32(&self) -> Pieces<u32> {
        let pieces = self.pieces().into_iter();
        Pieces::new(pieces.map(|piece| piece.chars().map(u32::from).collect()))
    }

    /// The text without the characters that Latin-1 lacks.
    fn within_latin1(&self) -> Vec<String> {
        let mut text = self.text.to_owned();
        text.retain(|ch| u8::try_from(ch).is_ok());
        cut(&text, self.subject.size)
    }
}

/// Changes random bytes or code units, `per_10_000` of them.
fn damage<T>(per_10_000: u32, value: impl Fn(&mut Random) -> T) -> impl FnMut(T) -> T {
    let mut random = Random(0x5EED);
    move |unit| match random.below(10_000) {
        number if number < per_10_000 => value(&mut random),
        _ => unit,
    }
}

/// A byte that is not ASCII.
fn high_byte(random: &mut Random) -> u8 {
    0x80 | u8::try_from(random.below(0x80)).unwrap_or_default()
}
