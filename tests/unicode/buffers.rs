//! The types of output buffers.

use std::mem::MaybeUninit;

use simdtext::unicode::{
    Buffer, Stop, latin1_to_utf8, latin1_to_utf16, utf8_to_utf16, utf8_to_utf32,
};

const TEXT: &[u8] = "añ💩".as_bytes();
const UNITS: [u16; 4] = [0x61, 0xF1, 0xD83D, 0xDCA9];

/// Converts into a buffer through a generic bound, as callers write it, and returns the result.
fn written(dst: &mut (impl Buffer<u16> + ?Sized)) -> usize {
    let done = utf8_to_utf16(TEXT, dst);
    assert_eq!(done.stop, Stop::InputEmpty);
    done.written
}

#[test]
fn owned_and_borrowed_units() {
    let mut array = [0u16; 6];
    assert_eq!(written(&mut array), 4);
    assert_eq!(array[..4], UNITS);

    let mut vec = vec![0u16; 6];
    assert_eq!(written(&mut vec), 4);
    assert_eq!((vec.len(), &vec[..4]), (6, &UNITS[..]));

    let mut boxed = vec![0u16; 4].into_boxed_slice();
    assert_eq!(written(&mut boxed), 4);
    assert_eq!(*boxed, UNITS);
    let mut boxed_array = Box::new([0u16; 4]);
    assert_eq!(written(&mut boxed_array), 4);
    assert_eq!(*boxed_array, UNITS);

    let mut units = [0u16; 5];
    assert_eq!(written(&mut units[1..]), 4);
    assert_eq!(units[1..], UNITS);
    let mut slice: &mut [u16] = &mut units;
    assert_eq!(written(slice), 4);
    assert_eq!(written(&mut slice), 4);
    assert_eq!(written(&mut &mut slice), 4);
    assert_eq!(slice[..4], UNITS);
}

#[test]
fn units_that_are_not_initialised() {
    let mut array = [MaybeUninit::<u16>::uninit(); 4];
    assert_eq!(written(&mut array), 4);
    assert_eq!(written(&mut array[..]), 4);
    assert_eq!(written(&mut &mut array[..]), 4);
    let mut vec = vec![MaybeUninit::<u16>::uninit(); 4];
    assert_eq!(written(&mut vec), 4);
    assert_eq!(written(&mut vec.into_boxed_slice()), 4);
    assert_eq!(written(&mut Box::<[u16]>::new_uninit_slice(4)), 4);
    let mut spare = Vec::<u16>::with_capacity(4);
    assert_eq!(written(spare.spare_capacity_mut()), 4);
    assert!(spare.is_empty());
}

/// A slice that is advanced as it is filled.
#[test]
fn a_slice_behind_a_reference() {
    let mut units = [0u16; 8];
    let mut rest: &mut [u16] = &mut units;
    for part in [&b"ab"[..], b"\xE9", b"cd"] {
        let done = latin1_to_utf16(part, &mut rest);
        assert_eq!((done.stop, done.written), (Stop::InputEmpty, part.len()));
        rest = &mut rest[done.written..];
    }
    assert_eq!(rest.len(), 3);
    assert_eq!(units, [0x61, 0x62, 0xE9, 0x63, 0x64, 0, 0, 0]);
}

/// The elements of a `Vec` are the buffer; it neither grows nor shrinks.
#[test]
fn no_room() {
    let mut empty = Vec::<u8>::with_capacity(64);
    let done = latin1_to_utf8(b"\xE9", &mut empty);
    assert_eq!((done.stop, done.read), (Stop::OutputFull, 0));
    let mut boxed: Box<[u32]> = Box::new([0; 2]);
    let done = utf8_to_utf32(TEXT, &mut boxed);
    assert_eq!((done.stop, done.written), (Stop::OutputFull, 2));
    assert_eq!(*boxed, [0x61, 0xF1]);
}
