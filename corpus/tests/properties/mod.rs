//! What holds for any bytes: functions that panic where it does not. `any_bytes.rs` calls them with inputs from a
//! generator, and libFuzzer with those that it finds (`corpus/fuzz`).

use std::io::Cursor;

use simdtext_corpus::http::dechunk;
use simdtext_corpus::warc::parse_header;
use simdtext_corpus::{Container, Item, Options, decode, read_input};

/// A header is as long as it says, and nothing behind it matters.
pub(crate) fn warc_header(data: &[u8]) {
    let Ok((header, len)) = parse_header(data) else {
        return;
    };
    assert!(data[..len].ends_with(b"\n"));
    assert_eq!(parse_header(&data[..len]), Ok((header, len)));
    assert!(parse_header(&data[..len - 1]).is_err());
}

/// Undoing `chunked` adds nothing, and undoes what was done.
pub(crate) fn chunked(data: &[u8]) {
    let mut body = data.to_vec();
    match dechunk(&mut body) {
        None => assert_eq!(body, data),
        Some(_) => assert!(body.len() < data.len()),
    }
    let mut coded = Vec::new();
    for chunk in data.chunks(7) {
        coded.extend_from_slice(format!("{:x};x=y\r\n", chunk.len()).as_bytes());
        coded.extend_from_slice(chunk);
        coded.extend_from_slice(b"\r\n");
    }
    for cut in 0..coded.len().min(64) {
        let mut body = coded[..coded.len() - cut].to_vec();
        if dechunk(&mut body).is_some() {
            assert!(data.starts_with(&body));
        }
    }
    coded.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(dechunk(&mut coded), Some(true));
    assert_eq!(coded, data);
}

const CONTAINERS: [Container; 6] = [
    Container::Warc,
    Container::Tar,
    Container::Zip,
    Container::Jsonl,
    Container::Mbox,
    Container::File,
];

/// Every record has its number and a place in the file, is within the limits, and becomes a row or is rejected.
/// The first byte chooses the container.
pub(crate) fn records(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else {
        return;
    };
    let container = CONTAINERS[usize::from(*choice) % CONTAINERS.len()];
    let options = Options::new().max_record(512).container(container);
    let input = Box::new(Cursor::new(data.to_vec()));
    for (next, item) in (0..).zip(read_input("memory", input, &options)) {
        // Each takes a byte of the input at least.
        assert!(next <= 2 * data.len() as u64 + 1, "there is no end");
        if let Item::Record(record) = item {
            assert_eq!(record.origin.number, next);
            if let Ok(body) = &record.body {
                assert!(body.len() <= 512);
            }
            match decode(record, &options) {
                Ok(row) => assert_eq!(row.first_errors.len() as u64, row.malformed.min(8)),
                Err(rejected) => assert!(!rejected.rejection.detail.is_empty()),
            }
        }
    }
}
