//! Every kernel of every table that this machine can run is compared with the scalar one, which is compared
//! with `std` first. There is one file for each family of kernels; this one has what they share.

mod forms;
#[cfg_attr(any(not(unix), miri), path = "guard_heap.rs")]
mod guard;
mod hostile;
#[cfg(feature = "legacy-cjk")]
mod iso_2022_jp;
mod short_encoded;
#[cfg(feature = "legacy-single-byte")]
mod single_byte;
mod single_byte_lossy;
#[cfg(feature = "legacy-cjk")]
mod two_byte;
#[cfg(feature = "legacy-cjk")]
mod two_byte_encode;
#[cfg(feature = "legacy-cjk")]
mod two_byte_lossy;
#[cfg(feature = "legacy-cjk")]
mod two_byte_short;
mod utf16;
mod utf16_converted;
mod utf8;
mod utf8_copy;
mod utf8_to_utf16;
mod utf8_to_utf32;

use core::cell::RefCell;
use core::mem::MaybeUninit;
use std::vec::Vec;

use guard::{Edge, Guarded};

use super::kernels::Kernels;
use super::none::NO_KERNELS;
use super::tables::{ENTRIES_BY_PLACE, available, select};

/// Lengths on both sides of every vector width, and of their small multiples.
const LENGTHS: core::ops::Range<usize> = 0..300;

/// Bytes that end an ASCII run, and characters of every length to put into one.
const STOPS: [&[u8]; 9] = [
    b"\x80",
    b"\xFF",
    "é".as_bytes(),
    "日".as_bytes(),
    "💩".as_bytes(),
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xE0\x9F\x80",
    b"\xC3",
];

/// The tables under test.
fn tables() -> impl Iterator<Item = &'static Kernels> {
    let names = ENTRIES_BY_PLACE.iter().map(|(name, _)| *name);
    for name in names.filter(|name| !available().any(|table| table.name == *name)) {
        std::eprintln!("skipped: this machine lacks the {name} kernels");
    }
    available().filter(|table| table.name != "none")
}

/// Returns ASCII of every length, with nothing or one of `STOPS` at every few places.
fn inputs() -> impl Iterator<Item = Vec<u8>> {
    LENGTHS.flat_map(|len| {
        let ascii: Vec<u8> = (0..len).map(|i| b' ' + (i * 7 % 90) as u8).collect();
        let step = 1 + len / 24;
        let stopped = (0..len).step_by(step).flat_map({
            let ascii = ascii.clone();
            move |at| {
                let ascii = ascii.clone();
                STOPS.iter().map(move |stop| {
                    let (front, back) = ascii.split_at(at);
                    [front, stop, back].concat()
                })
            }
        });
        core::iter::once(ascii).chain(stopped)
    })
}

std::thread_local! {
    static DESTINATION: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 17));
}

/// Runs a kernel into `room` units, after which nothing may be written. Returns the number of units that it
/// reports as read, and what it wrote.
fn output<T: bytemuck::Pod>(
    room: usize,
    kernel: impl FnMut(&mut [MaybeUninit<T>]) -> (usize, usize),
) -> (usize, Vec<T>) {
    output_at(room, Edge::Back(0), kernel)
}

/// Runs a kernel into `room` units at `edge`. Returns the number of units that it reports as read, and what
/// it wrote. Runs it twice, over memory filled with different bytes, so that units which it counts but has
/// not written differ.
fn output_at<T: bytemuck::Pod>(
    room: usize,
    edge: Edge,
    mut kernel: impl FnMut(&mut [MaybeUninit<T>]) -> (usize, usize),
) -> (usize, Vec<T>) {
    let first = output_over(FILLS[0], room, edge, &mut kernel);
    let second = output_over(FILLS[1], room, edge, &mut kernel);
    let bytes = |(_, units): &(usize, Vec<T>)| bytemuck::cast_slice::<T, u8>(units).to_vec();
    assert_eq!(first.0, second.0, "units read into {room}");
    assert_eq!(
        bytes(&first),
        bytes(&second),
        "units counted, but not written, of {room}"
    );
    first
}

/// The contents of memory before a kernel writes to it. The two have no bit in common.
const FILLS: [u8; 2] = [0xA5, 0x5A];

/// Runs a kernel into `room` units at `edge`, which hold `fill`.
fn output_over<T: bytemuck::Pod>(
    fill: u8,
    room: usize,
    edge: Edge,
    kernel: impl FnOnce(&mut [MaybeUninit<T>]) -> (usize, usize),
) -> (usize, Vec<T>) {
    DESTINATION.with_borrow_mut(|memory| {
        let dst = memory.room(room, edge, fill);
        let (read, written) = kernel(dst);
        assert!(written <= room, "{written} units written into {room}");
        let written = dst[..written]
            .iter()
            // SAFETY: every unit was initialised by `room`, and kernels write initialised units
            // only.
            .map(|unit| unsafe { unit.assume_init() })
            .collect();
        (read, written)
    })
}

/// Output sizes worth trying for an input of `len` units.
fn rooms(len: usize) -> [usize; 5] {
    [0, len / 2, len.saturating_sub(1), len, len + 40]
}

#[test]
fn kernels_that_do_nothing_do_nothing() {
    let src = b"plain";
    assert_eq!((NO_KERNELS.ascii_prefix)(src), 0);
    assert_eq!((NO_KERNELS.utf8_valid_prefix)(src), 0);
    assert_eq!(
        output::<u8>(8, |dst| (0, (NO_KERNELS.ascii_to_utf8)(src, dst))),
        (0, Vec::new())
    );
    assert_eq!(
        output::<u16>(8, |dst| (NO_KERNELS.utf8_to_utf16)(src, dst)),
        (0, Vec::new())
    );
}

/// A set that the target always has is not skipped.
#[cfg(target_feature = "simd128")]
#[test]
fn simd128_is_in_use() {
    assert_eq!(super::active_isa(), "simd128");
    assert!(tables().any(|table| table.name == "simd128"));
}

#[test]
fn each_table_has_entries_of_its_own() {
    let mut places = Vec::from_iter(ENTRIES_BY_PLACE.iter().map(|(name, _)| *name));
    for table in available() {
        let before = places.len();
        places.retain(|name| *name != table.name);
        assert_eq!(places.len() + 1, before, "{}", table.name);
    }
}

/// Files of other packages are not in a published one, and in other targets there are other sets.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn each_table_is_named_in_messages_and_scripts() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in [
        "README.md",
        "src/lib.rs",
        "src/simd/tables.rs",
        "cli/src/args/help.rs",
        "cli/src/message.rs",
        ".ci/long",
        "benches/matrix/report/mod.rs",
    ] {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue;
        };
        let is_no_part = |ch: char| !ch.is_ascii_alphanumeric() && ch != '_';
        let words: Vec<&str> = text.split(is_no_part).collect();
        for (name, _) in ENTRIES_BY_PLACE.iter().filter(|(name, _)| *name != "none") {
            assert!(words.contains(name), "{file} does not name {name}");
        }
    }
}

#[test]
fn a_table_can_be_forced_but_not_beyond_the_machine() {
    let best = available().last().unwrap().name;
    assert_eq!(select(None).name, best);
    assert_eq!(select(Some("no such table")).name, best);
    for table in available() {
        assert_eq!(select(Some(table.name)).name, table.name);
    }
}
