//! Random archives, damaged in random places: what was not damaged is read as it was written, and no document is lost,
//! added or changed without a report, as far as the format shows it. A file that is read in parts, or that gives little
//! at a time, has the same records.
//!
//! The seeds are fixed. `SIMDTEXT_CASES` in the environment says how many there are; a failure names its own.

#[path = "../examples/make_corpus/texts.rs"]
#[expect(dead_code, reason = "also makes texts in all encodings")]
mod texts;

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::write::GzEncoder;
use simdtext_corpus::{Item, Options, Reason, read_input, read_split, splits};
use texts::Random;

/// An archive as it should be.
struct Archive {
    name: &'static str,
    bytes: Vec<u8>,
    documents: Vec<Vec<u8>>,
    /// Where all of a document is, and what describes it. Empty if the archive is compressed as a whole.
    places: Vec<Range<usize>>,
    /// Where it may end without a sign that something is missing.
    ends: Vec<usize>,
}

fn document(random: &mut Random) -> Vec<u8> {
    let words = ["text", "größe", "слово", "日本語", "and\n", "more"];
    let mut text = format!("document {}", random.next());
    for _ in 0..*random.pick(&[0, 1, 5, 30, 80, 300, 12_000]) {
        text = text + " " + *random.pick(&words);
    }
    let len = *random.pick(&[0, 0, 0, 511, 512, 513]);
    text += &"x".repeat(len - len.min(text.len()));
    text.into_bytes()
}

fn gzip(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let level = Compression::new(*random.pick(&[0, 1, 6]));
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

fn zstd(bytes: &[u8], _: &mut Random) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("there is memory");
    encoder.include_checksum(true).expect("it is known");
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

/// In members or frames that begin anywhere.
fn in_blocks(archive: &mut Archive, random: &mut Random) {
    let pack = *random.pick(&[gzip as fn(&[u8], &mut Random) -> Vec<u8>, zstd]);
    let mut cuts: Vec<_> = (0..random.below(6))
        .map(|_| random.below(archive.bytes.len()))
        .collect();
    cuts.extend([0, archive.bytes.len()]);
    cuts.sort_unstable();
    let mut packed = Vec::new();
    archive.ends.clear();
    for cut in cuts.windows(2) {
        archive.ends.push(packed.len());
        packed.extend(pack(&archive.bytes[cut[0]..cut[1]], random));
    }
    archive.bytes = packed;
    archive.places.clear();
}

fn http(document: &[u8], random: &mut Random) -> Vec<u8> {
    let mut head = String::from("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n");
    let mut body = document.to_vec();
    if random.below(3) == 0 {
        head += "Content-Encoding: gzip\r\n";
        body = gzip(&body, random);
    }
    if random.below(3) == 0 {
        head += "Transfer-Encoding: chunked\r\n";
        let len = *random.pick(&[1, 100, 9999]);
        let chunk = |it: &[u8]| [format!("{:x}\r\n", it.len()).as_bytes(), it, b"\r\n"].concat();
        body = body.chunks(len).flat_map(chunk).collect();
        body.extend(b"0\r\n\r\n");
    }
    [head.as_bytes(), b"\r\n", &body].concat()
}

fn warc(random: &mut Random, archive: &mut Archive, pack: fn(&[u8], &mut Random) -> Vec<u8>) {
    let mut put = |kind: &str, block: &[u8], random: &mut Random| {
        let long = "y".repeat(*random.pick(&[0, 10, 5000]));
        let mut fields = [
            format!("WARC-Type: {kind}\r\n"),
            format!("WARC-Record-ID: <urn:x:{}>\r\n", random.next()),
            format!("Content-Length: {}\r\n", block.len()),
            format!("WARC-Target-URI: http://example.org/{}\r\n", random.next()),
            format!("X-Long: {long}\r\n"),
        ];
        let n = fields.len();
        fields.swap(random.below(n), random.below(n));
        let head = format!("WARC/1.0\r\n{}\r\n", fields.concat());
        let start = archive.bytes.len();
        let record = [head.as_bytes(), block, b"\r\n\r\n"].concat();
        archive.bytes.extend(pack(&record, random));
        // The empty lines behind a record may be missing.
        let missing = if archive.name == "a.warc" { 4 } else { 0 };
        archive.ends.extend(start.saturating_sub(missing)..=start);
        start..archive.bytes.len()
    };
    for document in &archive.documents {
        if random.below(3) == 0 {
            let block = *random.pick(&[&b""[..], b"GET / HTTP/1.1\r\n\r\n"]);
            put("request", block, random);
        }
        let place = match random.below(2) {
            0 => put("response", &http(document, random), random),
            _ => put("resource", document, random),
        };
        archive.places.push(place);
    }
}

fn tar(random: &mut Random, archive: &mut Archive) {
    let mut builder = tar::Builder::new(Vec::new());
    for (number, document) in archive.documents.iter().enumerate() {
        let start = builder.get_ref().len();
        if random.below(3) == 0 {
            let value = vec![b'v'; *random.pick(&[1, 600, 5000])];
            let fields = [("SCHILY.xattr.user.x", &value[..])];
            let done = builder.append_pax_extensions(fields);
            done.expect("a Vec can be written");
        }
        let mut header = tar::Header::new_gnu();
        header.set_size(document.len() as u64);
        let name = "n".repeat(*random.pick(&[1, 99, 100, 101, 300]));
        let done = builder.append_data(&mut header, format!("{number}{name}"), &document[..]);
        done.expect("a Vec can be written");
        archive.places.push(start..builder.get_ref().len());
    }
    let end = builder.get_ref().len();
    archive.bytes = builder.into_inner().expect("a Vec can be written");
    archive.ends = (end + 512..archive.bytes.len()).collect();
    archive.ends.push(0);
}

fn zip(random: &mut Random, archive: &mut Archive) {
    let mut writer = rawzip::ZipArchiveWriter::new(&mut archive.bytes);
    for (number, document) in archive.documents.iter().enumerate() {
        let start = usize::try_from(writer.stream_offset()).expect("it is short");
        let name = format!("{number}.txt");
        let deflate = rawzip::CompressionMethod::DEFLATE;
        let file = writer.new_file(&name).compression_method(deflate).start();
        let (mut entry, config) = file.expect("a Vec can be written");
        let level = Compression::new(*random.pick(&[0, 1, 6]));
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, level);
        let mut out = config.wrap(encoder);
        out.write_all(document).expect("a Vec can be written");
        let (encoder, descriptor) = out.finish().expect("a Vec can be written");
        encoder.finish().expect("a Vec can be written");
        entry.finish(descriptor).expect("a Vec can be written");
        let end = usize::try_from(writer.stream_offset()).expect("it is short");
        archive.places.push(start..end);
    }
    writer.finish().expect("a Vec can be written");
}

fn jsonl(random: &mut Random, archive: &mut Archive) {
    for document in &archive.documents {
        let text = String::from_utf8_lossy(document);
        let line =
            serde_json::json!({"content": text, "url": random.next().to_string()}).to_string();
        archive.bytes.extend(line.as_bytes());
        archive
            .bytes
            .extend_from_slice(random.pick::<&[u8]>(&[b"\n", b"\r\n", b"\n\n"]));
    }
}

fn archive(random: &mut Random) -> Archive {
    let names = "a.warc a.warc.gz a.warc.zst a.tar a.zip a.jsonl";
    let name = *random.pick(&names.split(' ').collect::<Vec<_>>());
    let documents = (0..1 + random.below(7)).map(|_| document(random));
    let mut made = Archive {
        name,
        bytes: Vec::new(),
        documents: documents.collect(),
        places: Vec::new(),
        ends: Vec::new(),
    };
    match name {
        "a.warc" => warc(random, &mut made, |it, _| it.to_vec()),
        "a.warc.gz" => warc(random, &mut made, gzip),
        "a.warc.zst" => warc(random, &mut made, zstd),
        "a.tar" => tar(random, &mut made),
        "a.zip" => zip(random, &mut made),
        _ => jsonl(random, &mut made),
    }
    if !name.ends_with("gz") && !name.ends_with("zst") && name != "a.zip" && random.below(3) == 0 {
        in_blocks(&mut made, random);
    }
    made
}

/// Damages some bytes, and returns which of the archive's those are.
fn damage(bytes: &mut Vec<u8>, places: &[Range<usize>], random: &mut Random) -> Range<usize> {
    let all = 0..bytes.len();
    // Most often where a document begins.
    let place = match random.below(3) {
        0 => &all,
        _ => places.get(random.below(places.len())).unwrap_or(&all),
    };
    let near = *random.pick(&[700, usize::MAX]);
    let at = place.start + random.below(place.len().min(near));
    let len = *random.pick(&[1, 5, 100, 512, 4096]);
    // As where a disk loses what it was given.
    let at = if len >= 512 && random.below(2) == 0 {
        at & !511
    } else {
        at
    };
    let len = len.min(bytes.len() - at);
    match random.below(7) {
        0 => {
            bytes.truncate(at);
            return at..usize::MAX;
        }
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes[at..at + len].fill(0),
        3 => bytes[at..at + len].fill(0xFF),
        4 => bytes[at..at + len].copy_from_slice(&random.bytes(len)),
        5 => drop(bytes.drain(at..at + len)),
        _ => {
            let added = random.bytes(len);
            bytes.splice(at..at, added);
            return at..at;
        }
    }
    at..at + len
}

/// Gives little at a time.
struct Slow(Cursor<Vec<u8>>, Random);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.below(4) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = *self.1.pick(&[1, 10, 1000, usize::MAX]);
        let len = buffer.len().min(most);
        self.0.read(&mut buffer[..len])
    }
}

impl Seek for Slow {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// The bytes and the number of a document, or why there are none, and whether it says that there should be more.
type Found = (u64, Result<Vec<u8>, (Reason, String)>, bool);

fn found(items: impl Iterator<Item = Item>) -> Vec<Found> {
    let found = items.filter_map(|item| match item {
        Item::Record(record) => Some((
            record.origin.number,
            record.body.map_err(|it| (it.reason, it.detail)),
            record.origin.truncated,
        )),
        _ => None,
    });
    found.collect()
}

fn check(seed: u64) {
    let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let archive = archive(&mut random);
    let options = Options::new();
    let name = archive.name;
    let read = |bytes: &[u8]| {
        let input = Box::new(Cursor::new(bytes.to_vec()));
        found(read_input(name, input, &options))
    };
    let whole = read(&archive.bytes);
    let rows = |of: &[Found]| -> Vec<Vec<u8>> {
        let rows = of.iter().filter_map(|it| it.1.as_ref().ok());
        rows.cloned().collect()
    };
    let is_whole = whole.iter().all(|it| it.1.is_ok()) && rows(&whole) == archive.documents;
    assert!(is_whole, "seed {seed}: {name}, undamaged");

    let mut bytes = archive.bytes.clone();
    let damaged = damage(&mut bytes, &archive.places, &mut random);
    let what = format!(
        "seed {seed}: {name}, {} bytes, damaged at {damaged:?}",
        archive.bytes.len()
    );
    let all = read(&bytes);
    let slow = Box::new(Slow(Cursor::new(bytes.clone()), random));
    assert!(
        found(read_input(name, slow, &options)) == all,
        "{what}: read slowly"
    );
    if name == "a.warc" {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).expect("it is new");
        let parts = splits(&path, 1000, &options).expect("it can be read");
        let parts = parts.iter().flat_map(|it| read_split(it, &options));
        assert!(found(parts) == all, "{what}: read in parts");
    }

    let kept = rows(&all);
    if kept == archive.documents {
        return;
    }
    let is_reported = all.iter().any(|it| it.1.is_err() || it.2);
    let has_checksums =
        archive.places.is_empty() || name != "a.warc" && name != "a.tar" && name != "a.jsonl";
    let ends_early = archive.ends.contains(&damaged.start)
        && damaged.end >= archive.bytes.len()
        && archive.documents.starts_with(&kept);
    let missing = archive.bytes.len().saturating_sub(bytes.len());
    // Without a checksum, a text may be another one. Lines that lost the end between them are one line, and members of
    // a tar that lost blocks from the name of one to that of another are one member.
    let may_differ = name == "a.jsonl"
        || name == "a.tar" && missing > 0 && missing.is_multiple_of(512)
        || !has_checksums && kept.len() == archive.documents.len();
    assert!(
        is_reported || ends_early || may_differ,
        "{what}: nothing is reported"
    );

    // How much is lost of a format that says where its documents begin.
    let is_hit = |place: &Range<usize>| damaged.start < place.end && place.start < damaged.end;
    let is_lost = |place: &Range<usize>| match name {
        "a.warc.gz" | "a.warc.zst" => damaged.start < place.end && place.start <= damaged.end,
        // Where bytes are missing from a text, it goes on with those after it.
        "a.tar" => {
            let places = archive.places.iter().filter(|it| is_hit(it));
            let end = places.map(|it| it.end).max().unwrap_or(damaged.end);
            is_hit(place) || damaged.start < place.end && place.start < end + missing
        }
        _ => is_hit(place),
    };
    for (document, place) in archive.documents.iter().zip(&archive.places) {
        assert!(
            kept.contains(document) || is_lost(place),
            "{what}: the document at {place:?} is lost"
        );
    }
}

#[test]
fn damaged_archives() {
    let cases = std::env::var("SIMDTEXT_CASES").ok();
    let cases = cases.and_then(|it| it.parse().ok()).unwrap_or(100);
    (1..=cases).for_each(check);
}
