//! Reads gzip as gzip(1) does: one member or several, and after the last one possibly zero bytes, with which
//! tapes and block devices pad their last block.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Reads the content of all members.
pub(super) struct Decoder<R> {
    /// `None` if everything was read, or reading failed.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Decoder<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            member: Some(GzDecoder::new(reader)),
        }
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            match member.read(buffer) {
                Ok(0) => {}
                done => return done,
            }
            if let Some(member) = self.member.take() {
                let mut rest = member.into_inner();
                if has_member(&mut rest)? {
                    self.member = Some(GzDecoder::new(rest));
                }
            }
        }
        Ok(0)
    }
}

/// Whether another member follows. Skips zero bytes up to the end.
fn has_member(reader: &mut impl BufRead) -> io::Result<bool> {
    let mut zeros = false;
    loop {
        let bytes = fill(reader)?;
        match bytes.iter().find(|byte| **byte != 0) {
            None if bytes.is_empty() => return Ok(false),
            None => {
                let len = bytes.len();
                reader.consume(len);
                zeros = true;
            }
            // This is the first byte of a header, which is checked when the member is read.
            Some(0x1F) if !zeros && bytes[0] == 0x1F => return Ok(true),
            Some(_) => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "trailing garbage: the bytes after the compressed data are not gzip",
                ));
            }
        }
    }
}

/// [`BufRead::fill_buf`], repeated if a system call is interrupted.
fn fill(reader: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            // This calls it again, because a borrow in this arm would last for the whole loop.
            Ok(_) => break,
        }
    }
    reader.fill_buf()
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::Decoder;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("a Vec can be written");
        encoder.finish().expect("a Vec can be written")
    }

    fn read(bytes: &[u8], buffer: usize) -> std::io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let reader = BufReader::with_capacity(buffer, bytes);
        Decoder::new(reader).read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn members_and_what_is_after_them() {
        let (a, b) = (gzip(b"one"), gzip(b"two"));
        let zeros = vec![0; 10_240];
        // However the reader is cut.
        for buffer in [1, 7, 64, 1 << 16] {
            let of = |parts: &[&[u8]]| read(&parts.concat(), buffer);
            assert_eq!(of(&[&a]).unwrap(), b"one");
            assert_eq!(of(&[&a, &b]).unwrap(), b"onetwo");
            assert_eq!(of(&[&a, &zeros]).unwrap(), b"one");
            assert_eq!(of(&[&a, &b, &[0]]).unwrap(), b"onetwo");
            for garbage in [
                &[&a[..], b"x"],
                &[&a[..], b"\x1F"],
                &[&a[..], b"\x1Fx"],
                // As gzip(1) does it: zeros end the data.
                &[&a[..], &[&[0], &b[..]].concat()],
                &[&a[..], b"\0\0\0x"],
                &[&a[..a.len() - 1], b""],
            ] {
                assert!(of(garbage).is_err(), "{garbage:?}");
            }
        }
    }
}
