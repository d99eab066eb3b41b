//! Texts in many languages, and their bytes in each encoding that has their characters.

use std::fs;
use std::path::Path;

use simdtext::{Encoding, REPLACEMENT, UTF_16BE, UTF_16LE, Unmappable, X_USER_DEFINED};

/// Numbers that look random, and are the same each time.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap_or(0)
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Bytes that are no text.
    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

/// A text and its bytes.
type Encoded = (String, Vec<u8>);

/// Texts, each with the encodings that have all of its characters.
pub(crate) struct Texts {
    /// Of each encoding the texts that it has, in its bytes.
    by_encoding: Vec<(&'static Encoding, Vec<Encoded>)>,
}

impl Texts {
    /// Reads all files ending in `.txt` in folders, cut to at most `max` bytes, each in pieces of its own.
    pub(crate) fn read(folders: &[&Path], max: usize) -> std::io::Result<Self> {
        let mut texts = vec![String::from(
            "Plain ASCII, which all encodings of the web have in common.\n",
        )];
        for folder in folders {
            let mut paths: Vec<_> = fs::read_dir(folder)?
                .map(|entry| entry.map(|it| it.path()))
                .collect::<Result<_, _>>()?;
            paths.sort();
            for path in paths
                .iter()
                .filter(|it| it.extension().is_some_and(|it| it == "txt"))
            {
                let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
                let cut = (0..=max.min(text.len()))
                    .rev()
                    .find(|at| text.is_char_boundary(*at));
                texts.push(text[..cut.unwrap_or(0)].to_owned());
            }
        }
        let mut by_encoding = Vec::new();
        for encoding in Encoding::all() {
            let encoded = texts
                .iter()
                .filter_map(|text| Some((text.clone(), encode(encoding, text)?)));
            by_encoding.push((*encoding, encoded.collect()));
        }
        Ok(Self { by_encoding })
    }

    /// The encodings that have some text.
    pub(crate) fn encodings(&self) -> impl Iterator<Item = &'static Encoding> + '_ {
        let some = self
            .by_encoding
            .iter()
            .filter(|(_, texts)| !texts.is_empty());
        some.map(|(encoding, _)| *encoding)
    }

    /// A text in an encoding, and its bytes; the longer one of two.
    pub(crate) fn pick(
        &self,
        encoding: &'static Encoding,
        random: &mut Random,
    ) -> Option<(&str, &[u8])> {
        let (_, texts) = self.by_encoding.iter().find(|(it, _)| *it == encoding)?;
        if texts.is_empty() {
            return None;
        }
        let (text, bytes) = random.pick(texts);
        Some((text, bytes))
    }
}

/// The bytes of a text. `None` where the encoding does not have all of it.
pub(crate) fn encode(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    if encoding == UTF_16LE {
        Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect())
    } else if encoding == UTF_16BE {
        Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect())
    } else if encoding == REPLACEMENT || encoding == X_USER_DEFINED && !text.is_ascii() {
        None
    } else {
        let bytes = encoding
            .encode(text, Unmappable::Strict)
            .ok()?
            .bytes
            .into_owned();
        // Some encoders have what their decoders read back as another character.
        (encoding.decode(&bytes).text == text).then_some(bytes)
    }
}
