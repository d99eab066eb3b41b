//! The forty encodings: each symbol is a constant pointer to one. `tests.rs` checks that they are all those
//! of the drop-in.

use simdtext_encoding_rs::{self as drop_in, Encoding};

/// UTF-8.
#[unsafe(no_mangle)]
pub(crate) static UTF_8_ENCODING: &Encoding = &drop_in::UTF_8_INIT;

/// IBM866.
#[unsafe(no_mangle)]
pub(crate) static IBM866_ENCODING: &Encoding = &drop_in::IBM866_INIT;

/// ISO-8859-2.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_2_ENCODING: &Encoding = &drop_in::ISO_8859_2_INIT;

/// ISO-8859-3.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_3_ENCODING: &Encoding = &drop_in::ISO_8859_3_INIT;

/// ISO-8859-4.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_4_ENCODING: &Encoding = &drop_in::ISO_8859_4_INIT;

/// ISO-8859-5.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_5_ENCODING: &Encoding = &drop_in::ISO_8859_5_INIT;

/// ISO-8859-6.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_6_ENCODING: &Encoding = &drop_in::ISO_8859_6_INIT;

/// ISO-8859-7.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_7_ENCODING: &Encoding = &drop_in::ISO_8859_7_INIT;

/// ISO-8859-8.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_8_ENCODING: &Encoding = &drop_in::ISO_8859_8_INIT;

/// ISO-8859-8-I.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_8_I_ENCODING: &Encoding = &drop_in::ISO_8859_8_I_INIT;

/// ISO-8859-10.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_10_ENCODING: &Encoding = &drop_in::ISO_8859_10_INIT;

/// ISO-8859-13.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_13_ENCODING: &Encoding = &drop_in::ISO_8859_13_INIT;

/// ISO-8859-14.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_14_ENCODING: &Encoding = &drop_in::ISO_8859_14_INIT;

/// ISO-8859-15.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_15_ENCODING: &Encoding = &drop_in::ISO_8859_15_INIT;

/// ISO-8859-16.
#[unsafe(no_mangle)]
pub(crate) static ISO_8859_16_ENCODING: &Encoding = &drop_in::ISO_8859_16_INIT;

/// KOI8-R.
#[unsafe(no_mangle)]
pub(crate) static KOI8_R_ENCODING: &Encoding = &drop_in::KOI8_R_INIT;

/// KOI8-U.
#[unsafe(no_mangle)]
pub(crate) static KOI8_U_ENCODING: &Encoding = &drop_in::KOI8_U_INIT;

/// macintosh.
#[unsafe(no_mangle)]
pub(crate) static MACINTOSH_ENCODING: &Encoding = &drop_in::MACINTOSH_INIT;

/// windows-874.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_874_ENCODING: &Encoding = &drop_in::WINDOWS_874_INIT;

/// windows-1250.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1250_ENCODING: &Encoding = &drop_in::WINDOWS_1250_INIT;

/// windows-1251.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1251_ENCODING: &Encoding = &drop_in::WINDOWS_1251_INIT;

/// windows-1252.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1252_ENCODING: &Encoding = &drop_in::WINDOWS_1252_INIT;

/// windows-1253.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1253_ENCODING: &Encoding = &drop_in::WINDOWS_1253_INIT;

/// windows-1254.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1254_ENCODING: &Encoding = &drop_in::WINDOWS_1254_INIT;

/// windows-1255.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1255_ENCODING: &Encoding = &drop_in::WINDOWS_1255_INIT;

/// windows-1256.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1256_ENCODING: &Encoding = &drop_in::WINDOWS_1256_INIT;

/// windows-1257.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1257_ENCODING: &Encoding = &drop_in::WINDOWS_1257_INIT;

/// windows-1258.
#[unsafe(no_mangle)]
pub(crate) static WINDOWS_1258_ENCODING: &Encoding = &drop_in::WINDOWS_1258_INIT;

/// x-mac-cyrillic.
#[unsafe(no_mangle)]
pub(crate) static X_MAC_CYRILLIC_ENCODING: &Encoding = &drop_in::X_MAC_CYRILLIC_INIT;

/// GBK.
#[unsafe(no_mangle)]
pub(crate) static GBK_ENCODING: &Encoding = &drop_in::GBK_INIT;

/// gb18030.
#[unsafe(no_mangle)]
pub(crate) static GB18030_ENCODING: &Encoding = &drop_in::GB18030_INIT;

/// Big5.
#[unsafe(no_mangle)]
pub(crate) static BIG5_ENCODING: &Encoding = &drop_in::BIG5_INIT;

/// EUC-JP.
#[unsafe(no_mangle)]
pub(crate) static EUC_JP_ENCODING: &Encoding = &drop_in::EUC_JP_INIT;

/// ISO-2022-JP.
#[unsafe(no_mangle)]
pub(crate) static ISO_2022_JP_ENCODING: &Encoding = &drop_in::ISO_2022_JP_INIT;

/// Shift_JIS.
#[unsafe(no_mangle)]
pub(crate) static SHIFT_JIS_ENCODING: &Encoding = &drop_in::SHIFT_JIS_INIT;

/// EUC-KR.
#[unsafe(no_mangle)]
pub(crate) static EUC_KR_ENCODING: &Encoding = &drop_in::EUC_KR_INIT;

/// replacement.
#[unsafe(no_mangle)]
pub(crate) static REPLACEMENT_ENCODING: &Encoding = &drop_in::REPLACEMENT_INIT;

/// UTF-16BE.
#[unsafe(no_mangle)]
pub(crate) static UTF_16BE_ENCODING: &Encoding = &drop_in::UTF_16BE_INIT;

/// UTF-16LE.
#[unsafe(no_mangle)]
pub(crate) static UTF_16LE_ENCODING: &Encoding = &drop_in::UTF_16LE_INIT;

/// x-user-defined.
#[unsafe(no_mangle)]
pub(crate) static X_USER_DEFINED_ENCODING: &Encoding = &drop_in::X_USER_DEFINED_INIT;
