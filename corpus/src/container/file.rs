//! A file that is a single document, possibly compressed.

use super::Contained;
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::{Packing, Stream};

pub(crate) struct File {
    name: String,
    stream: Stream,
    limits: Limits,
    is_done: bool,
}

impl File {
    pub(crate) fn new(name: &str, stream: Stream, limits: Limits) -> Self {
        Self {
            name: String::from(name),
            stream,
            limits,
            is_done: false,
        }
    }

    fn body(&mut self) -> Result<Vec<u8>, Rejection> {
        let len = self.stream.len();
        let most = self.limits.max_record;
        if self.stream.packing() != Packing::Plain {
            let unpacked = self.limits.unpack(&mut self.stream, len)?;
            if unpacked.truncated {
                let whole = unpacked.bytes.len();
                let detail = format!("the compressed data ends early, after {whole} bytes of text");
                return Err(Rejection::new(Reason::Damaged, detail));
            }
            return Ok(unpacked.bytes);
        }
        if len > most {
            return Err(self.limits.too_large(len));
        }
        let mut bytes = Vec::new();
        // The file may grow in the meantime, and some files have no length.
        match self.stream.take_into(&mut bytes, most + 1, |_| false) {
            Ok(read) if read > most => Err(self.limits.too_large(read)),
            Ok(_) => Ok(bytes),
            Err(error) => Err(Rejection::new(Reason::Unreadable, error.to_string())),
        }
    }
}

impl Iterator for File {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if std::mem::replace(&mut self.is_done, true) {
            return None;
        }
        let origin = Origin {
            name: self.name.clone(),
            ..Origin::default()
        };
        Some(Item::Record(Record::new(origin, self.body())))
    }
}

impl Contained for File {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}
