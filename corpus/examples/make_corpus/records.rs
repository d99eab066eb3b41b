//! Records of web archives, each with what must become of it.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use simdtext::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::texts::{Random, Texts};

/// What must become of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// A row with this text in this encoding.
    Text {
        encoding: &'static Encoding,
        text: String,
    },
    /// A row or, where the guess says so, none.
    Guess,
    /// Rejected for this reason.
    Rejected(&'static str),
    /// Skipped.
    Skipped,
}

/// A record of a WARC, with the empty lines that end it.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    pub(crate) expected: Expected,
}

/// Makes records.
pub(crate) struct Maker<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) random: Random,
    encodings: Vec<&'static Encoding>,
    number: usize,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(texts: &'a Texts, seed: u64) -> Self {
        Self {
            texts,
            random: Random::new(seed),
            encodings: texts.encodings().collect(),
            number: 0,
        }
    }

    /// The next record: each encoding in turn, and each kind of record.
    pub(crate) fn next(&mut self) -> Made {
        let number = self.number;
        self.number += 1;
        let encoding = self.encodings[number % self.encodings.len()];
        match self.random.below(24) {
            0 => self.skipped(),
            1 => self.binary(),
            2 => self.unsupported(),
            3 => self.empty(),
            4 => self.late_meta(encoding),
            5 | 6 => self.conversion(encoding),
            7..=9 => self.wrong(encoding),
            10..=13 => self.missing(encoding),
            14..=16 => self.declared(encoding),
            _ => self.labelled(encoding),
        }
    }

    fn text(&mut self, encoding: &'static Encoding) -> (String, Vec<u8>) {
        let (text, bytes) = self
            .texts
            .pick(encoding, &mut self.random)
            .expect("the encoding has texts");
        (text.to_owned(), bytes.to_vec())
    }

    /// The charset of the HTTP header is right.
    fn labelled(&mut self, encoding: &'static Encoding) -> Made {
        let (text, bytes) = self.text(encoding);
        let content_type = format!("text/plain; charset={}", encoding.name());
        self.response(&content_type, &bytes, Expected::Text { encoding, text })
    }

    /// The document says what it is in.
    fn declared(&mut self, encoding: &'static Encoding) -> Made {
        if [UTF_16LE, UTF_16BE, X_USER_DEFINED].contains(&encoding) {
            return self.labelled(encoding);
        }
        let (text, bytes) = self.text(encoding);
        let head = format!("<!DOCTYPE html><meta charset=\"{}\">\n", encoding.name());
        self.page(encoding, &head, &text, &bytes)
    }

    fn late_meta(&mut self, encoding: &'static Encoding) -> Made {
        if [UTF_16LE, UTF_16BE, X_USER_DEFINED].contains(&encoding) {
            return self.labelled(encoding);
        }
        let (text, bytes) = self.text(encoding);
        let styles = "p { margin: 0 }\n".repeat(100);
        let head = format!(
            "<html><head><style>{styles}</style><meta charset=\"{}\"></head>\n",
            encoding.name()
        );
        self.page(encoding, &head, &text, &bytes)
    }

    fn page(&mut self, encoding: &'static Encoding, head: &str, text: &str, bytes: &[u8]) -> Made {
        let body = [head.as_bytes(), bytes].concat();
        let text = [head, text].concat();
        self.response("text/html", &body, Expected::Text { encoding, text })
    }

    /// The charset of the HTTP header is that of another encoding.
    fn wrong(&mut self, encoding: &'static Encoding) -> Made {
        let (_, bytes) = self.text(encoding);
        let other = if encoding == UTF_8 {
            WINDOWS_1252
        } else {
            UTF_8
        };
        let decoded = other.decode(&bytes);
        let expected = if bytes.contains(&0) {
            // UTF-16: whether it is called text is not said here.
            Expected::Guess
        } else {
            Expected::Text {
                encoding: decoded.encoding,
                text: decoded.text.into_owned(),
            }
        };
        let content_type = format!("text/plain;charset=\"{}\"", other.name());
        self.response(&content_type, &bytes, expected)
    }

    fn missing(&mut self, encoding: &'static Encoding) -> Made {
        let (text, bytes) = self.text(encoding);
        let expected = if text.is_ascii() && bytes.len() == text.len() || encoding == UTF_8 {
            let encoding = UTF_8;
            Expected::Text { encoding, text }
        } else {
            Expected::Guess
        };
        self.response("text/plain", &bytes, expected)
    }

    fn binary(&mut self) -> Made {
        let noise = self.random.bytes(3000);
        let bytes = [&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], &noise].concat();
        let content_type = *self
            .random
            .pick(&["image/png", "text/html; charset=utf-8", ""]);
        self.response(content_type, &bytes, Expected::Rejected("binary"))
    }

    fn unsupported(&mut self) -> Made {
        let content_type = "text/html; charset=iso-2022-kr";
        self.response(
            content_type,
            b"\x1B$)C<p>",
            Expected::Rejected("unsupported"),
        )
    }

    fn empty(&mut self) -> Made {
        self.response("text/html", b"", Expected::Rejected("empty"))
    }

    fn skipped(&mut self) -> Made {
        let kind = *self
            .random
            .pick(&["warcinfo", "request", "metadata", "revisit"]);
        Made {
            bytes: record(
                kind,
                "",
                "application/warc-fields",
                b"software: make_corpus\r\n",
            ),
            expected: Expected::Skipped,
        }
    }

    /// Without HTTP around it.
    fn conversion(&mut self, encoding: &'static Encoding) -> Made {
        let (text, bytes) = self.text(encoding);
        let content_type = format!("text/plain; charset={}", encoding.name());
        let kind = *self.random.pick(&["conversion", "resource"]);
        let uri = self.uri();
        Made {
            bytes: record(kind, &uri, &content_type, &bytes),
            expected: Expected::Text { encoding, text },
        }
    }

    fn uri(&mut self) -> String {
        format!(
            "http://example.org/{}?n={}",
            self.number,
            self.random.below(1000)
        )
    }

    fn response(&mut self, content_type: &str, body: &[u8], expected: Expected) -> Made {
        let mut headers =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nServer: example\r\n");
        if content_type.is_empty() {
            headers = String::from("HTTP/1.0 200\r\n");
        }
        let mut body = body.to_vec();
        // An empty body stays so without a coding.
        let codings = if body.is_empty() { 1 } else { 7 };
        match self.random.below(codings) {
            1 => {
                headers += "Content-Encoding: gzip\r\n";
                body = gzip(&body);
            }
            2 => {
                headers += "content-encoding: deflate\r\n";
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&body).expect("a Vec can be written");
                body = encoder.finish().expect("a Vec can be written");
            }
            3 => {
                headers += "Content-Encoding: deflate\r\n";
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&body).expect("a Vec can be written");
                body = encoder.finish().expect("a Vec can be written");
            }
            4 => {
                headers += "Content-Encoding: zstd\r\n";
                body = zstd::encode_all(&body[..], 1).expect("memory can be read");
            }
            // Undone, while the header still names it.
            5 => headers += "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            _ => {}
        }
        if !body.is_empty() && self.random.below(4) == 0 {
            headers += "Transfer-Encoding: chunked\r\n";
            body = chunked(&body, &mut self.random);
        }
        let block = [headers.as_bytes(), b"\r\n", &body].concat();
        let uri = self.uri();
        Made {
            bytes: record(
                "response",
                &uri,
                "application/http; msgtype=response",
                &block,
            ),
            expected,
        }
    }
}

/// A whole record.
pub(crate) fn record(kind: &str, uri: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a Vec can be written");
    encoder.finish().expect("a Vec can be written")
}

fn chunked(body: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((1 + random.below(4000)).min(rest.len()));
        out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
        rest = after;
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}
