//! One big file on several cores: in pieces, which are written in order. Bytes, messages and totals are
//! those of `converter.rs`.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread;

use simdtext::Encoding;
use simdtext::parallel::{
    FaultKind, OnMalformed, Parallel, Pool, StreamError, StreamErrorKind, StreamOptions,
};

use super::faults::{Faults, SHOWN};
use super::settings::Settings;
use super::text::SinkError;
use crate::decode::{Broken, Fault, Whole, bom_length};
use crate::input::Source;
use crate::message::{Counted, Voice};
use crate::options::Invalid;
use crate::os;

/// Smaller files are converted nearly as fast by one core: at this size two take 0.9 of its time.
const BIG: u64 = 4 << 20;

/// The most threads that are of use for each core: those that wait for the disk leave it to others.
const MOST_PER_CORE: usize = 16;

/// How many threads may be asked for on a machine with few cores.
const MOST: usize = 256;

/// The most files that a thread has open at a time.
const OPEN_EACH: u64 = 7;

/// Those that a run has open besides, and its locks.
const OPEN: u64 = 20;

/// The cores that big files are converted on.
pub(crate) struct Cores {
    jobs: usize,
    /// Threads for them, when there was a big file. `None` where the system has none to give.
    pool: OnceLock<Option<Pool>>,
    /// Held while a file is converted: the memory for pieces in flight is there once.
    busy: Mutex<()>,
}

/// The right to use them.
pub(crate) struct Held<'c> {
    pool: &'c Pool,
    _busy: MutexGuard<'c, ()>,
}

impl Cores {
    /// `jobs`: how many, or as many as there are.
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

    /// Those for many files, of which each thread has some open. `locks` are open besides.
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

    /// How many there are.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs
    }

    /// The cores, if the input is big and nobody else has them.
    pub(crate) fn for_input(&self, source: &Source<'_>) -> Option<Held<'_>> {
        source.size.filter(|size| Self::is_big(*size))?;
        self.hold()
    }

    /// Whether an input of this length, in bytes, is worth more than one core.
    pub(crate) fn is_big(size: u64) -> bool {
        size >= BIG
    }

    /// The cores, if there are some and nobody else has them.
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

    /// Converts all of `source`, which is in `from`, and writes it to `writer`.
    pub(super) fn convert<W: Write + Send>(
        &self,
        settings: &Settings,
        from: &'static Encoding,
        source: &mut Source<'_>,
        writer: &mut W,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<SinkError>> {
        let conversion = StreamOptions::new(from, settings.encodes_to())
            .bom(settings.bom)
            .malformed(match settings.invalid {
                Invalid::Strict => OnMalformed::Stop,
                Invalid::Replace => OnMalformed::Replace,
                Invalid::Skip => OnMalformed::Skip,
            })
            .unmappable(settings.unmappable)
            .report_at_most(usize::try_from(SHOWN).unwrap_or(usize::MAX))
            .count_lines(true);
        let mut reader = Fronted {
            reader: &mut source.reader,
            front: [0; 3],
            len: 0,
        };
        let tell = |fault: &simdtext::parallel::Fault| {
            let line = fault.line.unwrap_or(1);
            match fault.kind {
                FaultKind::Malformed(malformed) => faults.malformed(&Fault {
                    malformed,
                    line,
                    encoding: fault.encoding.into(),
                }),
                FaultKind::Unmappable { ch, offset } => faults.unmappable(ch, line, offset),
            }
        };
        let done = Parallel::new().in_pool(self.pool).convert_stream(
            &conversion,
            &mut reader,
            writer,
            tell,
        );
        let front = &reader.front[..reader.len];
        let bom = bom_length(front, from, settings.bom) as u64;
        let (summary, why) = match done {
            Ok(summary) => (summary, None),
            Err(StreamError { kind, summary, .. }) => (summary, Some(kind)),
        };
        faults.count_malformed(summary.malformed);
        faults.count_unmappable(summary.unmappable);
        match why {
            None => Ok(Whole {
                encoding: summary.encoding.into(),
                bytes: summary.read,
                bom,
            }),
            Some(StreamErrorKind::Read(error)) => Err(Broken::Read(error)),
            Some(StreamErrorKind::Write(error)) => {
                Err(Broken::Stopped(SinkError::Write(error.into())))
            }
            // `Settings` lets nothing by that can't be encoded.
            Some(_) => Err(Broken::Stopped(SinkError::Fault)),
        }
    }
}

/// A reader, and the first bytes that it has read, for a byte order mark.
struct Fronted<R> {
    reader: R,
    front: [u8; 3],
    len: usize,
}

impl<R: Read> Read for Fronted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        let room = &mut self.front[self.len..];
        let more = n.min(room.len());
        room[..more].copy_from_slice(&buffer[..more]);
        self.len += more;
        Ok(n)
    }
}
