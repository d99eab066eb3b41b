//! What is measured: every operation, with a sentence that says what it is for.

pub(crate) mod buffers;
mod counts;
mod latin1;
mod legacy;
mod legacy_mixed;
mod legacy_rare;
mod legacy_trouble;
mod lossy;
mod units;
mod utf16;
mod utf32;
mod utf8;

use crate::corpus::{Kind, Random, WHOLE, cut};
use crate::select::USUAL;
use crate::timing::{Effort, Measured, Pieces};

pub(crate) use legacy::LEGACY;
pub(crate) use legacy_mixed::MIXED;
pub(crate) use legacy_rare::RARE;

/// Which texts an operation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// All.
    Every,
    /// Those that Latin-1 has, but for a few characters, which are left out.
    Latin1,
    /// Each encoding with its language: [`LEGACY`].
    Legacy,
    /// Some of these, through output buffers of each size.
    Buffers,
    /// Some of these, in text that is `mixed`.
    Mixed,
    /// Some of these, in text with rare characters.
    Rare,
}

impl Texts {
    /// Whether texts come with encodings.
    pub(crate) fn are_legacy(self) -> bool {
        !matches!(self, Texts::Every | Texts::Latin1)
    }

    /// The kinds of text that are measured: those asked for, or by default.
    pub(crate) fn kinds(self, asked: &[Kind]) -> Vec<Kind> {
        let kinds: &[Kind] = match self {
            Texts::Mixed => return vec![Kind::Mixed],
            Texts::Rare => return vec![Kind::Dense],
            Texts::Legacy | Texts::Buffers if asked.is_empty() => &[Kind::Html, Kind::Dense],
            _ => &[Kind::Html, Kind::Text, Kind::Dense],
        };
        let wanted = |kind: &&Kind| asked.is_empty() || asked.contains(kind);
        kinds.iter().filter(wanted).copied().collect()
    }
}

/// Which sizes of text an operation is measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sizes {
    /// 64 KiB; with the legacy encodings whole texts.
    Usual,
    /// With the legacy encodings also pieces of them. Some texts also from 16 bytes to 1 MiB, and every script from 8 to 128 bytes.
    Many,
    /// Also every script from 4 KiB to 1 MiB, and some texts with 64 MiB.
    All,
}

/// One thing that programs do with text, in all the ways they can.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// The name of the file, and of the group in the command line and in the report.
    pub(crate) family: &'static str,
    /// What the benchmark is for.
    pub(crate) purpose: &'static str,
    pub(crate) texts: Texts,
    pub(crate) sizes: Sizes,
    pub(crate) contest: fn(&Case<'_>) -> Result<Measured, String>,
}

/// The operations of a family; on these texts, unless they name others.
const fn family<const N: usize>(
    family: &'static str,
    texts: Texts,
    mut operations: [Operation; N],
) -> [Operation; N] {
    let mut index = 0;
    while index < N {
        operations[index].family = family;
        if matches!(operations[index].texts, Texts::Every) {
            operations[index].texts = texts;
        }
        index += 1;
    }
    operations
}

impl Operation {
    /// On every text, until [`family`] says otherwise.
    const fn new(
        name: &'static str,
        purpose: &'static str,
        contest: fn(&Case<'_>) -> Result<Measured, String>,
    ) -> Self {
        Operation {
            name,
            family: "",
            purpose,
            texts: Texts::Every,
            sizes: Sizes::Usual,
            contest,
        }
    }

    const fn on(self, texts: Texts) -> Self {
        Operation { texts, ..self }
    }

    const fn sizes(self, sizes: Sizes) -> Self {
        Operation { sizes, ..self }
    }

    /// The size that every text is measured with.
    pub(crate) fn usual(&self) -> usize {
        match self.texts {
            Texts::Buffers => 4096,
            texts if texts.are_legacy() => WHOLE,
            _ => USUAL,
        }
    }
}

/// Every operation, family by family.
pub(crate) fn all() -> impl Iterator<Item = &'static Operation> {
    let families: [&[Operation]; 11] = [
        &utf8::OPERATIONS,
        &utf16::OPERATIONS,
        &utf32::OPERATIONS,
        &latin1::OPERATIONS,
        &lossy::OPERATIONS,
        &counts::OPERATIONS,
        &legacy::OPERATIONS,
        &legacy_trouble::OPERATIONS,
        &legacy_mixed::OPERATIONS,
        &legacy_rare::OPERATIONS,
        &buffers::OPERATIONS,
    ];
    families.into_iter().flatten()
}

/// The families, in the order of the matrix.
pub(crate) fn families() -> Vec<&'static str> {
    let mut families: Vec<&str> = all().map(|operation| operation.family).collect();
    families.dedup();
    families
}

/// The input of one contest.
pub(crate) struct Case<'a> {
    pub(crate) text: &'a str,
    /// What is `mixed` with the text.
    pub(crate) prose: Option<&'a str>,
    /// Bytes of UTF-8 that a piece of the text has, or a few less; or those of the output buffer.
    pub(crate) size: usize,
    /// Of legacy operations.
    pub(crate) encoding: Option<&'static str>,
    pub(crate) effort: Effort,
    /// Whether ICU and iconv compete.
    pub(crate) c_peers: bool,
}

impl Case<'_> {
    fn utf8(&self) -> Pieces<u8> {
        Pieces::new(
            cut(self.text, self.size)
                .into_iter()
                .map(String::into_bytes),
        )
    }

    fn utf16(&self) -> Pieces<u16> {
        let pieces = cut(self.text, self.size).into_iter();
        Pieces::new(pieces.map(|piece| piece.encode_utf16().collect()))
    }

    fn utf32(&self) -> Pieces<u32> {
        let pieces = cut(self.text, self.size).into_iter();
        Pieces::new(pieces.map(|piece| piece.chars().map(u32::from).collect()))
    }

    /// The text without what Latin-1 does not have.
    fn within_latin1(&self) -> Vec<String> {
        let mut text = self.text.to_owned();
        text.retain(|ch| u8::try_from(ch).is_ok());
        cut(&text, self.size)
    }
}

/// Gives bytes or code units other values at random places, `per_10_000` of them.
fn damage<T>(units: &mut [T], per_10_000: u32, mut value: impl FnMut(&mut Random) -> T) {
    let mut random = Random(0x5EED);
    for unit in units {
        if random.below(10_000) < per_10_000 {
            *unit = value(&mut random);
        }
    }
}
