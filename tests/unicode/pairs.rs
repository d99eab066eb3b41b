//! The functions under test in a common form: bytes in, bytes out.

use std::mem::MaybeUninit;

use bytemuck::Pod;
use simdtext::unicode::{self, Conversion, Stop};

use crate::model::{Form, units};

/// The result of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) stop: Stop,
    /// In units.
    pub(crate) read: usize,
    /// In bytes.
    pub(crate) written: Vec<u8>,
    pub(crate) replaced: usize,
}

/// The two functions for a pair of forms; they take the source and the room in units.
pub(crate) struct Pair {
    pub(crate) from: Form,
    pub(crate) to: Form,
    pub(crate) strict: fn(&[u8], usize) -> Done,
    pub(crate) lossy: fn(&[u8], usize) -> Done,
}

/// Runs a function with a slice in the middle of a buffer, once initialised and once not, and checks what is
/// around it.
fn run<U: Pod, T: Pod + PartialEq + std::fmt::Debug>(
    src: &[u8],
    room: usize,
    into: fn(&[U], &mut [T]) -> Conversion,
    into_uninit: fn(&[U], &mut [MaybeUninit<T>]) -> Conversion,
) -> Done {
    /// The number of units around the room.
    const AROUND: usize = 64;
    let mark: T = bytemuck::pod_read_unaligned(&[0xA7; 4][..size_of::<T>()]);
    let src: Vec<U> = units(src);
    let mut dst = vec![mark; room + 2 * AROUND];
    let done = into(&src, &mut dst[AROUND..AROUND + room]);
    for around in [&dst[..AROUND], &dst[AROUND + room..]] {
        assert!(
            around.iter().all(|unit| *unit == mark),
            "wrote past the room"
        );
    }
    let mut uninit = vec![MaybeUninit::new(mark); room + 1];
    assert_eq!(into_uninit(&src, &mut uninit[1..]), done);
    let written = &dst[AROUND..AROUND + done.written];
    Done {
        stop: done.stop,
        read: done.read,
        written: bytemuck::cast_slice(written).to_vec(),
        replaced: done.replaced,
    }
}

macro_rules! pairs {
    ($($from:ident to $to:ident: $strict:ident, $lossy:ident;)*) => {
        [$(Pair {
            from: Form::$from,
            to: Form::$to,
            strict: |src, room| run(
                src,
                room,
                |src, dst| unicode::$strict(src, dst),
                |src, dst| unicode::$strict(src, dst),
            ),
            lossy: |src, room| run(
                src,
                room,
                |src, dst| unicode::$lossy(src, dst),
                |src, dst| unicode::$lossy(src, dst),
            ),
        },)*]
    };
}

pub(crate) static PAIRS: [Pair; 35] = pairs! {
    Utf8 to Utf8: utf8_to_utf8, utf8_to_utf8_lossy;
    Utf8 to Utf16: utf8_to_utf16, utf8_to_utf16_lossy;
    Utf8 to Utf16Le: utf8_to_utf16le, utf8_to_utf16le_lossy;
    Utf8 to Utf16Be: utf8_to_utf16be, utf8_to_utf16be_lossy;
    Utf8 to Utf32: utf8_to_utf32, utf8_to_utf32_lossy;
    Utf8 to Latin1: utf8_to_latin1, utf8_to_latin1_lossy;
    Utf16 to Utf8: utf16_to_utf8, utf16_to_utf8_lossy;
    Utf16 to Utf16: utf16_to_utf16, utf16_to_utf16_lossy;
    Utf16 to Utf16Le: utf16_to_utf16le, utf16_to_utf16le_lossy;
    Utf16 to Utf16Be: utf16_to_utf16be, utf16_to_utf16be_lossy;
    Utf16 to Utf32: utf16_to_utf32, utf16_to_utf32_lossy;
    Utf16 to Latin1: utf16_to_latin1, utf16_to_latin1_lossy;
    Utf16Le to Utf8: utf16le_to_utf8, utf16le_to_utf8_lossy;
    Utf16Le to Utf16: utf16le_to_utf16, utf16le_to_utf16_lossy;
    Utf16Le to Utf16Le: utf16le_to_utf16le, utf16le_to_utf16le_lossy;
    Utf16Le to Utf16Be: utf16le_to_utf16be, utf16le_to_utf16be_lossy;
    Utf16Le to Utf32: utf16le_to_utf32, utf16le_to_utf32_lossy;
    Utf16Le to Latin1: utf16le_to_latin1, utf16le_to_latin1_lossy;
    Utf16Be to Utf8: utf16be_to_utf8, utf16be_to_utf8_lossy;
    Utf16Be to Utf16: utf16be_to_utf16, utf16be_to_utf16_lossy;
    Utf16Be to Utf16Le: utf16be_to_utf16le, utf16be_to_utf16le_lossy;
    Utf16Be to Utf16Be: utf16be_to_utf16be, utf16be_to_utf16be_lossy;
    Utf16Be to Utf32: utf16be_to_utf32, utf16be_to_utf32_lossy;
    Utf16Be to Latin1: utf16be_to_latin1, utf16be_to_latin1_lossy;
    Utf32 to Utf8: utf32_to_utf8, utf32_to_utf8_lossy;
    Utf32 to Utf16: utf32_to_utf16, utf32_to_utf16_lossy;
    Utf32 to Utf16Le: utf32_to_utf16le, utf32_to_utf16le_lossy;
    Utf32 to Utf16Be: utf32_to_utf16be, utf32_to_utf16be_lossy;
    Utf32 to Utf32: utf32_to_utf32, utf32_to_utf32_lossy;
    Utf32 to Latin1: utf32_to_latin1, utf32_to_latin1_lossy;
    Latin1 to Utf8: latin1_to_utf8, latin1_to_utf8;
    Latin1 to Utf16: latin1_to_utf16, latin1_to_utf16;
    Latin1 to Utf16Le: latin1_to_utf16le, latin1_to_utf16le;
    Latin1 to Utf16Be: latin1_to_utf16be, latin1_to_utf16be;
    Latin1 to Utf32: latin1_to_utf32, latin1_to_utf32;
};
