//! The forty encodings, each as a static and as a reference to it.
//!
//! `X_INIT` exists for statics and constants that need the address of an encoding: `X` is a static itself,
//! which they could not read. `tests/encoding.rs` checks that these are the encodings of simdtext, in its
//! order.

use crate::encoding::{Encoding, Kind};

// Written out, so that each static has its documentation.

/// UTF-8, for initializers of statics; see [`UTF_8`].
pub static UTF_8_INIT: Encoding = Encoding::new(simdtext::UTF_8, Kind::Utf8);
/// UTF-8.
pub static UTF_8: &Encoding = &UTF_8_INIT;

/// IBM866, for initializers of statics; see [`IBM866`].
pub static IBM866_INIT: Encoding = Encoding::new(simdtext::IBM866, Kind::SingleByte);
/// IBM866.
pub static IBM866: &Encoding = &IBM866_INIT;

/// ISO-8859-2, for initializers of statics; see [`ISO_8859_2`].
pub static ISO_8859_2_INIT: Encoding = Encoding::new(simdtext::ISO_8859_2, Kind::SingleByte);
/// ISO-8859-2.
pub static ISO_8859_2: &Encoding = &ISO_8859_2_INIT;

/// ISO-8859-3, for initializers of statics; see [`ISO_8859_3`].
pub static ISO_8859_3_INIT: Encoding = Encoding::new(simdtext::ISO_8859_3, Kind::SingleByte);
/// ISO-8859-3.
pub static ISO_8859_3: &Encoding = &ISO_8859_3_INIT;

/// ISO-8859-4, for initializers of statics; see [`ISO_8859_4`].
pub static ISO_8859_4_INIT: Encoding = Encoding::new(simdtext::ISO_8859_4, Kind::SingleByte);
/// ISO-8859-4.
pub static ISO_8859_4: &Encoding = &ISO_8859_4_INIT;

/// ISO-8859-5, for initializers of statics; see [`ISO_8859_5`].
pub static ISO_8859_5_INIT: Encoding = Encoding::new(simdtext::ISO_8859_5, Kind::SingleByte);
/// ISO-8859-5.
pub static ISO_8859_5: &Encoding = &ISO_8859_5_INIT;

/// ISO-8859-6, for initializers of statics; see [`ISO_8859_6`].
pub static ISO_8859_6_INIT: Encoding = Encoding::new(simdtext::ISO_8859_6, Kind::SingleByte);
/// ISO-8859-6.
pub static ISO_8859_6: &Encoding = &ISO_8859_6_INIT;

/// ISO-8859-7, for initializers of statics; see [`ISO_8859_7`].
pub static ISO_8859_7_INIT: Encoding = Encoding::new(simdtext::ISO_8859_7, Kind::SingleByte);
/// ISO-8859-7.
pub static ISO_8859_7: &Encoding = &ISO_8859_7_INIT;

/// ISO-8859-8, for initializers of statics; see [`ISO_8859_8`].
pub static ISO_8859_8_INIT: Encoding = Encoding::new(simdtext::ISO_8859_8, Kind::SingleByte);
/// ISO-8859-8.
pub static ISO_8859_8: &Encoding = &ISO_8859_8_INIT;

/// ISO-8859-8-I, for initializers of statics; see [`ISO_8859_8_I`].
pub static ISO_8859_8_I_INIT: Encoding = Encoding::new(simdtext::ISO_8859_8_I, Kind::SingleByte);
/// ISO-8859-8-I.
pub static ISO_8859_8_I: &Encoding = &ISO_8859_8_I_INIT;

/// ISO-8859-10, for initializers of statics; see [`ISO_8859_10`].
pub static ISO_8859_10_INIT: Encoding = Encoding::new(simdtext::ISO_8859_10, Kind::SingleByte);
/// ISO-8859-10.
pub static ISO_8859_10: &Encoding = &ISO_8859_10_INIT;

/// ISO-8859-13, for initializers of statics; see [`ISO_8859_13`].
pub static ISO_8859_13_INIT: Encoding = Encoding::new(simdtext::ISO_8859_13, Kind::SingleByte);
/// ISO-8859-13.
pub static ISO_8859_13: &Encoding = &ISO_8859_13_INIT;

/// ISO-8859-14, for initializers of statics; see [`ISO_8859_14`].
pub static ISO_8859_14_INIT: Encoding = Encoding::new(simdtext::ISO_8859_14, Kind::SingleByte);
/// ISO-8859-14.
pub static ISO_8859_14: &Encoding = &ISO_8859_14_INIT;

/// ISO-8859-15, for initializers of statics; see [`ISO_8859_15`].
pub static ISO_8859_15_INIT: Encoding = Encoding::new(simdtext::ISO_8859_15, Kind::SingleByte);
/// ISO-8859-15.
pub static ISO_8859_15: &Encoding = &ISO_8859_15_INIT;

/// ISO-8859-16, for initializers of statics; see [`ISO_8859_16`].
pub static ISO_8859_16_INIT: Encoding = Encoding::new(simdtext::ISO_8859_16, Kind::SingleByte);
/// ISO-8859-16.
pub static ISO_8859_16: &Encoding = &ISO_8859_16_INIT;

/// KOI8-R, for initializers of statics; see [`KOI8_R`].
pub static KOI8_R_INIT: Encoding = Encoding::new(simdtext::KOI8_R, Kind::SingleByte);
/// KOI8-R.
pub static KOI8_R: &Encoding = &KOI8_R_INIT;

/// KOI8-U, for initializers of statics; see [`KOI8_U`].
pub static KOI8_U_INIT: Encoding = Encoding::new(simdtext::KOI8_U, Kind::SingleByte);
/// KOI8-U.
pub static KOI8_U: &Encoding = &KOI8_U_INIT;

/// macintosh, for initializers of statics; see [`MACINTOSH`].
pub static MACINTOSH_INIT: Encoding = Encoding::new(simdtext::MACINTOSH, Kind::SingleByte);
/// macintosh.
pub static MACINTOSH: &Encoding = &MACINTOSH_INIT;

/// windows-874, for initializers of statics; see [`WINDOWS_874`].
pub static WINDOWS_874_INIT: Encoding = Encoding::new(simdtext::WINDOWS_874, Kind::SingleByte);
/// windows-874.
pub static WINDOWS_874: &Encoding = &WINDOWS_874_INIT;

/// windows-1250, for initializers of statics; see [`WINDOWS_1250`].
pub static WINDOWS_1250_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1250, Kind::SingleByte);
/// windows-1250.
pub static WINDOWS_1250: &Encoding = &WINDOWS_1250_INIT;

/// windows-1251, for initializers of statics; see [`WINDOWS_1251`].
pub static WINDOWS_1251_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1251, Kind::SingleByte);
/// windows-1251.
pub static WINDOWS_1251: &Encoding = &WINDOWS_1251_INIT;

/// windows-1252, for initializers of statics; see [`WINDOWS_1252`].
pub static WINDOWS_1252_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1252, Kind::SingleByte);
/// windows-1252.
pub static WINDOWS_1252: &Encoding = &WINDOWS_1252_INIT;

/// windows-1253, for initializers of statics; see [`WINDOWS_1253`].
pub static WINDOWS_1253_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1253, Kind::SingleByte);
/// windows-1253.
pub static WINDOWS_1253: &Encoding = &WINDOWS_1253_INIT;

/// windows-1254, for initializers of statics; see [`WINDOWS_1254`].
pub static WINDOWS_1254_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1254, Kind::SingleByte);
/// windows-1254.
pub static WINDOWS_1254: &Encoding = &WINDOWS_1254_INIT;

/// windows-1255, for initializers of statics; see [`WINDOWS_1255`].
pub static WINDOWS_1255_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1255, Kind::SingleByte);
/// windows-1255.
pub static WINDOWS_1255: &Encoding = &WINDOWS_1255_INIT;

/// windows-1256, for initializers of statics; see [`WINDOWS_1256`].
pub static WINDOWS_1256_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1256, Kind::SingleByte);
/// windows-1256.
pub static WINDOWS_1256: &Encoding = &WINDOWS_1256_INIT;

/// windows-1257, for initializers of statics; see [`WINDOWS_1257`].
pub static WINDOWS_1257_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1257, Kind::SingleByte);
/// windows-1257.
pub static WINDOWS_1257: &Encoding = &WINDOWS_1257_INIT;

/// windows-1258, for initializers of statics; see [`WINDOWS_1258`].
pub static WINDOWS_1258_INIT: Encoding = Encoding::new(simdtext::WINDOWS_1258, Kind::SingleByte);
/// windows-1258.
pub static WINDOWS_1258: &Encoding = &WINDOWS_1258_INIT;

/// x-mac-cyrillic, for initializers of statics; see [`X_MAC_CYRILLIC`].
pub static X_MAC_CYRILLIC_INIT: Encoding =
    Encoding::new(simdtext::X_MAC_CYRILLIC, Kind::SingleByte);
/// x-mac-cyrillic.
pub static X_MAC_CYRILLIC: &Encoding = &X_MAC_CYRILLIC_INIT;

/// GBK, for initializers of statics; see [`GBK`].
pub static GBK_INIT: Encoding = Encoding::new(simdtext::GBK, Kind::Gbk);
/// GBK.
pub static GBK: &Encoding = &GBK_INIT;

/// gb18030, for initializers of statics; see [`GB18030`].
pub static GB18030_INIT: Encoding = Encoding::new(simdtext::GB18030, Kind::Gb18030);
/// gb18030.
pub static GB18030: &Encoding = &GB18030_INIT;

/// Big5, for initializers of statics; see [`BIG5`].
pub static BIG5_INIT: Encoding = Encoding::new(simdtext::BIG5, Kind::Big5);
/// Big5.
pub static BIG5: &Encoding = &BIG5_INIT;

/// EUC-JP, for initializers of statics; see [`EUC_JP`].
pub static EUC_JP_INIT: Encoding = Encoding::new(simdtext::EUC_JP, Kind::EucJp);
/// EUC-JP.
pub static EUC_JP: &Encoding = &EUC_JP_INIT;

/// ISO-2022-JP, for initializers of statics; see [`ISO_2022_JP`].
pub static ISO_2022_JP_INIT: Encoding = Encoding::new(simdtext::ISO_2022_JP, Kind::Iso2022Jp);
/// ISO-2022-JP.
pub static ISO_2022_JP: &Encoding = &ISO_2022_JP_INIT;

/// Shift_JIS, for initializers of statics; see [`SHIFT_JIS`].
pub static SHIFT_JIS_INIT: Encoding = Encoding::new(simdtext::SHIFT_JIS, Kind::ShiftJis);
/// Shift_JIS.
pub static SHIFT_JIS: &Encoding = &SHIFT_JIS_INIT;

/// EUC-KR, for initializers of statics; see [`EUC_KR`].
pub static EUC_KR_INIT: Encoding = Encoding::new(simdtext::EUC_KR, Kind::EucKr);
/// EUC-KR.
pub static EUC_KR: &Encoding = &EUC_KR_INIT;

/// replacement, for initializers of statics; see [`REPLACEMENT`].
pub static REPLACEMENT_INIT: Encoding = Encoding::new(simdtext::REPLACEMENT, Kind::Replacement);
/// replacement.
pub static REPLACEMENT: &Encoding = &REPLACEMENT_INIT;

/// UTF-16BE, for initializers of statics; see [`UTF_16BE`].
pub static UTF_16BE_INIT: Encoding = Encoding::new(simdtext::UTF_16BE, Kind::Utf16Be);
/// UTF-16BE.
pub static UTF_16BE: &Encoding = &UTF_16BE_INIT;

/// UTF-16LE, for initializers of statics; see [`UTF_16LE`].
pub static UTF_16LE_INIT: Encoding = Encoding::new(simdtext::UTF_16LE, Kind::Utf16Le);
/// UTF-16LE.
pub static UTF_16LE: &Encoding = &UTF_16LE_INIT;

/// x-user-defined, for initializers of statics; see [`X_USER_DEFINED`].
pub static X_USER_DEFINED_INIT: Encoding =
    Encoding::new(simdtext::X_USER_DEFINED, Kind::UserDefined);
/// x-user-defined.
pub static X_USER_DEFINED: &Encoding = &X_USER_DEFINED_INIT;

/// All encodings, in the order of the standard, which is that of `simdtext::Encoding::index`.
pub(crate) static ALL: [&Encoding; simdtext::Encoding::all().len()] = [
    &UTF_8_INIT,
    &IBM866_INIT,
    &ISO_8859_2_INIT,
    &ISO_8859_3_INIT,
    &ISO_8859_4_INIT,
    &ISO_8859_5_INIT,
    &ISO_8859_6_INIT,
    &ISO_8859_7_INIT,
    &ISO_8859_8_INIT,
    &ISO_8859_8_I_INIT,
    &ISO_8859_10_INIT,
    &ISO_8859_13_INIT,
    &ISO_8859_14_INIT,
    &ISO_8859_15_INIT,
    &ISO_8859_16_INIT,
    &KOI8_R_INIT,
    &KOI8_U_INIT,
    &MACINTOSH_INIT,
    &WINDOWS_874_INIT,
    &WINDOWS_1250_INIT,
    &WINDOWS_1251_INIT,
    &WINDOWS_1252_INIT,
    &WINDOWS_1253_INIT,
    &WINDOWS_1254_INIT,
    &WINDOWS_1255_INIT,
    &WINDOWS_1256_INIT,
    &WINDOWS_1257_INIT,
    &WINDOWS_1258_INIT,
    &X_MAC_CYRILLIC_INIT,
    &GBK_INIT,
    &GB18030_INIT,
    &BIG5_INIT,
    &EUC_JP_INIT,
    &ISO_2022_JP_INIT,
    &SHIFT_JIS_INIT,
    &EUC_KR_INIT,
    &REPLACEMENT_INIT,
    &UTF_16BE_INIT,
    &UTF_16LE_INIT,
    &X_USER_DEFINED_INIT,
];
