//! What an instruction set does in its own way on the path from UTF-8 to UTF-16 (`utf8_to_utf16.rs`).

use core::mem::MaybeUninit;

use super::ascii::{ascii_to_utf16_bytes, widen};
use super::utf8_short::convert_whole;
use super::utf8_starts::Progress;
use super::utf8_to_utf16::{clean_blocks, write_if_right};
use super::utf8_units::Texts;
use super::{BLOCK, any_bits, load_4};
use crate::simd::vector::Vector;

/// How an instruction set converts blocks. The defaults are for vectors of 16 bytes; wider ones have better
/// ways.
pub(in crate::simd) trait Steps: Vector {
    /// Whether text of characters of at most two bytes has its own code.
    const HAS_TWOS: bool = true;

    /// Whether a block is validated before any of it is converted.
    const VALIDATES_FIRST: bool = false;

    /// After this many blocks in a row with hardly any characters except three-byte ones, a loop for these
    /// begins.
    const BLOCKS_BEFORE_THREES: u32 = 1;

    /// Whether [`Steps::try_one_block`] converts anything.
    const TRIES_ONE_BLOCK: bool = false;

    /// Converts all of a well-formed input of at most a block, or of a few blocks of ASCII, to native units, if the
    /// output fits, by code that needs no stack frame.
    #[inline(always)]
    fn try_one_block(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        None
    }

    /// Converts all of a short well-formed input, if the output fits.
    #[inline(always)]
    fn try_short(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() > BLOCK {
            return None;
        }
        if let Some(to) = dst.get_mut(..2 * src.len())
            && self.widen_short(src, to)
        {
            return Some(src.len());
        }
        convert_whole(self, src, dst, src.len().div_ceil(Self::LANES))
    }

    /// Writes the ASCII blocks at the front as code units, as far as there is room. Returns their length.
    #[inline(always)]
    fn widen_ascii(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let (blocks, _) = src.as_chunks::<BLOCK>();
        let (rooms, _) = dst.as_chunks_mut::<{ 2 * BLOCK }>();
        let mut len = 0;
        for (block, to) in blocks.iter().zip(rooms) {
            let vectors = load_4(self, block);
            if !self.is_ascii(any_bits(self, vectors)) {
                break;
            }
            for (bytes, to) in vectors
                .into_iter()
                .zip(to.chunks_exact_mut(2 * Self::LANES))
            {
                widen(self, to, bytes);
            }
            len += BLOCK;
        }
        len
    }

    /// Writes at most a block of bytes as code units if they are ASCII; `to` has exactly the room that they
    /// need.
    #[inline(always)]
    fn widen_short(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> bool {
        ascii_to_utf16_bytes(self, src, to) == src.len()
    }

    /// Converts all of a text of few blocks if it is well-formed and the output fits.
    #[inline(always)]
    fn try_short_blocks(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        None
    }

    /// Converts a run of three-byte characters, if that is worthwhile. Returns their number.
    #[inline(always)]
    fn convert_threes(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> usize {
        0
    }

    /// Converts whole blocks of well-formed input while there is room for a block and a unit. The default is apart, so
    /// that its loop has the registers to itself.
    #[inline(always)]
    fn clean_blocks(self, src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Progress) {
        self.run_apart(
            src,
            dst,
            #[inline(always)]
            |s, src, dst| clean_blocks(s, src, dst, run),
        );
    }

    /// Writes the code units of the characters that end one byte before `ends`, if no byte is malformed. The
    /// third and fourth bytes of four-byte characters are one byte before `pairs`. Writes nothing past the
    /// end of `to`.
    #[inline(always)]
    fn write_if_right(
        self,
        to: &mut [MaybeUninit<u8>],
        texts: Texts<Self>,
        ends: u64,
        pairs: [u64; 2],
    ) -> bool {
        write_if_right(self, to, texts, ends, pairs)
    }
}
