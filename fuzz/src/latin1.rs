//! Latin-1 to and from all others.

use crate::model::Form;
use crate::unicode;

pub fn latin1(data: &[u8]) {
    unicode::check(Form::Latin1, data);
}
