//! Section 7 of the standard, with the cases of web-platform-tests, and cut at every position.

mod decoder;
mod encoder;
mod model;
