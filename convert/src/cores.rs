//! Converts one large file on several cores, in pieces that are written in order. Output, messages and totals
//! are the same as with `converter.rs`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread;

use simdtext::Encoding;
use simdtext::parallel::{
    FaultKind, OnMalformed, Parallel, Pool, StreamError, StreamErrorKind, StreamOptions,
};

use super::faults::SHOWN;
use super::text::{Broken, Conversion};
use crate::decode::{Fault, Whole};
use crate::input::Source;
use crate::message::{Counted, Voice};
use crate::options::Invalid;
use crate::os;

/// Smaller files are converted almost as fast by one core: at this size, two cores take 0.9 of its time.
const BIG: u64 = 4 << 20;

/// The maximum number of threads for each core. More are of no use; threads that wait for the disk leave the
/// core to others.
const MOST_PER_CORE: usize = 16;

/// The number of threads that may be requested on a machine with few cores.
const MOST: usize = 256;

/// The maximum number of files that a thread has open at a time.
const OPEN_EACH: u64 = 7;

/// The number of files that a run has open besides those and its locks.
const OPEN: u64 = 20;

/// The cores on which large files are converted.
pub(crate) struct Cores {
    jobs: usize,
    /// The threads, made for the first large file. `None` if the system can't provide them.
    pool: OnceLock<Option<Pool>>,
    /// Held while a file is converted, because there is only memory for the pieces of one file.
    busy: Mutex<()>,
}

/// The right to use the cores.
pub(crate) struct Held<'c> {
    pool: &'c Pool,
    _busy: MutexGuard<'c, ()>,
}

impl Cores {
    /// `jobs` is the number of threads; by default as many as there are cores.
    pub(crate) fn new(jobs: Option<NonZeroUsize>, warn: Voice<'_>) -> Self {
        let there = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let most = MOST.max(MOST_PER_CORE * there);
        let jobs = jobs.map_or(there, NonZeroUsize::get);
        if jobs > most {
            warn(format_args!(
                "--jobs={jobs}: this machine has {}; {most} threads are used",
                Counted(there as u64, "core")
            ));
        }
        Self::with(jobs.min(most))
    }

    /// The cores for a run with many files, of which each thread has several open. The run also has `locks`
    /// files open.
    pub(crate) fn for_files(jobs: Option<NonZeroUsize>, locks: usize, warn: Voice<'_>) -> Self {
        let cores = Self::new(jobs, warn);
        let Some(limit) = os::most_open() else {
            return cores;
        };
        let rest = limit.saturating_sub(OPEN + locks as u64);
        let most = usize::try_from(rest / OPEN_EACH).map_or(usize::MAX, |most| most.max(1));
        if cores.jobs <= most {
            return cores;
        }
        warn(format_args!(
            "no more than {limit} files may be open at a time here (ulimit -n), so that {} used",
            if most == 1 {
                String::from("1 thread is")
            } else {
                format!("{most} threads are")
            }
        ));
        Self::with(most)
    }

    fn with(jobs: usize) -> Self {
        Self {
            jobs,
            pool: OnceLock::new(),
            busy: Mutex::new(()),
        }
    }

    /// How many files may be open besides those of all threads, and besides the `locks` of the run.
    pub(crate) fn spare(&self, locks: usize) -> usize {
        let Some(limit) = os::most_open() else {
            return usize::MAX;
        };
        let taken = OPEN + locks as u64 + OPEN_EACH * self.jobs as u64;
        usize::try_from(limit.saturating_sub(taken)).unwrap_or(usize::MAX)
    }

    /// The number of cores.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs
    }

    /// The cores, if the input is large and no other file uses them.
    pub(crate) fn for_input(&self, source: &Source<'_>) -> Option<Held<'_>> {
        source.size.filter(|size| Self::is_big(*size))?;
        self.hold()
    }

    /// Whether an input of this length, in bytes, is worth more than one core.
    pub(crate) fn is_big(size: u64) -> bool {
        size >= BIG
    }

    /// The cores, if there are several and no other file uses them.
    pub(crate) fn hold(&self) -> Option<Held<'_>> {
        if self.jobs < 2 {
            return None;
        }
        let busy = match self.busy.try_lock() {
            Ok(busy) => busy,
            Err(TryLockError::Poisoned(busy)) => busy.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let pool = self.pool.get_or_init(|| Pool::new(self.jobs).ok());
        Some(Held {
            pool: pool.as_ref()?,
            _busy: busy,
        })
    }
}

impl Held<'_> {
    pub(crate) fn pool(&self) -> &Pool {
        self.pool
    }

    /// Converts all of `source`, which is in the encoding `from` after a byte order mark of `bom` bytes.
    pub(super) fn convert<W: Write + Send>(
        &self,
        conversion: Conversion<'_, '_, W>,
        (from, bom): (&'static Encoding, usize),
        source: &mut Source<'_>,
    ) -> Result<Whole, Broken> {
        let Conversion {
            settings,
            out,
            faults,
            ..
        } = conversion;
        out.flush()?;
        let options = StreamOptions::new(from, settings.encodes_to())
            .bom(settings.bom)
            .malformed(match settings.invalid {
                Invalid::Strict => OnMalformed::Stop,
                Invalid::Replace => OnMalformed::Replace,
                Invalid::Skip => OnMalformed::Skip,
            })
            .unmappable(settings.unmappable)
            .report_at_most(usize::try_from(SHOWN).unwrap_or(usize::MAX))
            .count_lines(true);
        let tell = |fault: &simdtext::parallel::Fault| {
            let line = fault.line.unwrap_or(1);
            match fault.kind {
                FaultKind::Malformed(malformed) => faults.show_malformed(&Fault {
                    malformed,
                    line,
                    encoding: fault.encoding.into(),
                }),
                FaultKind::Unmappable { ch, offset } => faults.show_unmappable(ch, line, offset),
            }
        };
        let done = Parallel::new().pool(self.pool).convert_stream(
            &options,
            &mut source.reader,
            out.writer_mut(),
            tell,
        );
        let (summary, why) = match done {
            Ok(summary) => (summary, None),
            Err(StreamError { kind, summary, .. }) => (summary, Some(kind)),
        };
        faults.malformed.total += summary.malformed;
        faults.unmappable.total += summary.unmappable;
        match why {
            None => Ok(Whole {
                encoding: summary.encoding.into(),
                bytes: summary.read,
                bom: bom as u64,
            }),
            Some(StreamErrorKind::Read(error)) => Err(Broken::Read(error)),
            Some(StreamErrorKind::Write(error)) => Err(Broken::Write(error.into())),
            // `Settings` refuses encodings that have no encoder.
            Some(_) => Err(Broken::Fault),
        }
    }
}
