use super::record_of;
use crate::limits::Limits;
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
