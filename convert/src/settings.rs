//! What to convert from and to, and how: the options of a conversion, checked.

use simdtext::{
    Bom, Encoder, Encoding, MIN_ENCODED, UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
};

use crate::charset::Charset;
use crate::decide::Answer;
use crate::error::Error;
use crate::message::{Shown, Voice};
use crate::options::{Invalid, Options, has_lines};

/// How bytes are converted to other bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The encoding of the current input. If `--from` does not state it, it is set when it was found out.
    pub(crate) from: Charset,
    pub(crate) to: &'static Encoding,
    pub(crate) bom: Bom,
    /// The byte order mark with which each output begins.
    pub(crate) output_bom: &'static [u8],
    pub(crate) invalid: Invalid,
    pub(crate) unmappable: Unmappable,
    /// The text is UTF-8 that was read as windows-1252 and written as UTF-8, and is written as what it was
    /// before.
    pub(crate) undoes: bool,
}

impl Settings {
    /// `Err` says which of the options can't be followed.
    pub(crate) fn new(options: &Options, warn: Voice<'_>) -> Result<Self, Error> {
        let output_bom = if options.output_bom {
            bom_of(options.to).ok_or_else(|| {
                Error::Options(format!(
                    "--output-bom: {} has no byte order mark; only UTF-8, UTF-16LE and UTF-16BE have one",
                    options.to
                ))
            })?
        } else {
            &[]
        };
        if options.to.encoder().is_none() {
            return Err(Error::Options(format!(
                "--to={}: this encoding can only be read, never written; choose another, such as utf-8",
                options.to
            )));
        }
        if options.undo_double_encoding && options.to != UTF_8 {
            return Err(Error::Options(format!(
                "--undo-double-encoding: the output is UTF-8, and not {}; convert it in a second run",
                options.to
            )));
        }
        if options.undo_double_encoding
            && let Some(named) = options.from.named().filter(|named| *named != UTF_8)
        {
            return Err(Error::Options(format!(
                "--undo-double-encoding: what was encoded twice is UTF-8, and --from says {named}; leave \
                 --from out, or use --from=utf-8"
            )));
        }
        if options.per_line
            && let Some(encoding) = options.from.all().into_iter().find(|one| !has_lines(*one))
        {
            return Err(Error::Options(format!(
                "--per-line: lines of {encoding} can't be told apart before it is decoded"
            )));
        }
        warn_about_replacement(options, warn);
        Ok(Self {
            from: options.from.named().unwrap_or(UTF_8.into()),
            to: options.to,
            bom: options.bom,
            output_bom,
            invalid: options.invalid_or_default(),
            unmappable: options.unmappable,
            undoes: false,
        })
    }

    /// The settings for an input about which this is known.
    pub(crate) fn of(self, answer: &Answer) -> Self {
        let mut settings = Self {
            from: answer.charset.unwrap_or(self.from),
            undoes: answer.is_doubled,
            ..self
        };
        if settings.undoes {
            // It was checked beforehand that nothing is unmappable or malformed.
            settings.unmappable = Unmappable::Strict;
            settings.invalid = Invalid::Strict;
        }
        settings
    }

    /// What the text is encoded to.
    pub(crate) fn encodes_to(&self) -> &'static Encoding {
        if self.undoes { WINDOWS_1252 } else { self.to }
    }

    /// The text to write for each malformed sequence.
    pub(crate) fn replacement(&self) -> Option<char> {
        match self.invalid {
            Invalid::Replace => Some(char::REPLACEMENT_CHARACTER),
            Invalid::Strict | Invalid::Skip => None,
        }
    }

    /// The encoder for the text; `None` if the output is UTF-8, because the text is already.
    pub(crate) fn encoder(&self) -> Option<Encoder> {
        let to = self.encodes_to();
        if to == UTF_8 {
            return None;
        }
        to.encoder()
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

/// In `--unmappable=replace:CHAR`, a CHAR that is unmappable itself is probably a mistake.
pub(crate) fn warn_about_replacement(options: &Options, warn: Voice<'_>) {
    if let Unmappable::Replace(ch) = options.unmappable
        && let Some(mut encoder) = options.to.encoder()
    {
        let mut text = [0; 4];
        let mut scratch = [0; 2 * MIN_ENCODED];
        let text = ch.encode_utf8(&mut text);
        let progress = encoder.encode_from_utf8(text, &mut scratch, false, Unmappable::Strict);
        if progress.errors > 0 {
            warn(format_args!(
                "--unmappable=replace: {} has no {}; \"?\" is written instead",
                options.to,
                Shown(ch)
            ));
        }
    }
}
