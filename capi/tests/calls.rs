//! Random calls of decoders and encoders, some of them wrong, in step with the same calls in Rust: the results and the
//! state are equal after each, and a call that is refused changes nothing.
//!
//! `SIMDTEXT_CASES` sets the number of objects.
#![expect(unsafe_code, reason = "calls the functions that C programs call")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use simdtext::{Bom, Decoder, Encoder, Encoding, Malformed, Progress, Status, Unmappable};
use simdtext_capi::simdtext_status::{
    SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_MALFORMED, SIMDTEXT_STATUS_MISALIGNED,
    SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL, SIMDTEXT_STATUS_OVERLAP,
    SIMDTEXT_STATUS_UNMAPPABLE,
};
use simdtext_capi::*;

/// A generator of pseudorandom numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

fn cases() -> impl Iterator<Item = (u64, Random)> {
    let count = std::env::var("SIMDTEXT_CASES").map_or(4000, |count| count.parse().unwrap());
    (1..=count).map(|seed: u64| {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.next();
        (seed, random)
    })
}

/// Enums as C passes them.
fn number<T>(value: u32) -> T {
    const { assert!(size_of::<T>() == 4) };
    // SAFETY: `T` is one of the types for enums of C, which hold any number.
    unsafe { std::mem::transmute_copy(&value) }
}

fn handle(encoding: &'static Encoding) -> *const simdtext_encoding {
    let name = encoding.name();
    // SAFETY: a string and its length.
    unsafe { simdtext_encoding_for_label(name.as_ptr().cast(), name.len()) }
}

fn bom(number: u32) -> Bom {
    [Bom::Sniff, Bom::Strip, Bom::Keep][number as usize]
}

/// A fault, as tests compare it: offset, length, character, bytes.
type Fault = (u64, u32, u32, [u8; 4]);

fn fault_of(malformed: Malformed) -> Fault {
    (malformed.offset, malformed.len.into(), 0, malformed.bytes)
}

unsafe extern "C" fn tell(context: *mut c_void, fault: *const simdtext_fault) {
    // SAFETY: what `set_on_fault` was given.
    let told = unsafe { &mut *context.cast::<Vec<Fault>>() };
    // SAFETY: the library's, for now.
    let fault = unsafe { *fault };
    told.push((fault.offset, fault.len, fault.character, fault.bytes));
}

/// What a call returned, as far as a `Progress` has it.
fn shown(done: &simdtext_result) -> (simdtext_status, usize, usize, usize) {
    (done.status, done.read, done.written, done.errors)
}

fn expected(progress: &Progress) -> (simdtext_status, usize, usize, usize) {
    let status = match progress.status {
        Status::InputEmpty => SIMDTEXT_STATUS_OK,
        Status::OutputFull => SIMDTEXT_STATUS_OUTPUT_FULL,
        Status::Malformed(_) => SIMDTEXT_STATUS_MALFORMED,
        Status::Unmappable { .. } => SIMDTEXT_STATUS_UNMAPPABLE,
    };
    (status, progress.read, progress.written, progress.errors)
}

const ROOMS: [usize; 10] = [0, 1, 2, 3, 4, 8, 10, 16, 40, 600];

/// Bytes in which much happens, and often nothing for a while.
fn bytes(random: &mut Random) -> Vec<u8> {
    let parts: [&[u8]; 20] = [
        b"a",
        b"\x1B$B",
        b"\x1B(B",
        b"\x1B$@",
        b"\x1B",
        b"\x0E",
        b"\x81",
        b"\x30",
        b"\x8F\xA2",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB",
        b"\xFE\xFF",
        b"\xFF\xFE",
        b"\xE2\x82\xAC",
        b"\xF0\x9F",
        b"\xD8\0",
        b"\xA4\xA4",
        b"\x84\x31\x95\x33",
        b"\xFF",
        b"plain text, for a vector or two, ",
    ];
    (0..random.below(12))
        .flat_map(|_| random.one_of(&parts))
        .copied()
        .collect()
}

fn text(random: &mut Random) -> String {
    let parts = [
        "a",
        "é",
        "日",
        "€",
        "😀",
        "¥",
        "\u{1B}",
        "\u{FFFD}",
        "ｱ",
        "plain text, for a vector",
    ];
    (0..random.below(12))
        .map(|_| random.one_of(&parts))
        .collect()
}

#[test]
fn decoders() {
    for (seed, mut random) in cases() {
        let encoding = random.one_of(Encoding::all());
        let (mark, stops) = (random.below(3) as u32, random.below(2) == 1);
        let mut rust: Decoder = encoding.decoder(bom(mark));
        // SAFETY: a handle, and no allocator.
        let c = unsafe {
            simdtext_decoder_new(handle(encoding), number(mark), number(stops.into()), null())
        };
        let (mut told, mut is_told): (Vec<Fault>, bool) = (Vec::new(), false);
        let context: *mut c_void = (&raw mut told).cast();
        for step in 0..random.below(20) {
            let what = format!("seed {seed}, step {step}, {encoding}");
            let src = bytes(&mut random);
            let (room, last) = (random.one_of(&ROOMS), random.below(5) == 0);
            let (from, len) = (src.as_ptr().cast::<c_void>(), src.len());
            let mut faults: Vec<Fault> = Vec::new();
            match random.below(12) {
                0 => {
                    is_told = !is_told;
                    let on_fault: simdtext_on_fault = if is_told { Some(tell) } else { None };
                    // SAFETY: a decoder, and a function for such a context.
                    unsafe { simdtext_decoder_set_on_fault(c, on_fault, context) };
                }
                1 => {
                    rust.reset();
                    // SAFETY: a decoder.
                    unsafe { simdtext_decoder_reset(c) };
                }
                2 => {
                    let (to, mark) = (random.one_of(Encoding::all()), random.below(3) as u32);
                    rust.reset_to(to, bom(mark));
                    // SAFETY: a decoder, and a handle.
                    unsafe { simdtext_decoder_reset_to(c, handle(to), number(mark)) };
                }
                3 => {
                    // SAFETY: it is refused.
                    let status = unsafe { simdtext_decoder_reset_to(c, null(), number(0)) };
                    assert_eq!(status, SIMDTEXT_STATUS_INVALID_ARGUMENT);
                    // SAFETY: it is refused.
                    let status =
                        unsafe { simdtext_decoder_reset_to(c, handle(encoding), number(3)) };
                    assert_eq!(status, SIMDTEXT_STATUS_INVALID_ARGUMENT);
                }
                4 => {
                    let mut both = [0_u16; 8];
                    let (to, odd) = (both.as_mut_ptr(), both.as_mut_ptr().wrapping_byte_add(1));
                    let to_utf8 = |src, len, dst, room| {
                        // SAFETY: it is refused.
                        unsafe { simdtext_decoder_decode_to_utf8(c, src, len, dst, room, last) }
                    };
                    let to_utf16 = |src, len, dst, room| {
                        // SAFETY: it is refused.
                        unsafe { simdtext_decoder_decode_to_utf16(c, src, len, dst, room, last) }
                    };
                    for (done, status) in [
                        (
                            to_utf8(null(), 1, to.cast(), 16),
                            SIMDTEXT_STATUS_INVALID_ARGUMENT,
                        ),
                        (
                            to_utf8(to.cast(), 1, null_mut(), 1),
                            SIMDTEXT_STATUS_INVALID_ARGUMENT,
                        ),
                        (to_utf16(null(), 0, odd, 1), SIMDTEXT_STATUS_MISALIGNED),
                        (to_utf16(odd.cast(), 1, to, 1), SIMDTEXT_STATUS_OVERLAP),
                    ] {
                        assert_eq!(shown(&done), (status, 0, 0, 0), "{what}");
                    }
                }
                5..8 => {
                    let (mut here, mut there) = (vec![0_u16; room], vec![0_u16; room]);
                    let tell = |malformed| faults.push(fault_of(malformed));
                    let progress = match stops {
                        true => rust.decode_to_utf16_strict(&src, &mut here, last),
                        false => rust.decode_to_utf16_with(&src, &mut here, last, tell),
                    };
                    let to = there.as_mut_ptr();
                    // SAFETY: two slices, and a decoder.
                    let done =
                        unsafe { simdtext_decoder_decode_to_utf16(c, from, len, to, room, last) };
                    assert_eq!(shown(&done), expected(&progress), "{what}");
                    assert_eq!(here[..progress.written], there[..done.written], "{what}");
                    check_fault(&done, &progress, &what);
                }
                _ => {
                    let (mut here, mut there) = (vec![0; room], vec![0; room]);
                    let tell = |malformed| faults.push(fault_of(malformed));
                    let progress = match stops {
                        true => rust.decode_to_utf8_strict(&src, &mut here, last),
                        false => rust.decode_to_utf8_with(&src, &mut here, last, tell),
                    };
                    let to = there.as_mut_ptr().cast();
                    // SAFETY: two slices, and a decoder.
                    let done =
                        unsafe { simdtext_decoder_decode_to_utf8(c, from, len, to, room, last) };
                    assert_eq!(shown(&done), expected(&progress), "{what}");
                    assert_eq!(here[..progress.written], there[..done.written], "{what}");
                    check_fault(&done, &progress, &what);
                }
            }
            // SAFETY: nobody uses it now.
            let told = std::mem::take(unsafe { &mut *context.cast::<Vec<Fault>>() });
            assert_eq!(told, if is_told { faults } else { Vec::new() }, "{what}");
            let mut pending = [0_u8; 8];
            // SAFETY: a decoder, and room.
            let held = unsafe { simdtext_decoder_pending(c, pending.as_mut_ptr().cast(), 8) };
            assert_eq!(&pending[..held], rust.pending(), "{what}");
            // SAFETY: a decoder.
            let read = unsafe { simdtext_decoder_total_read(c) };
            assert_eq!(read, rust.total_read(), "{what}");
            // SAFETY: a decoder.
            let encoding = unsafe { simdtext_decoder_encoding(c) };
            assert_eq!(encoding, handle(rust.encoding()), "{what}");
            for n in [0, 1, 1000, usize::MAX] {
                // SAFETY: a decoder.
                let most = unsafe { simdtext_decoder_max_utf8_len(c, n) };
                assert_eq!(most, rust.max_utf8_len(n).unwrap_or(usize::MAX), "{what}");
                // SAFETY: a decoder.
                let most = unsafe { simdtext_decoder_max_utf16_len(c, n) };
                assert_eq!(most, rust.max_utf16_len(n).unwrap_or(usize::MAX), "{what}");
            }
        }
        // SAFETY: it is not used after this.
        unsafe { simdtext_decoder_free(c) };
    }
}

fn check_fault(done: &simdtext_result, progress: &Progress, what: &str) {
    let fault = (
        done.fault.offset,
        done.fault.len,
        done.fault.character,
        done.fault.bytes,
    );
    match progress.status {
        Status::Malformed(malformed) => assert_eq!(fault, fault_of(malformed), "{what}"),
        Status::Unmappable { ch, offset } => {
            assert_eq!((fault.0, fault.2), (offset, u32::from(ch)), "{what}");
        }
        _ => assert_eq!(fault, (0, 0, 0, [0; 4]), "{what}"),
    }
}

#[test]
fn encoders() {
    for (seed, mut random) in cases() {
        let encoding = random.one_of(Encoding::all());
        let mode = random.below(4) as u32;
        // SAFETY: a handle, and no allocator.
        let c = unsafe { simdtext_encoder_new(handle(encoding), number(mode), null()) };
        let Some(mut rust): Option<Encoder> = encoding.encoder() else {
            assert!(c.is_null());
            continue;
        };
        let modes = [
            Unmappable::Strict,
            Unmappable::Ncr,
            Unmappable::Replace('?'),
            Unmappable::Skip,
        ];
        let unmappable = modes[mode as usize];
        for step in 0..random.below(20) {
            let what = format!("seed {seed}, step {step}, {encoding} {unmappable:?}");
            let text = text(&mut random);
            let (room, last) = (random.one_of(&ROOMS), random.below(5) == 0);
            let (mut here, mut there) = (vec![0; room], vec![0; room]);
            let to = there.as_mut_ptr().cast();
            match random.below(8) {
                0 => {
                    rust.reset();
                    // SAFETY: an encoder.
                    unsafe { simdtext_encoder_reset(c) };
                }
                1 => {
                    let mut both = [0_u16; 8];
                    let (from, odd) = (both.as_mut_ptr(), both.as_mut_ptr().wrapping_byte_add(1));
                    let utf16 = |src, len, dst, room| {
                        // SAFETY: it is refused.
                        unsafe { simdtext_encoder_encode_from_utf16(c, src, len, dst, room, last) }
                    };
                    for (done, status) in [
                        (
                            utf16(null(), 1, from.cast(), 16),
                            SIMDTEXT_STATUS_INVALID_ARGUMENT,
                        ),
                        (utf16(odd, 1, null_mut(), 0), SIMDTEXT_STATUS_MISALIGNED),
                        (utf16(from, 1, odd.cast(), 1), SIMDTEXT_STATUS_OVERLAP),
                    ] {
                        assert_eq!(shown(&done), (status, 0, 0, 0), "{what}");
                    }
                }
                2..5 => {
                    let mut units: Vec<u16> = text.encode_utf16().collect();
                    if random.below(3) == 0 {
                        let at = random.below(units.len() + 1);
                        units.insert(at, random.one_of(&[0xD83D, 0xDE00]));
                    }
                    let progress = rust.encode_from_utf16(&units, &mut here, last, unmappable);
                    let (from, len) = (units.as_ptr(), units.len());
                    // SAFETY: two slices, and an encoder.
                    let done =
                        unsafe { simdtext_encoder_encode_from_utf16(c, from, len, to, room, last) };
                    assert_eq!(shown(&done), expected(&progress), "{what}");
                    assert_eq!(here[..progress.written], there[..done.written], "{what}");
                    check_fault(&done, &progress, &what);
                }
                _ => {
                    let progress = rust.encode_from_utf8(&text, &mut here, last, unmappable);
                    let (from, len) = (text.as_ptr().cast(), text.len());
                    // SAFETY: two slices, and an encoder.
                    let done =
                        unsafe { simdtext_encoder_encode_from_utf8(c, from, len, to, room, last) };
                    assert_eq!(shown(&done), expected(&progress), "{what}");
                    assert_eq!(here[..progress.written], there[..done.written], "{what}");
                    check_fault(&done, &progress, &what);
                }
            }
            // SAFETY: an encoder.
            let pending = unsafe { simdtext_encoder_has_pending_output(c) };
            assert_eq!(pending, rust.has_pending_output(), "{what}");
            // SAFETY: an encoder.
            let most = unsafe { simdtext_encoder_max_len_from_utf8(c, 9) };
            assert_eq!(Some(most), rust.max_len_from_utf8(9), "{what}");
            // SAFETY: an encoder.
            let most = unsafe { simdtext_encoder_max_len_from_utf16(c, 9) };
            assert_eq!(Some(most), rust.max_len_from_utf16(9), "{what}");
        }
        // SAFETY: it is not used after this.
        unsafe { simdtext_encoder_free(c) };
    }
}
