//! The command, end to end. Expected results are written by hand or come from `encoding_rs`, never
//! from the library that the command is built on.

#![cfg(unix)]

mod folding;
mod harness;

mod access;
mod already;
mod auto;
mod bad_input;
mod binary;
mod bom;
mod check;
mod closed;
mod compressed;
mod consistent;
mod convert;
mod cores;
mod detect;
mod fix_declarations;
mod from_list;
mod in_place;
mod invalid;
mod joined;
mod kept;
mod killed;
mod limits;
mod list;
mod locks;
mod many;
mod many_files;
mod many_report;
mod misnamed;
mod model;
mod noted;
mod odd_files;
mod orphans;
mod output_file;
mod per_line;
mod per_line_long;
mod refused;
mod restore;
mod resume;
mod said_plainly;
mod same_file;
mod shell;
mod signals;
mod similar;
mod streams;
mod swapped;
mod trouble;
mod undeclared;
mod unmappable;
mod usage;
mod utf32;
