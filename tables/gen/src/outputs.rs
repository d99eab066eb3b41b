//! Every file that the generator writes, from every file that it reads.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use crate::blocks::Cells;
use crate::decode::{self, Length};
use crate::encode::{self, Mapping};
use crate::fingerprints::{self, Source};
use crate::index::{Index, Shape};
use crate::list::{Dense, LIST, single_byte_indexes};
use crate::little_endian::LittleEndian as _;
use crate::pack;
use crate::problem::{Problem, Result};
use crate::rust;
use crate::standard::{self, Encodings};

/// The maximum total size of all `.bin` files.
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
        .push(Source::sha256(standard::FILE, &encodings.sha256));
    made.single_byte(from)?;

    made.two_byte(from)?;

    let ranges = made.index(from, "gb18030-ranges", Shape::Ranges)?;
    let pairs: Vec<u32> = ranges.entries.iter().flat_map(|&(p, c)| [p, c]).collect();
    made.push("gb18030_ranges.bin", u32::bytes(&pairs));
    let jis0212 = made.index(from, "jis0212", Shape::Dense(94 * 94))?;
    made.packed(
        "jis0212",
        &jis0212,
        &decode::bmp(&jis0212, Length::UpToLast)?,
    )?;
    let katakana = made.index(from, "iso-2022-jp-katakana", Shape::Dense(63))?;
    made.units(
        "iso_2022_jp_katakana",
        &decode::bmp(&katakana, Length::Exactly(63))?,
    );

    made.push(
        rust::ENCODINGS,
        rust::encodings(&encodings, LIST)?.into_bytes(),
    );
    made.push(rust::CODECS, rust::codecs(LIST).into_bytes());
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

    /// The code unit of each pointer, packed.
    fn packed(&mut self, name: &str, index: &Index, units: &[u16]) -> Result<()> {
        let packed = pack::pack(&index.file, units)?;
        self.push(&format!("{name}.decode_packed.bin"), packed);
        Ok(())
    }

    fn encode(&mut self, name: &str, mapping: &Mapping<u16>) {
        let mut cells = Cells::new();
        let blocks = cells.add(mapping);
        self.units(&format!("{name}.encode_blocks"), &blocks);
        self.push(&format!("{name}.encode_cells.bin"), cells.into_bytes());
    }

    /// The tables of the single-byte indexes, in the order of the list.
    fn single_byte(&mut self, from: &Path) -> Result<()> {
        let mut decode_units = Vec::new();
        let mut block_numbers = Vec::new();
        let mut cells = Cells::new();
        for name in single_byte_indexes(LIST) {
            let index = self.index(from, name, Shape::Dense(128))?;
            decode_units.extend(decode::bmp(&index, Length::Exactly(128))?);
            let mut blocks = cells.add(&encode::single_byte(&index)?);
            // They cover all of the BMP, so that every table has the same length.
            blocks.resize(0x1_0000 / crate::blocks::BLOCK, 0);
            for block in blocks {
                block_numbers.push(u8::try_from(block).map_err(|_| {
                    Problem::new(
                        &index.file,
                        "the single-byte encodings have more than 256 blocks of characters",
                        "store the numbers of blocks as `u16` here and in the library",
                    )
                })?);
            }
        }
        self.units("single_byte.decode", &decode_units);
        self.push("single_byte.encode_blocks.bin", block_numbers);
        self.push("single_byte.encode_cells.bin", cells.into_bytes());
        Ok(())
    }

    /// The tables that the lines of the list ask for.
    fn two_byte(&mut self, from: &Path) -> Result<()> {
        let mut indexes: BTreeMap<&str, Index> = BTreeMap::new();
        for tables in LIST.iter().filter_map(|line| line.tables.as_ref()) {
            let Dense { name, pointers } = tables.index;
            let index = match indexes.entry(name) {
                Entry::Occupied(read) => read.into_mut(),
                Entry::Vacant(unread) => {
                    let index = self.index(from, name, Shape::Dense(pointers))?;
                    self.decode(&name.replace('-', "_"), &index)?;
                    unread.insert(index)
                }
            };
            self.encode(tables.encode, &encode::two_byte(index, tables)?);
        }
        Ok(())
    }

    /// The code point of each pointer. If some are of plane 2, these have two files of their own.
    fn decode(&mut self, name: &str, index: &Index) -> Result<()> {
        let (bmp, astral) = decode::bmp_and_plane_2(index, Length::UpToLast)?;
        self.packed(name, index, &bmp)?;
        if !astral.units.is_empty() {
            self.push(&format!("{name}.astral_blocks.bin"), astral.blocks);
            self.units(&format!("{name}.astral_units"), &astral.units);
        }
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
