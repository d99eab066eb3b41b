//! The formats of compressed files, and how they begin.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

/// The length of the longest mark with which a format begins.
pub(crate) const LONGEST_MARK: usize = 6;

impl Format {
    /// The format of a file that begins with `head`.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        let begins = |mark: &[u8]| head.starts_with(mark);
        if begins(b"\x1F\x8B\x08") {
            Some(Self::Gzip)
        } else if begins(b"\x28\xB5\x2F\xFD")
            // A frame that is skipped. Some programs, such as pzstd, write one before each frame.
            || matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
        {
            Some(Self::Zstd)
        } else if begins(b"\xFD7zXZ\0") {
            Some(Self::Xz)
        } else if head.len() >= 4 && begins(b"BZh") && head[3].is_ascii_digit() {
            Some(Self::Bzip2)
        } else {
            None
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
            Self::Xz => "xz",
            Self::Bzip2 => "bz2",
        }
    }
}
