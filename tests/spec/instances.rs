//! The decoder and the encoder of each of the forty encodings, under one type.

use super::big5::{self, Big5Decoder};
use super::euc_jp::{self, EucJpDecoder};
use super::euc_kr::{self, EucKrDecoder};
use super::gb18030::{self, Gb18030Decoder};
use super::indexes::{INDEXES, Index};
use super::iso_2022_jp::{Iso2022JpDecoder, Iso2022JpEncoder};
use super::process::{ErrorMode, Instance, Step, push_html, push_replacement};
use super::queue::Queue;
use super::shift_jis::{self, ShiftJisDecoder};
use super::single_byte::{self, ReplacementDecoder};
use super::utf8::{self, Utf8Decoder};
use super::utf16::{self, Utf16Decoder};

#[derive(Clone, Debug)]
pub(crate) enum Decoder {
    Utf8(Utf8Decoder),
    SingleByte(&'static Index),
    Gb18030(Gb18030Decoder),
    Big5(Big5Decoder),
    EucJp(EucJpDecoder),
    Iso2022Jp(Iso2022JpDecoder),
    ShiftJis(ShiftJisDecoder),
    EucKr(EucKrDecoder),
    Replacement(ReplacementDecoder),
    Utf16(Utf16Decoder),
    XUserDefined,
}

impl Decoder {
    /// A new decoder of the encoding of this name.
    pub(crate) fn new(name: &str) -> Self {
        match name {
            "UTF-8" => Decoder::Utf8(Utf8Decoder::new()),
            "GBK" | "gb18030" => Decoder::Gb18030(Gb18030Decoder::new()),
            "Big5" => Decoder::Big5(Big5Decoder::new()),
            "EUC-JP" => Decoder::EucJp(EucJpDecoder::new()),
            "ISO-2022-JP" => Decoder::Iso2022Jp(Iso2022JpDecoder::new()),
            "Shift_JIS" => Decoder::ShiftJis(ShiftJisDecoder::new()),
            "EUC-KR" => Decoder::EucKr(EucKrDecoder::new()),
            "replacement" => Decoder::Replacement(ReplacementDecoder::new()),
            "UTF-16BE" => Decoder::Utf16(Utf16Decoder::new(true)),
            "UTF-16LE" => Decoder::Utf16(Utf16Decoder::new(false)),
            "x-user-defined" => Decoder::XUserDefined,
            _ => Decoder::SingleByte(single_byte_index(name)),
        }
    }
}

impl Instance for Decoder {
    type In = u8;
    type Out = char;

    fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        match self {
            Decoder::Utf8(decoder) => decoder.handler(io_queue, byte),
            Decoder::SingleByte(index) => single_byte::decode(index, byte),
            Decoder::Gb18030(decoder) => decoder.handler(io_queue, byte),
            Decoder::Big5(decoder) => decoder.handler(io_queue, byte),
            Decoder::EucJp(decoder) => decoder.handler(io_queue, byte),
            Decoder::Iso2022Jp(decoder) => decoder.handler(io_queue, byte),
            Decoder::ShiftJis(decoder) => decoder.handler(io_queue, byte),
            Decoder::EucKr(decoder) => decoder.handler(io_queue, byte),
            Decoder::Replacement(decoder) => decoder.handler(byte),
            Decoder::Utf16(decoder) => decoder.handler(io_queue, byte),
            Decoder::XUserDefined => single_byte::decode_x_user_defined(byte),
        }
    }

    fn push_error(output: &mut Vec<char>, mode: ErrorMode, _: Option<char>) {
        push_replacement(output, mode);
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Encoder {
    Utf8,
    SingleByte(&'static Index),
    Gb18030 { is_gbk: bool },
    Big5,
    EucJp,
    Iso2022Jp(Iso2022JpEncoder),
    ShiftJis,
    EucKr,
    Utf16 { is_utf16be: bool },
    XUserDefined,
}

impl Encoder {
    /// A new encoder of the encoding of this name. UTF-16BE and UTF-16LE have one here, although they have
    /// none in the standard; replacement has none.
    pub(crate) fn new(name: &str) -> Option<Self> {
        Some(match name {
            "UTF-8" => Encoder::Utf8,
            "GBK" => Encoder::Gb18030 { is_gbk: true },
            "gb18030" => Encoder::Gb18030 { is_gbk: false },
            "Big5" => Encoder::Big5,
            "EUC-JP" => Encoder::EucJp,
            "ISO-2022-JP" => Encoder::Iso2022Jp(Iso2022JpEncoder::new()),
            "Shift_JIS" => Encoder::ShiftJis,
            "EUC-KR" => Encoder::EucKr,
            "replacement" => return None,
            "UTF-16BE" => Encoder::Utf16 { is_utf16be: true },
            "UTF-16LE" => Encoder::Utf16 { is_utf16be: false },
            "x-user-defined" => Encoder::XUserDefined,
            _ => Encoder::SingleByte(single_byte_index(name)),
        })
    }
}

impl Instance for Encoder {
    type In = char;
    type Out = u8;

    fn handler(&mut self, io_queue: &mut Queue<char>, item: Option<char>) -> Step<u8> {
        match self {
            Encoder::Utf8 => utf8::encode(item),
            Encoder::SingleByte(index) => single_byte::encode(index, item),
            Encoder::Gb18030 { is_gbk } => gb18030::encode(*is_gbk, item),
            Encoder::Big5 => big5::encode(item),
            Encoder::EucJp => euc_jp::encode(item),
            Encoder::Iso2022Jp(encoder) => encoder.handler(io_queue, item),
            Encoder::ShiftJis => shift_jis::encode(item),
            Encoder::EucKr => euc_kr::encode(item),
            Encoder::Utf16 { is_utf16be } => utf16::encode(*is_utf16be, item),
            Encoder::XUserDefined => single_byte::encode_x_user_defined(item),
        }
    }

    fn push_error(output: &mut Vec<u8>, mode: ErrorMode, code_point: Option<char>) {
        push_html(output, mode, code_point);
    }
}

/// "All but two single-byte encodings have a unique index."
fn single_byte_index(name: &str) -> &'static Index {
    let name = if name == "ISO-8859-8-I" {
        "ISO-8859-8"
    } else {
        name
    };
    INDEXES
        .single_byte
        .get(name)
        .expect("the name of a single-byte encoding")
}
