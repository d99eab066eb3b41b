//! How much of one record is read.

use std::fmt;
use std::io::{self, Read};

use crate::rejected::{Reason, Rejection};

/// Bytes up to which nothing is called a bomb.
pub(crate) const HARMLESS: u64 = 1 << 20;

/// What keeps one record from taking all memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one record.
    pub(crate) max_record: u64,
    /// The largest ratio of a record's decompressed to its compressed size.
    pub(crate) max_ratio: u64,
}

/// A member of a compressed file that is too large for its compressed bytes, as an error of reading.
#[derive(Debug)]
struct Bomb(String);

impl fmt::Display for Bomb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Bomb {}

/// Whether reading failed because of [`Limits::check_member`].
pub(crate) fn is_bomb(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|it| it.is::<Bomb>())
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

    /// Whether `packed` bytes may become `len`, beyond what is harmless.
    pub(crate) fn check_ratio(&self, len: u64, packed: u64) -> Result<(), Rejection> {
        let most = packed.saturating_mul(self.max_ratio).max(HARMLESS);
        if len <= most {
            return Ok(());
        }
        let detail = format!(
            "{packed} bytes decompress to {len} or more, above --max-ratio={}",
            self.max_ratio
        );
        Err(Rejection::new(Reason::Bomb, detail))
    }

    /// Fails where `packed` bytes of a member gave more than one large record and the ratio allow.
    ///
    /// A member that is not a bomb may begin with a record that compresses well: that shows only in the records
    /// after it.
    pub(crate) fn check_member(&self, given: u64, packed: u64) -> io::Result<()> {
        let beyond = given.saturating_sub(self.max_record);
        self.check_ratio(beyond, packed)
            .map_err(|bomb| io::Error::new(io::ErrorKind::InvalidData, Bomb(bomb.detail)))
    }

    /// Reads all that a decompressor gives for `packed` bytes. Where that ends early, what there is counts.
    pub(crate) fn unpack(&self, mut reader: impl Read, packed: u64) -> Result<Unpacked, Rejection> {
        let by_ratio = packed.saturating_mul(self.max_ratio).max(HARMLESS);
        let most = by_ratio.min(self.max_record);
        // What text is usually compressed to; room that is not used costs nothing.
        let usual = packed.saturating_mul(4).min(most);
        let mut bytes = Vec::with_capacity(usize::try_from(usual).unwrap_or(0));
        let truncated = match reader.by_ref().take(most + 1).read_to_end(&mut bytes) {
            Ok(_) => false,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => true,
            Err(error) if is_bomb(&error) => {
                return Err(Rejection::new(Reason::Bomb, error.to_string()));
            }
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
