//! The `simdtext` command.
fn main() {}
