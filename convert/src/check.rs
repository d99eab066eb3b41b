//! Finds what is malformed in one input.

use std::io;

use simdtext::{Bom, REPLACEMENT};

use crate::charset::Charset;
use crate::decide::{Answer, Watch, judge};
use crate::decode::{Buffers, Decoding, Fault, Piece, Sink, decode};
use crate::input::Input;
use crate::options::Options;

/// Receives malformed sequences. An error ends the check.
pub trait Findings {
    /// Takes a malformed sequence.
    ///
    /// # Errors
    ///
    /// Those of writing it.
    fn malformed(&mut self, fault: &Fault) -> io::Result<()>;

    /// Whether it wants the next malformed sequence. If not, sequences are only counted, which is faster.
    fn wants_next(&self) -> bool {
        true
    }

    /// Called when the input may have nothing more for a while: output that is buffered can be flushed.
    ///
    /// # Errors
    ///
    /// Those of writing it.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The facts about an input that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The encoding that it was decoded from in the end.
    pub encoding: Charset,
    /// Its size, in bytes.
    pub bytes: u64,
    /// Why it is not text in that encoding, even if nothing is malformed, as a phrase: it is binary, or UTF-8,
    /// for example. `convert` would report it, too.
    pub doubt: Option<String>,
}

/// Why an input was not read to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// The input can't be read.
    Read(io::Error),
    /// The findings could not be written.
    Findings(io::Error),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Findings(error) => write!(f, "what is malformed can't be written: {error}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// Finds malformed sequences. One checker can serve all inputs and reuses its memory.
///
/// ```
/// use simdtext_convert::{Checker, Fault, Findings, Input};
///
/// struct Offsets(Vec<u64>);
///
/// impl Findings for Offsets {
///     fn malformed(&mut self, fault: &Fault) -> std::io::Result<()> {
///         self.0.push(fault.malformed.offset);
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("text");
/// std::fs::write(&path, b"one\ntwo\xFF")?;
/// let mut offsets = Offsets(Vec::new());
/// let mut checker = Checker::new(simdtext::UTF_8);
/// let malformed = checker.check(&Input::Path(path), &mut offsets).1;
/// assert_eq!((malformed, offsets.0), (1, vec![7]));
/// # Ok(())
/// # }
/// ```
pub struct Checker {
    encoding: Charset,
    bom: Bom,
    buffers: Buffers,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker")
            .field("encoding", &self.encoding)
            .field("bom", &self.bom)
            .finish_non_exhaustive()
    }
}

impl Checker {
    /// Reads inputs as being in this encoding, unless a byte order mark says otherwise.
    pub fn new(encoding: impl Into<Charset>) -> Self {
        Self {
            encoding: encoding.into(),
            bom: Bom::Sniff,
            buffers: Buffers::new(),
        }
    }

    /// What to do with a byte order mark.
    #[must_use]
    pub fn bom(mut self, bom: Bom) -> Self {
        self.bom = bom;
        self
    }

    /// Reads an input and reports to `findings` what is malformed in it. Returns the facts about the input,
    /// and the number of malformed sequences in the part of it that was read.
    pub fn check(
        &mut self,
        input: &Input,
        findings: &mut dyn Findings,
    ) -> (Result<Checked, CheckError>, u64) {
        let source = match input.open() {
            Ok(source) => source,
            Err(error) => return (Err(CheckError::Read(error)), 0),
        };
        let decoding = Decoding {
            encoding: self.encoding,
            bom: self.bom,
            replacement: None,
        };
        let mut counting = Counting {
            findings,
            malformed: 0,
        };
        let mut watch = Watch::new(self.encoding, self.bom);
        let mut source = source.watched(&mut watch);
        let done = decode(&mut source, decoding, &mut self.buffers, &mut counting);
        drop(source);
        let done = done.map(|whole| Checked {
            encoding: whole.encoding,
            bytes: whole.bytes,
            doubt: self.doubt(&mut watch),
        });
        (done, counting.malformed)
    }

    /// What speaks against the encoding of an input of which all bytes were seen.
    fn doubt(&self, watch: &mut Watch) -> Option<String> {
        let seen = watch.finish();
        if seen.charset == REPLACEMENT {
            // It decodes nothing, and its malformed sequence says so.
            return None;
        }
        let answer = Answer::named(self.encoding);
        let judgement = judge(&answer, &seen, &Options::new(), false);
        judgement.finding().or_else(|| seen.jis())
    }
}

struct Counting<'a> {
    findings: &'a mut dyn Findings,
    malformed: u64,
}

impl Sink for Counting<'_> {
    type Error = CheckError;

    fn unreadable(error: io::Error) -> CheckError {
        CheckError::Read(error)
    }

    fn text(&mut self, _piece: &Piece<'_>) -> Result<(), CheckError> {
        Ok(())
    }

    fn wants_fault(&self) -> bool {
        self.findings.wants_next()
    }

    fn fault(&mut self, fault: &Fault) -> Result<(), CheckError> {
        self.malformed += 1;
        self.findings.malformed(fault).map_err(CheckError::Findings)
    }

    fn count_fault(&mut self) {
        self.malformed += 1;
    }

    fn pause(&mut self) -> Result<(), CheckError> {
        self.findings.pause().map_err(CheckError::Findings)
    }
}
