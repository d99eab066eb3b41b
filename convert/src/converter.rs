//! The conversion itself: from an open input to an open output, reporting the faults.

use std::io::{self, Write};

use simdtext::{Bom, Encoder, Encoding, MIN_ENCODED, Status, UTF_8};

use super::buffered::Buffered;
use super::by_block::has_blocks;
use super::by_line::Choice;
use super::cores::Cores;
use super::faults::Faults;
use super::output::WriteError;
use super::settings::{Settings, bom_of};
use super::text::{Broken, Conversion};
use crate::charset::Charset;
use crate::decode::{Buffers, Decoding, LONGEST_BOM, Whole, bom_length, decode};
use crate::input::Source;
use crate::similar::has_similar;
use crate::utf32;

/// Converts inputs, one after the other.
pub(crate) struct Converter {
    settings: Settings,
    /// One encoder for the whole output; `None` if the output is UTF-8.
    encoder: Option<Encoder>,
    buffers: Buffers,
    /// How the encoding of each line is decided, if lines are decided one by one.
    by_line: Option<Choice>,
    /// Whether the encoding of a line of the last input was guessed.
    is_guessed: bool,
}

impl Converter {
    pub(crate) fn new(settings: Settings, by_line: Option<Choice>) -> Self {
        Self {
            settings,
            encoder: settings.encoder(),
            buffers: Buffers::new(),
            by_line,
            is_guessed: false,
        }
    }

    /// Sets how to convert the next input.
    pub(crate) fn expect(&mut self, settings: Settings) {
        // UTF-8 has no state that would have to carry over from one input to the next.
        if settings.to == UTF_8 {
            self.encoder = settings.encoder();
        }
        self.settings = settings;
        self.is_guessed = false;
    }

    /// How the next input is converted, or the last one was.
    pub(crate) fn settings(&self) -> Settings {
        self.settings
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
    ) -> Result<Whole, Broken> {
        self.begin(out, true)?;
        let whole = self.add(source, out, faults, Some(cores))?;
        self.end(out)?;
        Ok(whole)
    }

    /// Adds an input to the output, and reports to `faults` what is wrong with it. The only input of an output may use
    /// several `cores`.
    pub(crate) fn add<W: Write + Send>(
        &mut self,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: Option<&Cores>,
    ) -> Result<Whole, Broken> {
        let (settings, buffers) = (&self.settings, &mut self.buffers);
        let mut conversion = Conversion {
            settings,
            encoder: self.encoder.as_mut(),
            out,
            faults,
        };
        if let Some(choice) = &self.by_line {
            if settings.bom == Bom::Sniff && is_marked_utf16(source)? {
                return conversion.in_order(source, buffers);
            }
            let cores = cores.filter(|_| source.size.is_none_or(Cores::is_big));
            let text = &mut buffers.text;
            let (whole, is_guessed) = conversion.by_line(choice, source, text, cores)?;
            self.is_guessed = is_guessed;
            return Ok(whole);
        }
        let Some(cores) = cores.and_then(|cores| cores.for_input(source)) else {
            return conversion.in_order(source, buffers);
        };
        // UTF-32 is decoded on one core, even if only its byte order mark reveals it.
        let head = source.head(utf32::TELLING)?;
        let Charset::Standard(from) = utf32::by_bom(settings.from, &head, settings.bom) else {
            return conversion.in_order(source, buffers);
        };
        let bom = bom_length(&head, from.into(), settings.bom);
        let marked = Encoding::for_bom(&head).filter(|_| bom > 0);
        let from = marked.map_or(from, |(marked, _)| marked);
        if !has_similar(settings.encodes_to()) {
            return cores.convert(conversion, (from, bom), source);
        }
        if has_blocks(from) {
            cores.convert_blocks(conversion, &mut buffers.text, (from, bom), source)
        } else {
            conversion.in_order(source, buffers)
        }
    }

    /// Chooses the byte order mark for the output of an input, or of the first of its inputs: also before text that
    /// begins with U+FEFF after the mark of the input, because that would be taken for a mark.
    pub(crate) fn choose_mark(&mut self, source: &mut Source<'_>) -> io::Result<()> {
        let settings = &mut self.settings;
        let mut head = source.head(LONGEST_BOM)?;
        if Encoding::for_bom(&head).is_some() || utf32::may_begin_bom(&head) {
            head = source.head(utf32::TELLING)?;
        }
        let from = utf32::by_bom(settings.from, &head, settings.bom);
        let length = bom_length(&head, from, settings.bom);
        let (mark, text) = head.split_at(length);
        if length > 0 && text.starts_with(mark) && !settings.undoes {
            settings.output_bom = bom_of(settings.to).unwrap_or_default();
        }
        Ok(())
    }

    /// Begins an output; if that is text, with the byte order mark that is wished.
    pub(crate) fn begin<W: Write>(
        &mut self,
        out: &mut Buffered<W>,
        is_text: bool,
    ) -> Result<(), WriteError> {
        self.encoder = self.settings.encoder();
        if is_text {
            out.write(self.settings.output_bom)?;
        }
        Ok(())
    }

    /// Returns to ASCII, before bytes that are not encoded.
    pub(crate) fn pause<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        self.end(out)?;
        self.encoder = self.settings.encoder();
        Ok(())
    }

    /// Ends the output: ISO-2022-JP returns to ASCII, and everything is passed on.
    pub(crate) fn end<W: Write>(&mut self, out: &mut Buffered<W>) -> Result<(), WriteError> {
        if let Some(encoder) = &mut self.encoder {
            loop {
                let room = out.room(MIN_ENCODED)?;
                let progress = encoder.encode_from_utf8("", room, true, self.settings.unmappable);
                out.advance(progress.written);
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
        }
        out.flush()
    }
}

impl<W: Write> Conversion<'_, '_, W> {
    /// Converts an input on one core.
    fn in_order(
        &mut self,
        source: &mut Source<'_>,
        buffers: &mut Buffers,
    ) -> Result<Whole, Broken> {
        let decoding = Decoding {
            encoding: self.settings.from,
            bom: self.settings.bom,
            replacement: self.settings.replacement(),
        };
        // It may hold text of an input that was stopped.
        buffers.text.clear();
        decode(source, decoding, buffers, self)
    }
}

/// Whether an input begins with a byte order mark of UTF-16: it has no lines that could be decided one by one, and is
/// converted as a whole.
fn is_marked_utf16(source: &mut Source<'_>) -> io::Result<bool> {
    let head = source.head(2)?;
    Ok(matches!(head[..], [0xFF, 0xFE] | [0xFE, 0xFF]))
}
