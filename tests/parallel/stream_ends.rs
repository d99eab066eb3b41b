//! Readers and writers that are slow, fail, or stop accepting data.

use std::error::Error;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;
use simdtext::parallel::{OnMalformed, Parallel, StreamError, StreamErrorKind, StreamOptions};
use simdtext::{BIG5, Bom, Encoding, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, Unmappable};

use crate::pools::pool;

fn parallel() -> Parallel<'static> {
    Parallel::new().piece_bytes(50).pool(pool(2))
}

fn text() -> String {
    "日本語のテキスト、¥と\n".repeat(60)
}

/// One byte at a time, sometimes interrupted, and possibly with an error at the end.
struct Slow<'a> {
    bytes: &'a [u8],
    error: Option<io::ErrorKind>,
    turn: u32,
}

impl Read for Slow<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match (self.bytes.split_first(), self.error) {
            (Some((byte, rest)), _) => {
                buf[0] = *byte;
                self.bytes = rest;
                Ok(1)
            }
            (None, Some(kind)) => Err(kind.into()),
            (None, None) => Ok(0),
        }
    }
}

/// Takes three bytes at a time, sometimes none, and after `most` bytes nothing.
struct Narrow {
    bytes: Vec<u8>,
    most: usize,
    turn: u32,
}

impl Write for Narrow {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(7) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let room = self.most - self.bytes.len();
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = buf.len().min(3).min(room);
        self.bytes.extend_from_slice(&buf[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a function that returns an `io::Result` makes of it keeps the kind, the message and the totals.
#[test]
fn it_becomes_an_error_of_io() {
    let error = |reader: &[u8], fails, to, malformed| {
        let slow = Slow {
            bytes: reader,
            error: fails,
            turn: 0,
        };
        let conversion = StreamOptions::new(BIG5, to).malformed(malformed);
        let stopped = parallel()
            .convert_stream(&conversion, slow, io::sink(), |_| {})
            .unwrap_err();
        let message = stopped.to_string();
        assert!(!message.ends_with('.'));
        let io: io::Error = stopped.into();
        assert_eq!(io.to_string(), message);
        let kind = io.kind();
        (kind, io.downcast::<StreamError>().unwrap())
    };
    let reset = Some(io::ErrorKind::ConnectionReset);
    let (kind, stopped) = error(b"abc", reset, UTF_8, OnMalformed::Replace);
    assert_eq!(kind, io::ErrorKind::ConnectionReset);
    assert_eq!(stopped.summary.read, 3);
    let (kind, stopped) = error(b"ab\xFF", None, UTF_8, OnMalformed::Stop);
    assert_eq!(kind, io::ErrorKind::InvalidData);
    assert!(matches!(stopped.kind, StreamErrorKind::Fault(fault) if fault.kind.offset() == 2));
    let (kind, _) = error(b"ab", None, REPLACEMENT, OnMalformed::Stop);
    assert_eq!(kind, io::ErrorKind::InvalidInput);
}

#[test]
fn a_reader_that_fails() {
    let text = text();
    let bytes = SHIFT_JIS
        .encode(&text, Unmappable::Replace('?'))
        .expect("an encoder")
        .bytes;
    for len in [0, 1, 49, 50, 51, 52, 53, 54, 500, 501, bytes.len()] {
        let reader = Slow {
            bytes: &bytes[..len],
            error: Some(io::ErrorKind::TimedOut),
            turn: 0,
        };
        let mut written = Vec::new();
        let result = parallel().decode_stream(SHIFT_JIS, reader, &mut written, Bom::Sniff, |_| {});
        let stopped = result.expect_err("the reader fails");
        assert!(
            matches!(&stopped.kind, StreamErrorKind::Read(e) if e.kind() == io::ErrorKind::TimedOut)
        );
        // An incomplete character at the end is not converted: the next bytes may still be read some day.
        let mut decoder = SHIFT_JIS.decoder(Bom::Sniff);
        let mut expected = String::with_capacity(3 * len + 16);
        let progress = decoder.decode_to_string(&bytes[..len], &mut expected, false);
        assert_eq!(progress.read, len);
        let converted = decoder.total_read() - decoder.pending().len() as u64;
        assert!(written == expected.as_bytes(), "{len} bytes");
        assert_eq!(stopped.summary.written, written.len() as u64);
        assert_eq!(
            (stopped.summary.read, stopped.summary.malformed),
            (converted, 0)
        );
    }
}

/// Bytes that may be the front of a byte order mark are not known to be text.
#[test]
fn a_reader_that_fails_in_a_byte_order_mark() {
    let marks: [(&[u8], &Encoding); 5] = [
        (b"\xEF", SHIFT_JIS),
        (b"\xEF\xBB", SHIFT_JIS),
        (b"\xFE", BIG5),
        (b"\xFF", BIG5),
        (b"\xEF", UTF_8),
    ];
    for (bytes, encoding) in marks {
        for (bom, most) in [(Bom::Sniff, 0), (Bom::Keep, 6)] {
            let reader = Slow {
                bytes,
                error: Some(io::ErrorKind::TimedOut),
                turn: 0,
            };
            let (mut written, mut faults) = (Vec::new(), 0);
            let result =
                parallel().decode_stream(encoding, reader, &mut written, bom, |_| faults += 1);
            let stopped = result.expect_err("the reader fails");
            assert!(matches!(stopped.kind, StreamErrorKind::Read(_)));
            let mut decoder = encoding.decoder(bom);
            let mut expected = String::with_capacity(16);
            let progress = decoder.decode_to_string(bytes, &mut expected, false);
            assert!(expected.len() <= most);
            assert_eq!((written, faults), (expected.into_bytes(), progress.errors));
            let read = decoder.total_read() - decoder.pending().len() as u64;
            assert_eq!(stopped.summary.read, read, "{encoding}, {bom:?}");
        }
    }
}

#[test]
fn a_writer_that_fails() {
    let text = text();
    let whole = ISO_2022_JP
        .encode(&text, Unmappable::Ncr)
        .expect("an encoder")
        .bytes;
    for most in [0, 1, 2, 3, 100, 1000, whole.len() - 1, whole.len()] {
        let reader = Slow {
            bytes: text.as_bytes(),
            error: None,
            turn: 0,
        };
        let mut writer = Narrow {
            bytes: Vec::new(),
            most,
            turn: 0,
        };
        let result = parallel().encode_stream(ISO_2022_JP, reader, &mut writer, Unmappable::Ncr);
        assert!(writer.bytes == whole[..most]);
        match result {
            Ok(summary) => assert_eq!((summary.written, most), (most as u64, whole.len())),
            Err(stopped) => {
                assert!(
                    matches!(stopped.kind, StreamErrorKind::Write(e) if e.kind() == io::ErrorKind::StorageFull)
                );
                assert_eq!(stopped.summary.written, most as u64);
                assert!(most < whole.len());
            }
        }
    }
}

/// A writer that takes nothing is not asked forever, and an error of flushing is reported.
#[test]
fn a_writer_that_takes_nothing() {
    let result =
        parallel().decode_stream(BIG5, &[b'a'; 500][..], &mut [0; 100][..], Bom::Keep, |_| {});
    let stopped = result.expect_err("the writer is full");
    assert!(
        matches!(stopped.kind, StreamErrorKind::Write(e) if e.kind() == io::ErrorKind::WriteZero)
    );
    assert_eq!(stopped.summary.written, 100);

    struct NoFlush;
    impl Write for NoFlush {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            Ok(buf.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }
    let result = parallel().decode_stream(BIG5, &[b'a'; 500][..], NoFlush, Bom::Keep, |_| {});
    let stopped = result.expect_err("the writer can't flush");
    assert!(matches!(stopped.kind, StreamErrorKind::Write(_)));
    assert_eq!(stopped.summary.written, 500);
}

/// A reader that fills its buffer, or a writer that takes everything, and claims more.
struct Claims(u32);

impl Read for Claims {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        buf.fill(b'x');
        self.0 = self.0.saturating_sub(1);
        Ok(if self.0 > 0 { usize::MAX } else { 0 })
    }
}

impl Write for Claims {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Ok(usize::MAX)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_claims_too_much() {
    let options = StreamOptions::new(UTF_8, SHIFT_JIS);
    let mut bytes = Vec::new();
    let read = parallel().convert_stream(&options, Claims(5), &mut bytes, |_| {});
    assert_eq!(read.expect("no error").read, bytes.len() as u64);
    assert!(bytes.len() > 50 && bytes.iter().all(|byte| *byte == b'x'));

    let written = parallel().convert_stream(&options, &*bytes, Claims(0), |_| {});
    assert_eq!(written.expect("no error").written, bytes.len() as u64);
}

#[test]
fn nothing_is_read_without_an_encoder() {
    let reader = Slow {
        bytes: b"abc",
        error: None,
        turn: 0,
    };
    let conversion = StreamOptions::new(UTF_8, REPLACEMENT);
    let mut reader = reader;
    let result = parallel().convert_stream(&conversion, &mut reader, Vec::new(), |_| {});
    let error = result.expect_err("no encoder");
    assert!(
        matches!(error.kind, StreamErrorKind::NoEncoder { encoding } if encoding == REPLACEMENT)
    );
    assert_eq!(error.to_string(), "replacement has no encoder");
    assert_eq!(reader.bytes, b"abc");
}

/// Text that is not UTF-8 ends encoding as in `EncodeWriter`, and so do unmappable characters.
#[test]
fn a_fault_to_stop_at() {
    let mut text = text().into_bytes();
    let at = 700;
    text[at] = 0xFF;
    let valid = std::str::from_utf8(&text)
        .expect_err("not UTF-8")
        .valid_up_to();
    let before = std::str::from_utf8(&text[..valid]).expect("valid");
    let mut written = Vec::new();
    let result = parallel().encode_stream(ISO_2022_JP, &*text, &mut written, Unmappable::Skip);
    let stopped = result.expect_err("not UTF-8");
    assert!(
        matches!(stopped.kind, StreamErrorKind::Fault(fault) if fault.kind.offset() == valid as u64)
    );
    assert!(
        written
            == *ISO_2022_JP
                .encode(before, Unmappable::Skip)
                .expect("an encoder")
                .bytes
    );
}

/// Messages name the encoding, and have an error of the reader once: it is not a source as well.
#[test]
fn messages() {
    let message = |options: &StreamOptions, bytes, error| {
        let reader = Slow {
            bytes,
            error,
            turn: 0,
        };
        let result = parallel().convert_stream(options, reader, Vec::new(), |_| {});
        let error = result.expect_err("it stops");
        assert!(error.source().is_none(), "{error}");
        error.to_string()
    };
    let options = StreamOptions::new(UTF_8, SHIFT_JIS).malformed(OnMalformed::Stop);
    let cases = [
        (
            "☃".as_bytes(),
            None,
            "character U+2603 from offset 0 is not in Shift_JIS",
        ),
        (b"a\xFF", None, "not UTF-8: malformed byte FF at offset 1"),
        (
            b"a",
            Some(io::ErrorKind::TimedOut),
            "cannot read: timed out",
        ),
    ];
    for (bytes, error, expected) in cases {
        assert_eq!(message(&options, bytes, error), expected);
    }
}

/// Counts the bytes that were read and not yet written.
struct Counting<'a, T> {
    inner: T,
    ahead: &'a AtomicUsize,
    most: &'a AtomicUsize,
}

impl<T: Read> Read for Counting<'_, T> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        let ahead = self.ahead.fetch_add(len, Ordering::SeqCst) + len;
        self.most.fetch_max(ahead, Ordering::SeqCst);
        // Within a reader, other tasks of the pool may run, and be waited for.
        let sum: u64 = (0..8_u64).into_par_iter().sum();
        assert_eq!(sum, 28);
        Ok(len)
    }
}

impl<T: Write> Write for Counting<'_, T> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        thread::sleep(Duration::from_micros(50));
        let sum: u64 = (0..8_u64).into_par_iter().sum();
        assert_eq!(sum, 28);
        self.ahead.fetch_sub(buf.len(), Ordering::SeqCst);
        self.inner.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// However slow the writer is, with or without cuts, no more is read than the pieces in flight.
#[test]
fn memory_is_bounded() {
    let with_cuts = b"plain ASCII text. ".repeat(10_000);
    let without_cuts = b"\xA4\xA4\xA4\xE5".repeat(45_000);
    for input in [with_cuts, without_cuts] {
        for (threads, pieces) in [(1, 1), (2, 3), (5, 8)] {
            let (ahead, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let parallel = Parallel::new().piece_bytes(1000).pool(pool(threads));
            let mut written = Vec::new();
            let reader = Counting {
                inner: &*input,
                ahead: &ahead,
                most: &most,
            };
            let writer = Counting {
                inner: &mut written,
                ahead: &ahead,
                most: &most,
            };
            // As many bytes are written as read.
            let conversion = StreamOptions::new(BIG5, BIG5)
                .bom(Bom::Keep)
                .malformed(OnMalformed::Stop);
            parallel
                .convert_stream(&conversion, reader, writer, |_| {})
                .expect("all of it");
            assert!(written == input);
            let most = most.load(Ordering::SeqCst);
            // One piece is taken while others are in slots, and the next three bytes are looked at.
            assert!(
                most <= 1000 * (pieces + 1) + 3,
                "{threads} threads: {most} bytes ahead"
            );
        }
    }
}
