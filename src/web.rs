//! Section 7 of the standard.
