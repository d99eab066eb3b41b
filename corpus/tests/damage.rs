//! Archives that were cut or made to harm: nothing is lost without a record that tells of it.

use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use simdtext_corpus::{Container, Item, Options, Reason, Split, decode, read_input, read_split};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("memory can be read")
}

fn warc(body: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [header.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn tar(members: &[&[u8]]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (number, bytes) in members.iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        let name = format!("{number}.txt");
        builder
            .append_data(&mut header, name, *bytes)
            .expect("a Vec can be written");
    }
    builder.into_inner().expect("a Vec can be written")
}

/// Of each record its text, or the name of the reason why there is none.
fn read(bytes: &[u8], name: &str, options: &Options) -> Vec<Result<String, Reason>> {
    let input = Box::new(Cursor::new(bytes.to_vec()));
    let items = read_input(name, input, options);
    items
        .filter_map(|item| match item {
            Item::Record(record) => Some(record),
            _ => None,
        })
        .map(|record| match decode(record, options) {
            Ok(row) => Ok(row.text),
            Err(rejected) => Err(rejected.rejection.reason),
        })
        .collect()
}

/// What was to be decompressed is not just another binary file. Some programs decompress a file and keep its name.
#[test]
fn compressed_by_name_only() {
    let options = Options::new();
    let mail = b"From a\n\ntext\n";
    let damaged = [b"\x1F\x8C", &gzip(&mail.repeat(99))[2..]].concat();
    for name in ["a.mbox.gz", "a.txt.GZ", "a.jsonl.zst", "a.zst"] {
        assert_eq!(
            read(&damaged, name, &options),
            [Err(Reason::Damaged)],
            "{name}"
        );
    }
    assert_eq!(read(&damaged, "a.bin", &options), [Err(Reason::Binary)]);
    for name in ["a.mbox.gz", "a.mbox"] {
        assert_eq!(read(mail, name, &options), [Ok(String::from("text\n"))]);
    }
}

/// Cut at any place but the end of a record, an archive has the records in front of the cut, and one that tells of
/// the rest.
#[test]
fn archives_cut_anywhere() {
    let texts: [&[u8]; 3] = [b"one text", b"another text", b"the last text"];
    let records: Vec<_> = texts.iter().map(|it| warc(it)).collect();
    let ends = |pieces: &[Vec<u8>]| -> Vec<usize> {
        let mut at = 0;
        let ends = pieces.iter().map(|it| {
            at += it.len();
            at
        });
        ends.collect()
    };
    let by_gzip: Vec<_> = records.iter().map(|it| gzip(it)).collect();
    let by_zstd: Vec<_> = records.iter().map(|it| zstd(it)).collect();
    let whole = records.concat();
    let lines = b"{\"content\":\"one\"}\n{\"content\":\"two\"}\n";
    let of_tar = tar(&texts);
    for (name, bytes, whole_at) in [
        ("a.warc.gz", by_gzip.concat(), ends(&by_gzip)),
        ("a.warc.zst", by_zstd.concat(), ends(&by_zstd)),
        ("b.warc.gz", gzip(&whole), vec![]),
        ("b.warc.zst", zstd(&whole), vec![]),
        ("a.tar", of_tar.clone(), vec![]),
        ("a.tar.gz", gzip(&of_tar), vec![]),
        ("a.tar.zst", zstd(&of_tar), vec![]),
        ("a.jsonl.gz", gzip(lines), vec![]),
        ("a.jsonl.zst", zstd(lines), vec![]),
        ("a.mbox.gz", gzip(b"From a\n\ntext\n"), vec![]),
        ("a.txt.gz", gzip(b"plain text"), vec![]),
        ("a.txt.zst", zstd(b"plain text"), vec![]),
    ] {
        let options = Options::new();
        let expected = read(&bytes, name, &options);
        assert!(expected.iter().all(Result::is_ok), "{name}: {expected:?}");
        // One of the two zero blocks behind the end of a tar may be missing.
        let last = bytes.len() - if name == "a.tar" { 512 } else { 0 };
        // With four bytes of what compresses it, or with nothing at all, which is a tar without records.
        for cut in (0..usize::from(name != "a.tar")).chain(4..last) {
            let found = read(&bytes[..cut], name, &options);
            let is_whole = whole_at.contains(&cut);
            let told = found.iter().filter(|it| it.is_err()).count();
            assert_eq!(
                told,
                usize::from(!is_whole),
                "{name} cut at {cut}: {found:?}"
            );
            let rows: Vec<_> = found.iter().filter(|it| it.is_ok()).collect();
            assert!(
                rows.iter().zip(&expected).all(|(a, b)| *a == b),
                "{name} cut at {cut}: {found:?}"
            );
        }
    }
}

/// Less compressed than any member, more than the limits allow when it is not.
#[test]
fn bombs_of_each_compression() {
    let len = 3 << 20;
    let text = vec![b'a'; len];
    let http = |coding: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        let block = [head.as_bytes(), body].concat();
        let header = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        [header.as_bytes(), &block, b"\r\n\r\n"].concat()
    };
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    deflated.write_all(&text).expect("a Vec can be written");
    let deflated = deflated.finish().expect("a Vec can be written");
    let good = warc(b"good");
    let line = [&b"{\"content\":\""[..], &text, b"\"}\n"].concat();
    let mail = [&b"From a\n\n"[..], &text, b"\n\n"].concat();
    let first = tar(&[&text, b"good"]);
    for (name, bytes, goes_on) in [
        ("a.txt.gz", gzip(&text), false),
        ("a.txt.zst", zstd(&text), false),
        (
            "gzip.warc",
            [&*http("gzip", &gzip(&text)), &good].concat(),
            true,
        ),
        (
            "deflate.warc",
            [&*http("deflate", &deflated), &good].concat(),
            true,
        ),
        (
            "zstd.warc",
            [&*http("zstd", &zstd(&text)), &good].concat(),
            true,
        ),
        (
            "twice.warc",
            [&*http("gzip, gzip", &gzip(&gzip(&text))), &good].concat(),
            true,
        ),
        (
            "a.warc.gz",
            [gzip(&warc(&text)), gzip(&good)].concat(),
            true,
        ),
        (
            "a.warc.zst",
            [zstd(&warc(&text)), zstd(&good)].concat(),
            true,
        ),
        ("a.jsonl.gz", gzip(&line.repeat(4)), false),
        ("a.jsonl.zst", zstd(&line.repeat(4)), false),
        ("a.mbox.gz", gzip(&mail.repeat(4)), false),
        ("a.tar.gz", gzip(&first.repeat(4)), false),
        ("a.tar.zst", zstd(&first.repeat(4)), false),
    ] {
        let options = Options::new().max_ratio(20).max_record(4 << 20);
        let found = read(&bytes, name, &options);
        assert!(
            found.contains(&Err(Reason::Bomb)),
            "{name}: {} records",
            found.len()
        );
        let texts: usize = found.iter().flatten().map(String::len).sum();
        assert!(texts <= 8 << 20, "{name}: {texts}");
        if goes_on {
            assert_eq!(found, [Err(Reason::Bomb), Ok("good".into())], "{name}");
        }
        // Where it is allowed, nothing is a bomb.
        let options = Options::new().max_ratio(1 << 20);
        let found = read(&bytes, name, &options);
        let wrong: Vec<_> = found.iter().filter(|it| it.is_err()).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?} of {}", found.len());
    }
}

/// 3 MiB of `a`, as the reference encoder of brotli has them.
#[test]
fn bomb_of_brotli() {
    let packed = b"\x9B\xFF\xFF\x2F\xF8\x25\xC2\xE2\xB1\x40\x20\xF7\xFE\x05";
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n";
    let block = [&head[..], packed].concat();
    let header = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let bytes = [header.as_bytes(), &block, b"\r\n\r\n"].concat();
    let found = |ratio| read(&bytes, "a.warc", &Options::new().max_ratio(ratio));
    assert_eq!(found(20), [Err(Reason::Bomb)]);
    assert_eq!(found(1 << 40)[0].as_ref().map(String::len), Ok(3 << 20));
}

/// The frame is well-formed, and its window larger than what is allowed.
#[test]
fn windows_of_zstd() {
    let options = Options::new();
    for (window, is_read) in [(25, true), (26, false)] {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("there is memory");
        encoder.window_log(window).expect("zstd has such windows");
        encoder
            .write_all(b"{\"content\":\"text\"}\n")
            .expect("a Vec can be written");
        let bytes = encoder.finish().expect("a Vec can be written");
        let mut items = read_input("a.jsonl.zst", Box::new(Cursor::new(bytes)), &options);
        let Some(Item::Record(record)) = items.next() else {
            panic!("there is a record");
        };
        let detail = record.body.err().map(|it| it.detail);
        assert_eq!(detail.is_none(), is_read, "{window}");
        assert!(detail.is_none_or(|it| it.contains("--long=25 or less")));
    }
}

#[test]
fn tar_with_lost_blocks_and_several_ends() {
    let texts: [&[u8]; 3] = [b"one", b"two", b"three"];
    let archive = tar(&texts);
    let options = Options::new();
    let expected: Vec<_> = texts
        .map(|it| Ok(String::from_utf8_lossy(it).into_owned()))
        .into();
    assert_eq!(read(&archive, "a.tar", &options), expected);
    // Two in a row, each with its end.
    let two = read(&archive.repeat(2), "a.tar", &options);
    assert_eq!(two, [expected.clone(), expected.clone()].concat());
    // The second header is lost.
    let mut lost = archive.clone();
    lost[1024..1536].fill(0);
    let found = read(&lost, "a.tar", &options);
    let damaged = Err(Reason::Damaged);
    assert_eq!(
        found,
        [expected[0].clone(), damaged.clone(), expected[2].clone()]
    );
    // Something else behind the end.
    let found = read(&[&archive[..], b"more"].concat(), "a.tar", &options);
    assert_eq!(found, [&expected[..], &[damaged]].concat());
}

/// Blocks that were lost just where members begin and end, and blocks that end archives.
#[test]
fn tar_with_zeros() {
    let options = Options::new();
    let texts: Vec<_> = (0..10)
        .map(|it| format!("text {it}").into_bytes())
        .collect();
    let texts: Vec<_> = texts.iter().map(|it| &it[..]).collect();
    let archive = tar(&texts);
    let all: Vec<_> = (0..10).map(|it| Ok(format!("text {it}"))).collect();
    let damaged = [Err(Reason::Damaged)];
    for (lost, expected) in [
        (0..4096, [&damaged[..], &all[4..]].concat()),
        (1024..5120, [&all[..1], &damaged, &all[5..]].concat()),
        (6144..10240, [&all[..6], &damaged].concat()),
    ] {
        let mut bytes = archive.clone();
        bytes[lost.clone()].fill(0);
        assert_eq!(read(&bytes, "a.tar", &options), expected, "{lost:?}");
    }
    // Other programs write more zeros.
    for (blocks, is_end) in [(40, true), (60, false), (64, true), (25, false)] {
        let mut bytes = archive.clone();
        bytes.resize(blocks * 512, 0);
        let once: Vec<_> = if is_end {
            all.clone()
        } else {
            [&all[..], &damaged].concat()
        };
        assert_eq!(read(&bytes, "a.tar", &options), once, "{blocks}");
        let two = read(&[&bytes[..], &archive].concat(), "a.tar", &options);
        assert_eq!(two, [&once[..], &all].concat(), "{blocks}");
    }
}

/// The names and the text of all members, or why there is none.
fn members(bytes: &[u8]) -> Vec<(String, Result<String, Reason>)> {
    let items = read_input(
        "a.tar",
        Box::new(Cursor::new(bytes.to_vec())),
        &Options::new(),
    );
    let records = items.filter_map(|item| match item {
        Item::Record(record) => Some(record),
        _ => None,
    });
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    records
        .map(|it| (it.origin.name, it.body.map(text).map_err(|it| it.reason)))
        .collect()
}

/// What is said about a member in front of it is damaged, or the member is.
#[test]
fn tar_with_damaged_extensions() {
    let long = "n".repeat(200);
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in [
        (&*long, "text"),
        (&*long.replace('n', "m"), ""),
        ("short", "next"),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        let done = builder.append_data(&mut header, name, text.as_bytes());
        done.expect("a Vec can be written");
    }
    let archive = builder.into_inner().expect("a Vec can be written");
    let ok = |name: &str, text: &str| (name.to_owned(), Ok(text.to_owned()));
    let damaged = (String::new(), Err(Reason::Damaged));
    let (first, second) = (ok(&long, "text"), ok(&long.replace('n', "m"), ""));
    let next = ok("short", "next");
    assert_eq!(
        members(&archive),
        [first.clone(), second.clone(), next.clone()]
    );
    // The long name itself, and a part of it: the member has a name of 100 bytes as well.
    for (lost, name) in [
        (512..1024, &long[..100]),
        (600..612, &*long.replacen(&"n".repeat(12), "", 1)),
    ] {
        let mut bytes = archive.clone();
        bytes[lost.clone()].fill(0);
        let found = members(&bytes);
        assert_eq!(found[0], damaged, "{lost:?}");
        assert_eq!(found[1].0.replace('\0', ""), name, "{lost:?}");
        assert_eq!(found[1].1, first.1, "{lost:?}");
        assert_eq!(found[2..], [second.clone(), next.clone()], "{lost:?}");
    }
    // The header of the empty member, whose name is not that of the next one.
    let mut bytes = archive.clone();
    bytes[3072..3584].fill(0);
    let found = members(&bytes);
    assert_eq!(
        found,
        [
            first.clone(),
            damaged.clone(),
            damaged.clone(),
            next.clone()
        ]
    );
    // Bytes are missing or added: in the text of the first member, and in the header of the second one.
    for at in [2060, 3080] {
        for len in [1, 100, 511] {
            let added = [&archive[..at], &vec![b'x'; len], &archive[at..]].concat();
            let missing = [&archive[..at - len], &archive[at..]].concat();
            for bytes in [added, missing] {
                let found = members(&bytes);
                assert!(found.contains(&damaged), "{len} at {at}: {found:?}");
                assert_eq!(found.last(), Some(&next), "{len} at {at}: {found:?}");
            }
        }
    }
}

/// Attributes of a member with wrong lengths, and something else in their place.
#[test]
fn tar_with_wrong_attributes() {
    let ok = |name: &str| (String::from(name), Ok(String::from("text")));
    let damaged = (String::new(), Err(Reason::Damaged));
    for (attributes, expected) in [
        ("16 path=renamed\n", vec![ok("renamed")]),
        // In characters, and padded.
        ("13 path=größe\n10 size=4\n\0\0", vec![ok("größe")]),
        ("9 path=renamed\n999 comment=x\n", vec![ok("renamed")]),
        (
            "nonsense\n16 path=renamed\n",
            vec![damaged.clone(), ok("renamed")],
        ),
        ("16 path=renamed", vec![damaged.clone(), ok("name")]),
        ("10 size=x\n", vec![damaged.clone(), ok("name")]),
        ("\0\0\0\0 path=renamed\n", vec![damaged.clone(), ok("name")]),
    ] {
        let mut builder = tar::Builder::new(Vec::new());
        for (kind, name, bytes) in [(b'x', "x", attributes), (b'0', "name", "text")] {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(tar::EntryType::new(kind));
            header.set_size(bytes.len() as u64);
            let done = builder.append_data(&mut header, name, bytes.as_bytes());
            done.expect("a Vec can be written");
        }
        let archive = builder.into_inner().expect("a Vec can be written");
        assert_eq!(members(&archive), expected, "{attributes:?}");
    }
}

#[test]
fn tar_with_holes() {
    let mut builder = tar::Builder::new(Vec::new());
    let extensions = [
        ("GNU.sparse.major", &b"1"[..]),
        ("GNU.sparse.realsize", b"99999"),
    ];
    builder
        .append_pax_extensions(extensions)
        .expect("a Vec can be written");
    let mut header = tar::Header::new_ustar();
    header.set_size(5);
    builder
        .append_data(&mut header, "holes", &b"1\n0\n5"[..])
        .expect("a Vec can be written");
    let archive = builder.into_inner().expect("a Vec can be written");
    assert_eq!(
        read(&archive, "a.tar", &Options::new()),
        [Err(Reason::Unsupported)]
    );
}

fn zip(members: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (number, content) in members.iter().enumerate() {
        let name = format!("{number}.txt");
        let file = writer.new_file(&name).start();
        let (mut entry, config) = file.expect("a Vec can be written");
        let mut out = config.wrap(&mut entry);
        out.write_all(content).expect("a Vec can be written");
        let (_, descriptor) = out.finish().expect("a Vec can be written");
        entry.finish(descriptor).expect("a Vec can be written");
    }
    writer.finish().expect("a Vec can be written");
    bytes
}

/// Where in an archive the last record of its directory and the record of its end begin.
fn directory(bytes: &[u8]) -> (usize, usize) {
    let last = |mark: &[u8]| bytes.windows(4).rposition(|it| it == mark);
    let entry = last(b"PK\x01\x02").expect("there is a directory");
    (entry, last(b"PK\x05\x06").expect("there is an end"))
}

#[test]
fn zip_whose_directory_lies() {
    let archive = zip(&[b"one", b"two"]);
    let options = Options::new();
    let (entry, end) = directory(&archive);
    let texts = [Ok("one".into()), Ok("two".into())];
    assert_eq!(read(&archive, "a.zip", &options), texts);
    // More and fewer members than there are.
    for promised in [0, 1, 3] {
        let mut lying = archive.clone();
        lying[end + 8] = promised;
        lying[end + 10] = promised;
        let found = read(&lying, "a.zip", &options);
        assert!(
            found.contains(&Err(Reason::Damaged)),
            "{promised}: {found:?}"
        );
    }
    // Sizes that are not those of the bytes: compressed, and decompressed.
    for (field, size) in [(20, 0), (20, 2), (20, 200), (24, 2), (24, 200)] {
        let mut lying = archive.clone();
        lying[entry + field] = size;
        let found = read(&lying, "a.zip", &options);
        // It is read as its own sizes say.
        let expected = [&texts[..1], &[Err(Reason::Damaged)], &texts[1..]].concat();
        assert_eq!(found, expected, "{field}: {size}");
    }
    // A file as a folder, which has nothing in it.
    let mut lying = archive.clone();
    for at in 0..lying.len() - 5 {
        if lying[at..].starts_with(b"1.txt") {
            lying[at + 4] = b'/';
        }
    }
    let found = read(&lying, "a.zip", &options);
    assert_eq!(found, texts);
    lying[entry + 24..entry + 28].fill(0);
    let found = read(&lying, "a.zip", &options);
    assert_eq!(
        found,
        [&texts[..1], &[Err(Reason::Damaged)], &texts[1..]].concat()
    );
}

/// As most writers do: sizes are in front of the bytes of a member, and not behind them.
fn sizes_in_front(archive: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = archive;
    while rest.starts_with(b"PK\x03\x04") {
        let at = rest.windows(4).position(|it| it == b"PK\x07\x08");
        let at = at.expect("there is a descriptor");
        let mut header = rest[..30].to_vec();
        header[6] &= !8;
        header[14..26].copy_from_slice(&rest[at + 4..at + 16]);
        bytes.extend(header);
        bytes.extend(&rest[30..at]);
        rest = &rest[at + 16..];
    }
    bytes
}

#[test]
fn zip_without_a_directory() {
    let options = Options::new();
    let archive = zip(&[b"one", b"two", b"three"]);
    let begin = archive.windows(4).position(|it| it == b"PK\x01\x02");
    let begin = begin.expect("there is a directory");
    let (entry, end) = directory(&archive);
    let texts: Vec<_> = ["one", "two", "three"]
        .map(|it| Ok(String::from(it)))
        .into();
    let damaged = [Err(Reason::Damaged)];
    let all = [&damaged[..], &texts].concat();
    // Cut anywhere in the directory, and after it.
    for cut in begin..archive.len() {
        assert_eq!(read(&archive[..cut], "a.zip", &options), all, "{cut}");
    }
    // Damaged in the middle: members that it still has come first.
    let mut bytes = archive.clone();
    bytes[entry] = 0;
    let found = read(&bytes, "a.zip", &options);
    assert_eq!(found, [&texts[..2], &damaged, &texts[2..]].concat());
    // With another number of members, there are none but those that it has.
    bytes = archive.clone();
    (bytes[end + 8], bytes[end + 10]) = (7, 7);
    assert_eq!(
        read(&bytes, "a.zip", &options),
        [&texts[..], &damaged].concat()
    );

    let second = archive[4..].windows(4).position(|it| it == b"PK\x03\x04");
    let second = second.expect("there are several members") + 4;
    let in_front = sizes_in_front(&archive);
    for (bytes, second) in [(&archive[..begin], second), (&in_front, second - 16)] {
        assert_eq!(read(bytes, "a.zip", &options), all);
        // Each member may be damaged: its header, its name, its text.
        for at in [0, 8, 35] {
            let mut bytes = bytes.to_vec();
            bytes[second + at] ^= 0x40;
            let found = read(&bytes, "a.zip", &options);
            assert_eq!(found[..2], all[..2], "{at}");
            assert!(found[2].is_err(), "{at}: {found:?}");
            assert_eq!(found[3..], all[3..], "{at}");
        }
        // Cut anywhere.
        for cut in (1..bytes.len() - 1).step_by(3) {
            let found = read(&bytes[..cut], "a.zip", &options);
            let whole = found.iter().filter(|it| it.is_ok()).count();
            assert!(found[0].is_err(), "{cut}: {found:?}");
            assert_eq!(found[1..=whole], texts[..whole], "{cut}");
        }
    }
}

/// Bytes are missing in front of members, which are then not where the directory says.
#[test]
fn zip_whose_members_are_elsewhere() {
    let options = Options::new();
    let archive = zip(&[b"one", b"two", b"three"]);
    for len in [1, 5, 20] {
        for at in [32, 33] {
            let bytes = [&archive[..at], &archive[at + len..]].concat();
            let found = read(&bytes, "a.zip", &options);
            assert!(found.contains(&Err(Reason::Damaged)), "{len} at {at}");
            for text in ["two", "three"] {
                let count = found.iter().filter(|it| it.as_deref() == Ok(text)).count();
                assert_eq!(count, 1, "{text}, {len} at {at}: {found:?}");
            }
        }
    }
}

/// Each header's size leads to bytes that would be read for it, and to no end.
#[test]
fn zip_of_headers_that_lead_nowhere() {
    let mut header = [0; 30];
    header[..4].copy_from_slice(b"PK\x03\x04");
    header[18..22].copy_from_slice(&400_000_u32.to_le_bytes());
    header[22..26].copy_from_slice(&400_000_u32.to_le_bytes());
    // Read for each of them, they would be 8 GB.
    let bytes = header.repeat(20_000);
    let began = std::time::Instant::now();
    let found = read(&bytes, "a.zip", &Options::new());
    assert!(found.iter().all(|it| *it == Err(Reason::Damaged)));
    assert!(found.len() > 19_000, "{}", found.len());
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}

/// Many members that are made of the same bytes.
#[test]
fn zip_whose_members_overlap() {
    let archive = zip(&[&b"text ".repeat(100_000)]);
    let (entry, end) = directory(&archive);
    let mut bytes = archive[..entry].to_vec();
    bytes.extend(archive[entry..end].repeat(500));
    let len = u32::try_from((end - entry) * 500).expect("it is short");
    let mut of_end = archive[end..].to_vec();
    of_end[8..10].copy_from_slice(&500_u16.to_le_bytes());
    of_end[10..12].copy_from_slice(&500_u16.to_le_bytes());
    of_end[12..16].copy_from_slice(&len.to_le_bytes());
    bytes.extend(of_end);
    let found = read(&bytes, "a.zip", &Options::new().max_ratio(20));
    assert_eq!(found.len(), 500);
    let texts = found.iter().filter(|it| it.is_ok()).count();
    assert!((20..30).contains(&texts), "{texts}");
    assert!(found.iter().flatten().all(|it| it.len() == 500_000));
    assert!(
        found
            .iter()
            .all(|it| it.is_ok() || *it == Err(Reason::Bomb))
    );
}

/// Sizes whose sum is no number of 64 bits.
#[test]
fn zip_of_enormous_sizes() {
    let archive = zip(&[b"text"]);
    let (entry, end) = directory(&archive);
    let mut lying = archive[entry..end].to_vec();
    let name = lying[46..].to_vec();
    lying[20..28].fill(0xFF);
    lying[30] = 20;
    lying.truncate(46);
    lying.extend(&name[..5]);
    lying.extend([1, 0, 16, 0]);
    lying.extend((1_u64 << 63).to_le_bytes().repeat(2));
    let entries = [&lying[..], &lying, &archive[entry..end]].concat();
    let mut of_end = archive[end..].to_vec();
    of_end[8] = 3;
    of_end[10] = 3;
    of_end[12] = u8::try_from(entries.len()).expect("it is short");
    let bytes = [&archive[..entry], &entries, &of_end].concat();
    let found = read(&bytes, "a.zip", &Options::new());
    let large = Err(Reason::TooLarge);
    assert_eq!(found, [large.clone(), large, Ok("text".into())]);
}

/// More than are kept at a time.
#[test]
fn zip_of_very_many_members() {
    let texts: Vec<_> = (0..70_000).map(|number| number.to_string()).collect();
    let members: Vec<_> = texts.iter().map(|text| text.as_bytes()).collect();
    let found = read(&zip(&members), "a.zip", &Options::new());
    assert!(found.into_iter().eq(texts.into_iter().map(Ok)));
}

#[test]
fn lines_with_a_mark_in_front() {
    let lines = b"\xEF\xBB\xBF{\"content\":\"one\"}\n{\"content\":\"two\"}\n";
    let found = read(lines, "a.jsonl", &Options::new());
    assert_eq!(found, [Ok("one".into()), Ok("two".into())]);
}

/// As large as the limit, and one byte more; files without a length, as the system has them.
#[test]
fn files_as_large_as_the_limit() {
    let options = Options::new().max_record(100);
    for (len, expected) in [(100, Ok("a".repeat(100))), (101, Err(Reason::TooLarge))] {
        let text = vec![b'a'; len];
        assert_eq!(
            read(&text, "a.txt", &options),
            std::slice::from_ref(&expected)
        );
        assert_eq!(read(&gzip(&text), "a.txt.gz", &options), [expected]);
    }
    if Path::new("/dev/zero").exists() {
        let items = read_split(&Split::file("/dev/zero"), &options);
        let items: Vec<_> = items.collect();
        let [Item::Record(record)] = &items[..] else {
            panic!("{items:?}");
        };
        let rejection = record.body.as_ref().expect_err("it has no end");
        assert_eq!(rejection.reason, Reason::TooLarge);
    }
}

/// Any container, of bytes that are those of another.
#[test]
fn containers_that_are_something_else() {
    let options = |container| Options::new().container(container);
    let members = [
        warc(b"text"),
        tar(&[b"text"]),
        zip(&[b"text"]),
        gzip(b"text"),
        zstd(b"text"),
        b"plain text".to_vec(),
    ];
    for bytes in &members {
        for container in [
            Container::Warc,
            Container::Tar,
            Container::Zip,
            Container::Jsonl,
            Container::Parquet,
            Container::Mbox,
            Container::File,
        ] {
            let found = read(bytes, "x", &options(container));
            assert!(!found.is_empty(), "{container:?}: {}", bytes.escape_ascii());
        }
    }
}

/// A table whose strings its writer had as a dictionary, and one whose column holds something else.
#[test]
fn columns_of_other_types() {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::{ArrayRef, DictionaryArray, Int64Array, RecordBatch};
    use parquet::arrow::ArrowWriter;

    let words: DictionaryArray<Int8Type> = ["one", "two", "one"].into_iter().collect();
    let numbers = Int64Array::from(vec![1, 2, 3]);
    let columns: [(&str, ArrayRef); 2] =
        [("words", Arc::new(words)), ("numbers", Arc::new(numbers))];
    let batch = RecordBatch::try_from_iter(columns).expect("they are of one length");
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("it can be written");
    writer.write(&batch).expect("it can be written");
    writer.close().expect("it can be written");
    let read = |name: &str| {
        let mut columns = simdtext_corpus::Columns::default();
        columns.content = String::from(name);
        read(&bytes, "a.parquet", &Options::new().columns(columns))
    };
    assert_eq!(read("words"), ["one", "two", "one"].map(|it| Ok(it.into())));
    // Whole numbers may be names.
    let mut columns = simdtext_corpus::Columns::default();
    columns.content = String::from("words");
    columns.url = String::from("numbers");
    let options = Options::new().columns(columns);
    let items = read_input("a.parquet", Box::new(Cursor::new(bytes.clone())), &options);
    let names = items.map(|item| match item {
        Item::Record(record) => record.origin.name,
        _ => String::new(),
    });
    assert!(names.eq(["1", "2", "3"]));
    assert_eq!(read("numbers"), [Err(Reason::Damaged)]);
    assert_eq!(read("missing"), [Err(Reason::Damaged)]);
}

/// A message without an empty line behind its headers, or without headers.
#[test]
fn mail_without_an_end_of_headers() {
    let options = Options::new();
    let mail = b"From a\nno header\n\nFrom b\nSubject: one\n two\ntext\n\nFrom c\nSubject: three\n\nbody: text\n";
    let texts = ["no header\n\n", "text\n\n", "body: text\n"];
    let expected: Vec<_> = texts.map(|it| Ok(String::from(it))).into();
    assert_eq!(read(mail, "a.mbox", &options), expected);
}

/// Each part takes much more memory than the line in front of it.
#[test]
fn mail_of_very_many_parts() {
    let options = Options::new();
    let head = "From a\nContent-Type: multipart/mixed; boundary=x\n\n";
    let mail = |parts| format!("{head}{}From b\n\nlast\n", "--x\n\ntext\n\n".repeat(parts));
    let many = read(mail(1001).as_bytes(), "a.mbox", &options);
    assert_eq!(many.len(), 1002);
    assert_eq!(many[1000..], [Err(Reason::TooLarge), Ok("last\n".into())]);
    let more = read(mail(100_001).as_bytes(), "a.mbox", &options);
    assert_eq!(more, [Err(Reason::TooLarge), Ok("last\n".into())]);
}

/// Each would take a hundred times as much memory as its bytes, or minutes.
#[test]
fn mail_with_enormous_headers() {
    let options = Options::new();
    let large = Err(Reason::TooLarge);
    let text = Ok(String::from("text\n\n"));
    let many = |line: &str, len: usize| line.repeat(len / line.len());
    let word = "=?utf-8?Q?a?= ";
    for (headers, expected) in [
        (
            format!("Content-Type: text/plain; {}", many("a=b;", 7_000)),
            &text,
        ),
        (
            format!("Content-Type: text/plain; {}", many("a=b;", 9_000)),
            &large,
        ),
        (
            format!("content-type: text/plain{}", many("\n\t;a=b", 9_000)),
            &large,
        ),
        (
            format!("Content-Transfer-Encoding: {}", many(word, 3 << 20)),
            &large,
        ),
        (
            format!("Content-Type: text/plain; x={}", many(word, 800)),
            &text,
        ),
        (
            format!("Content-Type: text/plain; x={}", many(word, 1_000)),
            &large,
        ),
        (format!("Message-ID: {}", many(word, 3 << 20)), &text),
        (
            format!("Message-ID: {}", many("aaaaaaaaaaaaaaaaa\n ", 3 << 20)),
            &text,
        ),
        (format!("Subject: {}", many("x", 3 << 20)), &text),
        (many("a:\n", 600_000), &text),
        (many("a:\n", 800_000), &large),
    ] {
        let mail = format!("From a\n{}\n\ntext\n\nFrom b\n\nlast\n", headers.trim_end());
        let found = read(mail.as_bytes(), "a.mbox", &options);
        assert_eq!(
            found,
            [expected.clone(), Ok("last\n".into())],
            "{headers:.60}"
        );
        // The headers of a part.
        let multipart = "From a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n";
        let mail = mail.replacen("From a\n", multipart, 1);
        let found = read(mail.as_bytes(), "a.mbox", &options);
        assert_eq!(found.len(), 2, "{headers:.60}");
        assert_eq!(found[0].is_ok(), expected.is_ok(), "{headers:.60}");
    }
}

/// Looking for the next record after damage takes time that is linear in the number of bytes. If the buffer
/// were moved for each line, 780 GB would be.
#[test]
fn short_lines_after_damage() {
    let lines = "a: b\n".repeat(12_000_000);
    let warc =
        format!("WARC/1.0\n{lines}WARC/1.0\nWARC-Type: resource\nContent-Length: 1\n\na\n\n");
    let began = std::time::Instant::now();
    let found = read(warc.as_bytes(), "a.warc", &Options::new());
    assert_eq!(found, [Err(Reason::Damaged), Ok("a".into())]);
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}

/// The sum of the bytes as signed numbers, and a list of holes that has blocks of its own.
#[test]
fn tar_of_old_programs() {
    let mut archive = tar(&[b"one", b"two"]);
    archive[0] = 0xE9;
    let mut sum = 8 * 32;
    for byte in archive[..148].iter().chain(&archive[156..512]) {
        sum += i32::from(byte.cast_signed());
    }
    archive[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let options = Options::new();
    let expected: Vec<_> = ["one", "two"].map(|it| Ok(String::from(it))).into();
    assert_eq!(read(&archive, "a.tar", &options), expected);

    let mut header = tar::Header::new_gnu();
    header.set_size(3);
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.as_gnu_mut().expect("a header of GNU").isextended[0] = 1;
    header.set_cksum();
    let mut more = [0; 1024];
    more[504] = 1;
    let data = [&b"one"[..], &[0; 509]].concat();
    let bytes = [header.as_bytes(), &more[..], &data, &tar(&[b"two"])].concat();
    let expected = [Err(Reason::Unsupported), Ok(String::from("two"))];
    assert_eq!(read(&bytes, "a.tar", &options), expected);
}
