use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use flate2::{Compression, GzBuilder};

use super::layer::Layer;
use super::raw::Raw;
use super::{Input, PEEK, Packing, Stream};
use crate::inflate;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory can be read")
}

fn stream(bytes: &[u8]) -> Stream {
    Stream::new(Box::new(Cursor::new(bytes.to_vec()))).expect("memory can be read")
}

fn text(n: usize) -> Vec<u8> {
    (0..n).map(|i| b'a' + (i * 7 % 26) as u8).collect()
}

#[test]
fn members_in_a_row() {
    let parts = [text(10), text(0), text(PEEK + 1), text(3 * PEEK), text(1)];
    let whole = parts.concat();
    for (packing, packed) in [
        (Packing::Plain, whole.clone()),
        (
            Packing::Gzip,
            parts.iter().flat_map(|it| gzip(it)).collect(),
        ),
        (
            Packing::Zstd,
            parts.iter().flat_map(|it| zstd(it)).collect(),
        ),
    ] {
        let mut out = Vec::new();
        stream(&packed).read_to_end(&mut out).expect("it is whole");
        assert_eq!(out, whole, "{packing:?}");
        // In pieces of any length.
        for step in [1, 9, 1000, PEEK as u64, 1 << 20] {
            let mut stream = stream(&packed);
            assert_eq!(stream.packing(), packing);
            let mut out = Vec::new();
            while stream
                .take_into(&mut out, step, |_| false)
                .expect("it is whole")
                > 0
            {}
            assert!(out == whole, "{packing:?} by {step}");
            assert_eq!(stream.position(), whole.len() as u64);
        }
        for step in [3, PEEK as u64 + 7] {
            let mut stream = stream(&packed);
            let mut skipped = 0;
            loop {
                let n = stream.skip(step, |_| false).expect("it is whole");
                skipped += n;
                if n == 0 {
                    break;
                }
            }
            assert_eq!(skipped, whole.len() as u64, "{packing:?}");
        }
    }
}

#[test]
fn offsets_of_members() {
    for pack in [gzip, zstd] {
        let members = [pack(b"one"), pack(b"two"), pack(b"three")];
        let packed = members.concat();
        let mut stream = stream(&packed);
        let mut offset = 0;
        for (member, text) in members.iter().zip(["one", "two", "three"]) {
            let shown = stream.peek(16).expect("it is whole").to_vec();
            assert_eq!((&*shown, stream.offset()), (text.as_bytes(), offset as u64));
            assert!(stream.is_fresh);
            stream.consume(shown.len());
            assert!(!stream.is_fresh);
            assert!(stream.peek_within(16).expect("it is whole").is_empty());
            offset += member.len();
        }
        assert!(stream.peek(1).expect("it is whole").is_empty());
        stream
            .seek_to(members[0].len() as u64)
            .expect("memory can be read");
        assert_eq!(stream.peek(16).expect("it is whole"), b"two");
    }
}

#[test]
fn stops_where_a_member_begins() {
    let packed = [gzip(b"abc"), gzip(b"WARC/1.0"), gzip(b"rest")].concat();
    let stop: fn(&[u8]) -> bool = |it| it.starts_with(b"WARC/");
    let mut out = Vec::new();
    let mut of_take = stream(&packed);
    assert_eq!(
        of_take.take_into(&mut out, 100, stop).expect("it is whole"),
        3
    );
    assert_eq!(
        of_take.take_into(&mut out, 100, stop).expect("it is whole"),
        12
    );
    assert_eq!(out, b"abcWARC/1.0rest");
    let mut of_skip = stream(&packed);
    assert_eq!(of_skip.skip(100, stop).expect("it is whole"), 3);
    assert_eq!(of_skip.skip(100, stop).expect("it is whole"), 12);
}

#[test]
fn recovers_behind_damage() {
    for pack in [gzip, zstd] {
        let good = pack(b"WARC/1.0 good");
        let mut bad = pack(&text(100_000));
        let at = bad.len() / 2;
        bad[at..at + 20].fill(0x55);
        let other = pack(b"no record");
        let packed = [&good[..], &bad, &other, &good].concat();
        let mut stream = stream(&packed);
        let mut out = Vec::new();
        let stop: fn(&[u8]) -> bool = |it| it.starts_with(b"WARC/");
        stream.take_into(&mut out, 13, stop).expect("it is whole");
        // Zstandard's has no checksum here, and may decode to anything.
        if stream.take_into(&mut out, 1 << 30, stop).is_ok() {
            continue;
        }
        assert!(stream.recover(stop).expect("memory can be read"));
        assert_eq!(
            stream.offset(),
            (good.len() + bad.len() + other.len()) as u64
        );
        assert_eq!(stream.peek(16).expect("it is whole"), b"WARC/1.0 good");
        stream.consume(13);
        assert!(stream.peek(1).expect("it is whole").is_empty());
        assert!(!stream.recover(stop).expect("memory can be read"));
    }
}

#[test]
fn padding_and_garbage() {
    let one = gzip(b"one");
    for (packed, is_whole) in [
        ([&one[..], &[0; 100_000]].concat(), true),
        ([&one[..], b"x"].concat(), false),
        ([&one[..], &[0, 0, 1]].concat(), false),
        (one[..one.len() - 1].to_vec(), false),
        (one[..5].to_vec(), false),
    ] {
        let mut out = Vec::new();
        assert_eq!(stream(&packed).read_to_end(&mut out).is_ok(), is_whole);
    }
    assert!(stream(b"").peek(1).expect("memory can be read").is_empty());
}

/// A reader that gives a few bytes at a time.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(7);
        self.0.read(&mut out[..n])
    }
}

impl Seek for Slow {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// The members of a file: where each begins, its bytes, and where the file is after them; then the error.
type Members = (Vec<(u64, Vec<u8>, u64)>, Option<String>);

thread_local! {
    static ROOM: RefCell<Vec<u8>> = RefCell::new(vec![0; inflate::MOST]);
}

/// Reads all members, in one step where that can be done and is wanted, and says how many were.
fn members(input: Box<dyn Input>, in_one_step: bool) -> (Members, usize) {
    let mut found = Vec::new();
    let mut steps = 0;
    let raw = Raw::new(input).expect("memory can be read");
    let (mut layer, mut start) = Layer::of(raw).expect("memory can be read");
    let error = loop {
        let mut bytes = Vec::new();
        let whole = in_one_step.then(|| {
            ROOM.with_borrow_mut(|room| {
                let len = layer.whole_member(room)?;
                Some(room[..len].to_vec())
            })
        });
        let read = match whole.flatten() {
            Some(whole) => {
                steps += 1;
                bytes = whole;
                Ok(())
            }
            None => layer.read_to_end(&mut bytes).map(drop),
        };
        let is_error = read.is_err();
        let next = read.and_then(|()| {
            found.push((start, bytes.clone(), layer.offset()));
            layer.next_member()
        });
        match next {
            Ok(Some(next)) => start = next,
            Ok(None) => break None,
            Err(error) => {
                if is_error {
                    found.push((start, bytes, 0));
                }
                break Some(format!("{:?} {error}", error.kind()));
            }
        }
    };
    ((found, error), steps)
}

/// Reads a file both ways, and returns the number of members that were read in one step.
fn same_in_one_step(packed: &[u8], what: &str) -> usize {
    let input = || Box::new(Cursor::new(packed.to_vec()));
    let (streamed, none) = members(input(), false);
    let (stepped, steps) = members(input(), true);
    assert_eq!(none, 0);
    assert!(streamed == stepped, "{what}: {streamed:?} {stepped:?}");
    steps
}

/// In the ways of servers, crawlers and `gzip`, and whether it can be read in one step.
fn gzips(bytes: &[u8]) -> Vec<(Vec<u8>, bool)> {
    let levels = [
        Compression::none(),
        Compression::fast(),
        Compression::best(),
    ];
    let mut all = Vec::new();
    for level in levels {
        for (builder, has_names) in [
            (GzBuilder::new(), false),
            (GzBuilder::new().extra(*b"sl\x04\0abcd"), false),
            (GzBuilder::new().filename("a.txt").comment("words"), true),
        ] {
            let mut encoder = builder.write(Vec::new(), level);
            encoder.write_all(bytes).expect("a Vec can be written");
            let member = encoder.finish().expect("a Vec can be written");
            let is_one_step = !has_names && member.len() < 256 * 1024;
            all.push((member, is_one_step));
        }
    }
    all
}

#[test]
fn one_step_reads_as_streaming_does() {
    for len in [0, 1, 300, inflate::MOST] {
        for (i, (member, is_one_step)) in gzips(&text(len)).iter().enumerate() {
            let steps = same_in_one_step(&member.repeat(2), "whole");
            let expected = if *is_one_step { 2 } else { 0 };
            assert_eq!(steps, expected, "{len} bytes, way {i}");
            same_in_one_step(&[&member[..], b"garbage"].concat(), "garbage");
            same_in_one_step(&[&member[..], &[0; 5000]].concat(), "padding");
        }
    }
    // More than fits, and a bomb.
    for len in [inflate::MOST + 1, 20 << 20] {
        assert_eq!(same_in_one_step(&gzip(&vec![b'a'; len]), "too large"), 0);
    }
}

#[test]
fn one_step_fails_as_streaming_does() {
    let texts = [text(150), (0..60).collect()];
    for text in &texts {
        for (i, (member, _)) in gzips(text).iter().enumerate() {
            let good = gzip(b"WARC/1.0");
            for cut in 0..member.len() {
                same_in_one_step(&[&good[..], &member[..cut]].concat(), "cut");
                same_in_one_step(&[&good[..], &member[..cut], &good].concat(), "cut");
            }
            for at in 3..member.len() {
                for flip in [1, 2, 4, 0x18, 0x80] {
                    let mut bad = member.clone();
                    bad[at] ^= flip;
                    let what = format!("byte {at} of way {i} changed by {flip:#x}");
                    same_in_one_step(&[&good[..], &bad, &good].concat(), &what);
                }
            }
        }
    }
}

#[test]
fn one_step_with_slow_readers_and_at_the_ends_of_buffers() {
    let member = gzip(&text(3000));
    let packed = member.repeat(300_000 / member.len());
    let input = || Cursor::new(packed.clone());
    let (streamed, _) = members(Box::new(input()), false);
    let count = streamed.0.len();
    assert_eq!(members(Box::new(input()), true), (streamed.clone(), count));
    assert_eq!(members(Box::new(Slow(input())), true), (streamed, count));
}
