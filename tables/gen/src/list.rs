//! The list of encodings: what the standard's files do not contain.
//!
//! `encodings.json` has the names and the labels, and the index files have the code points. A line here adds
//! the section that defines the encoding, the machine that decodes and encodes it, and the tables that are
//! made for it. From both the generator writes `encodings.rs` with the statics of the library, `codecs.rs`
//! with its machines, and the tables.

use std::ops::{Range, RangeInclusive};

/// An encoding of the standard.
#[derive(Debug)]
pub(crate) struct Line {
    /// The name, spelt as in `encodings.json`.
    pub(crate) name: &'static str,
    /// The section of the standard that defines it.
    pub(crate) section: &'static str,
    pub(crate) machine: Machine,
    pub(crate) tables: Option<TwoByte>,
}

/// The decoder and encoder of an encoding.
#[derive(Debug)]
pub(crate) enum Machine {
    /// The machine of all single-byte encodings, with the index of this name.
    SingleByte(&'static str),
    /// A machine of its own.
    Own(Codec),
}

/// The name of a machine, and its types: paths from the library's `codec` module.
#[derive(Debug)]
pub(crate) struct Codec {
    pub(crate) name: &'static str,
    pub(crate) decoder: &'static str,
    pub(crate) encoder: Option<&'static str>,
}

/// The tables of an encoding of one and two bytes.
#[derive(Debug)]
pub(crate) struct TwoByte {
    /// The index. Its decode table is written for the first line that names it.
    pub(crate) index: Dense,
    /// The prefix of the file names of the encode table.
    pub(crate) encode: &'static str,
    /// The lead bytes and the trail bytes, in the order of the pointers.
    pub(crate) leads: &'static [RangeInclusive<u8>],
    pub(crate) trails: &'static [RangeInclusive<u8>],
    /// Pointers that are never encoded.
    pub(crate) leave_out: Range<u32>,
    /// Code points for which the last pointer is encoded, in place of the first one.
    pub(crate) take_last: &'static [u32],
}

/// An index file that has a line for each mapped pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dense {
    pub(crate) name: &'static str,
    /// The number of pointers, including unmapped ones.
    pub(crate) pointers: u32,
}

/// *Index jis0208*, whose last rows only Shift_JIS can write.
const JIS0208: Dense = dense("jis0208", 60 * 188);

/// All encodings, in the order of the standard.
pub(crate) const LIST: &[Line] = &[
    own("UTF-8", "8.1", "Utf8", "utf8::Utf8"),
    single_byte("IBM866", "ibm866"),
    single_byte("ISO-8859-2", "iso-8859-2"),
    single_byte("ISO-8859-3", "iso-8859-3"),
    single_byte("ISO-8859-4", "iso-8859-4"),
    single_byte("ISO-8859-5", "iso-8859-5"),
    single_byte("ISO-8859-6", "iso-8859-6"),
    single_byte("ISO-8859-7", "iso-8859-7"),
    single_byte("ISO-8859-8", "iso-8859-8"),
    // It has the same index, and differs in the direction of the text.
    single_byte("ISO-8859-8-I", "iso-8859-8"),
    single_byte("ISO-8859-10", "iso-8859-10"),
    single_byte("ISO-8859-13", "iso-8859-13"),
    single_byte("ISO-8859-14", "iso-8859-14"),
    single_byte("ISO-8859-15", "iso-8859-15"),
    single_byte("ISO-8859-16", "iso-8859-16"),
    single_byte("KOI8-R", "koi8-r"),
    single_byte("KOI8-U", "koi8-u"),
    single_byte("macintosh", "macintosh"),
    single_byte("windows-874", "windows-874"),
    single_byte("windows-1250", "windows-1250"),
    single_byte("windows-1251", "windows-1251"),
    single_byte("windows-1252", "windows-1252"),
    single_byte("windows-1253", "windows-1253"),
    single_byte("windows-1254", "windows-1254"),
    single_byte("windows-1255", "windows-1255"),
    single_byte("windows-1256", "windows-1256"),
    single_byte("windows-1257", "windows-1257"),
    single_byte("windows-1258", "windows-1258"),
    single_byte("x-mac-cyrillic", "x-mac-cyrillic"),
    // Its decoder is gb18030's decoder, and its encoder reads gb18030's table.
    own("GBK", "10.1", "Gbk", "gb18030::Gb18030Decoder").encoder("gb18030::Gb18030Encoder<true>"),
    own("gb18030", "10.2", "Gb18030", "gb18030::Gb18030Decoder")
        .encoder("gb18030::Gb18030Encoder<false>")
        .tables(TwoByte {
            index: dense("gb18030", 126 * 190),
            encode: "gb18030",
            leads: &[0x81..=0xFE],
            trails: &[0x40..=0x7E, 0x80..=0xFE],
            leave_out: 0..0,
            take_last: &[],
        }),
    own("Big5", "11.1", "Big5", "big5::Big5").tables(TwoByte {
        index: dense("big5", 126 * 157),
        encode: "big5",
        leads: &[0x81..=0xFE],
        trails: &[0x40..=0x7E, 0xA1..=0xFE],
        // *Index Big5 pointer* (section 5): excludes the Hong Kong rows before lead byte A1.
        leave_out: 0..(0xA1 - 0x81) * 157,
        take_last: &[0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345],
    }),
    // Its encoder uses the table of ISO-2022-JP, and sets the high bits.
    own("EUC-JP", "12.1", "EucJp", "euc_jp::EucJp"),
    own(
        "ISO-2022-JP",
        "12.2",
        "Iso2022Jp",
        "iso_2022_jp::Iso2022JpDecoder",
    )
    .encoder("iso_2022_jp::Iso2022JpEncoder")
    .tables(TwoByte {
        index: JIS0208,
        encode: "jis0208",
        leads: &[0x21..=0x7E],
        trails: &[0x21..=0x7E],
        leave_out: 0..0,
        take_last: &[],
    }),
    own("Shift_JIS", "12.3", "ShiftJis", "shift_jis::ShiftJis").tables(TwoByte {
        index: JIS0208,
        encode: "shift_jis",
        leads: &[0x81..=0x9F, 0xE0..=0xFC],
        trails: &[0x40..=0x7E, 0x80..=0xFC],
        // *Index Shift_JIS pointer* (section 5): excludes NEC's copies of IBM's extensions.
        leave_out: 8272..8836,
        take_last: &[],
    }),
    own("EUC-KR", "13.1", "EucKr", "euc_kr::EucKr").tables(TwoByte {
        index: dense("euc-kr", 126 * 190),
        encode: "euc_kr",
        leads: &[0x81..=0xFE],
        trails: &[0x41..=0xFE],
        leave_out: 0..0,
        take_last: &[],
    }),
    own(
        "replacement",
        "14.1",
        "Replacement",
        "replacement::Replacement",
    )
    .no_encoder(),
    own("UTF-16BE", "14.3", "Utf16Be", "utf16::Utf16"),
    own("UTF-16LE", "14.4", "Utf16Le", "utf16::Utf16"),
    own(
        "x-user-defined",
        "14.5",
        "XUserDefined",
        "x_user_defined::XUserDefined",
    ),
];

const fn single_byte(name: &'static str, index: &'static str) -> Line {
    Line {
        name,
        section: "9",
        machine: Machine::SingleByte(index),
        tables: None,
    }
}

/// An encoding with a machine that decodes and encodes.
const fn own(
    name: &'static str,
    section: &'static str,
    codec: &'static str,
    machine: &'static str,
) -> Line {
    Line {
        name,
        section,
        machine: Machine::Own(Codec {
            name: codec,
            decoder: machine,
            encoder: Some(machine),
        }),
        tables: None,
    }
}

const fn dense(name: &'static str, pointers: u32) -> Dense {
    Dense { name, pointers }
}

impl Line {
    /// An encoding with a decoder of its own and the encoder of another machine.
    const fn encoder(self, encoder: &'static str) -> Self {
        self.with_encoder(Some(encoder))
    }

    const fn no_encoder(self) -> Self {
        self.with_encoder(None)
    }

    const fn with_encoder(mut self, encoder: Option<&'static str>) -> Self {
        if let Machine::Own(codec) = &mut self.machine {
            codec.encoder = encoder;
        }
        self
    }

    const fn tables(mut self, tables: TwoByte) -> Self {
        self.tables = Some(tables);
        self
    }

    /// The feature of the library that includes its family.
    pub(crate) fn feature(&self) -> Option<&'static str> {
        match self.section.split('.').next() {
            Some("9") => Some("legacy-single-byte"),
            Some("10" | "11" | "12" | "13") => Some("legacy-cjk"),
            _ => None,
        }
    }

    /// The name of the library's static.
    pub(crate) fn constant(&self) -> String {
        self.name.to_ascii_uppercase().replace('-', "_")
    }
}

/// The indexes of the single-byte encodings, without duplicates, in the order of their tables.
pub(crate) fn single_byte_indexes(list: &[Line]) -> Vec<&'static str> {
    let mut indexes = Vec::new();
    for line in list {
        if let Machine::SingleByte(index) = line.machine
            && !indexes.contains(&index)
        {
            indexes.push(index);
        }
    }
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_may_share_an_index() {
        let list = [
            single_byte("ISO-8859-8", "iso-8859-8"),
            own("UTF-8", "8.1", "Utf8", "utf8::Utf8"),
            single_byte("ISO-8859-8-I", "iso-8859-8"),
            single_byte("KOI8-R", "koi8-r"),
        ];
        assert_eq!(single_byte_indexes(&list), ["iso-8859-8", "koi8-r"]);
    }

    #[test]
    fn legacy_encodings_are_behind_features() {
        let features = |feature| LIST.iter().filter(|line| line.feature() == feature).count();
        assert_eq!(features(Some("legacy-single-byte")), 28);
        assert_eq!(features(Some("legacy-cjk")), 7);
        assert_eq!(features(None), 5);
    }

    #[test]
    fn statics_are_named_as_those_of_encoding_rs() {
        let constants: Vec<String> = LIST.iter().map(Line::constant).collect();
        for name in [
            "UTF_8",
            "IBM866",
            "ISO_8859_8_I",
            "X_MAC_CYRILLIC",
            "SHIFT_JIS",
            "UTF_16BE",
        ] {
            assert!(constants.iter().any(|constant| constant == name), "{name}");
        }
    }
}
