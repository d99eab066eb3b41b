//! Conversions from Latin-1 to all other forms and back.

use crate::model::Form;
use crate::unicode;

pub fn latin1(data: &[u8]) {
    unicode::check(Form::Latin1, data);
}
