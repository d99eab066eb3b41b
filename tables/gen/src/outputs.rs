//! Every file that the generator writes, from every file that it reads.

use std::path::Path;

use crate::blocks::Cells;
use crate::decode::{self, Length};
use crate::encode::{self, Mapping};
use crate::fingerprints::{self, Source};
use crate::index::{Index, Shape};
use crate::labels::{self, Encodings};
use crate::little_endian::LittleEndian as _;
use crate::problem::{Problem, Result};

/// The most that all `.bin` files together may take.
const ROOM: usize = 700 * 1024;

/// A generated file.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The bytes of all `.bin` files together.
pub(crate) fn table_bytes(outputs: &[Output]) -> usize {
    let tables = outputs
        .iter()
        .filter(|output| output.name.ends_with(".bin"));
    tables.map(|output| output.bytes.len()).sum()
}

/// Makes every output, FINGERPRINTS last, from the standard's files in `from`.
pub(crate) fn make(from: &Path) -> Result<Vec<Output>> {
    let mut made = Made::default();
    let encodings = Encodings::read(from)?;
    made.sources
        .push(Source::sha256(labels::FILE, &encodings.sha256));
    made.single_byte(from, &encodings)?;

    let gb18030 = made.index(from, "gb18030", Shape::Dense(23940))?;
    made.units(
        "gb18030.decode",
        &decode::bmp(&gb18030, Length::Exactly(23940))?,
    );
    made.encode("gb18030", &encode::gb18030(&gb18030)?);
    let ranges = made.index(from, "gb18030-ranges", Shape::Ranges)?;
    let pairs: Vec<u32> = ranges.entries.iter().flat_map(|&(p, c)| [p, c]).collect();
    made.push("gb18030_ranges.bin", u32::bytes(&pairs));

    let big5 = made.index(from, "big5", Shape::Dense(19782))?;
    let (low, astral) = decode::bmp_and_plane_2(&big5, Length::Exactly(19782))?;
    made.units("big5.decode", &low);
    made.push("big5.astral.bin", astral);
    made.encode("big5", &encode::big5(&big5)?);

    let euc_kr = made.index(from, "euc-kr", Shape::Dense(23940))?;
    made.units("euc_kr.decode", &decode::bmp(&euc_kr, Length::UpToLast)?);
    made.encode("euc_kr", &encode::euc_kr(&euc_kr)?);

    let jis0208 = made.index(from, "jis0208", Shape::Dense(11280))?;
    made.units("jis0208.decode", &decode::bmp(&jis0208, Length::UpToLast)?);
    made.encode("jis0208", &encode::jis0208(&jis0208)?);
    made.encode("shift_jis", &encode::shift_jis(&jis0208)?);
    let jis0212 = made.index(from, "jis0212", Shape::Dense(8836))?;
    made.units("jis0212.decode", &decode::bmp(&jis0212, Length::UpToLast)?);
    let katakana = made.index(from, "iso-2022-jp-katakana", Shape::Dense(63))?;
    made.units(
        "iso_2022_jp_katakana",
        &decode::bmp(&katakana, Length::Exactly(63))?,
    );

    made.push("labels.rs", encodings.rust()?.into_bytes());
    made.finish()
}

#[derive(Default)]
struct Made {
    sources: Vec<Source>,
    outputs: Vec<Output>,
}

impl Made {
    fn index(&mut self, from: &Path, name: &str, shape: Shape) -> Result<Index> {
        let index = Index::read(from, name, shape)?;
        self.sources
            .push(Source::identifier(&index.file, &index.identifier));
        Ok(index)
    }

    fn push(&mut self, name: &str, bytes: Vec<u8>) {
        self.outputs.push(Output {
            name: name.to_owned(),
            bytes,
        });
    }

    fn units(&mut self, stem: &str, units: &[u16]) {
        self.push(&format!("{stem}.bin"), u16::bytes(units));
    }

    fn encode(&mut self, name: &str, mapping: &Mapping<u16>) {
        let mut cells = Cells::new();
        let blocks = cells.add(mapping);
        self.units(&format!("{name}.encode_blocks"), &blocks);
        self.push(&format!("{name}.encode_cells.bin"), cells.into_bytes());
    }

    /// The 27 single-byte tables, one after the other, in the order of `encodings.json`.
    fn single_byte(&mut self, from: &Path, encodings: &Encodings) -> Result<()> {
        let mut decode_units = Vec::new();
        let mut block_numbers = Vec::new();
        let mut cells = Cells::new();
        for name in encodings.single_byte_indexes() {
            let index = self.index(from, &name, Shape::Dense(128))?;
            decode_units.extend(decode::bmp(&index, Length::Exactly(128))?);
            let mut blocks = cells.add(&encode::single_byte(&index)?);
            // All of the BMP, so that every table has the same length.
            blocks.resize(0x1_0000 / crate::blocks::BLOCK, 0);
            block_numbers.extend(blocks);
        }
        self.units("single_byte.decode", &decode_units);
        self.units("single_byte.encode_blocks", &block_numbers);
        self.push("single_byte.encode_cells.bin", cells.into_bytes());
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Output>> {
        let total = table_bytes(&self.outputs);
        if total >= ROOM {
            return Err(Problem::new(
                "tables",
                format!("the tables take {total} bytes, and may take {ROOM}"),
                "find a smaller format, or raise the limit with a reason",
            ));
        }
        self.outputs.sort_by(|a, b| a.name.cmp(&b.name));
        self.sources.sort_by(|a, b| a.file.cmp(&b.file));
        let text = fingerprints::write(&self.sources, &self.outputs);
        self.push(fingerprints::FILE, text.into_bytes());
        Ok(self.outputs)
    }
}
