//! Section 6 of the standard.
