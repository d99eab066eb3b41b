//! From what to what, and how: the flags of a conversion, checked.

use simdtext::{Bom, Encoder, Encoding, MIN_ENCODED, UTF_8, UTF_16BE, UTF_16LE, Unmappable};

use crate::args::{ConvertArgs, Invalid};
use crate::message::{Shown, say};

/// How bytes become other bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) from: &'static Encoding,
    pub(crate) to: &'static Encoding,
    pub(crate) bom: Bom,
    /// What each output begins with.
    pub(crate) output_bom: &'static [u8],
    pub(crate) invalid: Invalid,
    pub(crate) unmappable: Unmappable,
}

impl Settings {
    /// `Err` says which of the flags can't be obeyed.
    pub(crate) fn new(args: &ConvertArgs) -> Result<Self, String> {
        let output_bom = if args.output_bom {
            bom_of(args.to).ok_or_else(|| {
                format!(
                    "--output-bom: {} has no byte order mark; only UTF-8, UTF-16LE and UTF-16BE have one",
                    args.to
                )
            })?
        } else {
            &[]
        };
        if args.to.encoder().is_none() {
            return Err(format!(
                "--to={}: this encoding can only be read, never written; choose another, such as utf-8",
                args.to
            ));
        }
        warn_about_replacement(args);
        Ok(Self {
            from: args.from,
            to: args.to,
            bom: args.bom.into(),
            output_bom,
            invalid: args.invalid(),
            unmappable: args.unmappable,
        })
    }

    /// What encodes the text. `None` where the output is UTF-8, which the text is already.
    pub(crate) fn encoder(&self) -> Option<Encoder> {
        if self.to == UTF_8 {
            return None;
        }
        self.to.encoder()
    }
}

/// The byte order mark of an encoding.
pub(crate) fn bom_of(encoding: &'static Encoding) -> Option<&'static [u8]> {
    if encoding == UTF_8 {
        Some(b"\xEF\xBB\xBF")
    } else if encoding == UTF_16LE {
        Some(b"\xFF\xFE")
    } else if encoding == UTF_16BE {
        Some(b"\xFE\xFF")
    } else {
        None
    }
}

/// `--unmappable=replace:CHAR` with a CHAR that is unmappable itself is likely a mistake.
fn warn_about_replacement(args: &ConvertArgs) {
    if let Unmappable::Replace(ch) = args.unmappable
        && let Some(mut encoder) = args.to.encoder()
    {
        let mut text = [0; 4];
        let mut scratch = [0; 2 * MIN_ENCODED];
        let text = ch.encode_utf8(&mut text);
        let progress = encoder.encode_from_utf8(text, &mut scratch, false, Unmappable::Strict);
        if progress.errors > 0 {
            say(format_args!(
                "--unmappable=replace: {} has no {}; \"?\" is written instead",
                args.to,
                Shown(ch)
            ));
        }
    }
}
