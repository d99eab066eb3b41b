//! The command, end to end. Expected results are written by hand or come from `encoding_rs`, never
//! from the library that the command is built on.

#![cfg(unix)]

mod harness;

mod bad_input;
mod bom;
mod check;
mod convert;
mod invalid;
mod list;
mod output_file;
mod same_file;
mod streams;
mod unmappable;
mod usage;
