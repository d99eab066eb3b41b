//! Streams through the C functions, cut everywhere and with every size of output, compared with the library's
//! result for the whole text.
#![expect(unsafe_code, reason = "calls the functions that C programs call")]

use std::ffi::c_void;
use std::ptr::null;

use simdtext::{Encoding, Unmappable};
use simdtext_capi::simdtext_status::{
    SIMDTEXT_STATUS_MALFORMED, SIMDTEXT_STATUS_OK, SIMDTEXT_STATUS_OUTPUT_FULL,
    SIMDTEXT_STATUS_UNMAPPABLE,
};
use simdtext_capi::*;

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

/// A fault, as tests compare it: offset, length, character, bytes.
type Fault = (u64, u32, u32, [u8; 4]);

/// Calls `call` with pieces of `piece` units and `room` bytes at a time. Returns the output, the faults at
/// which it stopped, and the number of errors.
fn run<S>(
    src: &[S],
    piece: usize,
    room: usize,
    mut call: impl FnMut(&[S], &mut [u8], bool) -> simdtext_result,
) -> (Vec<u8>, Vec<Fault>, usize) {
    let (mut out, mut faults, mut errors) = (Vec::new(), Vec::new(), 0);
    let mut dst = vec![0; room];
    let mut pieces = src.chunks(piece).peekable();
    loop {
        let mut rest = pieces.next().unwrap_or_default();
        let last = pieces.peek().is_none();
        loop {
            let done = call(rest, &mut dst, last);
            out.extend_from_slice(&dst[..done.written]);
            rest = &rest[done.read..];
            errors += done.errors;
            let fault = done.fault;
            match done.status {
                SIMDTEXT_STATUS_OK => break,
                SIMDTEXT_STATUS_OUTPUT_FULL => assert!(done.read + done.written > 0 || room < 10),
                SIMDTEXT_STATUS_MALFORMED | SIMDTEXT_STATUS_UNMAPPABLE => {
                    faults.push((fault.offset, fault.len, fault.character, fault.bytes));
                }
                status => panic!("{status:?}"),
            }
        }
        assert!(rest.is_empty());
        if last {
            return (out, faults, errors);
        }
    }
}

fn encoder(encoding: &'static Encoding, unmappable: u32) -> *mut simdtext_encoder {
    // SAFETY: a handle, and no allocator.
    let encoder = unsafe { simdtext_encoder_new(handle(encoding), number(unmappable), null()) };
    assert!(!encoder.is_null());
    encoder
}

fn free(encoder: *mut simdtext_encoder) {
    // SAFETY: it is not used after this.
    unsafe { simdtext_encoder_free(encoder) };
}

fn from_utf8(
    encoder: *mut simdtext_encoder,
    src: &[u8],
    dst: &mut [u8],
    last: bool,
) -> simdtext_result {
    let (from, len) = (src.as_ptr().cast(), src.len());
    let (to, room) = (dst.as_mut_ptr().cast::<c_void>(), dst.len());
    // SAFETY: two slices, and an encoder.
    unsafe { simdtext_encoder_encode_from_utf8(encoder, from, len, to, room, last) }
}

const TEXTS: [&[u8]; 9] = [
    b"",
    b"plain",
    "日本語 and \u{1F4A9}, é".as_bytes(),
    b"a\xFFb\xC3",
    b"\xE6\x97\xE6\x97\xA5\xF0\x9F\x92",
    b"\xF0\x9F\x92\xA9\xF0\x9F\xF0\x80\xED\xA0\x80z",
    b"\xC3\xC3\xA9\xE2\x82\xE2\x82\xAC",
    b"\xE0\x80\xF4\x90\x80\x80",
    b"caf\xC3\xA9 \xE2\x82\xAC \xE6\x97\xA5\xE6\x9C\xAC\xF0\x9F",
];

const ENCODINGS: [&Encoding; 5] = [
    simdtext::WINDOWS_1252,
    simdtext::ISO_2022_JP,
    simdtext::UTF_8,
    simdtext::GB18030,
    simdtext::UTF_16LE,
];

/// Malformed sequences, by std: offset and bytes.
fn malformed(mut text: &[u8]) -> Vec<Fault> {
    let (mut faults, mut offset) = (Vec::new(), 0);
    while let Err(error) = std::str::from_utf8(text) {
        let start = error.valid_up_to();
        let len = error.error_len().unwrap_or(text.len() - start);
        let mut bytes = [0; 4];
        bytes[..len].copy_from_slice(&text[start..start + len]);
        faults.push((offset + start as u64, len as u32, 0, bytes));
        offset += (start + len) as u64;
        text = &text[start + len..];
    }
    faults
}

#[test]
fn encoding_utf8_is_encoding_what_it_means() {
    for encoding in ENCODINGS {
        for text in TEXTS {
            let lossy = String::from_utf8_lossy(text);
            for (number, unmappable) in [
                (1, Unmappable::Ncr),
                (2, Unmappable::Replace('?')),
                (3, Unmappable::Skip),
            ] {
                let expected = encoding.encode(&lossy, unmappable).unwrap();
                let stream = encoder(encoding, number);
                for piece in 1..=text.len().max(1) {
                    for room in 10..=40 {
                        let (out, faults, errors) = run(text, piece, room, |src, dst, last| {
                            from_utf8(stream, src, dst, last)
                        });
                        let what = format!("{encoding} {text:X?} {unmappable:?} {piece} {room}");
                        assert_eq!(out, *expected.bytes, "{what}");
                        assert_eq!(faults, [], "{what}");
                        // A malformed sequence is an error, whether or not U+FFFD is unmappable.
                        let in_encoding = match encoding.encode("\u{FFFD}", Unmappable::Strict) {
                            Ok(_) => malformed(text).len(),
                            Err(_) => 0,
                        };
                        assert_eq!(errors, expected.errors + in_encoding, "{what}");
                    }
                }
                free(stream);
            }
        }
    }
}

#[test]
fn a_strict_encoder_stops_at_each_fault() {
    for encoding in ENCODINGS {
        for text in TEXTS {
            // Malformed sequences, and in the rest the characters that the encoding does not have.
            let mut expected = malformed(text);
            let mut kept = String::new();
            let mut offset = 0;
            for chunk in text.utf8_chunks() {
                for ch in chunk.valid().chars() {
                    let one = ch.to_string();
                    match encoding.encode(&one, Unmappable::Strict) {
                        Ok(_) => kept.push(ch),
                        Err(_) => {
                            expected.push((offset, ch.len_utf8() as u32, ch.into(), [0; 4]));
                        }
                    }
                    offset += ch.len_utf8() as u64;
                }
                offset += chunk.invalid().len() as u64;
            }
            expected.sort_unstable();
            let bytes = encoding.encode(&kept, Unmappable::Strict).unwrap().bytes;
            let stream = encoder(encoding, 0);
            for piece in 1..=text.len().max(1) {
                for room in 10..=40 {
                    let (out, faults, errors) = run(text, piece, room, |src, dst, last| {
                        from_utf8(stream, src, dst, last)
                    });
                    let what = format!("{encoding} {text:X?} {piece} {room}");
                    assert_eq!(faults, expected, "{what}");
                    assert_eq!(errors, expected.len(), "{what}");
                    let escapes = encoding == simdtext::ISO_2022_JP && !expected.is_empty();
                    // The encoder of ISO-2022-JP returns to ASCII before an unmappable character.
                    assert!(escapes || out == *bytes, "{what}");
                }
            }
            free(stream);
        }
    }
}

#[test]
fn long_text_is_validated_in_pieces() {
    let mut text = "naïve café, 日本語, \u{1F4A9}. ".repeat(9000).into_bytes();
    let len = text.len();
    text[len / 2] = 0xFF;
    text.extend_from_slice(b"\xF0\x9F");
    let expected = String::from_utf8_lossy(&text);
    let expected = simdtext::GB18030
        .encode(&expected, Unmappable::Strict)
        .unwrap();
    let stream = encoder(simdtext::GB18030, 1);
    for (piece, room) in [
        (text.len(), 1 << 20),
        (1000, 333),
        (len - 1, 64),
        (7, 1 << 12),
    ] {
        let (out, _, _) = run(&text, piece, room, |src, dst, last| {
            from_utf8(stream, src, dst, last)
        });
        assert!(out == *expected.bytes, "{piece} {room}");
    }
    free(stream);
}

#[test]
fn decoding_in_pieces_tells_every_fault() {
    let cases: [(&Encoding, &[u8]); 5] = [
        (simdtext::SHIFT_JIS, b"\x93\xFA\x81\xFD\x96{\x81"),
        (simdtext::UTF_8, b"\xEF\xBB\xBFabc\xE6\x97\xFF\xE6\x97\xA5"),
        (simdtext::GB18030, b"\x81\x30\x81\x20\x94\x39\xDA\x33\xFF"),
        (simdtext::ISO_2022_JP, b"\x1B$BF|\x1B(B\x1B$B\x1B"),
        (simdtext::EUC_KR, b"\xFE\xFF\0a\xD8\0\0b"),
    ];
    for (encoding, bytes) in cases {
        let whole = encoding.decode(bytes);
        // SAFETY: a handle, and no allocator.
        let stop = unsafe { simdtext_decoder_new(handle(encoding), number(0), number(1), null()) };
        // SAFETY: a handle, and no allocator.
        let replace =
            unsafe { simdtext_decoder_new(handle(encoding), number(0), number(0), null()) };
        let mut told: Vec<Fault> = Vec::new();
        unsafe extern "C" fn tell(context: *mut c_void, fault: *const simdtext_fault) {
            // SAFETY: what was given below.
            let told = unsafe { &mut *context.cast::<Vec<Fault>>() };
            // SAFETY: the library's, for now.
            let fault = unsafe { *fault };
            told.push((fault.offset, fault.len, fault.character, fault.bytes));
        }
        let context = (&raw mut told).cast();
        // SAFETY: a stream, and a function for such a context.
        let status = unsafe { simdtext_decoder_set_on_fault(replace, Some(tell), context) };
        assert_eq!(status, SIMDTEXT_STATUS_OK);
        for piece in 1..=bytes.len() {
            for room in 4..20 {
                let decode = |decoder| {
                    run(bytes, piece, room, |src, dst, last| {
                        let (from, len) = (src.as_ptr().cast(), src.len());
                        let (to, room) = (dst.as_mut_ptr().cast(), dst.len());
                        // SAFETY: two slices, and a decoder.
                        let done = unsafe {
                            simdtext_decoder_decode_to_utf8(decoder, from, len, to, room, last)
                        };
                        if last && done.status == SIMDTEXT_STATUS_OK {
                            assert_eq!(done.encoding, handle(whole.encoding));
                        }
                        done
                    })
                };
                // SAFETY: nobody uses it now.
                unsafe { (*context.cast::<Vec<Fault>>()).clear() };
                let (text, none, errors) = decode(replace);
                assert_eq!(text, whole.text.as_bytes(), "{encoding} {piece} {room}");
                assert_eq!((none.len(), errors), (0, whole.errors));
                let (text, faults, errors) = decode(stop);
                assert_eq!(text, whole.text.replace('\u{FFFD}', "").as_bytes());
                assert_eq!(errors, whole.errors, "{encoding} {piece} {room}");
                // SAFETY: nobody uses it now.
                assert_eq!(&faults, unsafe { &*context.cast::<Vec<Fault>>() });
            }
        }
        // SAFETY: it is not used after this.
        unsafe { simdtext_decoder_free(stop) };
        // SAFETY: it is not used after this.
        unsafe { simdtext_decoder_free(replace) };
    }
}
