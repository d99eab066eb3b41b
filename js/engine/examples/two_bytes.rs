//! Writes to stdout how the Rust library decodes every input of two bytes, and how it encodes many characters.
//! `js/test/exhaustive.test.js` compares both engines with it.
//!
//! The format is a sequence of sections. All numbers are little-endian; a name is a byte with its length, and
//! its bytes.
//!
//! - `D`, name of the encoding, prefix (as a name), then 65,536 records, one for each pair of bytes
//!   from 00 00 to FF FF that follows the prefix: number of code units, 1 + offset of the first
//!   malformed sequence or 0, its length, the code units of two bytes each.
//! - `E`, name, number of records in four bytes, then records: a scalar value in three bytes, the
//!   length of its encoding in one (plus 128 if it is unmappable), the bytes in the html error mode.
//! - `W`, name, length in four bytes, the bytes of all scalar values of the section `E` as one string.

use std::io::{self, BufWriter, Write};

use simdtext::{Bom, Encoding, Unmappable};

fn main() -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    for &encoding in Encoding::all() {
        for prefix in prefixes(encoding.name()) {
            write_decoded(&mut out, encoding, prefix)?;
        }
        if encoding.encoder().is_some() {
            write_encoded(&mut out, encoding)?;
        }
    }
    out.flush()
}

/// The prefixes that bring the decoder into each of its states.
fn prefixes(name: &str) -> &'static [&'static [u8]] {
    match name {
        "EUC-JP" => &[b"", b"\x8F"],
        "gb18030" => &[b"", b"\x81\x30", b"\x84\x31", b"\x90\x30", b"\xE3\x32"],
        "ISO-2022-JP" => &[b"", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B"],
        "UTF-8" => &[b"", b"\xE2", b"\xED", b"\xF0\x90", b"\xF4\x8F"],
        "UTF-16BE" => &[b"", b"\xD8\x3D"],
        "UTF-16LE" => &[b"", b"\x3D\xD8"],
        _ => &[b""],
    }
}

fn write_name(out: &mut impl Write, name: &[u8]) -> io::Result<()> {
    out.write_all(&[small(name.len())])?;
    out.write_all(name)
}

/// A length as one byte, the format's limit.
fn small(length: usize) -> u8 {
    u8::try_from(length).expect("names and results are short")
}

fn write_length(out: &mut impl Write, length: usize) -> io::Result<()> {
    let length = u32::try_from(length).expect("the sections are far below 4 GiB");
    out.write_all(&length.to_le_bytes())
}

fn write_decoded(
    out: &mut impl Write,
    encoding: &'static Encoding,
    prefix: &[u8],
) -> io::Result<()> {
    out.write_all(b"D")?;
    write_name(out, encoding.name().as_bytes())?;
    write_name(out, prefix)?;
    let mut input = prefix.to_vec();
    for first in 0..=0xFF {
        for second in 0..=0xFF {
            input.truncate(prefix.len());
            input.extend_from_slice(&[first, second]);
            let decoded = encoding.decode_with_bom(&input, Bom::Keep);
            let (place, length) = match decoded.first_error {
                Some(malformed) => (1 + malformed.offset, malformed.len),
                None => (0, 0),
            };
            let place = u8::try_from(place).expect("the inputs are short");
            out.write_all(&[small(decoded.text.encode_utf16().count()), place, length])?;
            for unit in decoded.text.encode_utf16() {
                out.write_all(&unit.to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// All of the Basic Multilingual Plane and a sample of the other planes; for Big5, all of plane 2.
fn scalar_values(name: &str) -> Vec<char> {
    ('\0'..=char::MAX)
        .filter(|&ch| match u32::from(ch) {
            0..=0xFFFF => true,
            0x2_0000..=0x2_FFFF if name == "Big5" => true,
            other => other % 61 == 0,
        })
        .collect()
}

fn write_encoded(out: &mut impl Write, encoding: &'static Encoding) -> io::Result<()> {
    let characters = scalar_values(encoding.name());
    out.write_all(b"E")?;
    write_name(out, encoding.name().as_bytes())?;
    write_length(out, characters.len())?;
    let mut utf8 = [0; 4];
    for &ch in &characters {
        let text = &*ch.encode_utf8(&mut utf8);
        let encoded = html(encoding, text);
        let unmappable = encoding.encode(text, Unmappable::Strict).is_err();
        out.write_all(&u32::from(ch).to_le_bytes()[..3])?;
        out.write_all(&[small(encoded.len()) | u8::from(unmappable) << 7])?;
        out.write_all(&encoded)?;
    }
    let whole = html(encoding, &characters.iter().collect::<String>());
    out.write_all(b"W")?;
    write_name(out, encoding.name().as_bytes())?;
    write_length(out, whole.len())?;
    out.write_all(&whole)
}

fn html(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    match encoding.encode(text, Unmappable::Ncr) {
        Ok(encoded) => encoded.bytes.into_owned(),
        Err(_) => {
            unreachable!("only encodings with an encoder get here, and html maps everything")
        }
    }
}
