//! Containers that others made: tar, zip, JSON lines, and how damage in them is told of.

use std::fs;
use std::io::Write;
use std::path::Path;

use simdtext_corpus::{Columns, Item, Options, Record, Row, Split, decode, read_split};

fn records(path: &Path, options: &Options) -> Vec<Item> {
    read_split(&Split::file(path), options).collect()
}

/// Of each record its name, and its text or why there is none; of what is skipped its kind.
fn texts(path: &Path, options: &Options) -> Vec<(String, String)> {
    let of = |record: Record| {
        let name = record.origin.name.clone();
        match decode(record, options) {
            Ok(Row { text, encoding, .. }) => (name, format!("{encoding}: {text}")),
            Err(rejected) => (name, rejected.rejection.reason.name().to_owned()),
        }
    };
    records(path, options)
        .into_iter()
        .map(|item| match item {
            Item::Record(record) => of(record),
            Item::Skipped(kind) => (String::new(), kind),
            _ => unreachable!("there are no others"),
        })
        .collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

/// Frames of zstd, before each of which is one that is skipped and says how long it is, as pzstd writes them.
fn pzstd(parts: &[&[u8]]) -> Vec<u8> {
    let mut packed = Vec::new();
    for part in parts {
        let frame = zstd::encode_all(*part, 1).expect("memory can be read");
        packed.extend_from_slice(b"\x50\x2A\x4D\x18\x04\0\0\0");
        packed.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        packed.extend_from_slice(&frame);
    }
    packed
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("it can be written");
    path
}

fn tar_of(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if name.len() <= 100 {
            header.as_old_mut().name[..name.len()].copy_from_slice(name);
            header.set_cksum();
            builder
                .append(&header, *bytes)
                .expect("a Vec can be written");
        } else {
            let name = std::str::from_utf8(name).expect("a long name is UTF-8");
            builder
                .append_data(&mut header, name, *bytes)
                .expect("a Vec can be written");
        }
    }
    builder.into_inner().expect("a Vec can be written")
}

const ROMAN: &str = "windows-1252: Stra\u{DF}e, na\u{EF}f, caf\u{E9}";
const BYTES: &[u8] = b"<meta charset=latin1>Stra\xDFe";

#[test]
fn tar() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "folder/".repeat(40) + "long.html";
    let members: [(&[u8], &[u8]); 5] = [
        (b"../../etc/passwd", b"plain"),
        (b"\x93\xFA\x96{\x8C\xEA.txt", BYTES),
        (long.as_bytes(), b"<meta charset=koi8-r>\xCD\xC9\xD2"),
        (b"empty", b""),
        (b"binary", b"\0\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06"),
    ];
    let archive = tar_of(&members);
    let expected = pairs(&[
        ("../../etc/passwd", "UTF-8: plain"),
        ("日本語.txt", "windows-1252: <meta charset=latin1>Straße"),
        (&long, "KOI8-R: <meta charset=koi8-r>мир"),
        ("empty", "empty"),
        ("binary", "binary"),
    ]);
    let options = Options::new();
    let plain = write(folder.path(), "a.tar", &archive);
    let found = texts(&plain, &options);
    // The name is a guess, and a short one.
    assert_eq!(found[0], expected[0]);
    assert_eq!(found[1].1, expected[1].1);
    assert_eq!(found[2..], expected[2..]);
    for (name, bytes) in [
        ("a.tar.gz", gzip(&archive)),
        ("a.tgz", gzip(&archive)),
        (
            "a.tar.zst",
            zstd::encode_all(&archive[..], 1).expect("memory can be read"),
        ),
        ("without-a-name", archive.clone()),
    ] {
        assert_eq!(
            texts(&write(folder.path(), name, &bytes), &options),
            found,
            "{name}"
        );
    }
    // A header that is damaged costs its own member, and nothing else.
    let mut damaged = archive.clone();
    damaged[1024 + 10] ^= 0x55;
    let path = write(folder.path(), "damaged.tar", &damaged);
    let of_damaged = texts(&path, &options);
    assert_eq!(of_damaged[0], found[0]);
    assert_eq!(of_damaged[1].1, "damaged");
    assert_eq!(of_damaged[2..], found[2..]);
    // Cut anywhere: no record is lost without a word, and none is made up.
    for cut in (0..archive.len()).step_by(97) {
        let path = write(folder.path(), "cut.tar", &archive[..cut]);
        for (at, text) in texts(&path, &options).iter().enumerate() {
            let is_told = matches!(&*text.1, "damaged" | "empty" | "binary");
            assert!(found.get(at) == Some(text) || is_told, "{cut}: {text:?}");
        }
    }
    let small = Options::new().max_record(4);
    let of_small = texts(&plain, &small);
    assert_eq!(of_small.iter().filter(|it| it.1 == "too-large").count(), 4);
}

/// A long record in several segments.
#[test]
fn warc_segments() {
    let folder = tempfile::tempdir().expect("a folder");
    let segment = |kind: &str, number: u8, text: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Segment-Number: {number}\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    let archive = [
        segment("resource", 1, "begin"),
        segment("continuation", 2, "end"),
    ]
    .concat();
    let path = write(folder.path(), "a.warc", archive.as_bytes());
    let found = texts(&path, &Options::new());
    assert_eq!(found, pairs(&[("", "UTF-8: begin"), ("", "unsupported")]));
}

/// What is before a member, and what kind of member it is.
#[test]
fn tar_extensions_and_types() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = tar::Builder::new(Vec::new());
    let mut add = |kind: u8, records: &[(&str, &[u8])], name: &str| {
        builder
            .append_pax_extensions(records.iter().copied())
            .expect("a Vec can be written");
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::new(kind));
        header.set_size(5);
        header.set_mode(0o644);
        header.set_path(name).expect("the name is short");
        header.set_cksum();
        builder
            .append(&header, &b"hello"[..])
            .expect("a Vec can be written");
    };
    // Values may have any bytes, also what looks like another record.
    let comment = b"one\n\n9 size=1\n13 path=wrong\n";
    add(b'0', &[("comment", comment), ("path", b"a\nb")], "1");
    add(b'0', &[("comment", &[b'x'; 200_000]), ("path", b"2b")], "2");
    add(b'0', &[("comment", &[b'x'; 1 << 20])], "3");
    // A file of a type that nobody knows, and a part of one that begins elsewhere.
    add(b'Z', &[], "4");
    add(b'M', &[], "5");
    add(b'V', &[], "6");
    // The label of a volume, as GNU tar writes it.
    let mut label = tar::Header::new_gnu();
    label.set_entry_type(tar::EntryType::new(b'V'));
    label.set_path("label").expect("the name is short");
    label.as_old_mut().size = [0; 12];
    label.set_cksum();
    builder
        .append(&label, &b""[..])
        .expect("a Vec can be written");
    let archive = builder.into_inner().expect("a Vec can be written");
    assert_eq!(
        texts(&write(folder.path(), "a.tar", &archive), &Options::new()),
        pairs(&[
            ("a\nb", "UTF-8: hello"),
            ("2b", "UTF-8: hello"),
            ("", "too-large"),
            ("3", "UTF-8: hello"),
            ("4", "UTF-8: hello"),
            ("5", "unsupported"),
            ("", "no-file"),
            ("", "no-file"),
        ])
    );
}

#[test]
fn zip() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = Vec::new();
    let mut writer = rawzip::ZipArchiveWriter::new(&mut bytes);
    let members: [(&str, rawzip::CompressionMethod, &[u8]); 6] = [
        ("folder!", rawzip::CompressionMethod::STORE, b""),
        (
            "no-folder!",
            rawzip::CompressionMethod::STORE,
            b"plain text",
        ),
        ("stored.html", rawzip::CompressionMethod::STORE, BYTES),
        (
            "deflated.txt",
            rawzip::CompressionMethod::DEFLATE,
            b"plain text",
        ),
        ("zstd.txt", rawzip::CompressionMethod::ZSTD, b"plain text"),
        (
            "bomb.txt",
            rawzip::CompressionMethod::DEFLATE,
            &[b'a'; 3 << 20],
        ),
    ];
    for (name, method, content) in members {
        let (mut entry, config) = writer
            .new_file(name)
            .compression_method(method)
            .start()
            .expect("a Vec can be written");
        if method == rawzip::CompressionMethod::DEFLATE {
            let encoder =
                flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
            let mut out = config.wrap(encoder);
            out.write_all(content).expect("a Vec can be written");
            let (encoder, descriptor) = out.finish().expect("a Vec can be written");
            encoder.finish().expect("a Vec can be written");
            entry.finish(descriptor).expect("a Vec can be written");
        } else if method == rawzip::CompressionMethod::ZSTD {
            let encoder = zstd::Encoder::new(&mut entry, 1).expect("zstd is there");
            let mut out = config.wrap(encoder);
            out.write_all(content).expect("a Vec can be written");
            let (encoder, descriptor) = out.finish().expect("a Vec can be written");
            encoder.finish().expect("a Vec can be written");
            entry.finish(descriptor).expect("a Vec can be written");
        } else {
            let mut out = config.wrap(&mut entry);
            out.write_all(content).expect("a Vec can be written");
            let (_, descriptor) = out.finish().expect("a Vec can be written");
            entry.finish(descriptor).expect("a Vec can be written");
        }
    }
    writer.finish().expect("a Vec can be written");
    // The writer does not end the names of files like those of folders, as some do.
    for at in 0..bytes.len() - 7 {
        if bytes[at..].starts_with(b"folder!") {
            bytes[at + 6] = b'/';
        }
    }
    let options = Options::new().max_ratio(100);
    let expected = pairs(&[
        ("", "folder"),
        ("no-folder/", "UTF-8: plain text"),
        ("stored.html", "windows-1252: <meta charset=latin1>Straße"),
        ("deflated.txt", "UTF-8: plain text"),
        ("zstd.txt", "UTF-8: plain text"),
        ("bomb.txt", "bomb"),
    ]);
    let path = write(folder.path(), "a.zip", &bytes);
    assert_eq!(texts(&path, &options), expected);
    // A member whose bytes are damaged, which its checksum tells.
    let at = bytes
        .windows(5)
        .position(|it| it == b"latin")
        .expect("it is stored");
    let mut damaged = bytes.clone();
    damaged[at] ^= 1;
    let of_damaged = texts(&write(folder.path(), "damaged.zip", &damaged), &options);
    assert_eq!(of_damaged[..2], expected[..2]);
    assert_eq!(of_damaged[2].1, "damaged");
    assert_eq!(of_damaged[3..], expected[3..]);
    // Without its directory.
    let cut = write(folder.path(), "cut.zip", &bytes[..bytes.len() - 30]);
    let found = texts(&cut, &options);
    assert_eq!(found[0].1, "damaged");
    assert_eq!(found[1..], expected);
}

#[test]
fn jsonl() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = Vec::new();
    for line in [
        &br#"{"url":"a","content":"caf\u00e9 \"quoted\"","content_type":"text/html; charset=sjis","more":[1,{}]}"#[..],
        br#"{"more":null,"content":"<meta charset=latin1>Stra"#,
        b"",
        br#"{"url":"b","content":null}"#,
        br#"{"url":"c"}"#,
        br#"{"url":"d","content":5}"#,
        b"no json",
        b"[1]",
        br#"{"url":null,"content":"last"}"#,
    ] {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    let options = Options::new();
    let path = write(folder.path(), "a.jsonl", &text);
    let expected = pairs(&[
        ("a", "UTF-8: café \"quoted\""),
        ("", "damaged"),
        ("b", "damaged"),
        ("c", "damaged"),
        ("", "damaged"),
        ("", "damaged"),
        ("", "damaged"),
        ("", "UTF-8: last"),
    ]);
    assert_eq!(texts(&path, &options), expected);
    let packed = write(folder.path(), "a.jsonl.gz", &gzip(&text));
    assert_eq!(texts(&packed, &options), expected);
    // What describes a document may be a number; what is more than that is no name.
    let lines = [
        (r#"{"url":12,"content":"text"}"#, ("12", "UTF-8: text")),
        (
            r#"{"content":"text","url":-7,"content_type":[1]}"#,
            ("-7", "UTF-8: text"),
        ),
        (
            r#"{"url":18446744073709551615,"content":"text"}"#,
            ("18446744073709551615", "UTF-8: text"),
        ),
        (
            r#"{"url":18446744073709551617,"content":"text"}"#,
            ("", "UTF-8: text"),
        ),
        (r#"{"url":true,"content":"text"}"#, ("true", "UTF-8: text")),
        (
            r#"{"url":{"a":["b"]},"content":"text","content_type":5}"#,
            ("", "UTF-8: text"),
        ),
        (r#"{"url":1,"content":5}"#, ("", "damaged")),
        (r#"{"url":1,"content":"text""#, ("", "damaged")),
        // The end of a line and the beginning of the next one are missing.
        (
            r#"{"content":"one","url":"1","content":"two"}"#,
            ("", "damaged"),
        ),
        (
            r#"{"url":"1","more":"","url":"2","content":"two"}"#,
            ("", "damaged"),
        ),
    ];
    for (line, expected) in lines {
        let path = write(folder.path(), "scalars.jsonl", line.as_bytes());
        assert_eq!(texts(&path, &options), pairs(&[expected]), "{line}");
    }
    // Bytes that are not UTF-8, where UTF-8 should be.
    let line = b"{\"content\":\"<meta charset=latin1>Stra\xDFe\"}";
    let path = write(folder.path(), "b.jsonl", line);
    assert_eq!(
        texts(&path, &options)[0].1,
        "windows-1252: <meta charset=latin1>Straße"
    );

    // Escaped characters are not in the encoding of the other bytes.
    let line = b"{\"content\":\"caf\xE9 d\xE9j\xE0 vu, 5 \\u20ac\"}\n{\"content\":\"caf\xE9 d\xE9j\xE0 vu \\u0026 \\\\u20ac\"}\n\
{\"content\":\"na\\u00efve\",\"note\":\"caf\xE9\"}";
    let path = write(folder.path(), "mixed.jsonl", line);
    let found = texts(&path, &options);
    let found: Vec<_> = found.iter().map(|it| &*it.1).collect();
    assert_eq!(
        found,
        [
            "damaged",
            "windows-1252: café déjà vu & \\u20ac",
            "UTF-8: naïve"
        ]
    );

    let mut columns = Columns::default();
    columns.content = String::from("body");
    columns.url = String::from("id");
    columns.base64 = true;
    let options = Options::new().columns(columns);
    let line =
        br#"{"id":"x","body":"PG1ldGEgY2hhcnNldD1sYXRpbjE+U3RyYd9l","content_type":"text/html"}
{"id":"y","body":"%%%"}"#;
    let path = write(folder.path(), "c.ndjson", line);
    let expected = pairs(&[
        ("x", "windows-1252: <meta charset=latin1>Straße"),
        ("y", "damaged"),
    ]);
    assert_eq!(texts(&path, &options), expected);
}

#[test]
fn files() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"Stra\xDFe, na\xEFf, caf\xE9";
    let options = Options::new();
    for (name, bytes) in [
        ("a.txt", text.to_vec()),
        ("a.txt.gz", gzip(text)),
        (
            "a.txt.zst",
            zstd::encode_all(&text[..], 1).expect("memory can be read"),
        ),
        ("b.txt.zst", pzstd(&[&text[..9], &text[9..]])),
    ] {
        let path = write(folder.path(), name, &bytes);
        assert_eq!(texts(&path, &options)[0].1, ROMAN, "{name}");
    }
    let missing = texts(&folder.path().join("missing"), &options);
    assert_eq!(missing[0].1, "unreadable");
    let small = Options::new().max_record(5);
    assert_eq!(
        texts(&folder.path().join("a.txt"), &small)[0].1,
        "too-large"
    );
    assert_eq!(
        texts(&folder.path().join("a.txt.gz"), &small)[0].1,
        "too-large"
    );
    for (name, bytes) in [
        ("pdf", &b"%PDF-1.4\n1 0 obj\n"[..]),
        ("utf-32", b"\xFF\xFE\0\0a\0\0\0b\0\0\0"),
    ] {
        let path = write(folder.path(), name, bytes);
        assert!(
            matches!(&*texts(&path, &options)[0].1, "binary" | "unsupported"),
            "{name}"
        );
    }
}

#[test]
fn mbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"From ann@example.org Mon May  6 07:08:09 2024\r\n\
Message-ID: <one@example.org>\r\n\
Content-Type: text/plain; charset=koi8-r\r\n\
Content-Transfer-Encoding: quoted-printable\r\n\
\r\n\
=CD=C9=D2\r\n\
>From here on\r\n\
From is no separator without an empty line before it\r\n\
\r\n\
From bob@example.org Mon May  6 07:08:09 2024\r\n\
Message-ID: <two@example.org>\r\n\
MIME-Version: 1.0\r\n\
Content-Type: multipart/mixed; boundary=x\r\n\
\r\n\
preamble\r\n\
--x\r\n\
Content-Type: text/html\r\n\
Content-Transfer-Encoding: base64\r\n\
\r\n\
PG1ldGEgY2hhcnNldD1sYXRpbjE+U3RyYd9l\r\n\
--x\r\n\
Content-Type: multipart/alternative; boundary=y\r\n\
\r\n\
--y\r\n\
Content-Type: text/plain; charset=\"shift_jis\"\r\n\
\r\n\
\x93\xFA\x96{\r\n\
--y--\r\n\
--x\r\n\
Content-Type: image/png\r\n\
Content-Transfer-Encoding: base64\r\n\
\r\n\
iVBORw0KGgoAAAANSUhEUgAAAAAAAAAAAAAAAAAAAAA=\r\n\
--x--\r\n\
\r\n\
From carol@example.org Mon May  6 07:08:09 2024\r\n\
\r\n\
last\r\n";
    let options = Options::new();
    let path = write(folder.path(), "a.mbox", text);
    let found = texts(&path, &options);
    let koi8 =
        "KOI8-R: мир\r\n>From here on\r\nFrom is no separator without an empty line before it\r\n";
    assert!(found[0].1.starts_with(koi8), "{found:?}");
    let names: Vec<_> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(
        names,
        [
            "mid:one@example.org#0",
            "mid:two@example.org#0",
            "mid:two@example.org#1",
            "mid:two@example.org#2",
            "mid:#0"
        ]
    );
    assert_eq!(found[1].1, "windows-1252: <meta charset=latin1>Straße");
    assert!(found[2].1.starts_with("Shift_JIS: 日本"), "{found:?}");
    assert_eq!(found[3].1, "binary");
    assert_eq!(found[4].1, "UTF-8: last\r\n");
    let packed = write(folder.path(), "a.mbox.gz", &gzip(text));
    assert_eq!(texts(&packed, &options), found);
    let small = Options::new().max_record(10);
    assert_eq!(
        texts(&path, &small)
            .iter()
            .filter(|it| it.1 == "too-large")
            .count(),
        3
    );
}

/// Text that is not where MIME wants it is not lost.
#[test]
fn mbox_parts_without_their_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"From ann@example.org Mon May  6 07:08:09 2024\n\
Content-Type: multipart/mixed; boundary=x\n\
\n\
no boundary\n\
\n\
From bob@example.org Mon May  6 07:08:09 2024\n\
Content-Type: multipart/mixed; boundary=x\n\
\n\
--x\n\
no header, and no empty line\n\
--x\n\
Content-Type: text/plain; charset=koi8-r\n\
\xCD\xC9\xD2\n\
--x--\n";
    let path = write(folder.path(), "a.mbox", text);
    let found = texts(&path, &Options::new());
    let found: Vec<_> = found.iter().map(|it| it.1.trim_end()).collect();
    assert_eq!(
        found,
        [
            "UTF-8: no boundary",
            "UTF-8: no header, and no empty line",
            "KOI8-R: мир"
        ]
    );
}

#[test]
fn tables() {
    use arrow_array::{ArrayRef, BinaryArray, RecordBatch, StringArray};
    use std::sync::Arc;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let content =
        BinaryArray::from_opt_vec(vec![Some(BYTES), None, Some(b""), Some(b"\xCD\xC9\xD2")]);
    let types = StringArray::from(vec![None, None, None, Some("text/plain; charset=koi8-r")]);
    let text = StringArray::from(vec![
        "<meta charset=koi8-r>é",
        "PG1ldGEgY2hhcnNldD1sYXRpbjE+U3RyYd9l",
        "",
        "%",
    ]);
    let batch = RecordBatch::try_from_iter([
        (
            "url",
            Arc::new(StringArray::from(vec!["a", "b", "c", "d"])) as ArrayRef,
        ),
        ("content", Arc::new(content)),
        ("content_type", Arc::new(types)),
        ("text", Arc::new(text)),
    ])
    .expect("the columns are of one length");
    let file = fs::File::create(&path).expect("it can be written");
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a schema");
    for _ in 0..20 {
        writer.write(&batch).expect("it can be written");
    }
    writer.close().expect("it can be written");
    let expected = pairs(&[
        ("a", "windows-1252: <meta charset=latin1>Straße"),
        ("b", "empty"),
        ("c", "empty"),
        ("d", "KOI8-R: мир"),
    ]);
    let found = texts(&path, &Options::new());
    assert_eq!(found.len(), 80);
    assert!(found.chunks(4).all(|it| it == expected));
    let of_column = |name: &str, base64| {
        let mut columns = Columns::default();
        columns.content = String::from(name);
        columns.base64 = base64;
        texts(&path, &Options::new().columns(columns))
    };
    assert_eq!(
        of_column("text", false)[0].1,
        "UTF-8: <meta charset=koi8-r>é"
    );
    assert_eq!(
        of_column("text", true)[1].1,
        "windows-1252: <meta charset=latin1>Straße"
    );
    assert_eq!(of_column("text", true)[3].1, "damaged");
    assert_eq!(of_column("no such", false)[0].1, "damaged");
    // Cut, or with bytes that are changed: told of, and no panic.
    let bytes = fs::read(&path).expect("it can be read");
    for cut in (0..bytes.len()).step_by(101) {
        let path = write(folder.path(), "cut.parquet", &bytes[..cut]);
        assert_eq!(texts(&path, &Options::new()).len(), 1, "{cut}");
    }
    for at in (4..bytes.len()).step_by(53) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let path = write(folder.path(), "changed.parquet", &bytes);
        let _ = texts(&path, &Options::new());
    }
}
