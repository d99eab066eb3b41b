//! A file that is one document, maybe compressed.

use std::io;

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

    fn body(&mut self) -> Result<(Vec<u8>, bool), Rejection> {
        let packed = self.stream.len();
        if self.stream.packing() != Packing::Plain {
            let unpacked = self.limits.unpack(&mut self.stream, packed)?;
            return Ok((unpacked.bytes, unpacked.truncated));
        }
        if packed > self.limits.max_record {
            return Err(self.limits.too_large(packed));
        }
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        let read = self
            .stream
            .take_into(&mut bytes, self.limits.max_record, |_| false);
        match read {
            Ok(_) => Ok((bytes, false)),
            Err(error) => Err(unreadable(&error)),
        }
    }
}

fn unreadable(error: &io::Error) -> Rejection {
    Rejection::new(Reason::Unreadable, error.to_string())
}

impl Iterator for File {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if std::mem::replace(&mut self.is_done, true) {
            return None;
        }
        let mut origin = Origin {
            name: self.name.clone(),
            ..Origin::default()
        };
        let body = self.body().map(|(bytes, truncated)| {
            origin.truncated = truncated;
            bytes
        });
        Some(Item::Record(Record::new(origin, body)))
    }
}

impl Contained for File {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}
