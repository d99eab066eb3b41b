//! The transfer coding `chunked` (RFC 9112, section 7.1).

/// Undoes the coding in place, and says whether it was whole. `None`, and nothing is changed, where the body
/// does not begin with a chunk.
///
/// ```
/// use simdtext_corpus::http::dechunk;
///
/// let mut body = b"5;name=value\r\nhello\r\n1\r\n!\r\n0\r\n\r\n".to_vec();
/// assert_eq!(dechunk(&mut body), Some(true));
/// assert_eq!(body, b"hello!");
///
/// let mut body = b"<html>".to_vec();
/// assert_eq!(dechunk(&mut body), None);
/// ```
pub fn dechunk(body: &mut Vec<u8>) -> Option<bool> {
    let (first, mut at) = chunk_size(body, 0)?;
    if begins_with_a_number(body, first, at) {
        return None;
    }
    let mut size = first;
    let mut written = 0;
    let is_whole = loop {
        if size == 0 {
            break true;
        }
        let left = body.len() - at;
        let len = usize::try_from(size).map_or(left, |size| size.min(left));
        body.copy_within(at..at + len, written);
        written += len;
        at += len;
        let Some(after) = line_end(body, at) else {
            break false;
        };
        match chunk_size(body, after) {
            Some((next, from)) => (size, at) = (next, from),
            None => break false,
        }
    };
    body.truncate(written);
    Some(is_whole)
}

/// The size in the line at `at`, and where the chunk begins.
fn chunk_size(body: &[u8], at: usize) -> Option<(u64, usize)> {
    let rest = body.get(at..)?;
    let line = &rest[..memchr::memchr(b'\n', rest.get(..4096).unwrap_or(rest))?];
    let after = at + line.len() + 1;
    let digits = line.iter().take_while(|it| it.is_ascii_hexdigit()).count();
    let (digits, extension) = line.split_at(digits);
    if !matches!(extension.trim_ascii().first(), None | Some(b';')) {
        return None;
    }
    let digits = std::str::from_utf8(digits).ok()?;
    Some((u64::from_str_radix(digits, 16).ok()?, after))
}

/// Whether the body is a text that begins with a number, and not with a chunk of this size at `at`.
fn begins_with_a_number(body: &[u8], first: u64, at: usize) -> bool {
    if first == 0 {
        return !is_trailer(&body[at..]);
    }
    // A chunk that was cut has no end, but its size is in a line that ends in CR and LF.
    let may_be_cut = body.len() as u64 - at as u64 <= first && body[..at].ends_with(b"\r\n");
    !may_be_cut && !ends_chunk(body, at, first)
}

/// Whether nothing but fields, and an empty line, follows the last chunk.
fn is_trailer(bytes: &[u8]) -> bool {
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .take_while(|line| !line.is_empty())
        .all(|line| line.contains(&b':'))
}

fn ends_chunk(body: &[u8], at: usize, size: u64) -> bool {
    usize::try_from(size)
        .ok()
        .and_then(|size| at.checked_add(size))
        .is_some_and(|end| line_end(body, end).is_some())
}

/// Where the line goes on whose end is at `at`.
fn line_end(body: &[u8], at: usize) -> Option<usize> {
    match body.get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::dechunk;

    #[test]
    fn chunks() {
        for (body, expected) in [
            (&b"0\r\n\r\n"[..], Some((true, &b""[..]))),
            (b"3\r\nabc\r\n0\r\n\r\n", Some((true, b"abc"))),
            (b"3\nabc\n2 ; x\nde\n0\n", Some((true, b"abcde"))),
            (
                b"0003\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
                Some((true, b"abc")),
            ),
            // Cut.
            (b"3\r\nab", Some((false, b"ab"))),
            (b"3\r\nabc", Some((false, b"abc"))),
            (b"3\r\nabc\r\n", Some((false, b"abc"))),
            (b"ffffffffffffffff\r\nabc", Some((false, b"abc"))),
            (b"3\r\nabc\r\nxyz\r\nabc", Some((false, b"abc"))),
            // Not chunked.
            (b"", None),
            (b"abc", None),
            (b"12\r\n", Some((false, b""))),
            (b"3\r\nabcdef\r\n", None),
            (b"0\n1\n2\n", None),
            (b"0\r\nand text\r\n", None),
            (b"12\nmonths\n", None),
            (b"1fffffffffffffffff\r\nabc", None),
            (b"<p>3\r\nabc\r\n0\r\n\r\n", None),
        ] {
            let mut out = body.to_vec();
            let whole = dechunk(&mut out);
            let got = whole.map(|whole| (whole, &out[..]));
            assert_eq!(got, expected, "{}", body.escape_ascii());
            if whole.is_none() {
                assert_eq!(out, body);
            }
        }
    }
}
