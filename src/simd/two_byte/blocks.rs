//! Two-byte encodings → UTF-16 and UTF-8 by blocks of 64 bytes, for text whose runs are short.
//!
//! Three passes over the characters of several blocks, none of which has to predict where a run ends: vectors find
//! where characters start and collect them; each is looked up with one load; vectors write the results. Each pass
//! covers so many characters that no load has to wait for a store of the pass before it.

use core::mem::MaybeUninit;

use super::decode::FindUnit;

/// The number of bytes in a block of a two-byte encoding.
pub(in crate::simd) const BLOCK: usize = 64;

/// The number of characters that are written together. A multiple of it is looked up at a time.
pub(in crate::simd) const GROUP: usize = 32;

/// The maximum number of characters that are looked up together.
const BATCH: usize = 4 * BLOCK;

/// A block and the byte after it.
pub(in crate::simd) type Window = [u8; BLOCK + 1];

/// The characters of blocks, followed by zeros: each is a word with the lead or single byte in the lower
/// half, and the trail byte, or 0, in the upper half. Also used for the code units that they stand for.
///
/// Aligned for the vectors that read it.
#[repr(align(64))]
struct Characters([u16; BATCH + BLOCK]);

impl Characters {
    const NONE: Characters = Characters([0; BATCH + BLOCK]);
}

/// The result of looking for characters in a block.
#[derive(Clone, Copy)]
pub(in crate::simd) enum BlockContent {
    /// ASCII only.
    Ascii,
    /// Characters: where they start, and which of these bytes are lead bytes.
    Characters { starts: u64, leads: u64 },
    /// A byte that is neither a character nor a lead byte.
    Malformed,
}

/// How an instruction set finds and writes characters.
pub(in crate::simd) trait Blocks {
    /// The code unit of the output.
    type To: Copy;

    /// Collects the characters that start in a window's block. `carry` is 1 if the first byte belongs to a
    /// character before the block, or else 0.
    fn find(&self, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent;

    /// Writes a block of ASCII; returns `None` if there is too little room.
    fn put_ascii(&self, block: &[u8; BLOCK], to: &mut [MaybeUninit<Self::To>]) -> Option<()>;

    /// Writes some characters, whose code units are in `units`, or 0 if the index has none. Returns the
    /// number of output units written; `None` if a character has no code unit, or there is too little room.
    fn put(
        &self,
        characters: &[u16; GROUP],
        units: &[u16; GROUP],
        to: &mut [MaybeUninit<Self::To>],
    ) -> Option<usize>;
}

/// Decodes from the front of `src`, up to a byte that is malformed or has no code unit, or somewhat before
/// it, and as far as there is ample room. Returns the number of bytes read and of units written.
#[inline(always)]
pub(in crate::simd) fn decode_blocks<B: Blocks>(
    blocks: &B,
    look_up: impl FindUnit,
    src: &[u8],
    dst: &mut [MaybeUninit<B::To>],
) -> (usize, usize) {
    let mut characters = Characters::NONE;
    let mut units = Characters::NONE;
    let (mut at, mut written, mut carry) = (0, 0, 0);
    // If a byte that cannot be converted comes soon, the work on everything after it is wasted.
    let mut most = 1;
    loop {
        let start = at + carry as usize;
        let mut count = 0;
        let mut ascii = None;
        let mut is_last = false;
        while count < most {
            let ahead = src.get(at..).unwrap_or_default();
            let mut front;
            let (window, len) = match ahead.first_chunk() {
                Some(window) => (window, BLOCK),
                None => {
                    front = [b' '; BLOCK + 1];
                    front[..ahead.len()].copy_from_slice(ahead);
                    (&front, ahead.len().min(BLOCK))
                }
            };
            let Some(to) = characters.0[count..].first_chunk_mut() else {
                break;
            };
            match blocks.find(window, carry, to) {
                BlockContent::Characters { starts, leads }
                    if len == BLOCK && ahead.len() > BLOCK =>
                {
                    count += starts.count_ones() as usize;
                    carry = leads >> (BLOCK - 1);
                    at += BLOCK;
                }
                BlockContent::Characters { starts, leads } if len > 0 => {
                    // A lead byte at the end of the text is not read.
                    let cut = leads >> (len - 1) & 1;
                    let inside = u64::MAX >> (BLOCK - len) & !(cut << (len - 1));
                    count += (starts & inside).count_ones() as usize;
                    at += len - cut as usize;
                    carry = 0;
                    is_last = true;
                    break;
                }
                BlockContent::Ascii if len == BLOCK => {
                    ascii = ahead.first_chunk();
                    break;
                }
                _ => {
                    is_last = true;
                    break;
                }
            }
        }
        characters.0[count..][..GROUP].fill(0);
        let groups = count.div_ceil(GROUP);
        let (words, _) = characters.0.as_chunks::<GROUP>();
        let (found, _) = units.0.as_chunks_mut::<GROUP>();
        for (units, words) in found.iter_mut().zip(words).take(groups) {
            for (unit, &word) in units.iter_mut().zip(words) {
                *unit = look_up.unit(word.to_le_bytes());
            }
        }
        let (words, found) = core::hint::black_box((words, &*found));
        for (group, (words, units)) in words.iter().zip(found).take(groups).enumerate() {
            let room = dst.get_mut(written..).unwrap_or_default();
            let Some(len) = blocks.put(words, units, room) else {
                return (start + bytes_of(&characters.0[..group * GROUP]), written);
            };
            written += len;
        }
        most = BATCH - BLOCK + 1;
        // The characters are followed by zeros, each of which became a unit.
        written -= groups * GROUP - count;
        if is_last {
            return (at + carry as usize, written);
        }
        if let Some(block) = ascii {
            let room = dst.get_mut(written..).unwrap_or_default();
            if blocks.put_ascii(block, room).is_none() {
                return (at, written);
            }
            at += BLOCK;
            written += BLOCK;
        }
    }
}

/// Returns how many bytes characters have.
#[inline(never)]
fn bytes_of(characters: &[u16]) -> usize {
    let pairs = characters.iter().filter(|&&character| character > 0xFF);
    characters.len() + pairs.count()
}
