//! Web archives in each compression, whole or damaged.

use super::records::{Expected, Made, Maker, gzip, record};

/// How an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    /// Each record by itself, as crawlers do.
    GzipByRecord,
    /// All of it at once.
    Gzip,
    ZstdByRecord,
    Zstd,
}

impl Packing {
    pub(crate) const ALL: [Self; 5] = [
        Self::Plain,
        Self::GzipByRecord,
        Self::Gzip,
        Self::ZstdByRecord,
        Self::Zstd,
    ];

    /// What the name of the file ends in.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Plain => "warc",
            Self::GzipByRecord => "warc.gz",
            Self::Gzip => "whole.warc.gz",
            Self::ZstdByRecord => "warc.zst",
            Self::Zstd => "whole.warc.zst",
        }
    }

    fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Plain => bytes.to_vec(),
            Self::GzipByRecord | Self::Gzip => gzip(bytes),
            Self::ZstdByRecord | Self::Zstd => {
                let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("zstd is there");
                encoder.include_checksum(true).expect("zstd has checksums");
                std::io::Write::write_all(&mut encoder, bytes).expect("a Vec can be written");
                encoder.finish().expect("a Vec can be written")
            }
        }
    }

    fn is_by_record(self) -> bool {
        matches!(self, Self::GzipByRecord | Self::ZstdByRecord)
    }
}

/// An archive, and what must become of each record.
pub(crate) struct Archive {
    pub(crate) bytes: Vec<u8>,
    pub(crate) expected: Vec<Expected>,
}

/// An archive of at least `size` bytes, before compression. With `damaged`, some records are.
pub(crate) fn archive(
    maker: &mut Maker<'_>,
    packing: Packing,
    size: usize,
    damaged: bool,
) -> Archive {
    let mut archive = Archive {
        bytes: Vec::new(),
        expected: Vec::new(),
    };
    let mut whole = Vec::new();
    let mut len = 0;
    while len < size {
        let Made {
            mut bytes,
            mut expected,
        } = maker.next();
        len += bytes.len();
        let damage = if damaged { maker.random.below(8) } else { 8 };
        let is_plain = packing == Packing::Plain;
        let is_after_damage = archive.expected.last() == Some(&Expected::Rejected("damaged"));
        match damage {
            // A length that leads into the next record, or short of its own end.
            0 if !matches!(packing, Packing::Gzip | Packing::Zstd) => {
                bytes = with_wrong_length(&bytes, 1000);
                expected = Expected::Rejected("damaged");
            }
            1 if is_plain => {
                let block = vec![b'x'; 500];
                bytes = with_wrong_length(&record("resource", "urn:x", "text/plain", &block), -100);
                expected = Expected::Rejected("damaged");
            }
            // Behind a damaged record they would be taken for a part of it.
            2 if is_plain && !is_after_damage => {
                archive
                    .bytes
                    .extend_from_slice(b"some bytes that are no record\r\n");
                archive.expected.push(Expected::Rejected("damaged"));
            }
            _ => {}
        }
        if packing.is_by_record() {
            let mut member = packing.pack(&bytes);
            // Two in a row are one: what can't be decompressed at all is not known to be a record.
            if damage == 3 && member.len() > 100 && !is_after_damage {
                // In the compressed data, or the checksum.
                let at = member.len() - 1 - maker.random.below(8);
                member[at] ^= 0x55;
                expected = Expected::Rejected("damaged");
            }
            archive.bytes.extend_from_slice(&member);
        } else if is_plain {
            archive.bytes.extend_from_slice(&bytes);
        } else {
            whole.extend_from_slice(&bytes);
        }
        archive.expected.push(expected);
    }
    if damaged {
        // A whole record, and one that is cut in its middle.
        let Made { bytes, expected } = maker.next();
        archive.expected.push(expected);
        match packing {
            Packing::Plain => archive.bytes.extend_from_slice(&bytes),
            _ if packing.is_by_record() => archive.bytes.extend_from_slice(&packing.pack(&bytes)),
            _ => whole.extend_from_slice(&bytes),
        }
        let last = record("resource", "urn:last", "text/plain", &vec![b'y'; 5000]);
        let last = &last[..3000];
        archive.expected.push(Expected::Rejected("damaged"));
        if packing.is_by_record() {
            let member = packing.pack(last);
            archive
                .bytes
                .extend_from_slice(&member[..member.len() - 10]);
        } else if packing == Packing::Plain {
            archive.bytes.extend_from_slice(last);
        } else {
            whole.extend_from_slice(last);
        }
    }
    if !whole.is_empty() {
        archive.bytes = packing.pack(&whole);
    }
    archive
}

/// The record with another length in its header.
fn with_wrong_length(record: &[u8], by: i64) -> Vec<u8> {
    let name = b"Content-Length: ";
    let at = record
        .windows(name.len())
        .position(|window| window == name)
        .expect("a record has a length")
        + name.len();
    let digits = record[at..]
        .iter()
        .take_while(|it| it.is_ascii_digit())
        .count();
    let len = std::str::from_utf8(&record[at..at + digits]).expect("digits are ASCII");
    let len: i64 = len.parse().expect("digits are a number");
    let len = (len + by).to_string();
    [&record[..at], len.as_bytes(), &record[at + digits..]].concat()
}
