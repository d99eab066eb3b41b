//! Outputs that the encodings of the standard do not have: UTF-32, Latin-1, UTF-16 as bytes, and none at all.

use core::mem::MaybeUninit;

use super::Sink;
use super::filled::Filled;
use super::run::DecodeRun;
use crate::simd::{Kernels, Transcoded};

/// A buffer of UTF-32 code units.
pub(crate) struct Utf32Out<'a>(Filled<'a, u32>);

impl<'a> Utf32Out<'a> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u32>]) -> Self {
        Utf32Out(Filled::new(buf))
    }
}

impl Sink for Utf32Out<'_> {
    fn written(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        self.0.put([u32::from(ch)])
    }

    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        self.0.run(|to| run.into_utf32(kernels, src, to))
    }
}

/// A buffer of Latin-1, which refuses or replaces characters above U+00FF.
pub(crate) struct Latin1Out<'a> {
    out: Filled<'a, u8>,
    refused: Option<char>,
    /// `None` if it refuses them.
    replaced: Option<usize>,
}

impl<'a> Latin1Out<'a> {
    pub(crate) fn strict(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        Latin1Out {
            out: Filled::new(buf),
            refused: None,
            replaced: None,
        }
    }

    /// Makes a buffer that gets a question mark for each character above U+00FF.
    pub(crate) fn lossy(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        Latin1Out {
            replaced: Some(0),
            ..Self::strict(buf)
        }
    }
}

impl Sink for Latin1Out<'_> {
    fn written(&self) -> usize {
        self.out.len()
    }

    fn put(&mut self, ch: char) -> bool {
        let byte = u8::try_from(ch);
        if byte.is_err() && self.replaced.is_none() {
            self.refused = Some(ch);
            return false;
        }
        let fits = self.out.put([byte.unwrap_or(b'?')]);
        if fits
            && byte.is_err()
            && let Some(replaced) = &mut self.replaced
        {
            *replaced += 1;
        }
        fits
    }

    fn refused(&self) -> Option<char> {
        self.refused
    }

    fn replaced(&self) -> Option<usize> {
        self.replaced
    }

    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        self.out.run(|to| run.into_latin1(kernels, src, to))
    }
}

/// A buffer of UTF-16 as bytes, at any alignment. Its length is in bytes and even.
pub(crate) struct Utf16BytesOut<'a, const BE: bool>(Filled<'a, u8>);

pub(crate) type Utf16LeOut<'a> = Utf16BytesOut<'a, false>;
pub(crate) type Utf16BeOut<'a> = Utf16BytesOut<'a, true>;

impl<'a, const BE: bool> Utf16BytesOut<'a, BE> {
    pub(crate) fn new(buf: &'a mut [MaybeUninit<u8>]) -> Self {
        Utf16BytesOut(Filled::new(buf))
    }
}

impl<const BE: bool> Sink for Utf16BytesOut<'_, BE> {
    fn written(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn put(&mut self, ch: char) -> bool {
        let bytes = |unit: u16| {
            if BE {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        };
        let mut units = [0; 2];
        match *ch.encode_utf16(&mut units) {
            [unit] => self.0.put(bytes(unit)),
            _ => {
                let ([a, b], [c, d]) = (bytes(units[0]), bytes(units[1]));
                self.0.put([a, b, c, d])
            }
        }
    }

    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        self.0
            .run(|to| run.into_utf16_bytes::<BE>(kernels, src, to))
    }
}

/// No output, to find out whether the input is well-formed.
pub(crate) struct Nowhere;

impl Sink for Nowhere {
    fn written(&self) -> usize {
        0
    }

    #[inline(always)]
    fn put(&mut self, _: char) -> bool {
        true
    }

    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded {
        (run.valid_prefix(kernels, src), 0).into()
    }
}
