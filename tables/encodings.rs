// Written by `cargo run -p simdtext-tables -- generate`; do not edit.
// Sources: encodings.json of the WHATWG Encoding Standard (LICENSE-WHATWG), and
// tables/gen/src/list.rs.

use super::Encoding;
use crate::codec::Codec;

/// UTF-8 (section 8.1 of the standard).
pub static UTF_8: &Encoding = &Encoding {
    row: 0,
    codec: Codec::Utf8,
};

/// IBM866 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static IBM866: &Encoding = &Encoding {
    row: 1,
    codec: Codec::SingleByte(0),
};

/// ISO-8859-2 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_2: &Encoding = &Encoding {
    row: 2,
    codec: Codec::SingleByte(1),
};

/// ISO-8859-3 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_3: &Encoding = &Encoding {
    row: 3,
    codec: Codec::SingleByte(2),
};

/// ISO-8859-4 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_4: &Encoding = &Encoding {
    row: 4,
    codec: Codec::SingleByte(3),
};

/// ISO-8859-5 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_5: &Encoding = &Encoding {
    row: 5,
    codec: Codec::SingleByte(4),
};

/// ISO-8859-6 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_6: &Encoding = &Encoding {
    row: 6,
    codec: Codec::SingleByte(5),
};

/// ISO-8859-7 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_7: &Encoding = &Encoding {
    row: 7,
    codec: Codec::SingleByte(6),
};

/// ISO-8859-8 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_8: &Encoding = &Encoding {
    row: 8,
    codec: Codec::SingleByte(7),
};

/// ISO-8859-8-I (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_8_I: &Encoding = &Encoding {
    row: 9,
    codec: Codec::SingleByte(7),
};

/// ISO-8859-10 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_10: &Encoding = &Encoding {
    row: 10,
    codec: Codec::SingleByte(8),
};

/// ISO-8859-13 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_13: &Encoding = &Encoding {
    row: 11,
    codec: Codec::SingleByte(9),
};

/// ISO-8859-14 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_14: &Encoding = &Encoding {
    row: 12,
    codec: Codec::SingleByte(10),
};

/// ISO-8859-15 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_15: &Encoding = &Encoding {
    row: 13,
    codec: Codec::SingleByte(11),
};

/// ISO-8859-16 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static ISO_8859_16: &Encoding = &Encoding {
    row: 14,
    codec: Codec::SingleByte(12),
};

/// KOI8-R (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static KOI8_R: &Encoding = &Encoding {
    row: 15,
    codec: Codec::SingleByte(13),
};

/// KOI8-U (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static KOI8_U: &Encoding = &Encoding {
    row: 16,
    codec: Codec::SingleByte(14),
};

/// macintosh (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static MACINTOSH: &Encoding = &Encoding {
    row: 17,
    codec: Codec::SingleByte(15),
};

/// windows-874 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_874: &Encoding = &Encoding {
    row: 18,
    codec: Codec::SingleByte(16),
};

/// windows-1250 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1250: &Encoding = &Encoding {
    row: 19,
    codec: Codec::SingleByte(17),
};

/// windows-1251 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1251: &Encoding = &Encoding {
    row: 20,
    codec: Codec::SingleByte(18),
};

/// windows-1252 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1252: &Encoding = &Encoding {
    row: 21,
    codec: Codec::SingleByte(19),
};

/// windows-1253 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1253: &Encoding = &Encoding {
    row: 22,
    codec: Codec::SingleByte(20),
};

/// windows-1254 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1254: &Encoding = &Encoding {
    row: 23,
    codec: Codec::SingleByte(21),
};

/// windows-1255 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1255: &Encoding = &Encoding {
    row: 24,
    codec: Codec::SingleByte(22),
};

/// windows-1256 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1256: &Encoding = &Encoding {
    row: 25,
    codec: Codec::SingleByte(23),
};

/// windows-1257 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1257: &Encoding = &Encoding {
    row: 26,
    codec: Codec::SingleByte(24),
};

/// windows-1258 (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static WINDOWS_1258: &Encoding = &Encoding {
    row: 27,
    codec: Codec::SingleByte(25),
};

/// x-mac-cyrillic (section 9 of the standard).
#[cfg(feature = "legacy-single-byte")]
pub static X_MAC_CYRILLIC: &Encoding = &Encoding {
    row: 28,
    codec: Codec::SingleByte(26),
};

/// GBK (section 10.1 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static GBK: &Encoding = &Encoding {
    row: 29,
    codec: Codec::Gbk,
};

/// gb18030 (section 10.2 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static GB18030: &Encoding = &Encoding {
    row: 30,
    codec: Codec::Gb18030,
};

/// Big5 (section 11.1 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static BIG5: &Encoding = &Encoding {
    row: 31,
    codec: Codec::Big5,
};

/// EUC-JP (section 12.1 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static EUC_JP: &Encoding = &Encoding {
    row: 32,
    codec: Codec::EucJp,
};

/// ISO-2022-JP (section 12.2 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static ISO_2022_JP: &Encoding = &Encoding {
    row: 33,
    codec: Codec::Iso2022Jp,
};

/// Shift_JIS (section 12.3 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static SHIFT_JIS: &Encoding = &Encoding {
    row: 34,
    codec: Codec::ShiftJis,
};

/// EUC-KR (section 13.1 of the standard).
#[cfg(feature = "legacy-cjk")]
pub static EUC_KR: &Encoding = &Encoding {
    row: 35,
    codec: Codec::EucKr,
};

/// replacement (section 14.1 of the standard).
pub static REPLACEMENT: &Encoding = &Encoding {
    row: 36,
    codec: Codec::Replacement,
};

/// UTF-16BE (section 14.3 of the standard).
pub static UTF_16BE: &Encoding = &Encoding {
    row: 37,
    codec: Codec::Utf16Be,
};

/// UTF-16LE (section 14.4 of the standard).
pub static UTF_16LE: &Encoding = &Encoding {
    row: 38,
    codec: Codec::Utf16Le,
};

/// x-user-defined (section 14.5 of the standard).
pub static X_USER_DEFINED: &Encoding = &Encoding {
    row: 39,
    codec: Codec::XUserDefined,
};

/// The encodings that are compiled in, in the order of the standard.
pub(super) static ALL: &[&Encoding] = &[
    UTF_8,
    #[cfg(feature = "legacy-single-byte")]
    IBM866,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_2,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_3,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_4,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_5,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_6,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_7,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_8,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_8_I,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_10,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_13,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_14,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_15,
    #[cfg(feature = "legacy-single-byte")]
    ISO_8859_16,
    #[cfg(feature = "legacy-single-byte")]
    KOI8_R,
    #[cfg(feature = "legacy-single-byte")]
    KOI8_U,
    #[cfg(feature = "legacy-single-byte")]
    MACINTOSH,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_874,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1250,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1251,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1252,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1253,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1254,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1255,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1256,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1257,
    #[cfg(feature = "legacy-single-byte")]
    WINDOWS_1258,
    #[cfg(feature = "legacy-single-byte")]
    X_MAC_CYRILLIC,
    #[cfg(feature = "legacy-cjk")]
    GBK,
    #[cfg(feature = "legacy-cjk")]
    GB18030,
    #[cfg(feature = "legacy-cjk")]
    BIG5,
    #[cfg(feature = "legacy-cjk")]
    EUC_JP,
    #[cfg(feature = "legacy-cjk")]
    ISO_2022_JP,
    #[cfg(feature = "legacy-cjk")]
    SHIFT_JIS,
    #[cfg(feature = "legacy-cjk")]
    EUC_KR,
    REPLACEMENT,
    UTF_16BE,
    UTF_16LE,
    X_USER_DEFINED,
];

/// The number of all encodings, compiled in or not.
pub(crate) const ENCODINGS: usize = 40;

/// The names of all encodings, by rows.
pub(super) static NAMES: [&str; ENCODINGS] = [
    "UTF-8",
    "IBM866",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
    "replacement",
    "UTF-16BE",
    "UTF-16LE",
    "x-user-defined",
];

/// The labels of all encodings, by rows.
pub(super) static LABELS_OF: [&[&str]; ENCODINGS] = [
    &[
        "unicode-1-1-utf-8",
        "unicode11utf8",
        "unicode20utf8",
        "utf-8",
        "utf8",
        "x-unicode20utf8",
    ],
    &["866", "cp866", "csibm866", "ibm866"],
    &[
        "csisolatin2",
        "iso-8859-2",
        "iso-ir-101",
        "iso8859-2",
        "iso88592",
        "iso_8859-2",
        "iso_8859-2:1987",
        "l2",
        "latin2",
    ],
    &[
        "csisolatin3",
        "iso-8859-3",
        "iso-ir-109",
        "iso8859-3",
        "iso88593",
        "iso_8859-3",
        "iso_8859-3:1988",
        "l3",
        "latin3",
    ],
    &[
        "csisolatin4",
        "iso-8859-4",
        "iso-ir-110",
        "iso8859-4",
        "iso88594",
        "iso_8859-4",
        "iso_8859-4:1988",
        "l4",
        "latin4",
    ],
    &[
        "csisolatincyrillic",
        "cyrillic",
        "iso-8859-5",
        "iso-ir-144",
        "iso8859-5",
        "iso88595",
        "iso_8859-5",
        "iso_8859-5:1988",
    ],
    &[
        "arabic",
        "asmo-708",
        "csiso88596e",
        "csiso88596i",
        "csisolatinarabic",
        "ecma-114",
        "iso-8859-6",
        "iso-8859-6-e",
        "iso-8859-6-i",
        "iso-ir-127",
        "iso8859-6",
        "iso88596",
        "iso_8859-6",
        "iso_8859-6:1987",
    ],
    &[
        "csisolatingreek",
        "ecma-118",
        "elot_928",
        "greek",
        "greek8",
        "iso-8859-7",
        "iso-ir-126",
        "iso8859-7",
        "iso88597",
        "iso_8859-7",
        "iso_8859-7:1987",
        "sun_eu_greek",
    ],
    &[
        "csiso88598e",
        "csisolatinhebrew",
        "hebrew",
        "iso-8859-8",
        "iso-8859-8-e",
        "iso-ir-138",
        "iso8859-8",
        "iso88598",
        "iso_8859-8",
        "iso_8859-8:1988",
        "visual",
    ],
    &["csiso88598i", "iso-8859-8-i", "logical"],
    &[
        "csisolatin6",
        "iso-8859-10",
        "iso-ir-157",
        "iso8859-10",
        "iso885910",
        "l6",
        "latin6",
    ],
    &["iso-8859-13", "iso8859-13", "iso885913"],
    &["iso-8859-14", "iso8859-14", "iso885914"],
    &[
        "csisolatin9",
        "iso-8859-15",
        "iso8859-15",
        "iso885915",
        "iso_8859-15",
        "l9",
    ],
    &["iso-8859-16"],
    &["cskoi8r", "koi", "koi8", "koi8-r", "koi8_r"],
    &["koi8-ru", "koi8-u"],
    &["csmacintosh", "mac", "macintosh", "x-mac-roman"],
    &[
        "dos-874",
        "iso-8859-11",
        "iso8859-11",
        "iso885911",
        "tis-620",
        "windows-874",
    ],
    &["cp1250", "windows-1250", "x-cp1250"],
    &["cp1251", "windows-1251", "x-cp1251"],
    &[
        "ansi_x3.4-1968",
        "ascii",
        "cp1252",
        "cp819",
        "csisolatin1",
        "ibm819",
        "iso-8859-1",
        "iso-ir-100",
        "iso8859-1",
        "iso88591",
        "iso_8859-1",
        "iso_8859-1:1987",
        "l1",
        "latin1",
        "us-ascii",
        "windows-1252",
        "x-cp1252",
    ],
    &["cp1253", "windows-1253", "x-cp1253"],
    &[
        "cp1254",
        "csisolatin5",
        "iso-8859-9",
        "iso-ir-148",
        "iso8859-9",
        "iso88599",
        "iso_8859-9",
        "iso_8859-9:1989",
        "l5",
        "latin5",
        "windows-1254",
        "x-cp1254",
    ],
    &["cp1255", "windows-1255", "x-cp1255"],
    &["cp1256", "windows-1256", "x-cp1256"],
    &["cp1257", "windows-1257", "x-cp1257"],
    &["cp1258", "windows-1258", "x-cp1258"],
    &["x-mac-cyrillic", "x-mac-ukrainian"],
    &[
        "chinese",
        "csgb2312",
        "csiso58gb231280",
        "gb2312",
        "gb_2312",
        "gb_2312-80",
        "gbk",
        "iso-ir-58",
        "x-gbk",
    ],
    &["gb18030"],
    &["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5"],
    &["cseucpkdfmtjapanese", "euc-jp", "x-euc-jp"],
    &["csiso2022jp", "iso-2022-jp"],
    &[
        "csshiftjis",
        "ms932",
        "ms_kanji",
        "shift-jis",
        "shift_jis",
        "sjis",
        "windows-31j",
        "x-sjis",
    ],
    &[
        "cseuckr",
        "csksc56011987",
        "euc-kr",
        "iso-ir-149",
        "korean",
        "ks_c_5601-1987",
        "ks_c_5601-1989",
        "ksc5601",
        "ksc_5601",
        "windows-949",
    ],
    &[
        "csiso2022kr",
        "hz-gb-2312",
        "iso-2022-cn",
        "iso-2022-cn-ext",
        "iso-2022-kr",
        "replacement",
    ],
    &["unicodefffe", "utf-16be"],
    &[
        "csunicode",
        "iso-10646-ucs-2",
        "ucs-2",
        "unicode",
        "unicodefeff",
        "utf-16",
        "utf-16le",
    ],
    &["x-user-defined"],
];

/// Every label, in byte order, with the row of its encoding.
pub(super) const LABELS: [(&str, u8); 228] = [
    ("866", 1),
    ("ansi_x3.4-1968", 21),
    ("arabic", 6),
    ("ascii", 21),
    ("asmo-708", 6),
    ("big5", 31),
    ("big5-hkscs", 31),
    ("chinese", 29),
    ("cn-big5", 31),
    ("cp1250", 19),
    ("cp1251", 20),
    ("cp1252", 21),
    ("cp1253", 22),
    ("cp1254", 23),
    ("cp1255", 24),
    ("cp1256", 25),
    ("cp1257", 26),
    ("cp1258", 27),
    ("cp819", 21),
    ("cp866", 1),
    ("csbig5", 31),
    ("cseuckr", 35),
    ("cseucpkdfmtjapanese", 32),
    ("csgb2312", 29),
    ("csibm866", 1),
    ("csiso2022jp", 33),
    ("csiso2022kr", 36),
    ("csiso58gb231280", 29),
    ("csiso88596e", 6),
    ("csiso88596i", 6),
    ("csiso88598e", 8),
    ("csiso88598i", 9),
    ("csisolatin1", 21),
    ("csisolatin2", 2),
    ("csisolatin3", 3),
    ("csisolatin4", 4),
    ("csisolatin5", 23),
    ("csisolatin6", 10),
    ("csisolatin9", 13),
    ("csisolatinarabic", 6),
    ("csisolatincyrillic", 5),
    ("csisolatingreek", 7),
    ("csisolatinhebrew", 8),
    ("cskoi8r", 15),
    ("csksc56011987", 35),
    ("csmacintosh", 17),
    ("csshiftjis", 34),
    ("csunicode", 38),
    ("cyrillic", 5),
    ("dos-874", 18),
    ("ecma-114", 6),
    ("ecma-118", 7),
    ("elot_928", 7),
    ("euc-jp", 32),
    ("euc-kr", 35),
    ("gb18030", 30),
    ("gb2312", 29),
    ("gb_2312", 29),
    ("gb_2312-80", 29),
    ("gbk", 29),
    ("greek", 7),
    ("greek8", 7),
    ("hebrew", 8),
    ("hz-gb-2312", 36),
    ("ibm819", 21),
    ("ibm866", 1),
    ("iso-10646-ucs-2", 38),
    ("iso-2022-cn", 36),
    ("iso-2022-cn-ext", 36),
    ("iso-2022-jp", 33),
    ("iso-2022-kr", 36),
    ("iso-8859-1", 21),
    ("iso-8859-10", 10),
    ("iso-8859-11", 18),
    ("iso-8859-13", 11),
    ("iso-8859-14", 12),
    ("iso-8859-15", 13),
    ("iso-8859-16", 14),
    ("iso-8859-2", 2),
    ("iso-8859-3", 3),
    ("iso-8859-4", 4),
    ("iso-8859-5", 5),
    ("iso-8859-6", 6),
    ("iso-8859-6-e", 6),
    ("iso-8859-6-i", 6),
    ("iso-8859-7", 7),
    ("iso-8859-8", 8),
    ("iso-8859-8-e", 8),
    ("iso-8859-8-i", 9),
    ("iso-8859-9", 23),
    ("iso-ir-100", 21),
    ("iso-ir-101", 2),
    ("iso-ir-109", 3),
    ("iso-ir-110", 4),
    ("iso-ir-126", 7),
    ("iso-ir-127", 6),
    ("iso-ir-138", 8),
    ("iso-ir-144", 5),
    ("iso-ir-148", 23),
    ("iso-ir-149", 35),
    ("iso-ir-157", 10),
    ("iso-ir-58", 29),
    ("iso8859-1", 21),
    ("iso8859-10", 10),
    ("iso8859-11", 18),
    ("iso8859-13", 11),
    ("iso8859-14", 12),
    ("iso8859-15", 13),
    ("iso8859-2", 2),
    ("iso8859-3", 3),
    ("iso8859-4", 4),
    ("iso8859-5", 5),
    ("iso8859-6", 6),
    ("iso8859-7", 7),
    ("iso8859-8", 8),
    ("iso8859-9", 23),
    ("iso88591", 21),
    ("iso885910", 10),
    ("iso885911", 18),
    ("iso885913", 11),
    ("iso885914", 12),
    ("iso885915", 13),
    ("iso88592", 2),
    ("iso88593", 3),
    ("iso88594", 4),
    ("iso88595", 5),
    ("iso88596", 6),
    ("iso88597", 7),
    ("iso88598", 8),
    ("iso88599", 23),
    ("iso_8859-1", 21),
    ("iso_8859-15", 13),
    ("iso_8859-1:1987", 21),
    ("iso_8859-2", 2),
    ("iso_8859-2:1987", 2),
    ("iso_8859-3", 3),
    ("iso_8859-3:1988", 3),
    ("iso_8859-4", 4),
    ("iso_8859-4:1988", 4),
    ("iso_8859-5", 5),
    ("iso_8859-5:1988", 5),
    ("iso_8859-6", 6),
    ("iso_8859-6:1987", 6),
    ("iso_8859-7", 7),
    ("iso_8859-7:1987", 7),
    ("iso_8859-8", 8),
    ("iso_8859-8:1988", 8),
    ("iso_8859-9", 23),
    ("iso_8859-9:1989", 23),
    ("koi", 15),
    ("koi8", 15),
    ("koi8-r", 15),
    ("koi8-ru", 16),
    ("koi8-u", 16),
    ("koi8_r", 15),
    ("korean", 35),
    ("ks_c_5601-1987", 35),
    ("ks_c_5601-1989", 35),
    ("ksc5601", 35),
    ("ksc_5601", 35),
    ("l1", 21),
    ("l2", 2),
    ("l3", 3),
    ("l4", 4),
    ("l5", 23),
    ("l6", 10),
    ("l9", 13),
    ("latin1", 21),
    ("latin2", 2),
    ("latin3", 3),
    ("latin4", 4),
    ("latin5", 23),
    ("latin6", 10),
    ("logical", 9),
    ("mac", 17),
    ("macintosh", 17),
    ("ms932", 34),
    ("ms_kanji", 34),
    ("replacement", 36),
    ("shift-jis", 34),
    ("shift_jis", 34),
    ("sjis", 34),
    ("sun_eu_greek", 7),
    ("tis-620", 18),
    ("ucs-2", 38),
    ("unicode", 38),
    ("unicode-1-1-utf-8", 0),
    ("unicode11utf8", 0),
    ("unicode20utf8", 0),
    ("unicodefeff", 38),
    ("unicodefffe", 37),
    ("us-ascii", 21),
    ("utf-16", 38),
    ("utf-16be", 37),
    ("utf-16le", 38),
    ("utf-8", 0),
    ("utf8", 0),
    ("visual", 8),
    ("windows-1250", 19),
    ("windows-1251", 20),
    ("windows-1252", 21),
    ("windows-1253", 22),
    ("windows-1254", 23),
    ("windows-1255", 24),
    ("windows-1256", 25),
    ("windows-1257", 26),
    ("windows-1258", 27),
    ("windows-31j", 34),
    ("windows-874", 18),
    ("windows-949", 35),
    ("x-cp1250", 19),
    ("x-cp1251", 20),
    ("x-cp1252", 21),
    ("x-cp1253", 22),
    ("x-cp1254", 23),
    ("x-cp1255", 24),
    ("x-cp1256", 25),
    ("x-cp1257", 26),
    ("x-cp1258", 27),
    ("x-euc-jp", 32),
    ("x-gbk", 29),
    ("x-mac-cyrillic", 28),
    ("x-mac-roman", 17),
    ("x-mac-ukrainian", 28),
    ("x-sjis", 34),
    ("x-unicode20utf8", 0),
    ("x-user-defined", 39),
    ("x-x-big5", 31),
];
