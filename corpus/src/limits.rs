//! How much of one record is read.

use std::io::{self, Read};

use crate::rejected::{Reason, Rejection};

/// Bytes up to which nothing is called a bomb.
const HARMLESS: u64 = 1 << 20;

/// What keeps one record from taking all memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one record.
    pub(crate) max_record: u64,
    /// How many times as large as it is compressed a record may become.
    pub(crate) max_ratio: u64,
}

/// What came of decompressing.
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    /// Whether it ended early.
    pub(crate) truncated: bool,
}

impl Limits {
    pub(crate) fn too_large(&self, len: u64) -> Rejection {
        Rejection::new(
            Reason::TooLarge,
            format!("{len} bytes, more than --max-record={}", self.max_record),
        )
    }

    /// Reads all that a decompressor gives for `packed` bytes. Where that ends early, what there is counts.
    pub(crate) fn unpack(&self, mut reader: impl Read, packed: u64) -> Result<Unpacked, Rejection> {
        let by_ratio = packed.saturating_mul(self.max_ratio).max(HARMLESS);
        let most = by_ratio.min(self.max_record);
        let mut bytes = Vec::new();
        let truncated = match reader.by_ref().take(most + 1).read_to_end(&mut bytes) {
            Ok(_) => false,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => true,
            Err(error) => return Err(Rejection::new(Reason::Damaged, error.to_string())),
        };
        if bytes.len() as u64 <= most {
            return Ok(Unpacked { bytes, truncated });
        }
        Err(if most < self.max_record {
            Rejection::new(
                Reason::Bomb,
                format!(
                    "{packed} bytes decompress to more than {most}, above --max-ratio={}",
                    self.max_ratio
                ),
            )
        } else {
            Rejection::new(
                Reason::TooLarge,
                format!(
                    "more than --max-record={} bytes, decompressed",
                    self.max_record
                ),
            )
        })
    }
}
