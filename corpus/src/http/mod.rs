//! HTTP responses as crawlers store them: headers, and a body in transfer and content codings.
//!
//! Many archives hold bodies whose codings were undone while the headers still name them. So a coding is undone where
//! the body looks like it, and a body that does not is taken as it is.

mod chunked;
mod coding;

use crate::limits::Limits;
use crate::record::{Origin, Record};
use crate::rejected::{Reason, Rejection};

pub use chunked::dechunk;
use coding::Coding;

/// More headers than a response has that means well.
const MAX_HEADERS: usize = 1024;

/// What of the headers is used here.
#[derive(Debug, Default)]
struct Head {
    status: Option<u16>,
    content_type: Option<String>,
    is_chunked: bool,
    /// In the order in which they were applied.
    codings: Vec<Coding>,
    len: usize,
}

/// The document in a response.
pub(crate) fn record_of(mut origin: Origin, mut block: Vec<u8>, limits: &Limits) -> Record {
    // The record's own type says only that there is a response in it.
    origin.content_type = None;
    let head = match parse(&block) {
        Ok(head) => head,
        Err(detail) => {
            let body = Err(Rejection::new(Reason::Damaged, detail));
            return Record::new(origin, body);
        }
    };
    origin.status = head.status;
    origin.content_type = head.content_type;
    block.drain(..head.len);
    let mut body = block;
    if head.is_chunked
        && let Some(whole) = dechunk(&mut body)
    {
        origin.truncated |= !whole;
    }
    for coding in head.codings.into_iter().rev() {
        match coding.undo(body, limits) {
            Ok(unpacked) => {
                body = unpacked.bytes;
                origin.truncated |= unpacked.truncated;
            }
            Err(rejection) => {
                let body = Err(rejection);
                return Record::new(origin, body);
            }
        }
    }
    Record::new(origin, Ok(body))
}

fn parse(block: &[u8]) -> Result<Head, String> {
    if !block.starts_with(b"HTTP/") {
        // Old crawlers stored the body alone.
        return Ok(Head::default());
    }
    let mut config = httparse::ParserConfig::default();
    config
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true)
        .ignore_invalid_headers_in_responses(true);
    let newer = as_http_1(block);
    let more = newer.as_ref().map_or(0, |(_, more)| *more);
    let block = newer.as_ref().map_or(block, |(block, _)| block);
    let mut headers = vec![httparse::EMPTY_HEADER; 64];
    loop {
        let count = headers.len();
        let mut response = httparse::Response::new(&mut headers);
        match config.parse_response(&mut response, block) {
            Ok(httparse::Status::Complete(len)) => return Ok(Head::of(&response, len - more)),
            Ok(httparse::Status::Partial) => {
                return Err(String::from("the headers of the response have no end"));
            }
            Err(httparse::Error::TooManyHeaders) if count < MAX_HEADERS => {
                headers = vec![httparse::EMPTY_HEADER; MAX_HEADERS];
            }
            Err(error) => return Err(format!("the headers of the response: {error}")),
        }
    }
}

/// Returns a response that names a newer version of HTTP as one of HTTP/1.1, which is what the rest of it looks like in
/// archives, and by how much that is longer. `None` for other responses.
fn as_http_1(block: &[u8]) -> Option<(Vec<u8>, usize)> {
    const HTTP_1: &[u8] = b"HTTP/1.1";
    let end = memchr::memchr(b' ', block.get(..HTTP_1.len() + 1)?)?;
    let more = HTTP_1.len().checked_sub(end)?;
    let (version, rest) = block.split_at(end);
    let is_newer = matches!(version, b"HTTP/2" | b"HTTP/2.0" | b"HTTP/3" | b"HTTP/3.0");
    is_newer.then(|| ([HTTP_1, rest].concat(), more))
}

impl Head {
    fn of(response: &httparse::Response<'_, '_>, len: usize) -> Self {
        let mut head = Self {
            status: response.code,
            len,
            ..Self::default()
        };
        for header in &*response.headers {
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            let value = || String::from_utf8_lossy(header.value).into_owned();
            if is("Content-Type") {
                // Of several, browsers take the last; a list in one header they read alike.
                head.content_type = Some(value());
            } else if is("Transfer-Encoding") {
                for name in value().split(',') {
                    match name.trim().to_ascii_lowercase().as_str() {
                        "chunked" => head.is_chunked = true,
                        name => head.codings.extend(Coding::named(name)),
                    }
                }
            } else if is("Content-Encoding") {
                let value = value();
                head.codings.extend(
                    value
                        .split(',')
                        .filter_map(|it| Coding::named(&it.trim().to_ascii_lowercase())),
                );
            }
        }
        // Each needs as much work as the body is long.
        head.codings.truncate(4);
        head
    }
}

#[cfg(test)]
mod tests;
