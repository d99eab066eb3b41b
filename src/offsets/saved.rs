//! Maps that are stored and read back, with the index that they serve.
//!
//! What is stored begins with [`MAGIC`] and [`VERSION`], a byte of flags, and the name of the encoding after
//! its length. Numbers follow, in LEB128: the spacing, the lengths of the source and of the text, and how
//! many places there are. Of each place there is how far it is from the one before, in the source and in
//! the text, and in an encoding in which it has any, two bytes of the decoder's state. Tested in
//! `tests/offsets/saved.rs`.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::fmt;

use super::{MIN_SPACING, OffsetMap, Place, has_states};
use crate::codec::iso_2022_jp::Iso2022JpDecoder;
use crate::codec::replacement::Replacement;
use crate::codec::{AnyDecoder, Codec};
use crate::encoding::Encoding;

const MAGIC: &[u8; 16] = b"simdtext offsets";
const VERSION: u8 = 1;

const REMOVES_BOM: u8 = 1;
const FINISHED: u8 = 2;

/// Lengths are those of files, so that sums of them do not overflow.
const MAX_LEN: u64 = i64::MAX as u64;

/// Why [`OffsetMap::from_bytes`] can't make a map of the bytes.
///
/// ```
/// use simdtext::offsets::{OffsetMap, OffsetMapError};
///
/// assert_eq!(OffsetMap::from_bytes(b"{}").unwrap_err(), OffsetMapError::NotAMap);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OffsetMapError {
    /// It does not begin as a stored map does.
    NotAMap,
    /// It is stored in this version of the format, which this version of the library does not know.
    Version(u8),
    /// It is cut short, or something in it contradicts the rest.
    Corrupt,
    /// There is not enough memory for the map.
    OutOfMemory,
}

impl fmt::Display for OffsetMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OffsetMapError::NotAMap => f.write_str("not a stored offset map"),
            OffsetMapError::Version(version) => {
                write!(
                    f,
                    "an offset map in version {version} of the format, not {VERSION}"
                )
            }
            OffsetMapError::Corrupt => f.write_str("a corrupt offset map"),
            OffsetMapError::OutOfMemory => f.write_str("not enough memory for an offset map"),
        }
    }
}

impl core::error::Error for OffsetMapError {}

/// An error around this one, of the kind [`OutOfMemory`](std::io::ErrorKind::OutOfMemory) for want of memory, and
/// [`InvalidData`](std::io::ErrorKind::InvalidData) otherwise.
#[cfg(feature = "std")]
impl From<OffsetMapError> for std::io::Error {
    fn from(error: OffsetMapError) -> Self {
        let kind = match error {
            OffsetMapError::OutOfMemory => std::io::ErrorKind::OutOfMemory,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, error)
    }
}

impl OffsetMap {
    /// The map as bytes, for storing it with the index: some 5 for each place, and about 40 more.
    ///
    /// The format has a version, which [`OffsetMap::from_bytes`] checks, and is the same on all machines.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, GBK};
    ///
    /// let file = b"\xC4\xE3\xBA\xC3".repeat(100);
    /// let (mut map, mut text) = (OffsetMap::with_spacing(64), String::new());
    /// map.decode(GBK, &file, &mut text, Bom::Sniff);
    ///
    /// let stored = map.to_bytes();
    /// let map = OffsetMap::from_bytes(&stored)?;
    /// assert_eq!(map.source_range(&file, 300..303), Some(200..202));
    /// # Ok::<(), simdtext::offsets::OffsetMapError>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.stored_len());
        self.store(|part| bytes.extend_from_slice(part));
        bytes
    }

    /// [`OffsetMap::to_bytes`], unless there is not enough memory.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    ///
    /// let map = OffsetMap::new();
    /// assert_eq!(map.try_to_bytes()?, map.to_bytes());
    /// # Ok::<(), std::collections::TryReserveError>(())
    /// ```
    pub fn try_to_bytes(&self) -> Result<Vec<u8>, TryReserveError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.stored_len())?;
        self.store(|part| bytes.extend_from_slice(part));
        Ok(bytes)
    }

    fn stored_len(&self) -> usize {
        let mut len = 0;
        self.store(|part| len += part.len());
        len
    }

    /// Gives what is stored to `put`, part by part.
    fn store(&self, mut put: impl FnMut(&[u8])) {
        let name = self.encoding.name();
        put(MAGIC);
        let removes_bom = if self.removes_bom { REMOVES_BOM } else { 0 };
        let finished = if self.finished { FINISHED } else { 0 };
        // No name is that long.
        let name_len = u8::try_from(name.len()).unwrap_or(u8::MAX);
        put(&[VERSION, removes_bom | finished, name_len]);
        put(name.as_bytes());
        push(&mut put, self.spacing);
        push(&mut put, self.source_len);
        push(&mut put, self.text_len);
        push(&mut put, self.places.len() as u64);
        let has_states = has_states(self.encoding);
        let (mut source, mut text) = (0, 0);
        for (i, place) in self.places.iter().enumerate() {
            push(&mut put, place.source - source);
            push(&mut put, place.text - text);
            (source, text) = (place.source, place.text);
            if has_states {
                put(&self.states.get(i).map_or([0; 2], state_to_bytes));
            }
        }
    }

    /// The map from which [`OffsetMap::to_bytes`] made these bytes.
    ///
    /// # Errors
    ///
    /// [`OffsetMapError`] says what is wrong with them, or that there is no memory. Altered bytes may give a map with
    /// wrong results, as any map has for a source that has changed; nothing panics.
    ///
    /// ```
    /// use simdtext::offsets::{OffsetMap, OffsetMapError};
    ///
    /// let stored = OffsetMap::new().to_bytes();
    /// assert_eq!(OffsetMap::from_bytes(&stored)?.text_len(), 0);
    /// assert_eq!(OffsetMap::from_bytes(&stored[..20]).unwrap_err(), OffsetMapError::Corrupt);
    /// # Ok::<(), OffsetMapError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OffsetMapError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(OffsetMapError::NotAMap)?;
        match rest.first() {
            Some(&VERSION) => {}
            Some(&version) => return Err(OffsetMapError::Version(version)),
            None => return Err(OffsetMapError::Corrupt),
        }
        let (mut map, rest, count) = read_head(&rest[1..]).ok_or(OffsetMapError::Corrupt)?;
        let reserved = map.places.try_reserve_exact(count);
        reserved.map_err(|_| OffsetMapError::OutOfMemory)?;
        if has_states(map.encoding) {
            let reserved = map.states.try_reserve_exact(count);
            reserved.map_err(|_| OffsetMapError::OutOfMemory)?;
        }
        read_places(&mut map, rest, count).ok_or(OffsetMapError::Corrupt)?;
        Ok(map)
    }
}

/// Reads what follows the version: a map without places, their bytes, and how many there are.
fn read_head(bytes: &[u8]) -> Option<(OffsetMap, &[u8], usize)> {
    let (&[flags, name_len], mut rest) = bytes.split_first_chunk()?;
    let name = rest.split_off(..usize::from(name_len))?;
    let encoding = Encoding::for_label(name).filter(|it| it.name().as_bytes() == name)?;
    let spacing = pop(&mut rest)?;
    let (source_len, text_len) = (pop(&mut rest)?, pop(&mut rest)?);
    let count = usize::try_from(pop(&mut rest)?).ok()?;
    let shortest = if has_states(encoding) { 4 } else { 2 };
    let is_sound = flags & !(REMOVES_BOM | FINISHED) == 0
        && spacing >= MIN_SPACING as u64
        && source_len.max(text_len) <= MAX_LEN
        && count <= rest.len() / shortest;
    if !is_sound {
        return None;
    }
    let map = OffsetMap {
        spacing,
        encoding,
        removes_bom: flags & REMOVES_BOM != 0,
        finished: flags & FINISHED != 0,
        source_len,
        text_len,
        ..OffsetMap::new()
    };
    Some((map, rest, count))
}

/// Reads the places into the map, which has room for them.
fn read_places(map: &mut OffsetMap, mut rest: &[u8], count: usize) -> Option<()> {
    let has_states = has_states(map.encoding);
    let (mut source, mut text) = (0_u64, 0_u64);
    for _ in 0..count {
        source = source.checked_add(pop(&mut rest)?)?;
        text = text.checked_add(pop(&mut rest)?)?;
        if source > map.source_len || text > map.text_len {
            return None;
        }
        map.places.push(Place { source, text });
        if has_states {
            let (state, after) = rest.split_first_chunk()?;
            rest = after;
            map.states.push(state_from_bytes(map.encoding, *state)?);
        }
    }
    rest.is_empty().then_some(())
}

fn state_to_bytes(state: &AnyDecoder) -> [u8; 2] {
    match state {
        AnyDecoder::Iso2022Jp(machine) => machine.to_bytes(),
        AnyDecoder::Replacement(machine) => machine.to_bytes(),
        _ => [0; 2],
    }
}

/// `None` if no decoder of the encoding comes into this state.
fn state_from_bytes(encoding: &'static Encoding, bytes: [u8; 2]) -> Option<AnyDecoder> {
    match encoding.codec() {
        Codec::Iso2022Jp => Iso2022JpDecoder::from_bytes(bytes).map(AnyDecoder::Iso2022Jp),
        Codec::Replacement => Replacement::from_bytes(bytes).map(AnyDecoder::Replacement),
        _ => None,
    }
}

/// Puts a number in LEB128: seven bits in a byte, the low ones first, and the top bit where more follow.
fn push(put: &mut impl FnMut(&[u8]), mut number: u64) {
    while number >= 0x80 {
        put(&[number as u8 | 0x80]);
        number >>= 7;
    }
    put(&[number as u8]);
}

/// Takes a number from the front.
fn pop(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// As the bytes of [`OffsetMap::to_bytes`].
#[cfg(feature = "serde")]
mod with_serde {
    use alloc::vec::Vec;
    use core::fmt;

    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::OffsetMap;

    impl Serialize for OffsetMap {
        /// As bytes, those of [`OffsetMap::to_bytes`]; in a format without bytes, as JSON is, as numbers.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.to_bytes())
        }
    }

    impl<'de> Deserialize<'de> for OffsetMap {
        /// From bytes or numbers, through [`OffsetMap::from_bytes`].
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_bytes(BytesVisitor)
        }
    }

    struct BytesVisitor;

    impl<'de> Visitor<'de> for BytesVisitor {
        type Value = OffsetMap;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the bytes of an offset map")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<OffsetMap, E> {
            OffsetMap::from_bytes(bytes).map_err(E::custom)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<OffsetMap, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = numbers.next_element()? {
                bytes.push(byte);
            }
            self.visit_bytes(&bytes)
        }
    }
}
