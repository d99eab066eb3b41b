//! `Read` and `Write` adapters.
