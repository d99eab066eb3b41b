//! Archives whose records begin and end anywhere in the members of a compressed file, and files that grow or give little at
//! a time.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use simdtext_corpus::{
    Item, Options, Range, Reason, Records, Split, decode, read_input, read_split, splits,
};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory can be read")
}

/// One of each kind that is read in order, with records that are skipped, and headers of several lines or blocks.
fn archives() -> [(&'static str, Vec<u8>); 4] {
    let of_warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 8\r\n\r\none text\r\n\r\n\
                    WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 12\r\n\r\nGET /12345\r\n\r\n\r\n\
                    WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 13\r\n\r\nthe last text\r\n\r\n";
    let mail = b"From a@b Mon\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\xD4\xC5\xCB\xD3\xD4\r\n\r\n\
                 From c@d Tue\n\nanother text\n\nFrom e@f Wed\nSubject: x\n\nthe last text\n";
    let lines = "{\"content\":\"one text\"}\r\n\n{\"content\":\"t\u{EA}xt\"}";
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in [
        ("short.txt", &b"one text"[..]),
        (&*"long/".repeat(30), b"text"),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        builder
            .append_data(&mut header, name, text)
            .expect("a Vec can be written");
    }
    let of_tar = builder.into_inner().expect("a Vec can be written");
    [
        ("a.warc", of_warc.to_vec()),
        ("a.tar", of_tar),
        ("a.mbox", mail.to_vec()),
        ("a.jsonl", lines.as_bytes().to_vec()),
    ]
}

/// Of the first records each text, or the reason why there is none; and the kinds of those that are skipped.
fn found(records: Records, options: &Options) -> Vec<Result<String, Reason>> {
    let found = records.take(10).map(|item| match item {
        Item::Record(record) => match decode(record, options) {
            Ok(row) => Ok(row.text),
            Err(rejected) => Err(rejected.rejection.reason),
        },
        Item::Skipped(kind) => Ok(kind),
        _ => Err(Reason::Unsupported),
    });
    found.collect()
}

fn read(bytes: &[u8], name: &str) -> Vec<Result<String, Reason>> {
    let options = Options::new();
    let input = Box::new(Cursor::new(bytes.to_vec()));
    found(read_input(name, input, &options), &options)
}

/// bgzip and pzstd compress blocks of a file, whatever is in it.
#[test]
fn records_in_several_members() {
    for (name, bytes) in archives() {
        let expected = read(&bytes, name);
        assert!(expected.iter().all(Result::is_ok), "{name}: {expected:?}");
        for (ending, pack) in [("gz", gzip as fn(&[u8]) -> Vec<u8>), ("zst", zstd)] {
            let name = format!("{name}.{ending}");
            for cut in 0..=bytes.len() {
                let packed = [pack(&bytes[..cut]), pack(&bytes[cut..])].concat();
                let found = read(&packed, &name);
                assert_eq!(found, expected, "{name} in members that end at {cut}");
            }
            for len in [1, 2, 3, 5, 17, 300] {
                let packed: Vec<u8> = bytes.chunks(len).flat_map(pack).collect();
                let found = read(&packed, &name);
                assert_eq!(found, expected, "{name} in members of {len} bytes");
            }
        }
    }
}

/// A member that can't be read does not take away what is before it.
#[test]
fn damage_after_a_member_that_ends_anywhere() {
    for (name, bytes) in archives() {
        let whole = read(&bytes, name);
        for (ending, pack) in [("gz", gzip as fn(&[u8]) -> Vec<u8>), ("zst", zstd)] {
            let name = format!("{name}.{ending}");
            for cut in 1..bytes.len() {
                let mut last = pack(&bytes[cut..]);
                // Its header, or all but its end.
                let damaged = [last[..5].to_vec(), {
                    last.pop();
                    last
                }];
                for damaged in damaged {
                    let found = read(&[pack(&bytes[..cut]), damaged].concat(), &name);
                    assert!(
                        found.iter().any(Result::is_err),
                        "{name} cut at {cut}: {found:?}"
                    );
                    let mut rows = found.iter().filter(|it| it.is_ok()).zip(&whole);
                    assert!(rows.all(|(a, b)| a == b), "{name} cut at {cut}: {found:?}");
                }
            }
        }
    }
}

/// A checksum comes after a member's last byte, so that it fails where the record's end has been read.
#[test]
fn records_after_a_member_with_a_wrong_checksum() {
    let zstd = |bytes: &[u8]| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("there is memory");
        encoder.include_checksum(true).expect("it is known");
        encoder.write_all(bytes).expect("a Vec can be written");
        encoder.finish().expect("a Vec can be written")
    };
    for (ending, pack, checksum) in [("gz", gzip as fn(&[u8]) -> Vec<u8>, 8), ("zst", zstd, 4)] {
        let record = |body: &str| {
            let head = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length";
            pack(format!("{head}: {}\r\n\r\n{body}\r\n\r\n", body.len()).as_bytes())
        };
        for len in (1000..300_000).step_by(10_007).chain(65_400..65_500) {
            let mut damaged = record(&"word ".repeat(len / 5 + 1)[..len]);
            let at = damaged.len() - checksum;
            damaged[at] ^= 1;
            let bytes = [
                record("the first"),
                damaged,
                record("one more"),
                record("the last"),
            ];
            let found = read(&bytes.concat(), &format!("a.warc.{ending}"));
            let expected = ["the first", "one more", "the last"].map(|it| Ok(it.into()));
            let [first, more, last] = expected;
            assert_eq!(
                found,
                [first, Err(Reason::Damaged), more, last],
                "{ending}, {len} bytes"
            );
        }
    }
}

/// A file that had `len` bytes when it was opened.
struct Grown {
    bytes: Cursor<Vec<u8>>,
    len: u64,
}

impl Read for Grown {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl Seek for Grown {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::End(0) => self.bytes.seek(SeekFrom::Start(self.len)),
            to => self.bytes.seek(to),
        }
    }
}

/// What is added to a file while it is read is read once.
#[test]
fn files_that_grow() {
    let options = Options::new();
    for (name, bytes) in archives() {
        let expected = read(&bytes, name);
        for len in 0..bytes.len() as u64 {
            let bytes = Cursor::new(bytes.clone());
            let records = read_input(name, Box::new(Grown { bytes, len }), &options);
            let found = found(records, &options);
            assert_eq!(found, expected, "{name} had {len} bytes");
        }
    }
}

/// A file that gives one byte at a time.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}

impl Seek for Slow {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn files_that_give_little_at_a_time() {
    let options = Options::new();
    for (name, bytes) in archives() {
        let expected = read(&bytes, name);
        for (ending, bytes) in [
            ("", bytes.clone()),
            (".gz", gzip(&bytes)),
            (".zst", zstd(&bytes)),
        ] {
            let name = format!("{name}{ending}");
            let records = read_input(&name, Box::new(Slow(Cursor::new(bytes))), &options);
            assert_eq!(found(records, &options), expected, "{name}");
        }
    }
}

/// A split can be made of any numbers.
#[test]
fn split_with_the_last_number() {
    let options = Options::new();
    let missing = Split::new("no such file", Range::new(0, 1, u64::MAX));
    let mut records = read_split(&missing, &options);
    assert!(records.next().is_some());
    assert!(records.next().is_none());
}

/// Members of a few bytes, and headers without an end that are looked for in many of them, take linear time.
#[test]
fn very_many_members() {
    let lines = b"WARC/1.0\r\n".repeat(20_000);
    let packed: Vec<u8> = lines.chunks(5).flat_map(gzip).collect();
    let options = Options::new();
    let input = Box::new(Cursor::new(packed));
    assert_eq!(read_input("a.warc.gz", input, &options).count(), 20_000);
}

/// Only the first member is lost where a file does not begin like a compressed one.
#[test]
fn archives_whose_first_member_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let records: Vec<_> = (0..3)
        .map(|number| {
            let header = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\n";
            format!("{header}{number}\r\n\r\n").into_bytes()
        })
        .collect();
    for (name, pack) in [
        ("a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>),
        ("a.warc.zst", zstd),
    ] {
        let bytes = records.iter().flat_map(|it| pack(it)).collect::<Vec<u8>>();
        for (at, with) in [(0, 0), (0, 0x1E), (1, 0x8C), (2, 7)] {
            let mut damaged = bytes.clone();
            damaged[at] = with;
            let found = read(&damaged, name);
            let expected = [Err(Reason::Damaged), Ok("1".into()), Ok("2".into())];
            assert_eq!(found, expected, "{name}: {with} at {at}");
            // Nor are there parts of it.
            let path = folder.path().join(name);
            std::fs::write(&path, &damaged).expect("it can be written");
            let options = Options::new();
            let parts = splits(&path, 1, &options).expect("it can be read");
            assert_eq!(parts, [Split::file(&path)], "{name}: {with} at {at}");
        }
        // Some programs decompress a file and keep its name.
        let plain = records.concat();
        let all = ["0", "1", "2"].map(|it| Ok(String::from(it)));
        assert_eq!(read(&plain, name), all);
        let damaged = [b"X", &plain[1..]].concat();
        assert_eq!(
            read(&damaged, name),
            [&[Err(Reason::Damaged)], &all[1..]].concat()
        );
    }
}

/// What a decoder gives for the bytes in front of the damage is read, though it gives an error if it is asked for more.
#[test]
fn all_in_front_of_damage() {
    let lines: Vec<_> = (0..2000_u32)
        .map(|it| format!("{{\"content\":\"{}\"}}\n", it.wrapping_mul(2_654_435_761)))
        .collect();
    let packed = gzip(lines.concat().as_bytes());
    let options = Options::new();
    let mut found = 0;
    for at in (200..packed.len() - 64).step_by(packed.len() / 40) {
        let mut packed = packed.clone();
        packed[at..at + 64].fill(0);
        // Byte by byte.
        let mut decoder = flate2::read::GzDecoder::new(&packed[..]);
        let mut text = Vec::new();
        let mut byte = [0];
        while decoder.read(&mut byte).is_ok_and(|n| n > 0) {
            text.push(byte[0]);
        }
        let end = text.iter().rposition(|it| *it == b'\n').unwrap_or(0);
        let whole = text[..end].split(|it| *it == b'\n');
        let whole = whole.filter(|it| !it.trim_ascii().is_empty()).count();
        let items = read_input("a.jsonl.gz", Box::new(Cursor::new(packed)), &options);
        let is_error = |it: &Item| match it {
            Item::Record(record) => record.body.is_err(),
            _ => false,
        };
        let items: Vec<_> = items.collect();
        assert_eq!(items.len(), whole + 1, "{at}");
        assert!(items.last().is_some_and(is_error), "{at}");
        found += whole;
    }
    assert!(found > 10_000, "{found}");
}
