use std::io::{Cursor, Read, Write};

use super::{PEEK, Packing, Stream};

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
