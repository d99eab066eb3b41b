//! The paths by which state machines name the layers below them.

pub(crate) mod byte_out {
    pub(crate) use crate::output::ByteOut;
}
pub(crate) mod sink {
    pub(crate) use crate::output::Sink;
}
pub(crate) mod source {
    pub(crate) use crate::codec::source::{Text, starts_with_ascii};
}
