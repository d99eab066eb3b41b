//! Section 7 of the standard, in the cases of web-platform-tests and cut in every place.

mod decoder;
mod encoder;
mod model;
