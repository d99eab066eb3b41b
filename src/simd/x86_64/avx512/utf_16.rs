//! UTF-16 to UTF-8 for AVX-512, 32 code units at a time.

use core::arch::x86_64::{
    __m128i, __m256i, __m512i, _bzhi_u32, _mm_extract_epi16, _mm_shuffle_epi8, _mm_unpackhi_epi16,
    _mm_unpacklo_epi16, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi16_mask,
    _mm512_cmplt_epu16_mask, _mm512_cvtepi16_epi8, _mm512_extracti32x4_epi32,
    _mm512_extracti64x4_epi64, _mm512_mask_mov_epi16, _mm512_mask_permutexvar_epi16,
    _mm512_min_epu16, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutex2var_epi32,
    _mm512_permutexvar_epi64, _mm512_set_epi32, _mm512_set_epi64, _mm512_set1_epi16,
    _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_sub_epi16,
    _mm512_ternarylogic_epi32, _mm512_test_epi16_mask, _mm512_unpackhi_epi16,
    _mm512_unpacklo_epi16,
};
use core::mem::MaybeUninit;

use super::{LANES, load, load_front, store, store_front_16, store_front_half};
use crate::simd::kernels::Replaced;
use crate::simd::scalar::utf_16::code_unit;
use crate::simd::x86_64::avx2::{
    self,
    compact::{self, ROOM},
};
use crate::simd::x86_64::sse4::{
    self,
    utf_16::{ONE_OR_TWO, UP_TO_THREE},
};

/// Code units in a vector.
const UNITS: usize = 32;

/// For a ternary logic instruction: `a | b & c`.
const OR_AND: i32 = 0xF0 | 0xCC & 0xAA;
/// For a ternary logic instruction: `a | b | c`.
const OR: i32 = 0xF0 | 0xCC | 0xAA;
/// For a ternary logic instruction: `a & b | c`.
const AND_OR: i32 = 0xF0 & 0xCC | 0xAA;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn halves(v: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn quarters(v: __m512i) -> [__m128i; 4] {
    [
        _mm512_extracti32x4_epi32::<0>(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

/// Native code units, and which of them take more than one byte and more than two.
#[derive(Clone, Copy)]
struct Block {
    units: __m512i,
    longer: u32,
    three: u32,
}

/// What lies around a block.
#[derive(Clone, Copy)]
struct Around {
    /// The unit before the block if it is a leading surrogate whose trailing one is in the block,
    /// or else 0.
    before: u16,
    /// The unit behind the block, or 0.
    after: u16,
}

/// What became of a block.
struct Converted {
    units: usize,
    bytes: usize,
    errors: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    open: u16,
    /// A lone surrogate follows, or a leading one at the end.
    stopped: bool,
}

impl Block {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn new<const BE: bool>(bytes: __m512i) -> Self {
        let units = if BE { swap_bytes(bytes) } else { bytes };
        Block {
            units,
            longer: _mm512_test_epi16_mask(units, splat(0xFF80)),
            three: _mm512_test_epi16_mask(units, splat(0xF800)),
        }
    }

    /// Converts the first `len` units; those behind them are 0. It is to become part of its caller,
    /// and does so because each set of parameters has only one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn to_utf_8<const BE: bool, const LOSSY: bool, const AT_END: bool>(
        self,
        len: usize,
        around: Around,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        let Block {
            units,
            longer,
            three,
        } = self;
        let whole = |three: u32| Converted {
            units: len,
            bytes: len + longer.count_ones() as usize + three.count_ones() as usize,
            errors: 0,
            open: 0,
            stopped: false,
        };
        if three == 0 {
            let two = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0xC080));
            let lead = _mm512_slli_epi16::<2>(units);
            let two = _mm512_ternarylogic_epi32::<OR_AND>(two, lead, splat(0x3F00));
            let words = _mm512_mask_mov_epi16(units, longer, two);
            let converted = whole(0);
            return converted.written_by(|bytes| one_or_two::<AT_END>(words, longer, bytes, to));
        }
        let from_surrogates = _mm512_sub_epi16(units, splat(0xD800));
        let surrogates = _mm512_cmplt_epu16_mask(from_surrogates, splat(0x800));
        if surrogates != 0 {
            return if AT_END {
                self.end_pairs_to_utf_8::<LOSSY>(len, to)
            } else {
                self.pairs_to_utf_8::<BE, LOSSY, AT_END>(len, around, to)
            };
        }
        let (first, last) = (first(units), last(units));
        if !AT_END && three == u32::MAX {
            return whole(u32::MAX).written_by(|_| all_three(first, last, to));
        }
        whole(three)
            .written_by(|bytes| up_to_three::<AT_END>([first, last], [longer, three], bytes, to))
    }

    /// The same for a block that has surrogates, the last one.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn end_pairs_to_utf_8<const LOSSY: bool>(
        self,
        len: usize,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        let nothing = Around {
            before: 0,
            after: 0,
        };
        self.pairs_to_utf_8::<false, LOSSY, true>(len, nothing, to)
    }

    /// The same for a block that has surrogates. With `AT_END`, a leading one at the end is left.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn pairs_to_utf_8<const BE: bool, const LOSSY: bool, const AT_END: bool>(
        self,
        len: usize,
        around: Around,
        to: &mut [MaybeUninit<u8>],
    ) -> Converted {
        let kind = _mm512_and_si512(self.units, splat(0xFC00));
        let leading = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
        let trailing = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
        let trailing_after = u32::from(around.after & 0xFC00 == 0xDC00);
        let paired_leading = leading & (trailing >> 1 | trailing_after << 31);
        let paired_trailing = trailing & (leading << 1 | u32::from(around.before != 0));
        let paired = paired_leading | paired_trailing;
        let cut = AT_END && leading >> (len - 1) & 1 == 1;
        let len = len - usize::from(cut);
        let lone = _bzhi_u32((leading | trailing) & !paired, len as u32);
        let stopped = !LOSSY && lone != 0;
        let len = if stopped {
            lone.trailing_zeros() as usize
        } else {
            len
        };
        let units = _mm512_mask_mov_epi16(self.units, lone, splat(0xFFFD));
        let (longer, three) = (self.longer, self.three & !paired);
        let last = last(units);
        // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
        let upper = _mm512_sub_epi16(units, splat(0xD7C0));
        let lead = _mm512_ternarylogic_epi32::<AND_OR>(upper, splat(0xFF00), splat(0xF000));
        let second = _mm512_ternarylogic_epi32::<AND_OR>(
            _mm512_srli_epi16::<2>(upper),
            splat(0x3F),
            splat(0x80),
        );
        let last = _mm512_mask_mov_epi16(last, paired_leading, _mm512_or_si512(lead, second));
        // Its two lowest bits are the trailing one's.
        let before = _mm512_mask_permutexvar_epi16(splat(around.before), !1, load(&BEFORE), units);
        let upper = _mm512_slli_epi16::<12>(before);
        let third = _mm512_slli_epi16::<2>(units);
        let third = _mm512_ternarylogic_epi32::<AND_OR>(third, splat(0xF00), splat(0x8000));
        let third = _mm512_ternarylogic_epi32::<OR_AND>(third, upper, splat(0x3000));
        let fourth = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0x80));
        let last = _mm512_mask_mov_epi16(last, paired_trailing, _mm512_or_si512(third, fourth));
        let front = |mask: u32| _bzhi_u32(mask, len as u32).count_ones() as usize;
        let last_unit = _mm_extract_epi16::<7>(_mm512_extracti32x4_epi32::<3>(units)) as u16;
        let converted = Converted {
            units: len,
            bytes: len + front(longer) + front(three),
            errors: if LOSSY { front(lone) } else { 0 },
            open: if paired_leading >> 31 == 1 {
                last_unit
            } else {
                0
            },
            stopped: stopped || AT_END && len == 0,
        };
        converted.written_by(|bytes| {
            if !AT_END && longer & !three == u32::MAX {
                // Each half of a pair is two bytes.
                let to = to.first_chunk_mut::<LANES>();
                to.map(|to| store(to, swap_bytes(last))).is_some()
            } else if three == 0 {
                one_or_two::<AT_END>(last, longer, bytes, to)
            } else {
                up_to_three::<AT_END>([first(units), last], [longer, three], bytes, to)
            }
        })
    }
}

impl Converted {
    /// Lets `write` write so many bytes; says that nothing was converted where it says that they do
    /// not fit.
    #[inline(always)]
    fn written_by(self, write: impl FnOnce(usize) -> bool) -> Self {
        if write(self.bytes) {
            self
        } else {
            Converted {
                units: 0,
                bytes: 0,
                errors: 0,
                open: 0,
                stopped: false,
            }
        }
    }
}

/// Writes of every lane in `longer` the high byte and the low one, of the others the low byte.
/// `AT_END`, the first `bytes` of them, and nothing behind them. False where there is no room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn one_or_two<const AT_END: bool>(
    words: __m512i,
    longer: u32,
    bytes: usize,
    to: &mut [MaybeUninit<u8>],
) -> bool {
    if let Some(to) = to.first_chunk_mut::<ROOM>() {
        compact::one_or_two(halves(words), longer, to);
        return true;
    }
    if !AT_END || bytes > to.len() {
        return false;
    }
    let mut to = &mut to[..bytes];
    for (words, longer) in quarters(words).into_iter().zip(longer.to_le_bytes()) {
        let row = sse4::load(&ONE_OR_TWO[usize::from(longer)]);
        store_front_16(to, _mm_shuffle_epi8(words, row));
        let len = 8 + longer.count_ones() as usize;
        to = match to.get_mut(len..) {
            Some(to) => to,
            None => return true,
        };
    }
    true
}

/// Writes of every lane in `three` both bytes of the first vector and the low one of the last, of
/// every other in `longer` the high byte of the last vector and the low one, and of the others the
/// low one. `AT_END`, the first `bytes` of them, and nothing behind them. False where there is no
/// room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn up_to_three<const AT_END: bool>(
    [first, last]: [__m512i; 2],
    [longer, three]: [u32; 2],
    bytes: usize,
    to: &mut [MaybeUninit<u8>],
) -> bool {
    if let Some(to) = to.first_chunk_mut::<ROOM>() {
        compact::up_to_three(halves(first), halves(last), longer, three, to);
        return true;
    }
    if !AT_END || bytes > to.len() {
        return false;
    }
    let mut to = &mut to[..bytes];
    // A byte for each four lanes.
    let lanes = compact::fours(longer, three).to_le_bytes();
    let (first, last) = (quarters(first), quarters(last));
    for (i, lanes) in lanes.into_iter().enumerate() {
        let (first, last) = (first[i / 2], last[i / 2]);
        let four = if i % 2 == 0 {
            _mm_unpacklo_epi16(first, last)
        } else {
            _mm_unpackhi_epi16(first, last)
        };
        let row = sse4::load(&UP_TO_THREE[usize::from(lanes)]);
        store_front_16(to, _mm_shuffle_epi8(four, row));
        let len = 4 + lanes.count_ones() as usize;
        to = match to.get_mut(len..) {
            Some(to) => to,
            None => return true,
        };
    }
    true
}

/// For each lane the number of the one before it.
static BEFORE: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut i = 1;
    while i < UNITS {
        lanes[2 * i] = i as u8 - 1;
        i += 1;
    }
    lanes
};

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn swap_bytes(v: __m512i) -> __m512i {
    let pairs = _mm512_set_epi32(
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
    );
    _mm512_shuffle_epi8(v, pairs)
}

/// The first two bytes of three.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn first(units: __m512i) -> __m512i {
    let lead = _mm512_srli_epi16::<12>(units);
    _mm512_ternarylogic_epi32::<OR>(lead, middle(units), splat(0x80E0))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn last(units: __m512i) -> __m512i {
    let last = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0x80));
    let last = _mm512_min_epu16(units, last);
    _mm512_ternarylogic_epi32::<OR>(last, middle(units), splat(0xC000))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn middle(units: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_slli_epi16::<2>(units), splat(0x3F00))
}

/// Writes 32 characters of three bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn all_three(first: __m512i, last: __m512i, to: &mut [MaybeUninit<u8>]) -> bool {
    // Four characters in a quarter: twelve bytes, and four of nothing.
    let row = [0x0402_0100, 0x0908_0605, 0x0E0D_0C0A, -1];
    let [a, b, c, d] = row;
    let rows = _mm512_set_epi32(d, c, b, a, d, c, b, a, d, c, b, a, d, c, b, a);
    let low = _mm512_shuffle_epi8(_mm512_unpacklo_epi16(first, last), rows);
    let high = _mm512_shuffle_epi8(_mm512_unpackhi_epi16(first, last), rows);
    // The unpacks work on each quarter by itself; 16 and up are the dwords of `high`.
    let order = _mm512_set_epi32(24, 10, 9, 8, 22, 21, 20, 6, 5, 4, 18, 17, 16, 2, 1, 0);
    let front = _mm512_permutex2var_epi32(low, order, high);
    let order = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 30, 29, 28, 14, 13, 12, 26, 25);
    let back = _mm512_permutex2var_epi32(low, order, high);
    let Some(to) = to.first_chunk_mut::<{ 3 * UNITS }>() else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut::<LANES>() {
        store(to, front);
    }
    if let Some(to) = to.last_chunk_mut::<{ LANES / 2 }>() {
        avx2::store(to, _mm512_castsi512_si256(back));
    }
    true
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
///
/// Short input, which is the common case, takes the shortest way.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf_16_to_utf_8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Replaced {
    if src.len() >= 2 * LANES {
        return wide::<BE, LOSSY>(src, dst);
    }
    let len = src.len() / 2;
    if len <= UNITS && len <= dst.len() {
        let bytes = load_front(&src[..2 * len]);
        if _mm512_test_epi16_mask(bytes, not_ascii::<BE>()) == 0 {
            let to = &mut dst[..len];
            let units = if BE {
                _mm512_srli_epi16::<8>(bytes)
            } else {
                bytes
            };
            store_front_half(to, _mm512_cvtepi16_epi8(units));
            return Replaced {
                read: 2 * len,
                written: len,
                errors: 0,
            };
        }
        let converted = end_to_utf_8::<BE, LOSSY>(&src[..2 * len], dst);
        if converted.units == len || converted.stopped {
            return Replaced {
                read: 2 * converted.units,
                written: converted.bytes,
                errors: converted.errors,
            };
        }
    }
    narrow::<BE, LOSSY>(src, dst, Replaced::NOTHING)
}

/// The bits that no ASCII unit has, in bytes as they come.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn not_ascii<const BE: bool>() -> __m512i {
    splat(if BE { 0x80FF } else { 0xFF80 })
}

/// Converts input of at least two blocks.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn wide<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
    let mut errors = 0;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    if let Some(front) = ahead.first_chunk::<LANES>() {
        let mut block = Block::new::<BE>(load(front));
        // A block ahead, so that a branch on what it holds is decided early.
        while let Some(blocks) = ahead.first_chunk::<{ 2 * LANES }>()
            && let Some(to) = room.first_chunk_mut::<ROOM>()
            && let ([_, behind], _) = blocks.as_chunks::<LANES>()
        {
            let next = Block::new::<BE>(load(behind));
            if block.longer == 0 {
                if let Some(to) = to.first_chunk_mut::<UNITS>() {
                    avx2::store(to, _mm512_cvtepi16_epi8(block.units));
                }
                ahead = &ahead[LANES..];
                room = &mut core::mem::take(&mut room)[UNITS..];
                block = next;
                if block.longer == 0 {
                    let run = ascii_run::<BE>(ahead, room);
                    ahead = &ahead[2 * run..];
                    room = &mut core::mem::take(&mut room)[run..];
                    let Some(front) = ahead.first_chunk::<LANES>() else {
                        break;
                    };
                    block = Block::new::<BE>(load(front));
                }
                continue;
            }
            let around = Around {
                before: open,
                after: code_unit::<BE>([behind[0], behind[1]]),
            };
            let converted = block.to_utf_8::<BE, LOSSY, false>(UNITS, around, to);
            ahead = &ahead[2 * converted.units..];
            room = &mut core::mem::take(&mut room)[converted.bytes..];
            errors += converted.errors;
            open = converted.open;
            if converted.stopped {
                return Replaced {
                    read: src.len() - ahead.len(),
                    written: dst_len - room.len(),
                    errors,
                };
            }
            block = next;
        }
    }
    // A pair is not to be left half written.
    let half = if open == 0 { 0 } else { 2 };
    let done = Replaced {
        read: src.len() - ahead.len() - half,
        written: dst_len - room.len() - half,
        errors,
    };
    narrow::<BE, LOSSY>(src, dst, done)
}

/// Narrows blocks of ASCII, as far as there is room. Returns the number of units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn ascii_run<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let not_ascii = not_ascii::<BE>();
    let narrow = |low: __m512i, high: __m512i| {
        let (low, high) = if BE {
            (_mm512_srli_epi16::<8>(low), _mm512_srli_epi16::<8>(high))
        } else {
            (low, high)
        };
        // The packs work on each quarter by itself: put the eighths in order.
        let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
    };
    let (blocks, _) = src.as_chunks::<{ 4 * LANES }>();
    let (to_blocks, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut run = 0;
    for (from, to) in blocks.iter().zip(to_blocks) {
        let ([a, b, c, d], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let [a, b, c, d] = [load(a), load(b), load(c), load(d)];
        let any = _mm512_or_si512(_mm512_ternarylogic_epi32::<OR>(a, b, c), d);
        if _mm512_test_epi16_mask(any, not_ascii) != 0 {
            break;
        }
        if let ([low, high], _) = to.as_chunks_mut::<LANES>() {
            store(low, narrow(a, b));
            store(high, narrow(c, d));
        }
        run += 2 * LANES;
    }
    run
}

/// Converts at most 32 units, if they fit. Not in a loop, so that what one case needs is not loaded
/// for the others.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn end_to_utf_8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Converted {
    let nothing = Around {
        before: 0,
        after: 0,
    };
    let block = Block::new::<BE>(load_front(src));
    block.to_utf_8::<BE, LOSSY, true>(src.len() / 2, nothing, dst)
}

/// What is left at the end of either buffer.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn narrow<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Replaced,
) -> Replaced {
    let mut most = UNITS;
    loop {
        let src = &src[done.read..];
        let dst = &mut dst[done.written..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let bytes = load_front(&src[..2 * len]);
        if _mm512_test_epi16_mask(bytes, not_ascii::<BE>()) == 0 {
            let units = if BE {
                _mm512_srli_epi16::<8>(bytes)
            } else {
                bytes
            };
            let len = len.min(dst.len());
            store_front_half(&mut dst[..len], _mm512_cvtepi16_epi8(units));
            done.read += 2 * len;
            done.written += len;
            if 2 * len == src.len() || len == 0 {
                return done;
            }
            continue;
        }
        let converted = end_to_utf_8::<BE, LOSSY>(&src[..2 * len], dst);
        if converted.units == 0 {
            if converted.stopped {
                return done;
            }
            // A third of the room always serves.
            most = dst.len() / 3;
        }
        done.read += 2 * converted.units;
        done.written += converted.bytes;
        done.errors += converted.errors;
        if converted.stopped || 2 * converted.units == src.len() {
            return done;
        }
    }
}
