//! Generates tables.
fn main() {}
