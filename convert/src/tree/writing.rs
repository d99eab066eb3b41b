//! Writes the output of one file, before it takes its place.

use std::io::{self, Read, Write};

use simdtext::{Bom, UTF_8};

use super::against::Against;
use super::declared::{Corrector, Edit};
use super::file::{Task, Worker, cannot_read};
use super::places::Entry;
use super::replace::{Finished, Replacement};
use crate::buffered::Buffered;
use crate::decide::{Basis, Watch};
use crate::decode::Whole;
use crate::faults::Faults;
use crate::format::Format;
use crate::input::{Input, Source};
use crate::message::bom_overrides;
use crate::options::has_lines;
use crate::packed::Packer;
use crate::report::{FileReport, Refusal, State};
use crate::text::Broken;

/// An output that is not in its place yet.
pub(super) struct Written<'t> {
    pub(super) output: Finished<'t>,
    pub(super) content: Content,
}

/// What is in an output, and how it came about.
pub(super) struct Content {
    /// The length, in bytes.
    pub(super) bytes: u64,
    /// The hash of all bytes, if it was calculated.
    pub(super) hash: Option<u128>,
    /// What was read.
    pub(super) whole: Whole,
    /// The format in which the input was compressed.
    pub(super) format: Option<Format>,
    /// Whether the output is compressed.
    pub(super) packed: bool,
    /// The declarations that were corrected.
    pub(super) edits: Vec<Edit>,
}

impl<'t> Written<'t> {
    /// Ends an output, which was made of `whole` in this format.
    fn new(
        packer: Packer<Replacement<'t>>,
        whole: Whole,
        format: Option<Format>,
        edits: Vec<Edit>,
    ) -> io::Result<Self> {
        let packed = packer.packs();
        let file = packer.finish()?;
        let content = Content {
            bytes: file.written(),
            hash: file.hash(),
            whole,
            format,
            packed,
            edits,
        };
        let output = file.finish()?;
        Ok(Self { output, content })
    }

    /// Whether it differs from what exists at its place.
    pub(super) fn is_change(&self) -> bool {
        !matches!(self.output, Finished::Same(_))
    }
}

/// A file that is being written, and may be compared with the text that it comes from, before it is compressed.
struct ComparedOutput<'t, R> {
    packer: Packer<Replacement<'t>>,
    against: Option<Against<R>>,
}

impl<R: Read> Write for ComparedOutput<'_, R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.packer.write_all(bytes)?;
        if let Some(against) = &mut self.against {
            against.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.packer.flush()
    }
}

impl<'r> Worker<'r, '_> {
    /// A new output for a place.
    fn output<'t>(&self, task: &'t Task<'_>, place: Option<Entry>) -> Replacement<'t>
    where
        'r: 't,
    {
        let run = self.run;
        let there = task.there.as_ref();
        Replacement::new(place, there, run.names.own(), run.options.dry_run)
    }

    /// Copies a file that needs no conversion.
    pub(super) fn copy<'t>(
        &mut self,
        task: &'t Task<'_>,
        place: Option<Entry>,
    ) -> Result<Written<'t>, Refusal>
    where
        'r: 't,
    {
        let run = self.run;
        let source = task.original.text(Some(run.observer));
        let mut source = source.map_err(cannot_read)?;
        let file = self.output(task, place).hashed(run.journal.is_some());
        let failed = |error: io::Error| task.cannot_write(&error);
        let mut packer = Packer::new(file, run.options.compress).map_err(failed)?;
        let mut bytes = 0;
        loop {
            let n = source.read(&mut self.block, 1).map_err(cannot_read)?;
            if n == 0 {
                break;
            }
            bytes += n as u64;
            packer.write_all(&self.block[..n]).map_err(failed)?;
        }
        let whole = Whole {
            encoding: UTF_8.into(),
            bytes,
            bom: 0,
        };
        Written::new(packer, whole, source.format, Vec::new()).map_err(failed)
    }

    /// Converts into a file beside the place, and shows `watch` what is read. `None` if a fault forbids it.
    pub(super) fn write<'t>(
        &mut self,
        task: &'t Task<'_>,
        place: Option<Entry>,
        watch: Option<&mut Watch>,
        outcome: &mut FileReport,
    ) -> Result<Option<Written<'t>>, Refusal>
    where
        'r: 't,
    {
        let run = self.run;
        let options = run.options;
        let failed = |error: io::Error| task.cannot_write(&error);
        let source = task.original.text(Some(run.observer));
        let source = source.map_err(cannot_read)?;
        let format = source.format;
        let mut source = match watch {
            Some(watch) => source.watched(watch),
            None => source,
        };
        let mut compress = options.compress;
        let mut against = None;
        if options.in_place && options.decompress {
            match (format, compress) {
                // What was not compressed stays uncompressed.
                (None, _) => compress = None,
                (Some(format), Some(wanted)) if format == Format::from(wanted) => {
                    // The same text may be compressed to different bytes.
                    against = Some(Against::new(task.original.again()?.reader));
                }
                (Some(format), _) => {
                    let name = format.name();
                    let hint = match format {
                        Format::Gzip | Format::Zstd => format!("--compress={name} keeps it so"),
                        Format::Xz | Format::Bzip2 => format!("{name} can't be written"),
                    };
                    return Err(Refusal::skip(format!(
                        "it is compressed with {name}; left alone. {hint}, --out-dir writes it elsewhere"
                    )));
                }
            }
        }
        let file = (self.output(task, place).compared(against.is_none()))
            .hashed(run.journal.is_some() || run.notes() || options.backup.is_some());
        let packer = Packer::new(file, compress).map_err(failed)?;
        let out = ComparedOutput { packer, against };
        let corrects = options.fix_declarations;
        let out = Corrector::new(out, corrects, run.settings.to, &task.target);
        let mut out = Buffered::with_buffer(out, std::mem::take(&mut self.out));
        let done = self.text(task, &mut source, &mut out, outcome);
        drop(source);
        let (writer, out) = out.into_parts();
        self.out = out;
        let Some(whole) = done? else {
            return Ok(None);
        };
        let (out, edits) = writer.finish().map_err(failed)?;
        outcome.corrected = edits.len() as u64;
        let mut written = Written::new(out.packer, whole, format, edits).map_err(failed)?;
        if let Some(mut against) = out.against
            && against.finish().map_err(cannot_read)?.is_none()
        {
            written.output = Finished::Same(&task.original.file);
        }
        Ok(Some(written))
    }

    /// Converts, and records in `outcome` what was found. `None` if a fault forbids it.
    fn text<W: Write + Send>(
        &mut self,
        task: &Task<'_>,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        outcome: &mut FileReport,
    ) -> Result<Option<Whole>, Refusal> {
        let run = self.run;
        let job = task.job;
        let name = Input::Path(job.path.clone());
        self.converter.choose_mark(source).map_err(cannot_read)?;
        let settings = self.converter.settings();
        let mut voice = |message: std::fmt::Arguments<'_>| outcome.faults.push(message.to_string());
        let mut faults = Faults::new(&name, &settings, &mut voice);
        let done = (self.converter).whole(source, out, &mut faults, &run.cores);
        outcome.severity.worsen(faults.finish());
        let is_similar = faults.similar.total > 0 && run.options.in_place && !run.options.force;
        (outcome.malformed, outcome.unmappable) = faults.totals();
        outcome.from = faults.encoding;
        outcome.first_faults = faults.into_first();
        let whole = match done {
            Ok(_) if is_similar => {
                outcome.state = State::Faulty;
                outcome.why = Some(String::from(
                    "left as it is, because characters would be written as similar ones; --force writes them",
                ));
                None
            }
            Ok(whole) => {
                outcome.from = whole.encoding;
                if whole.bom > 0 && settings.bom == Bom::Sniff {
                    outcome.evidence = Basis::Bom;
                }
                let named = job.from.or(run.options.from.named());
                if let Some(named) = named.filter(|named| *named != whole.encoding && whole.bom > 0)
                {
                    outcome.note = Some(bom_overrides(whole.encoding, named));
                }
                Some(whole)
            }
            Err(Broken::Fault) => {
                outcome.state = State::Faulty;
                outcome.why = Some(String::from(if run.options.in_place {
                    "left as it is"
                } else {
                    "nothing was written for it"
                }));
                None
            }
            Err(Broken::Write(error)) => return Err(task.cannot_write(&error.into())),
            Err(Broken::Read(error)) => return Err(cannot_read(error)),
        };
        if run.options.per_line && has_lines(outcome.from) {
            outcome.evidence = Basis::Lines;
        } else if outcome.from != settings.from {
            outcome.evidence = Basis::Bom;
        }
        Ok(whole)
    }
}
