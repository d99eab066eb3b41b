//! `--verify`: converts back what was written, and compares it with the original.

use std::fs::File;
use std::io::{self, Read, Write};

use simdtext::{Bom, UTF_8, Unmappable};

use super::against::Against;
use super::declared::undone;
use super::original::{Original, reading};
use super::writing::Content;
use crate::buffered::{Buffered, buffer};
use crate::charset::Charset;
use crate::converter::Converter;
use crate::cores::Cores;
use crate::faults::Faults;
use crate::input::Source;
use crate::options::Invalid;
use crate::settings::Settings;
use crate::text::Broken;
use crate::utf32;

/// Converts `written` back from `settings.to` to the encoding of `original`. `None` if the bytes are the
/// same; otherwise how they differ.
pub(crate) fn verify(
    original: &Original<'_>,
    written: &File,
    content: &Content,
    settings: &Settings,
    cores: &Cores,
) -> io::Result<Option<String>> {
    let whole = &content.whole;
    // UTF-32 is encoded after the converter.
    let (encoding, order) = match whole.encoding {
        Charset::Standard(encoding) => (encoding, None),
        Charset::Utf32(order) => (UTF_8, Some(order)),
    };
    if encoding.encoder().is_none() {
        return Ok(Some(format!(
            "does not round-trip: nothing encodes {encoding}"
        )));
    }
    let back = Settings {
        from: settings.encodes_to().into(),
        to: encoding,
        bom: if settings.output_bom.is_empty() {
            Bom::Keep
        } else {
            Bom::Strip
        },
        output_bom: &[],
        invalid: Invalid::Strict,
        unmappable: Unmappable::Strict,
        undoes: false,
    };
    let mut packed = Source::new(reading(written, original.stop, None));
    if content.packed {
        packed = packed.unpacked()?;
    }
    let mut reader = undone(&content.edits, packed.reader)?;
    // Before what was undone, a byte order mark is no text.
    let skips_mark = settings.undoes && !settings.output_bom.is_empty();
    if skips_mark {
        let mut mark = reader.by_ref().take(settings.output_bom.len() as u64);
        io::copy(&mut mark, &mut io::sink())?;
    }
    let mut source = Source {
        size: written
            .metadata()
            .ok()
            .filter(|_| !content.packed && content.edits.is_empty() && !skips_mark)
            .map(|metadata| metadata.len()),
        ..Source::new(reader)
    };
    let mut against = Against::new(original.text(None)?.reader);
    against.skip(whole.bom)?;
    let writer: Box<dyn Write + Send + '_> = match order {
        Some(order) => Box::new(utf32::Encoder::new(&mut against, order)),
        None => Box::new(&mut against),
    };
    let mut out = Buffered::with_buffer(writer, buffer());
    let mut converter = Converter::new(back, None);
    let mut voice = |_: std::fmt::Arguments<'_>| {};
    let mut faults = Faults::new(&"", &back, &mut voice);
    match converter.whole(&mut source, &mut out, &mut faults, cores) {
        Ok(_) => {}
        // Replacements can't be converted back, so the comparison ends there.
        Err(Broken::Fault) => {
            return Ok(Some(String::from(
                "does not round-trip: what was written has characters that the original's encoding \
                 has not",
            )));
        }
        Err(Broken::Write(error)) => return Err(error.into()),
        Err(Broken::Read(error)) => return Err(error),
    }
    drop(out);
    Ok(against.finish()?.map(|offset| {
        format!("does not round-trip: the first difference is at offset {offset} of the original")
    }))
}
