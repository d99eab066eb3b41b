//! Lines of JSON, for all commands alike.

use std::io;

use serde::Serialize;

/// The version of the format: of what the keys mean. New keys do not change it.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Line<'a, T> {
    version: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// The object as a line, with its line feed.
pub(crate) fn line<T: Serialize>(object: &T) -> io::Result<String> {
    let version = VERSION;
    let mut line = serde_json::to_string(&Line { version, object })?;
    line.push('\n');
    Ok(line)
}
