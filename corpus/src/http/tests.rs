use std::io::Write;

use flate2::Compression;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use super::coding::Coding;
use super::record_of;
use crate::limits::{Limits, Unpacked};
use crate::record::{Origin, Record};
use crate::rejected::Reason;

const LIMITS: Limits = Limits {
    max_record: 2 << 20,
    max_ratio: 10,
};

fn undone(block: &[u8]) -> Record {
    record_of(Origin::default(), block.to_vec(), &LIMITS)
}

#[test]
fn headers() {
    for (block, status, content_type, body) in [
        (
            &b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhi"[..],
            Some(200),
            Some("text/html"),
            &b"hi"[..],
        ),
        (
            b"HTTP/1.0 404\nContent-type:  text/plain \n\nhi",
            Some(404),
            Some("text/plain"),
            b"hi",
        ),
        (
            b"HTTP/1.1 301 Moved\r\nA: \xFF\xFE\r\nnonsense\r\nB : c\r\n\r\n",
            Some(301),
            None,
            b"",
        ),
        // Not in HTTP at all.
        (b"<p>hi", None, None, b"<p>hi"),
        (b"", None, None, b""),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: identity, unknown\r\n\r\nhi",
            Some(200),
            None,
            b"hi",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            Some(200),
            None,
            b"hi",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhi",
            Some(200),
            None,
            b"hi",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nplain text",
            Some(200),
            None,
            b"plain text",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\nplain text",
            Some(200),
            None,
            b"plain text",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x0b\x02\x80hello\x03",
            Some(200),
            None,
            b"hello",
        ),
    ] {
        let record = undone(block);
        let what = block.escape_ascii();
        assert_eq!(record.origin.status, status, "{what}");
        assert_eq!(
            record.origin.content_type.as_deref(),
            content_type,
            "{what}"
        );
        assert_eq!(record.body.as_deref(), Ok(body), "{what}");
    }
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\nhi", "a: b\r\n".repeat(500));
    assert_eq!(undone(many.as_bytes()).body.as_deref(), Ok(&b"hi"[..]));
    for block in [
        &b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"[..],
        b"HTTP/1.1 abc\r\n\r\n",
        format!("HTTP/1.1 200 OK\r\n{}\r\nhi", "a: b\r\n".repeat(5000)).as_bytes(),
    ] {
        let rejection = undone(block).body.expect_err("no response");
        assert_eq!(rejection.reason, Reason::Damaged);
    }
}

#[test]
fn damaged_and_cut_bodies() {
    let text: Vec<u8> = (0..20_000_u32)
        .flat_map(|i| i.to_string().into_bytes())
        .collect();
    let packed = zstd::encode_all(&text[..], 1).expect("memory can be read");
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n";
    let whole = undone(&[head, &packed[..]].concat());
    assert_eq!(whole.body.as_deref(), Ok(&text[..]));
    assert!(!whole.origin.truncated);
    let cut = undone(&[head, &packed[..packed.len() - 100]].concat());
    assert!(cut.origin.truncated);
    assert!(text.starts_with(&cut.body.expect("a part is there")));
}

#[test]
fn bombs() {
    for (len, reason) in [(1_500_000, Reason::Bomb), (3_000_000, Reason::Bomb)] {
        let packed = zstd::encode_all(&vec![b'a'; len][..], 1).expect("memory can be read");
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n";
        let record = undone(&[head, &packed[..]].concat());
        assert_eq!(record.body.expect_err("a bomb").reason, reason);
    }
}

/// What both gzip and zlib come to, and the bytes that streaming gives.
fn same_as_streaming(coding: Coding, packed: &[u8], limits: &Limits) {
    let len = packed.len() as u64;
    let streamed = match coding {
        Coding::Gzip => limits.unpack(MultiGzDecoder::new(packed), len),
        _ => limits.unpack(ZlibDecoder::new(packed), len),
    };
    let parts = |it: Unpacked| (it.bytes, it.truncated);
    let undone = coding.undo(packed.to_vec(), limits).map(parts);
    match streamed.map(parts) {
        Err(error) if error.reason == Reason::Damaged => {
            let undone = undone.expect_err("it is damaged");
            assert_eq!(undone.reason, Reason::Damaged);
            assert!(undone.detail.ends_with(&error.detail));
        }
        streamed => assert_eq!(undone, streamed),
    }
}

#[test]
fn one_step_undoes_codings_as_streaming_does() {
    for limits in [
        LIMITS,
        Limits {
            max_record: 300,
            ..LIMITS
        },
    ] {
        for len in [1, 299, 300, 301, 3000, 1 << 20, (1 << 20) + 1] {
            let text: Vec<u8> = (0..len).map(|i| b'a' + (i * 7 % 26) as u8).collect();
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&text).expect("a Vec can be written");
            let gzip = encoder.finish().expect("a Vec can be written");
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&text).expect("a Vec can be written");
            let zlib = encoder.finish().expect("a Vec can be written");
            for (coding, packed) in [(Coding::Gzip, gzip), (Coding::Deflate, zlib)] {
                same_as_streaming(coding, &packed, &limits);
                same_as_streaming(coding, &packed.repeat(3), &limits);
                same_as_streaming(coding, &[&packed[..], b"rest"].concat(), &limits);
                for at in (2..packed.len()).filter(|at| *at < 200 || at % 97 == 0) {
                    same_as_streaming(coding, &packed[..at], &limits);
                    let mut bad = packed.clone();
                    bad[at] ^= 0x14;
                    same_as_streaming(coding, &bad, &limits);
                }
            }
        }
    }
}
