//! Conversions from UTF-32 to all other forms and back, including units that are not scalar values.

use simdtext::unicode::{Invalid, validate_utf32};

use crate::model::{Form, units};
use crate::unicode;

pub fn utf32(data: &[u8]) {
    unicode::check(Form::Utf32, data);
    let units: Vec<u32> = units(data);
    let wrong = units
        .iter()
        .position(|&unit| char::from_u32(unit).is_none());
    let expected = wrong.map_or(Ok(()), |offset| Err(Invalid { offset, len: 1 }));
    assert_eq!(validate_utf32(&units), expected);
}
