//! What happens to an output on its way to its temporary file.

use std::io::{self, Read, Write};

use super::against::Against;
use super::declared::{Corrector, Edit};
use super::replace::Replacement;
use crate::packed::Packer;

/// A file that is being written. Its declarations may be corrected, it may be compressed, and it may be
/// compared with the text that it comes from.
pub(super) struct StagedOutput<'t, R> {
    pub(super) corrector: Option<Corrector>,
    pub(super) out: Out<'t, R>,
}

pub(super) struct Out<'t, R> {
    pub(super) packer: Packer<Replacement<'t>>,
    pub(super) against: Option<Against<R>>,
}

impl<'t, R: Read> StagedOutput<'t, R> {
    /// Ends the output. Returns what was corrected.
    pub(super) fn finish(self) -> io::Result<(Out<'t, R>, Vec<Edit>)> {
        let mut out = self.out;
        let edits = match self.corrector {
            None => Vec::new(),
            Some(corrector) => corrector.finish(|bytes| out.pass(bytes))?,
        };
        Ok((out, edits))
    }
}

impl<R: Read> Out<'_, R> {
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.packer.write_all(bytes)?;
        match &mut self.against {
            Some(against) => against.write_all(bytes),
            None => Ok(()),
        }
    }
}

impl<R: Read> Write for StagedOutput<'_, R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.corrector {
            Some(corrector) => corrector.write(bytes, |bytes| self.out.pass(bytes))?,
            None => self.out.pass(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.packer.flush()
    }
}
