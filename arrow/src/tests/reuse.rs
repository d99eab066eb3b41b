//! Memory is reused, but never while anyone has a part of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, StringArray};

use super::in_threads;
use crate::reuse::MIN_BYTES;
use crate::{Column, DecodeOptions, EncodeOptions, Reuse};

/// Values that depend on `seed`, with `len` bytes of windows-1251 in all; their text is twice as long.
fn values(seed: usize, len: usize) -> BinaryArray {
    let value = |row: usize| vec![0xC0 + ((seed + row) % 64) as u8; 1000];
    BinaryArray::from_iter_values((0..len / 1000).map(value))
}

fn decode(values: &BinaryArray, reuse: &Reuse) -> ArrayRef {
    let options = DecodeOptions::new().columns([Column::Text]).reuse(reuse);
    let decoded = crate::decode(values, "windows-1251", &options).unwrap();
    decoded.column(0).clone()
}

/// Returns whether `text` is that of `values(seed, _)` from the row `from` on.
fn is_text_of(text: &dyn Array, seed: usize, from: usize) -> bool {
    let text: &StringArray = text.as_string();
    text.iter().flatten().enumerate().all(|(row, text)| {
        let letter = char::from_u32(0x410 + ((seed + from + row) % 64) as u32).unwrap();
        text.len() == 2000 && text.chars().all(|ch| ch == letter)
    })
}

fn address(text: &ArrayRef) -> *const u8 {
    text.as_string::<i32>().value_data().as_ptr()
}

#[test]
fn memory_is_used_again() {
    for in_blocks in [false, true] {
        let run = || {
            let reuse = Reuse::new(1 << 30);
            let first = decode(&values(0, MIN_BYTES), &reuse);
            assert_eq!(reuse.idle(), 0);
            let place = address(&first);
            drop(first);
            let idle = reuse.idle();
            assert!(
                (2 * MIN_BYTES - 2000..3 * MIN_BYTES).contains(&idle),
                "{idle}"
            );
            // A bit less, and a bit more.
            for len in [
                MIN_BYTES - MIN_BYTES / 64,
                MIN_BYTES + MIN_BYTES / 64,
                MIN_BYTES,
            ] {
                let again = decode(&values(7, len), &reuse);
                assert_eq!(address(&again), place, "{in_blocks} {len}");
                assert!(is_text_of(&again, 7, 0));
                assert_eq!(reuse.idle(), 0);
            }
            reuse.release();
            assert_eq!(reuse.idle(), 0);
        };
        if in_blocks { in_threads(run) } else { run() }
    }
}

#[test]
fn encoding_uses_memory_again_as_well() {
    // Three bytes of text become two, and one becomes one.
    for (text, label) in [("人人生而自由", "gbk"), ("Plain", "windows-1252")] {
        for in_blocks in [false, true] {
            let run = || {
                let reuse = Reuse::new(1 << 30);
                let text = StringArray::from_iter_values(vec![text.repeat(50); 60_000]);
                let options = EncodeOptions::new().reuse(&reuse);
                let encode = || crate::encode(&text, label, &options).unwrap();
                let place = |bytes: &ArrayRef| bytes.as_binary::<i32>().value_data().as_ptr();
                let first = encode();
                let expected = place(&first);
                drop(first);
                assert_eq!(place(&encode()), expected, "{label} {in_blocks}");
            };
            if in_blocks { in_threads(run) } else { run() }
        }
    }
}

#[test]
fn memory_in_use_is_left_alone() {
    let reuse = Reuse::new(1 << 30);
    let first = decode(&values(1, MIN_BYTES), &reuse);
    let slice = first.slice(1000, 2);
    let buffer = first.as_string::<i32>().values().slice(10);
    drop(first);
    assert_eq!(reuse.idle(), 0);
    let second = decode(&values(2, MIN_BYTES), &reuse);
    assert!(is_text_of(&slice, 1, 1000));
    drop(slice);
    assert_eq!(reuse.idle(), 0);
    drop(buffer);
    assert!(reuse.idle() > 0);
    // The handle is dropped before the results.
    drop(reuse);
    assert!(is_text_of(&second, 2, 0));
}

#[test]
fn what_is_kept_is_bounded() {
    let limit = 7 * MIN_BYTES;
    let reuse = Reuse::new(limit);
    let results: Vec<_> = (0..8)
        .map(|seed| decode(&values(seed, MIN_BYTES), &reuse))
        .collect();
    for result in results {
        drop(result);
        assert!((1..=limit).contains(&reuse.idle()));
    }
    // Small results have no use for it, and large ones pass it over until it is freed.
    drop(decode(&values(1, 100_000), &reuse));
    let kept = reuse.idle();
    for _ in 0..16 {
        assert!(reuse.idle() >= kept);
        let large = decode(&values(1, 2 * MIN_BYTES), &reuse);
        // This one goes to another allocator.
        std::mem::forget(large);
    }
    assert_eq!(reuse.idle(), 0);
    // A buffer that is larger than the limit is not kept.
    drop(decode(&values(1, 4 * MIN_BYTES), &reuse));
    assert_eq!(reuse.idle(), 0);
}

#[test]
fn eight_threads_at_once() {
    let reuse = Reuse::new(12 * MIN_BYTES);
    let again = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (reuse, again) = (&reuse, &again);
            scope.spawn(move || {
                let mut held: Vec<(usize, usize, ArrayRef)> = Vec::new();
                let mut random = thread + 1;
                for turn in 0..12 {
                    random = random * 1103515245 % (1 << 31) + 12345;
                    let seed = 100 * thread + turn;
                    let len = MIN_BYTES / 2 + random / 64 % MIN_BYTES;
                    again.fetch_add(usize::from(reuse.idle() > 0), Ordering::Relaxed);
                    let text = decode(&values(seed, len), reuse);
                    let from = random / 1024 % text.len();
                    held.push((seed, from, text.slice(from, text.len() - from)));
                    if held.len() > 2 {
                        let (seed, from, text) = held.swap_remove(random / 4096 % 3);
                        assert!(is_text_of(&text, seed, from));
                    }
                    assert!(reuse.idle() <= 12 * MIN_BYTES);
                }
                for (seed, from, text) in held {
                    assert!(is_text_of(&text, seed, from));
                }
            });
        }
    });
    assert!(again.into_inner() > 0);
}
