use std::io::Cursor;

use super::Warc;
use crate::limits::Limits;
use crate::record::Item;
use crate::stream::Stream;

fn record(kind: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// Of each record its offset, and its bytes or why there are none.
fn read(bytes: &[u8]) -> Vec<(u64, String)> {
    let stream = Stream::new(Box::new(Cursor::new(bytes.to_vec()))).expect("memory can be read");
    let limits = Limits {
        max_record: 1000,
        max_ratio: 100,
    };
    let items = Warc::new(stream, limits);
    items
        .map(|item| match item {
            Item::Skipped(kind) => (0, kind),
            Item::Record(record) => {
                let text = match record.body {
                    Ok(body) => String::from_utf8_lossy(&body).into_owned(),
                    Err(rejection) => String::from(rejection.reason.name()),
                };
                (record.origin.offset, text)
            }
        })
        .collect()
}

#[test]
fn records_one_by_one() {
    let one = record("resource", "one");
    let two = record("conversion", "two\r\n\r\nWARC/1.0\r\n");
    let info = record("warcinfo", "x");
    let text = [&*info, &one, &two].concat();
    assert_eq!(
        read(text.as_bytes()),
        [
            (0, "warcinfo".into()),
            (info.len() as u64, "one".into()),
            (
                (info.len() + one.len()) as u64,
                "two\r\n\r\nWARC/1.0\r\n".into()
            )
        ]
    );
    assert_eq!(read(b""), []);
    assert_eq!(read(b"\r\n\r\n"), []);
    // Fewer and more empty lines than there should be.
    for ends in ["", "\n", "\r\n", "\n\n", "\r\n\r\n\r\n\r\n"] {
        let text = [one.trim_end(), ends, &one].concat();
        assert_eq!(read(text.as_bytes()).len(), 2, "{ends:?}");
    }
}

/// They may hold documents, or be of another kind whose name is damaged.
#[test]
fn records_of_unknown_kinds() {
    let long = "x".repeat(1000);
    for (kind, expected) in [
        ("REVISIT", "revisit"),
        ("metadata", "metadata"),
        ("continuation", "unsupported"),
        ("resourcd", "unsupported"),
        (&long, "unsupported"),
    ] {
        let text = [record(kind, "one"), record("resource", "two")].concat();
        let found = read(text.as_bytes());
        let found: Vec<_> = found.iter().map(|(_, text)| &**text).collect();
        assert_eq!(found, [expected, "two"], "{kind:.20}");
    }
}

#[test]
fn too_large() {
    let text = [
        record("resource", &"x".repeat(1001)),
        record("resource", "next"),
    ]
    .concat();
    let found = read(text.as_bytes());
    assert_eq!(found[0].1, "too-large");
    assert_eq!(found[1].1, "next");
}

#[test]
fn damage_is_reported_and_passed_over() {
    let one = record("resource", "one");
    let good = record("resource", "good");
    for (bad, count) in [
        (
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 500\r\n\r\ntoo short\r\n\r\n",
            ),
            1,
        ),
        (
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\ntoo long\r\n\r\n",
            ),
            1,
        ),
        (
            String::from("WARC/1.0\r\nWARC-Type: resource\r\n\r\nno length\r\n\r\n"),
            1,
        ),
        (
            String::from("WARC/1.0\r\nContent-Length: 5\r\n\r\nnoone\r\n\r\n"),
            1,
        ),
        (
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 99999999999\r\n\r\nx\r\n\r\n",
            ),
            1,
        ),
        (
            // Zeros took the end of a header, a text and the beginning of the next header.
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nCont\0\0\0\0\0\0\0\0\0\0: resource\r\n\
                 WARC-Type: resource\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
            ),
            1,
        ),
        (
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/RC/1.0\r\n\
                 WARC-Target-URI: http://b.example/\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n",
            ),
            1,
        ),
        (
            // Bytes are missing between two headers, of which they took different fields.
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <a>\r\nWARC-DaWARC/1.0\r\nWARC-Record-ID: <b>\r\n\
                 Content-Length: 3\r\n\r\nbad\r\n\r\n",
            ),
            2,
        ),
        (
            // The next record begins where the block should.
            String::from("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 9\r\n\r\n"),
            1,
        ),
        (
            // A byte of the block is missing, and one more than there should be.
            String::from("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nba\r\n\r\n"),
            1,
        ),
        (
            String::from(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nbbad\r\n\r\n",
            ),
            1,
        ),
        // The line ends between two records are damaged.
        (
            record("resource", "bad").replace("bad\r\n\r\n", "bad\r\n\rX"),
            1,
        ),
        (
            record("resource", "bad").replace("bad\r\n\r\n", "badXXXX"),
            1,
        ),
        (String::from("no record\r\n"), 1),
        (String::from("no record\r\nbut lines\r\n\r\n\r\n"), 1),
    ] {
        let text = [&*one, &bad, &good].concat();
        let found = read(text.as_bytes());
        assert_eq!(found.len(), 2 + count, "{bad}: {found:?}");
        assert_eq!(found[1], (one.len() as u64, "damaged".into()), "{bad}");
        let offset = (one.len() + bad.len()) as u64;
        assert_eq!(found[1 + count], (offset, "good".into()), "{bad}");
    }
    // Cut anywhere in the last record.
    for cut in one.len() + 1..one.len() + good.len() - 4 {
        let text = [&*one, &good].concat();
        let found = read(&text.as_bytes()[..cut]);
        let last = [(0, "one".into()), (one.len() as u64, "damaged".into())];
        assert_eq!(found, last, "{cut}");
    }
}

/// Each header's length leads to bytes that are read for it, and to no end.
#[test]
fn lengths_that_lead_nowhere_cost_no_reading() {
    let header = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 16000000\r\n\r\n";
    let text = header.repeat(400_000);
    let stream = Stream::new(Box::new(Cursor::new(text.into_bytes()))).expect("memory can be read");
    let limits = Limits {
        max_record: 16 << 20,
        max_ratio: 100,
    };
    // Read for each of them, they would be 6 TB.
    assert_eq!(Warc::new(stream, limits).count(), 400_000);
}
