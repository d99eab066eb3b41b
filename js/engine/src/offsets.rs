//! Where the characters of a text are in its bytes. The text itself is decoded elsewhere, and the map is stored as
//! bytes, so that JavaScript alone owns it.

use simdtext::offsets::{OffsetMap, OffsetMapError};

use crate::report::bom;

/// Makes the map of a document that comes in pieces.
#[derive(Debug)]
pub struct OffsetMapper {
    decoder: simdtext::Decoder,
    map: OffsetMap,
}

impl OffsetMapper {
    /// `mark`: as for [`Decoder::new`](crate::Decoder::new).
    #[must_use]
    pub fn new(encoding: u32, mark: u32) -> Self {
        OffsetMapper {
            decoder: crate::encoding(encoding).decoder(bom(mark)),
            map: OffsetMap::new(),
        }
    }

    /// Takes the next bytes of the document.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.decode(bytes, false);
    }

    /// Ends the document, and returns its map.
    pub fn finish(&mut self) -> Vec<u8> {
        self.decode(&[], true);
        self.map.to_bytes()
    }

    /// Decodes, and throws the text away.
    fn decode(&mut self, mut src: &[u8], last: bool) {
        let mut text = [0; 8192];
        loop {
            let progress = (self.map).decode_to_utf8(&mut self.decoder, src, &mut text, last);
            src = src.get(progress.read..).unwrap_or_default();
            if progress.status != simdtext::Status::OutputFull {
                return;
            }
        }
    }
}

/// The map of a whole document. `mark`: as for [`Decoder::new`](crate::Decoder::new).
#[must_use]
pub fn map_offsets(encoding: u32, mark: u32, bytes: &[u8]) -> Vec<u8> {
    let mut mapper = OffsetMapper::new(encoding, mark);
    mapper.feed(bytes);
    mapper.finish()
}

/// What a stored map is of: the number of the encoding, and the lengths of the source and of the text (in bytes of
/// UTF-8). If it can't be read, one number: 0 if it is not a map or is damaged, 1 if its format has another version, 2 if
/// there is no memory. (`../../src/offset-map.js` has the same numbers.)
#[must_use]
pub fn read_map(map: &[u8]) -> Vec<f64> {
    match OffsetMap::from_bytes(map) {
        Ok(map) => vec![
            f64::from(crate::number(map.encoding())),
            map.source_len() as f64,
            map.text_len() as f64,
        ],
        Err(OffsetMapError::Version(_)) => vec![1.0],
        Err(OffsetMapError::OutOfMemory) => vec![2.0],
        Err(_) => vec![0.0],
    }
}

/// The bytes of `source` that the text from `start` to `end` (in bytes of UTF-8) was decoded from, as a start and an
/// end; nothing if `map` is of another source.
#[must_use]
pub fn source_range(map: &[u8], source: &[u8], start: f64, end: f64) -> Vec<f64> {
    let text = start as u64..end as u64;
    OffsetMap::from_bytes(map)
        .ok()
        .and_then(|map| map.source_range(source, text))
        .map_or_else(Vec::new, |range| vec![range.start as f64, range.end as f64])
}

/// The offset in the text (in bytes of UTF-8) of what the byte at `offset` of `source` became; nothing if `map` is of
/// another source.
#[must_use]
pub fn text_offset(map: &[u8], source: &[u8], offset: f64) -> Vec<f64> {
    OffsetMap::from_bytes(map)
        .ok()
        .and_then(|map| map.text_offset(source, offset as u64))
        .map_or_else(Vec::new, |offset| vec![offset as f64])
}
