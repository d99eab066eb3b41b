use std::io::Read;

use flate2::Compression;
use flate2::bufread::{self, DeflateDecoder, MultiGzDecoder, ZlibDecoder};

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
        (
            b"HTTP/2 200\r\nContent-Type: text/html\r\n\r\nhi",
            Some(200),
            Some("text/html"),
            b"hi",
        ),
        (
            b"HTTP/2.0 404 Not Found\r\nA: b\r\n\r\nhi",
            Some(404),
            None,
            b"hi",
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
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\n1\n2\n",
            Some(200),
            None,
            b"0\n1\n2\n",
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
        // These begin like what brotli and deflate make.
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nAuthor: Ann, Title: a text",
            Some(200),
            None,
            b"Author: Ann, Title: a text",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n{\"a\":1}# Marso (planedo)",
            Some(200),
            None,
            b"{\"a\":1}# Marso (planedo)",
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

/// Undoes a coding, and checks that it comes to what `streamed` does.
fn same_as_streaming(coding: Coding, packed: &[u8], limits: &Limits, streamed: impl Read) {
    let parts = |it: Unpacked| (it.bytes, it.truncated);
    let streamed = limits.unpack(streamed, packed.len() as u64).map(parts);
    let undone = coding.undo(packed.to_vec(), limits).map(parts);
    let is_text = !packed
        .iter()
        .any(|byte| simdtext::detect::is_binary_control(*byte));
    match streamed {
        Ok((bytes, truncated)) if (bytes.is_empty() || truncated) && is_text => {
            assert_eq!(undone, Ok((packed.to_vec(), false)));
        }
        Err(error) if error.reason == Reason::Damaged && is_text => {
            assert_eq!(undone, Ok((packed.to_vec(), false)));
        }
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
    let small = Limits {
        max_record: 300,
        ..LIMITS
    };
    for limits in [LIMITS, small] {
        for len in [1, 299, 300, 301, 3000, 1 << 20, (1 << 20) + 1] {
            let text: Vec<u8> = (0..len).map(|i| b'a' + (i * 7 % 26) as u8).collect();
            let level = Compression::fast();
            let mut gzip = Vec::new();
            bufread::GzEncoder::new(&text[..], level)
                .read_to_end(&mut gzip)
                .expect("memory can be read");
            let mut zlib = Vec::new();
            bufread::ZlibEncoder::new(&text[..], level)
                .read_to_end(&mut zlib)
                .expect("memory can be read");
            let bare = zlib[2..zlib.len() - 4].to_vec();
            check(&gzip, |it| {
                same_as_streaming(Coding::Gzip, it, &limits, MultiGzDecoder::new(it));
            });
            check(&zlib, |it| {
                same_as_streaming(Coding::Deflate, it, &limits, ZlibDecoder::new(it));
            });
            check(&bare, |it| {
                same_as_streaming(Coding::Deflate, it, &limits, DeflateDecoder::new(it));
            });
        }
    }
}

/// A body as it is, several times, with something behind it, cut, and damaged anywhere behind what tells it from others.
fn check(packed: &[u8], is_same: impl Fn(&[u8])) {
    is_same(packed);
    is_same(&packed.repeat(3));
    is_same(&[packed, b"rest"].concat());
    for at in (2..packed.len()).filter(|at| *at < 200 || at % 97 == 0) {
        is_same(&packed[..at]);
        let mut bad = packed.to_vec();
        bad[at] ^= 0x14;
        is_same(&bad);
    }
}
