//! Which bytes of a 64-byte block start something: a character, or a malformed sequence that becomes one
//! U+FFFD. Uses plain 64-bit masks, for vectors of any width.
//!
//! The kernels write what *ends before* byte `i` of a block if byte `i` starts something. So nothing is
//! written before the byte after it is known, the last byte of a block belongs to the next one, and one more
//! start is assumed after the last byte of the input.

/// The progress of a kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simd) struct Progress {
    /// Where the current block begins, in bytes.
    pub(in crate::simd) at: usize,
    /// The number of code units written.
    pub(in crate::simd) units: usize,
    /// A mask of the starts in the previous block.
    pub(in crate::simd) starts: u64,
    /// The number of U+FFFD written for malformed sequences.
    pub(in crate::simd) errors: usize,
    /// Whether a malformed sequence may reach into the current block.
    pub(in crate::simd) dirty: bool,
    /// Whether U+FFFD is written for malformed sequences. If not, the run ends before the first one.
    pub(in crate::simd) is_lossy: bool,
}

impl Progress {
    /// Returns how many bytes before the block the first unwritten character or malformed sequence starts.
    #[inline(always)]
    fn open(&self) -> usize {
        if self.at == 0 {
            0
        } else {
            1 + self.starts.leading_zeros() as usize
        }
    }

    /// Returns whether the byte before the current block starts something: it is ASCII, or follows ASCII.
    #[inline(always)]
    pub(in crate::simd) fn is_after_start(&self, src: &[u8]) -> bool {
        let before = self.at.checked_sub(4).and_then(|at| src.get(at..self.at));
        matches!(before, Some([_, _, a, b]) if a.is_ascii() || b.is_ascii())
    }

    /// Records that the blocks since `start` have only ASCII and isolated bytes, which are all written.
    /// Returns whether there are any.
    #[inline(always)]
    pub(in crate::simd) fn has_passed_lone_bytes(&mut self, src: &[u8], start: usize) -> bool {
        if self.at == start {
            return false;
        }
        self.starts = !0;
        self.dirty = !src[self.at - 4..self.at].is_ascii();
        true
    }

    /// Ends the run before the current block.
    fn end_before(&mut self) {
        let open = self.open();
        // The whole of a four-byte character is unread, but its high surrogate is written already.
        if open == 4 {
            self.units -= 1;
        }
        self.at -= open;
    }

    /// Returns what the block needs to know about the previous one: whether its last byte is the second,
    /// third or fourth of a character, and whether it ends one.
    fn carry(&self, src: &[u8]) -> LastByte {
        let open = self.open();
        let lead = src.get(self.at - open).copied().unwrap_or_default();
        let len = match lead {
            0..0x80 => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
            _ => 0,
        };
        LastByte {
            second: u64::from(open == 2),
            third: u64::from(open == 3),
            fourth: u64::from(open == 4),
            // A single byte is a character only if it is ASCII; longer sequences have a valid lead byte.
            whole: u64::from(open == len && open > 0),
        }
    }
}

/// The last byte of the previous block, as bit 0 of masks.
#[derive(Clone, Copy, Debug)]
struct LastByte {
    second: u64,
    third: u64,
    fourth: u64,
    whole: u64,
}

/// The masks that comparisons find in a block with malformed bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct ByteClasses {
    /// The byte is ASCII.
    pub(in crate::simd) ascii: u64,
    /// The byte is a continuation byte that may follow the previous byte, if that is a lead byte.
    pub(in crate::simd) second: u64,
    /// The byte is a continuation byte.
    pub(in crate::simd) continuation: u64,
    /// The previous byte is a lead byte of three or four (E0 to FF).
    pub(in crate::simd) after_three: u64,
    /// The byte two before is a lead byte of three or four.
    pub(in crate::simd) two_after_three: u64,
    /// The byte two before is a lead byte of four (F0 to FF).
    pub(in crate::simd) two_after_four: u64,
    /// The byte three before is a lead byte of four.
    pub(in crate::simd) three_after_four: u64,
}

/// The structure of a block with malformed bytes. Every mask except the first two is about the byte before.
#[derive(Clone, Copy, Debug)]
struct Subparts {
    starts: u64,
    /// The byte is the fourth of a character.
    fourth: u64,
    /// The byte before ends a character.
    after_whole: u64,
    /// The byte before is the third byte of a character, or of an incomplete one.
    after_third: u64,
    /// The byte before is the fourth byte of a character.
    after_fourth: u64,
}

/// Finds maximal subparts (the standard's UTF-8 decoder): a byte belongs to the character before it if it may
/// continue it, whatever follows.
fn parts(found: ByteClasses, carry: LastByte) -> Subparts {
    let second = found.second;
    let after_second = second << 1 | carry.second;
    let third = found.continuation & after_second & found.two_after_three;
    let after_third = third << 1 | carry.third;
    let fourth = found.continuation & after_third & found.three_after_four;
    let whole = found.ascii | second & !found.after_three | third & !found.two_after_four | fourth;
    Subparts {
        starts: !(second | third | fourth),
        fourth,
        after_whole: whole << 1 | carry.whole,
        after_third,
        after_fourth: fourth << 1 | carry.fourth,
    }
}

/// The masks that comparisons find in any block.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct ByteMasks {
    /// The byte is a continuation byte.
    pub(in crate::simd) continuation: u64,
    /// The byte three before is a lead byte of four.
    pub(in crate::simd) three_after_four: u64,
    /// The byte can't follow the three before it.
    pub(in crate::simd) wrong: u64,
}

/// What to write of a block. Every mask is about what ends at the byte before.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct UnitsToWrite {
    /// Where a unit is written.
    pub(in crate::simd) written: u64,
    /// Where the unit is a high surrogate, if one is written.
    pub(in crate::simd) high: u64,
    /// Where it is a low surrogate.
    pub(in crate::simd) low: u64,
    /// Where the byte before may be a third byte.
    pub(in crate::simd) after_third: u64,
    /// Where the unit is U+FFFD.
    pub(in crate::simd) replaced: u64,
    /// Whether the run ends with this block.
    pub(in crate::simd) ends: bool,
}

impl Progress {
    /// Plans the current block, whatever its bytes and its room are, and moves on to the next one. Returns
    /// `None` if the run ends before it.
    #[inline(always)]
    pub(in crate::simd) fn plan(
        &mut self,
        src: &[u8],
        room: usize,
        seen: ByteMasks,
        found: impl FnOnce() -> ByteClasses,
    ) -> Option<UnitsToWrite> {
        let len = src.len() - self.at;
        let mut ends = len < 64;
        // One more start is assumed after the last byte. Nothing ends before the first.
        let mut lanes = up_to(len.min(63) as u32);
        if self.at == 0 {
            lanes &= !1;
        }
        let (starts, high, low, after_third, mut replaced);
        if seen.wrong != 0 || self.dirty {
            let parts = parts(found(), self.carry(src));
            if ends {
                // The next call may continue an incomplete sequence at the end.
                lanes &= parts.after_whole | lanes >> 1;
            }
            replaced = parts.starts & !parts.after_whole & lanes;
            if !self.is_lossy && replaced != 0 {
                lanes &= below(replaced.trailing_zeros());
                replaced = 0;
                ends = true;
            }
            starts = parts.starts;
            (high, low, after_third) = (parts.fourth, parts.after_fourth, parts.after_third);
            // A malformed sequence can affect the next three bytes.
            self.dirty = seen.wrong >> 60 != 0;
        } else {
            let four_before = self.at >= 4 && src[self.at - 4] >= 0xF0;
            starts = !seen.continuation;
            high = seen.three_after_four;
            low = high << 1 | u64::from(four_before);
            after_third = !0;
            replaced = 0;
        }
        let mut written = (starts | high) & lanes;
        if written.count_ones() as usize > room {
            let mut too_much = written;
            for _ in 0..room {
                too_much &= too_much - 1;
            }
            lanes &= below(too_much.trailing_zeros());
            ends = true;
        }
        if ends {
            // Back to the end of the last whole character.
            let Some(last) = (starts & lanes).checked_ilog2() else {
                self.end_before();
                return None;
            };
            lanes &= up_to(last);
            self.at += last as usize;
        } else {
            self.at += 64;
            self.starts = starts;
        }
        written &= lanes;
        replaced &= lanes;
        self.units += written.count_ones() as usize;
        self.errors += replaced.count_ones() as usize;
        Some(UnitsToWrite {
            written,
            high,
            low,
            after_third,
            replaced,
            ends,
        })
    }
}

/// Returns the bits below `end`.
#[inline(always)]
fn below(end: u32) -> u64 {
    (1 << end) - 1
}

/// Returns the bits up to and including `last`.
#[inline(always)]
fn up_to(last: u32) -> u64 {
    !0 >> (63 - last)
}
