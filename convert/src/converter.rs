//! The conversion itself: from an open input to an open output, reporting the faults.

use std::io::{self, Write};

use simdtext::{Bom, Encoding, MIN_ENCODED, Status, UTF_8};

use super::buffered::Buffered;
use super::by_block::has_blocks;
use super::by_line::Choice;
use super::cores::Cores;
use super::faults::Faults;
use super::output::WriteError;
use super::settings::{Settings, bom_of};
use super::text::{Conversion, Shared, SinkError};
use crate::charset::Charset;
use crate::decode::{Broken, Buffers, Decoding, LONGEST_BOM, Whole, bom_length, decode};
use crate::input::Source;
use crate::similar::has_similar;
use crate::utf32;

/// Converts inputs, one after the other.
pub(crate) struct Converter {
    shared: Shared,
    /// How the encoding of each line is decided, if lines are decided one by one.
    by_line: Option<Choice>,
    /// Whether the encoding of a line of the last input was guessed.
    is_guessed: bool,
}

impl Converter {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            shared: Shared {
                settings,
                encoder: settings.encoder(),
                buffers: Buffers::new(),
            },
            by_line: None,
            is_guessed: false,
        }
    }

    /// Sets how to convert the next input, or each of its lines.
    pub(crate) fn expect(&mut self, settings: Settings, by_line: Option<Choice>) {
        // UTF-8 has no state that would have to carry over from one input to the next.
        if settings.to == UTF_8 {
            self.shared.encoder = settings.encoder();
        }
        self.shared.settings = settings;
        self.by_line = by_line;
        self.is_guessed = false;
    }

    /// Whether the encoding of a line of the last input was guessed.
    pub(crate) fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    /// Converts one input to an output of its own.
    pub(crate) fn whole<W: Write + Send>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: &Cores,
    ) -> Result<Whole, Broken<SinkError>> {
        let broken = |error| Broken::Stopped(SinkError::Write(error));
        self.begin(out, true).map_err(broken)?;
        let whole = self.add_alone(source, out, faults, cores)?;
        self.end(out).map_err(broken)?;
        Ok(whole)
    }

    /// [`Converter::add`] for the only input of an output, on several `cores` if that pays.
    pub(crate) fn add_alone<W: Write + Send>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: &Cores,
    ) -> Result<Whole, Broken<SinkError>> {
        if self.by_line.is_some() {
            return self.add_on(Some(cores), source, out, faults);
        }
        let Some(cores) = cores.for_input(source) else {
            return self.add(source, out, faults);
        };
        // UTF-32 is decoded on one core, even if only its byte order mark reveals it.
        let head = source.head(utf32::TELLING).map_err(Broken::Read)?;
        let from = utf32::by_bom(self.shared.settings.from, &head, self.shared.settings.bom);
        let Some(from) = from.standard() else {
            return self.add(source, out, faults);
        };
        if has_similar(self.shared.settings.encodes_to()) {
            return if has_blocks(from) {
                cores.convert_blocks(&mut self.shared, from, source, out, faults)
            } else {
                self.add(source, out, faults)
            };
        }
        out.flush()
            .map_err(|error| Broken::Stopped(SinkError::Write(error)))?;
        cores.convert(
            &self.shared.settings,
            from,
            source,
            out.writer_mut(),
            faults,
        )
    }

    /// Returns the byte order mark for the output of an input, or of the first of its inputs: also before text that
    /// begins with U+FEFF after the mark of the input, because that would be taken for a mark.
    pub(crate) fn choose_mark(&mut self, source: &mut Source<'_>) -> io::Result<&'static [u8]> {
        let settings = &mut self.shared.settings;
        let mut head = source.head(LONGEST_BOM)?;
        if Encoding::for_bom(&head).is_some() || utf32::may_begin_bom(&head) {
            head = source.head(utf32::TELLING)?;
        }
        let length = match utf32::by_bom(settings.from, &head, settings.bom) {
            Charset::Standard(from) => bom_length(&head, from, settings.bom),
            Charset::Utf32(order) => utf32::bom_length(&head, order, settings.bom),
        };
        let (mark, text) = head.split_at(length);
        if length > 0 && text.starts_with(mark) && !settings.undoes {
            settings.output_bom = bom_of(settings.to).unwrap_or_default();
        }
        Ok(settings.output_bom)
    }

    /// Begins an output; if that is text, with the byte order mark that is wished.
    pub(crate) fn begin<W: Write>(
        &mut self,
        out: &mut Buffered<W>,
        is_text: bool,
    ) -> Result<(), WriteError> {
        self.shared.encoder = self.shared.settings.encoder();
        if is_text {
            out.write(self.shared.settings.output_bom)?;
        }
        Ok(())
    }

    /// Returns to ASCII, before bytes that are not encoded.
    pub(crate) fn pause<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        self.end(out)?;
        self.shared.encoder = self.shared.settings.encoder();
        Ok(())
    }

    /// Adds an input to the output, and reports to `faults` what is wrong with it.
    pub(crate) fn add<W: Write>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<SinkError>> {
        self.add_on(None, source, out, faults)
    }

    /// [`Converter::add`], with lines decided on several `cores` if there are any.
    fn add_on<W: Write>(
        &mut self,
        cores: Option<&Cores>,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<SinkError>> {
        let is_by_line = self.by_line.is_some()
            && !(self.shared.settings.bom == Bom::Sniff && is_marked_utf16(source)?);
        if let Some(choice) = self.by_line.take_if(|_| is_by_line) {
            let cores = cores.filter(|_| source.size.is_none_or(Cores::is_big));
            let done = self.shared.add_by_line(&choice, source, out, faults, cores);
            self.by_line = Some(choice);
            let (whole, is_guessed) = done?;
            self.is_guessed = is_guessed;
            return Ok(whole);
        }
        let Shared {
            settings,
            encoder,
            buffers,
        } = &mut self.shared;
        let decoding = Decoding {
            encoding: settings.from,
            bom: settings.bom,
            replacement: settings.replacement(),
        };
        // It may hold text of an input that was stopped.
        buffers.text.clear();
        let mut conversion = Conversion {
            settings,
            encoder: encoder.as_mut(),
            out,
            faults,
        };
        decode(source, decoding, buffers, &mut conversion)
    }

    /// Ends the output: ISO-2022-JP returns to ASCII, and everything is passed on.
    pub(crate) fn end<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        if let Some(encoder) = &mut self.shared.encoder {
            loop {
                let room = out.room(MIN_ENCODED)?;
                let progress =
                    encoder.encode_from_utf8("", room, true, self.shared.settings.unmappable);
                out.advance(progress.written);
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
        }
        out.flush()
    }
}

/// Whether an input begins with a byte order mark of UTF-16: it has no lines that could be decided one by one, and is
/// converted as a whole.
fn is_marked_utf16(source: &mut Source<'_>) -> Result<bool, Broken<SinkError>> {
    let head = source.head(2).map_err(Broken::Read)?;
    Ok(matches!(head[..], [0xFF, 0xFE] | [0xFE, 0xFF]))
}
