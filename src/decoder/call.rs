//! One call of a decoder: the byte order mark, and then the loop.

use super::Decoder;
use crate::codec::{Decode, on_machine};
use crate::drive::{self, OnMalformed, Outcome, Queue, Run};
use crate::encoding::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use crate::output::Sink;
use crate::output::run::FromAscii;
use crate::progress::{Bom, Progress, Status};
use crate::simd::fill::Fill;
use crate::simd::short_encoded::{MAX_INLINE, MAX_INLINE_ASCII};

impl Decoder {
    pub(super) fn decode<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        on_malformed: OnMalformed<'_>,
    ) -> Progress {
        if self.finished {
            self.reset();
        }
        let mut of_bom = 0;
        if self.at_start && !self.starts_without_bom(src) {
            match self.look_for_bom(src, last) {
                Some(read) => of_bom = read,
                None => {
                    self.queue.held.extend(src);
                    return Progress {
                        status: Status::InputEmpty,
                        read: src.len(),
                        written: 0,
                        errors: 0,
                    };
                }
            }
        }
        let src = src.get(of_bom..).unwrap_or_default();
        let nothing_held = self.queue.held.len() == 0;
        if nothing_held && src.len() <= MAX_INLINE_ASCII && self.try_short(src, out) {
            self.queue.offset += src.len() as u64;
            self.finished = last;
            return Progress {
                status: Status::InputEmpty,
                read: of_bom + src.len(),
                written: out.written(),
                errors: 0,
            };
        }
        // Most often a kernel reads all there is.
        let replace = matches!(on_malformed, OnMalformed::Replace);
        let run = if nothing_held {
            on_machine!(AnyDecoder, &mut self.machine, machine => {
                drive::decode_run(machine, self.kernels, src, replace, out)
            })
        } else {
            Run::default()
        };
        self.queue.offset += run.read as u64;
        let is_all = run.read == src.len() && run.read > 0;
        if run.full || is_all {
            self.finished = last && is_all;
            return Progress {
                status: if is_all {
                    Status::InputEmpty
                } else {
                    Status::OutputFull
                },
                read: of_bom + run.read,
                written: out.written(),
                errors: run.errors,
            };
        }
        let rest = src.get(run.read..).unwrap_or_default();
        let progress = self.decode_rest(rest, out, last, on_malformed);
        Progress {
            read: of_bom + run.read + progress.read,
            errors: run.errors + progress.errors,
            ..progress
        }
    }

    /// Decodes what neither short code in line nor a kernel has: into little room, or by the loop. A function by
    /// itself: the frame that it needs would cost short text a fifth of its time.
    #[inline(never)]
    fn decode_rest<S: Sink>(
        &mut self,
        src: &[u8],
        out: &mut S,
        last: bool,
        on_malformed: OnMalformed<'_>,
    ) -> Progress {
        let filled = if self.queue.held.len() == 0 {
            on_machine!(AnyDecoder, &mut self.machine, machine => {
                drive::decode_into_little_room(machine, self.kernels, src, out)
            })
        } else {
            Fill::default()
        };
        self.queue.offset += filled.read as u64;
        if filled.full || filled.read == src.len() && filled.read > 0 {
            self.finished = last && !filled.full;
            return Progress {
                status: if filled.full {
                    Status::OutputFull
                } else {
                    Status::InputEmpty
                },
                read: filled.read,
                written: out.written(),
                errors: 0,
            };
        }
        let rest = src.get(filled.read..).unwrap_or_default();
        let Outcome {
            status,
            read,
            errors,
        } = on_machine!(AnyDecoder, &mut self.machine, machine => {
            drive::decode(machine, &mut self.queue, self.kernels, rest, last, out, on_malformed)
        });
        self.finished = last && status == Status::InputEmpty;
        Progress {
            status,
            read: filled.read + read,
            written: out.written(),
            errors,
        }
    }

    /// Decodes all of `src`, if it is short and well-formed and fits, or nothing; says whether it did.
    #[inline(always)]
    fn try_short<S: Sink>(&self, src: &[u8], out: &mut S) -> bool {
        if !self.kernels.inline_short {
            return false;
        }
        // Before any table is touched.
        if self.machine.is_ascii_compatible() && out.try_short(FromAscii, src) {
            return true;
        }
        src.len() <= 2 * MAX_INLINE
            && on_machine!(AnyDecoder, &self.machine, machine => machine.try_short(src, out))
    }

    /// Whether the first byte says already that there is no byte order mark.
    #[inline(always)]
    fn starts_without_bom(&mut self, src: &[u8]) -> bool {
        let without = self.queue.held.len() == 0
            && src
                .first()
                .is_some_and(|byte| !matches!(byte, 0xEF | 0xFE | 0xFF));
        self.at_start &= !without;
        without
    }

    /// Decides on the byte order mark, and returns how many bytes of `src` belong to it. `None`
    /// where the bytes so far may be the front of one and more may come.
    #[cold]
    fn look_for_bom(&mut self, src: &[u8], last: bool) -> Option<usize> {
        let held = self.queue.held.len();
        let (bridge, more) = self.queue.held.bridge(src);
        let head = &bridge[..held + more];
        let marks: [(&'static Encoding, &[u8]); 3] = [
            (UTF_8, b"\xEF\xBB\xBF"),
            (UTF_16BE, b"\xFE\xFF"),
            (UTF_16LE, b"\xFF\xFE"),
        ];
        let mut wanted = marks
            .iter()
            .filter(|(encoding, _)| self.bom == Bom::Sniff || *encoding == self.original);
        if !last
            && wanted
                .clone()
                .any(|(_, mark)| mark.len() > head.len() && mark.starts_with(head))
        {
            return None;
        }
        self.at_start = false;
        match wanted.find(|(_, mark)| head.starts_with(mark)) {
            Some((encoding, mark)) => {
                self.encoding = encoding;
                self.machine = encoding.codec().decoder();
                self.queue = Queue {
                    offset: mark.len() as u64,
                    ..Queue::default()
                };
                Some(mark.len() - held)
            }
            None => Some(0),
        }
    }
}
