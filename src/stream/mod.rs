//! From state machines and kernels to a stream: the cursor over the input (`source`), the output
//! (`sink`, and `byte_out` for encoders), and the one loop between them (`drive`).

pub(crate) mod byte_out;
pub(crate) mod drive;
pub(crate) mod sink;
pub(crate) mod source;
#[cfg(test)]
mod tests;
mod unit_bytes;
