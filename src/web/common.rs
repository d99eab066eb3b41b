//! `TextDecoderCommon` (section 7.1): what [`TextDecoder`](super::TextDecoder) and
//! [`TextDecoderStream`](super::TextDecoderStream) share.

use alloc::string::String;

use super::output::Output;
use super::{RangeError, TextDecoderOptions, TypeError, WebError};
use crate::convert::DecodeError;
use crate::decoder::Decoder;
use crate::drive::ErrorMode;
use crate::encoding::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use crate::progress::{Bom, Status};

/// The decoder, and the standard's names for what goes with it.
#[derive(Clone, Debug)]
pub(super) struct TextDecoderCommon {
    encoding: &'static Encoding,
    /// Holds the I/O queue, too: after each call that is the front of a sequence at most.
    decoder: Decoder,
    options: TextDecoderOptions,
    bom_seen: bool,
}

impl TextDecoderCommon {
    /// Steps 1 to 5 of both constructors.
    pub(super) fn new(label: &str, options: TextDecoderOptions) -> Result<Self, WebError> {
        let encoding = Encoding::for_label(label.as_bytes())
            .filter(|&encoding| encoding != REPLACEMENT)
            .ok_or_else(|| WebError::Range(RangeError::Label(String::from(label))))?;
        Ok(Self::with_encoding(encoding, options))
    }

    pub(super) fn with_encoding(encoding: &'static Encoding, options: TextDecoderOptions) -> Self {
        Self {
            encoding,
            // The byte order mark is left to `serialize_io_queue`.
            decoder: encoding.decoder(Bom::Keep),
            options,
            bom_seen: false,
        }
    }

    /// The `encoding` getter: the name in ASCII lower case, which is one of the labels (section
    /// 4.2).
    pub(super) fn encoding(&self) -> &'static str {
        let name = self.encoding.name();
        self.encoding
            .labels()
            .iter()
            .find(|label| label.eq_ignore_ascii_case(name))
            .unwrap_or(&name)
    }

    pub(super) fn options(&self) -> TextDecoderOptions {
        self.options
    }

    /// A new decoder, a new I/O queue, and no BOM seen.
    pub(super) fn start_anew(&mut self) {
        self.decoder.reset();
        self.bom_seen = false;
    }

    /// Pushes `input` to the I/O queue, processes its items, up to end-of-queue without `last` and
    /// through it with `last`, and serializes the output.
    ///
    /// After an error, what was decoded before it in this call is gone, as it is in the standard,
    /// and so is what was not read: engines, and the web-platform tests, empty the queue. The state of
    /// the decoder stays.
    pub(super) fn process<O: Output>(
        &mut self,
        input: &[u8],
        last: bool,
        mut output: O,
    ) -> Result<O::Text, WebError> {
        let mut unread = input;
        loop {
            if let Err(error) = output.reserve(&self.decoder, unread.len()) {
                self.decoder.drop_unread(unread, None);
                return Err(WebError::Range(error));
            }
            let mode = if self.options.fatal {
                ErrorMode::Stop
            } else {
                ErrorMode::Replace
            };
            let progress = output.decode(&mut self.decoder, unread, last, mode);
            unread = &unread[progress.read..];
            match progress.status {
                Status::OutputFull => {}
                Status::Malformed(malformed) => {
                    self.decoder.drop_unread(unread, Some(malformed));
                    return Err(WebError::Type(TypeError::Malformed(DecodeError {
                        encoding: self.encoding,
                        malformed,
                    })));
                }
                // Decoders never report unmappable characters.
                Status::InputEmpty | Status::Unmappable { .. } => {
                    return Ok(self.serialize_io_queue(output));
                }
            }
        }
    }

    /// *Serialize I/O queue* (section 7.1): drops U+FEFF where it is the first item of the stream.
    ///
    /// Items that were lost to an exception never come here, so the first one after them counts.
    fn serialize_io_queue<O: Output>(&mut self, output: O) -> O::Text {
        let unicode = [UTF_8, UTF_16BE, UTF_16LE].contains(&self.encoding);
        let is_first = !self.bom_seen && !output.is_empty();
        let drops_bom = is_first && unicode && !self.options.ignore_bom;
        self.bom_seen |= drops_bom;
        output.text(drops_bom)
    }
}
