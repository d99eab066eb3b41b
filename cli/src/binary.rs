//! What is not text: by the bytes among it (the library's `BinaryScan`), or by how it begins.

use std::fmt;

use simdtext::detect::Binary;

/// Why an input is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    /// Bytes that text does not have.
    Signs(Binary),
    /// It begins as a file of this format does.
    Magic(&'static str),
    /// It would not be plausible as text in any encoding.
    Implausible,
}

impl NotText {
    /// Whether it is certain enough to be called binary, and not just unlike any text.
    pub(crate) fn is_binary(self) -> bool {
        self != Self::Implausible
    }
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signs(signs) => signs.fmt(f),
            Self::Magic(format) => write!(f, "it begins as {format} does"),
            Self::Implausible => f.write_str("it is not plausible as text in any encoding"),
        }
    }
}

/// Bytes at the front that [`format_of`] looks at.
pub(crate) const HEAD: usize = 1024;

/// What files of a format begin with. None of these is what a text begins with, also one that begins with
/// the first letters of it ("BM", "MZ" and "BZh" are not here): each has four bytes or more, and most
/// have one that is no printable ASCII. What the others contain gives them away by itself.
const MAGIC: [(&[u8], &str); 54] = [
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF\xE0", "a JPEG image"),
    (b"\xFF\xD8\xFF\xE1", "a JPEG image"),
    (b"\xFF\xD8\xFF\xDB", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"8BPS\0\x01", "a Photoshop image"),
    (b"\0\0\x01\0", "an icon"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"\x1F\x8B\x08\x00", "a gzip file"),
    (b"\x1F\x8B\x08\x08", "a gzip file"),
    (b"\x1F\x8B\x08\x04", "a gzip file"),
    (b"\xFD7zXZ\0", "an xz file"),
    (b"BZh11AY&SY", "a bzip2 file"),
    (b"BZh91AY&SY", "a bzip2 file"),
    (b"\x28\xB5\x2F\xFD", "a Zstandard file"),
    (b"\x04\x22\x4D\x18", "an LZ4 file"),
    (b"LZIP\x01", "an lzip file"),
    (b"!<arch>\n", "an archive of ar"),
    (b"\xED\xAB\xEE\xDB", "an RPM package"),
    (b"\x7FELF", "an ELF file"),
    (b"\xFE\xED\xFA\xCE", "a Mach-O file"),
    (b"\xFE\xED\xFA\xCF", "a Mach-O file"),
    (b"\xCE\xFA\xED\xFE", "a Mach-O file"),
    (b"\xCF\xFA\xED\xFE", "a Mach-O file"),
    (b"\xCA\xFE\xBA\xBE", "a Java class or Mach-O file"),
    (b"MZ\x90\0", "a Windows program"),
    (b"\0asm", "a WebAssembly module"),
    (b"BC\xC0\xDE", "LLVM bitcode"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x80\x03c", "a pickle"),
    (b"\x80\x04\x95", "a pickle"),
    (b"\x80\x05\x95", "a pickle"),
    (b"\x89HDF\r\n\x1A\n", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"PAR1\x15", "a Parquet file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC\n\x0B", "an ORC file"),
    (b"ARROW1\0\0", "an Arrow file"),
    (
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        "a document of old Microsoft Office",
    ),
    (b"OggS\0", "an Ogg file"),
    (b"fLaC\0", "a FLAC file"),
    (b"ID3\x03\0", "an MP3 file"),
    (b"ID3\x04\0", "an MP3 file"),
    (b"\x1A\x45\xDF\xA3", "a Matroska file"),
    (b"\0\0\x01\xBA", "an MPEG file"),
    (b"wOFF\0", "a font"),
    (b"wOF2\0", "a font"),
    (b"OTTO\0", "a font"),
];

/// The format of a file that begins so, if there is no doubt.
pub(crate) fn format_of(head: &[u8]) -> Option<&'static str> {
    let magic = MAGIC.iter().find(|(magic, _)| head.starts_with(magic));
    if let Some((_, format)) = magic {
        return Some(format);
    }
    let at = |offset: usize, bytes: &[u8]| {
        head.get(offset..)
            .is_some_and(|rest| rest.starts_with(bytes))
    };
    if at(257, b"ustar\0") || at(257, b"ustar  \0") {
        return Some("a tar archive");
    }
    if at(0, b"RIFF") {
        for (kind, format) in [
            (&b"WAVE"[..], "a WAV file"),
            (b"AVI ", "an AVI file"),
            (b"WEBP", "a WebP image"),
        ] {
            if at(8, kind) {
                return Some(format);
            }
        }
    }
    if at(4, b"ftyp") && head.first() == Some(&0) {
        return Some("an MP4 file or one of its kin");
    }
    is_pdf(head).then_some("a PDF document")
}

/// Text may begin with the first line of a PDF document, to tell about it. A document goes on with an
/// object, whose place in the file its table of contents gives in bytes.
fn is_pdf(head: &[u8]) -> bool {
    let Some([major, b'.', minor, rest @ ..]) = head.strip_prefix(b"%PDF-") else {
        return false;
    };
    major.is_ascii_digit()
        && minor.is_ascii_digit()
        && matches!(rest.first(), Some(b'\r' | b'\n'))
        && (rest
            .windows(7)
            .any(|window| window == b" 0 obj\n" || window == b" 0 obj\r")
            || rest.windows(8).any(|window| window == b" 0 obj<<")
            || rest
                .windows(6)
                .any(|window| window.starts_with(b"\n%") && !window.is_ascii()))
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, format_of};

    #[test]
    fn text_that_begins_as_a_format_does() {
        for text in [
            &b"BMW builds cars"[..],
            b"MZ",
            b"MZ is the mark of Mark Zbikowski",
            b"BZhang",
            b"BZh9 is how bzip2 files begin",
            b"PK",
            b"GIF",
            b"ID3 tags",
            b"%PDF-1.4 is what documents begin with",
            b"%PDF-1.4\nis what documents begin with\n",
            b"RIFF and RAFF",
            b"Rar!",
            b"7z",
            b"\xFF\xFEa\0",
            b"",
        ] {
            assert_eq!(format_of(text), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn none_is_short() {
        for (magic, format) in MAGIC {
            let has_control = magic.iter().any(|byte| !(0x20..0x7F).contains(byte));
            assert!(
                magic.len() >= 6 || magic.len() >= 3 && has_control,
                "{format}"
            );
        }
    }

    #[test]
    fn formats() {
        let mut tar = vec![b'a'; 257];
        tar.extend_from_slice(b"ustar\x0000");
        for (head, format) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], "a PNG image"),
            (b"RIFF\x24\x08\0\0WAVEfmt ", "a WAV file"),
            (b"\0\0\0\x18ftypmp42", "an MP4 file or one of its kin"),
            (b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n", "a PDF document"),
            (b"%PDF-1.4\n1 0 obj\n<<", "a PDF document"),
            (&tar, "a tar archive"),
        ] {
            assert_eq!(format_of(head), Some(format));
        }
    }
}
