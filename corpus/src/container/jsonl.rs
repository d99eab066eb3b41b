//! Lines of JSON, one object each: one field holds the document, and others describe it.

use std::fmt;
use std::io;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use simdtext::UTF_8;

use super::{Contained, reason_of};
use crate::limits::Limits;
use crate::options::Columns;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::Stream;

/// With or without `=` at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The maximum length of the rest of a line, apart from its document, in bytes.
const MORE: u64 = 1 << 20;

pub(crate) struct Jsonl {
    stream: Stream,
    limits: Limits,
    columns: Columns,
    is_done: bool,
}

impl Jsonl {
    pub(crate) fn new(stream: Stream, limits: Limits, columns: Columns) -> Self {
        Self {
            stream,
            limits,
            columns,
            is_done: false,
        }
    }

    /// Returns the next line, or its length if it is too long. `None` at the end.
    fn line(&mut self) -> io::Result<Option<Result<Vec<u8>, u64>>> {
        // If everything that is not ASCII is escaped, JSON has up to three bytes for one of UTF-8.
        let most = self.limits.max_record.saturating_mul(3) + MORE;
        let mut line = Vec::new();
        let mut len = 0;
        if self.stream.position() == 0
            && (self.stream.peek_across(3, |_| false)?).starts_with(b"\xEF\xBB\xBF")
        {
            self.stream.consume(3);
        }
        loop {
            let shown = self.stream.peek(1)?;
            if shown.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', shown);
            let piece = &shown[..end.map_or(shown.len(), |end| end + 1)];
            len += piece.len() as u64;
            if len <= most {
                line.extend_from_slice(piece);
            } else {
                line = Vec::new();
            }
            let taken = piece.len();
            self.stream.consume(taken);
            if end.is_some() {
                break;
            }
        }
        Ok(match len {
            0 => None,
            len if len > most => Some(Err(len)),
            _ => Some(Ok(line)),
        })
    }

    fn record(&self, mut origin: Origin, line: &[u8]) -> Record {
        let found = match parse(line, &self.columns) {
            Ok(found) => found,
            Err(error) => {
                let detail = format!("{error}, in the line at offset {}", origin.offset);
                return Record::new(origin, Err(Rejection::new(Reason::Damaged, detail)));
            }
        };
        origin.name = found.name.unwrap_or_default();
        origin.content_type = found.content_type;
        let body = match found.content {
            None => Err(Rejection::new(
                Reason::Damaged,
                format!(
                    "there is no string {:?} in the line at offset {}",
                    self.columns.content, origin.offset
                ),
            )),
            Some(bytes) if self.columns.base64 => undo_base64(&bytes),
            Some(bytes) if mixes_encodings(line, &bytes, &self.columns) => Err(Rejection::new(
                Reason::Damaged,
                format!(
                    "bytes that are not UTF-8 are next to escaped characters in the line at offset {}; \
                     convert the file to UTF-8 first",
                    origin.offset
                ),
            )),
            Some(bytes) => Ok(bytes),
        };
        let body = body.and_then(|bytes| match bytes.len() as u64 {
            len if len > self.limits.max_record => Err(self.limits.too_large(len)),
            _ => Ok(bytes),
        });
        let mut record = Record::new(origin, body);
        if !self.columns.base64 && std::str::from_utf8(line).is_ok() {
            // It was decoded when the line was written, whatever it declares.
            record.encoding = Some(UTF_8);
        }
        record
    }
}

/// Returns whether a document has both bytes that are not UTF-8 and escaped characters beyond ASCII, which became UTF-8 when
/// the line was parsed: no decoder reads both.
fn mixes_encodings(line: &[u8], document: &[u8], columns: &Columns) -> bool {
    // A document may also have lone surrogates, which are escaped in UTF-8.
    let is_utf8 = |bytes| std::str::from_utf8(bytes).is_ok();
    if is_utf8(document) || is_utf8(line) {
        return false;
    }
    let without_escapes = parse(&with_escapes_of_ascii(line), columns);
    without_escapes.map_or(true, |found| found.content.as_deref() != Some(document))
}

/// Returns a line of JSON with spaces in place of the escaped characters that are not ASCII.
fn with_escapes_of_ascii(line: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(at);
        plain.extend_from_slice(before);
        let (taken, kept) = match escape {
            [_, b'u', b'0', b'0', b'0'..=b'7', _, ..] => (6, &escape[..6]),
            [_, b'u', _, _, _, _, ..] => (6, &b" "[..]),
            _ => (2.min(escape.len()), &escape[..2.min(escape.len())]),
        };
        plain.extend_from_slice(kept);
        rest = &escape[taken..];
    }
    plain.extend_from_slice(rest);
    plain
}

/// Decodes base64. Line ends in it are ignored.
pub(super) fn undo_base64(bytes: &[u8]) -> Result<Vec<u8>, Rejection> {
    let bare: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|it| !it.is_ascii_whitespace())
        .collect();
    BASE64
        .decode(bare)
        .map_err(|error| Rejection::new(Reason::Damaged, format!("not base64: {error}")))
}

impl Iterator for Jsonl {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.is_done {
            return None;
        }
        loop {
            // The offset of the line in the decompressed file.
            let origin = Origin {
                offset: self.stream.position(),
                ..Origin::default()
            };
            match self.line() {
                Ok(None) => {
                    self.is_done = true;
                    return None;
                }
                Ok(Some(Ok(line))) if line.trim_ascii().is_empty() => {}
                Ok(Some(Ok(line))) => return Some(Item::Record(self.record(origin, &line))),
                Ok(Some(Err(len))) => {
                    return Some(Record::rejected(origin, self.limits.too_large(len)));
                }
                Err(error) => {
                    self.is_done = true;
                    let reason = reason_of(&error, self.stream.packing());
                    let detail = format!(
                        "{error}, after offset {} of the decompressed data",
                        origin.offset
                    );
                    return Some(Record::rejected(origin, Rejection::new(reason, detail)));
                }
            }
        }
    }
}

impl Contained for Jsonl {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}

#[derive(Default)]
struct Found {
    content: Option<Vec<u8>>,
    name: Option<String>,
    content_type: Option<String>,
}

/// Reads the fields that `columns` names. Strings may hold bytes that are not UTF-8, to be decoded later.
fn parse(line: &[u8], columns: &Columns) -> Result<Found, serde_json::Error> {
    let parse = |with_scalars| {
        let mut json = serde_json::Deserializer::from_slice(line);
        let fields = Fields {
            columns,
            with_scalars,
        };
        let found = fields.deserialize(&mut json)?;
        json.end()?;
        Ok(found)
    };
    // The type of a value has to be known before it is read as bytes.
    parse(false).or_else(|error: serde_json::Error| {
        if !error.is_data() {
            return Err(error);
        }
        parse(true).map_err(|_| error)
    })
}

struct Fields<'a> {
    columns: &'a Columns,
    /// Whether what describes a document may be something else than a string.
    with_scalars: bool,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        let mut found = Found::default();
        let mut has = [false; 3];
        let columns = [
            &self.columns.content,
            &self.columns.url,
            &self.columns.content_type,
        ];
        while let Some(name) = map.next_key_seed(Bytes)? {
            let field = columns.iter().position(|it| name == it.as_bytes());
            let Some(field) = field else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            // As where a part of two lines is missing.
            if std::mem::replace(&mut has[field], true) {
                let what = format!("the field {:?} is there twice", columns[field]);
                return Err(A::Error::custom(what));
            }
            match field {
                0 => found.content = map.next_value_seed(Nullable)?,
                1 => found.name = self.description(&mut map)?,
                _ => found.content_type = self.description(&mut map)?,
            }
        }
        Ok(found)
    }
}

impl Fields<'_> {
    fn description<'de, A: MapAccess<'de>>(&self, map: &mut A) -> Result<Option<String>, A::Error> {
        if self.with_scalars {
            return map.next_value_seed(Scalar);
        }
        Ok(map.next_value_seed(Nullable)?.map(lossy))
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A string, a whole number or a boolean as text; `None` for anything else.
struct Scalar;

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_bool<E>(self, it: bool) -> Result<Self::Value, E> {
        Ok(Some(it.to_string()))
    }

    /// Other numbers may not be read exactly.
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// A string as bytes; `None` for null.
struct Nullable;

impl<'de> DeserializeSeed<'de> for Nullable {
    type Value = Option<Vec<u8>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Nullable {
    type Value = Option<Vec<u8>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Bytes.deserialize(deserializer).map(Some)
    }
}

/// A string as bytes.
struct Bytes;

impl<'de> DeserializeSeed<'de> for Bytes {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_byte_buf(self)
    }
}

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}
