//! Lines of JSON, for all commands.

use std::io::{self, Write};

use serde::Serialize;
use simdtext_convert::Input;

use crate::message::hexadecimal;

/// The version of the format. It changes if the meaning of a key changes, and not if keys are added.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Line<'a, T> {
    version: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// The object as a line, without its end.
pub(crate) fn line<T: Serialize>(object: &T) -> io::Result<String> {
    let version = VERSION;
    Ok(serde_json::to_string(&Line { version, object })?)
}

/// Writes the object as a line.
pub(crate) fn write<T: Serialize>(out: &mut impl Write, object: &T) -> io::Result<()> {
    writeln!(out, "{}", line(object)?)
}

/// A path, for programs.
#[derive(Serialize)]
pub(crate) struct JsonPath {
    path: String,
    /// Its bytes in hexadecimal, if they are not valid Unicode.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl JsonPath {
    pub(crate) fn new(input: &Input) -> Self {
        match String::from_utf8(input.name_bytes()) {
            Ok(path) => Self {
                path,
                path_bytes: None,
            },
            Err(error) => Self {
                path: input.name_text(),
                path_bytes: Some(hexadecimal(error.as_bytes())),
            },
        }
    }
}
