//! What is measured: every operation, with a sentence that says what it is for.

mod counts;
mod latin_1;
mod legacy;
mod lossy;
mod utf_16;
mod utf_32;
mod utf_8;

use crate::corpus::{Random, cut};
use crate::timing::{Effort, Measured, Pieces};

pub(crate) use legacy::LEGACY;

/// Which texts an operation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// All.
    Every,
    /// Those that Latin-1 has, but for a few characters, which are left out.
    Latin1,
    /// Each encoding with its language: [`LEGACY`].
    Legacy,
}

/// One thing that programs do with text, in all the ways they can.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// The name of the file, and of the group in the command line and in the report.
    pub(crate) family: &'static str,
    /// What the benchmark is for.
    pub(crate) purpose: &'static str,
    pub(crate) texts: Texts,
    /// Whether it is measured with texts of 8 to 128 bytes.
    pub(crate) short: bool,
    /// Whether it is measured with 64 MiB.
    pub(crate) huge: bool,
    pub(crate) contest: fn(&Case<'_>) -> Result<Measured, String>,
}

impl Operation {
    const fn new(
        family: &'static str,
        name: &'static str,
        purpose: &'static str,
        contest: fn(&Case<'_>) -> Result<Measured, String>,
    ) -> Self {
        Operation {
            name,
            family,
            purpose,
            texts: Texts::Every,
            short: false,
            huge: false,
            contest,
        }
    }

    const fn on(self, texts: Texts) -> Self {
        Operation { texts, ..self }
    }

    const fn short(self) -> Self {
        Operation {
            short: true,
            ..self
        }
    }

    const fn huge(self) -> Self {
        Operation { huge: true, ..self }
    }
}

/// Every operation, family by family.
pub(crate) fn all() -> impl Iterator<Item = &'static Operation> {
    let families: [&[Operation]; 7] = [
        &utf_8::OPERATIONS,
        &utf_16::OPERATIONS,
        &utf_32::OPERATIONS,
        &latin_1::OPERATIONS,
        &lossy::OPERATIONS,
        &counts::OPERATIONS,
        &legacy::OPERATIONS,
    ];
    families.into_iter().flatten()
}

/// The input of one contest.
pub(crate) struct Case<'a> {
    pub(crate) text: &'a str,
    /// Bytes of UTF-8 that a piece of the text has, or a few less.
    pub(crate) size: usize,
    /// Of legacy operations.
    pub(crate) encoding: Option<&'static str>,
    pub(crate) effort: Effort,
}

impl Case<'_> {
    fn utf_8(&self) -> Pieces<u8> {
        Pieces::new(
            cut(self.text, self.size)
                .into_iter()
                .map(String::into_bytes),
        )
    }

    fn utf_16(&self) -> Pieces<u16> {
        let pieces = cut(self.text, self.size).into_iter();
        Pieces::new(pieces.map(|piece| piece.encode_utf16().collect()))
    }

    fn utf_32(&self) -> Pieces<u32> {
        let pieces = cut(self.text, self.size).into_iter();
        Pieces::new(pieces.map(|piece| piece.chars().map(u32::from).collect()))
    }

    /// The text without what Latin-1 does not have.
    fn within_latin_1(&self) -> Vec<String> {
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
