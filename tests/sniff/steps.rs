//! The prescan of the HTML Standard (section 13.2.3.2), transcribed step by step and byte by byte: slow, and
//! with nothing in common with the library but the labels.

use simdtext::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Ran out of bytes.
struct Aborted;

type Steps<T> = Result<T, Aborted>;

pub(crate) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = &bytes[..bytes.len().min(1024)];
    match prescan_steps(bytes) {
        Ok(encoding) => Some(encoding),
        Err(Aborted) => get_an_xml_encoding(bytes),
    }
}

const SPACES: [u8; 5] = [0x09, 0x0A, 0x0C, 0x0D, 0x20];

struct Position<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Position<'_> {
    fn byte(&self) -> Steps<u8> {
        self.bytes.get(self.at).copied().ok_or(Aborted)
    }

    fn points_to(&self, pattern: &[&[u8]]) -> bool {
        let rest = &self.bytes[self.at..];
        rest.len() >= pattern.len()
            && pattern
                .iter()
                .zip(rest)
                .all(|(set, byte)| set.contains(byte))
    }

    fn advance_to_one_of(&mut self, set: &[u8]) -> Steps<()> {
        while !set.contains(&self.byte()?) {
            self.at += 1;
        }
        Ok(())
    }
}

fn prescan_steps(bytes: &[u8]) -> Steps<&'static Encoding> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    // Step 1.
    let mut position = Position { bytes, at: 0 };
    // Step 2.
    if position.points_to(&[b"<", b"\0", b"?", b"\0", b"x", b"\0"]) {
        return Ok(UTF_16LE);
    }
    if position.points_to(&[b"\0", b"<", b"\0", b"?", b"\0", b"x"]) {
        return Ok(UTF_16BE);
    }
    // Step 3.
    loop {
        position.byte()?;
        let meta_end = b"\x09\x0A\x0C\x0D\x20\x2F";
        if position.points_to(&[b"<", b"!", b"-", b"-"]) {
            let start = position.at;
            position.at += 1;
            loop {
                let hyphens =
                    position.at >= start + 4 && bytes[position.at - 2..position.at] == *b"--";
                if position.byte()? == 0x3E && hyphens {
                    break;
                }
                position.at += 1;
            }
        } else if position.points_to(&[b"<", b"Mm", b"Ee", b"Tt", b"Aa", meta_end]) {
            position.at += 5;
            if let Some(encoding) = meta(&mut position)? {
                return Ok(encoding);
            }
        } else if position.points_to(&[b"<", LETTERS]) || position.points_to(&[b"<", b"/", LETTERS])
        {
            position.advance_to_one_of(b"\x09\x0A\x0C\x0D\x20\x3E")?;
            while get_an_attribute(&mut position)?.is_some() {}
        } else if position.points_to(&[b"<", b"!/?"]) {
            position.advance_to_one_of(b">")?;
        }
        // Step 4.
        position.at += 1;
    }
}

enum Charset {
    Null,
    Failure,
    Encoding(&'static Encoding),
}

fn meta(position: &mut Position<'_>) -> Steps<Option<&'static Encoding>> {
    let mut attribute_list: Vec<Vec<u8>> = Vec::new();
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset = Charset::Null;
    while let Some((name, value)) = get_an_attribute(position)? {
        if attribute_list.contains(&name) {
            continue;
        }
        attribute_list.push(name.clone());
        match name.as_slice() {
            b"http-equiv" if value == b"content-type" => got_pragma = true,
            b"content" => {
                if let Some(encoding) = extract(&value)
                    && matches!(charset, Charset::Null)
                {
                    charset = Charset::Encoding(encoding);
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                let encoding = Encoding::for_label(&value);
                charset = encoding.map_or(Charset::Failure, Charset::Encoding);
                need_pragma = Some(false);
            }
            _ => {}
        }
    }
    let Some(need_pragma) = need_pragma else {
        return Ok(None);
    };
    if need_pragma && !got_pragma {
        return Ok(None);
    }
    let Charset::Encoding(charset) = charset else {
        return Ok(None);
    };
    Ok(Some(if charset == UTF_16BE || charset == UTF_16LE {
        UTF_8
    } else if charset == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        charset
    }))
}

type Attribute = (Vec<u8>, Vec<u8>);

fn get_an_attribute(position: &mut Position<'_>) -> Steps<Option<Attribute>> {
    // Steps 1 to 3.
    while SPACES.contains(&position.byte()?) || position.byte()? == 0x2F {
        position.at += 1;
    }
    if position.byte()? == 0x3E {
        return Ok(None);
    }
    let (mut name, mut value) = (Vec::new(), Vec::new());
    // Steps 4 and 5.
    loop {
        match position.byte()? {
            0x3D if !name.is_empty() => {
                position.at += 1;
                break;
            }
            0x09 | 0x0A | 0x0C | 0x0D | 0x20 => {
                // Steps 6 to 8.
                while SPACES.contains(&position.byte()?) {
                    position.at += 1;
                }
                if position.byte()? != 0x3D {
                    return Ok(Some((name, value)));
                }
                position.at += 1;
                break;
            }
            0x2F | 0x3E => return Ok(Some((name, value))),
            byte => name.push(byte.to_ascii_lowercase()),
        }
        position.at += 1;
    }
    // Step 9.
    while SPACES.contains(&position.byte()?) {
        position.at += 1;
    }
    // Step 10.
    match position.byte()? {
        quote @ (0x22 | 0x27) => loop {
            position.at += 1;
            let byte = position.byte()?;
            if byte == quote {
                position.at += 1;
                return Ok(Some((name, value)));
            }
            value.push(byte.to_ascii_lowercase());
        },
        0x3E => return Ok(Some((name, value))),
        byte => {
            value.push(byte.to_ascii_lowercase());
            position.at += 1;
        }
    }
    // Steps 11 and 12.
    loop {
        match position.byte()? {
            0x09 | 0x0A | 0x0C | 0x0D | 0x20 | 0x3E => return Ok(Some((name, value))),
            byte => value.push(byte.to_ascii_lowercase()),
        }
        position.at += 1;
    }
}

/// Section 2.4.4, extracting a character encoding from a meta element.
fn extract(s: &[u8]) -> Option<&'static Encoding> {
    let mut position = 0;
    loop {
        // Step 2.
        while !s
            .get(position..position + 7)?
            .eq_ignore_ascii_case(b"charset")
        {
            position += 1;
        }
        position += 7;
        // Step 3.
        while SPACES.contains(s.get(position)?) {
            position += 1;
        }
        // Step 4.
        if s[position] == b'=' {
            break;
        }
    }
    // Step 5.
    position += 1;
    while SPACES.contains(s.get(position)?) {
        position += 1;
    }
    // Step 6.
    let first = s[position];
    let mut label = Vec::new();
    if first == b'"' || first == b'\'' {
        position += 1;
        while *s.get(position)? != first {
            label.push(s[position]);
            position += 1;
        }
    } else {
        while let Some(byte) = s.get(position)
            && !SPACES.contains(byte)
            && *byte != b';'
        {
            label.push(*byte);
            position += 1;
        }
    }
    Encoding::for_label(&label)
}

fn get_an_xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    // Steps 1 to 3.
    if bytes.get(..5)? != b"<?xml" {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == 0x3E)?;
    // Steps 4 and 5.
    let mut position = (0..end).find(|at| bytes[*at..end].starts_with(b"encoding"))?;
    position += 8;
    // Steps 6 to 9.
    while *bytes.get(position)? <= 0x20 {
        position += 1;
    }
    if bytes[position] != 0x3D {
        return None;
    }
    position += 1;
    while *bytes.get(position)? <= 0x20 {
        position += 1;
    }
    // Steps 10 to 12.
    let quote = bytes[position];
    if quote != 0x22 && quote != 0x27 {
        return None;
    }
    position += 1;
    // Steps 13 to 15.
    let mut label = Vec::new();
    while *bytes.get(position)? != quote {
        label.push(bytes[position]);
        position += 1;
    }
    if label.iter().any(|byte| *byte <= 0x20) {
        return None;
    }
    // Steps 16 to 18.
    let encoding = Encoding::for_label(&label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else {
        encoding
    })
}
