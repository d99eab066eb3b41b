//! The peers of the legacy encodings that are no crates: iconv and ICU. With whole texts only; in short
//! ones encoding_rs is ahead of them.

use super::Case;
use crate::peers::{iconv, icu};
use crate::timing::Contest;

/// What cargo must be told for them.
pub(crate) const OPTION: &str = "--features simdtext-bench/c-peers ";

/// The versions of the C libraries.
pub(crate) fn versions() -> String {
    let icu = icu::version().map_or("no ICU".to_owned(), |version| format!("ICU {version}"));
    format!(", {icu}, glibc {}", iconv::version())
}

fn icu(case: &Case<'_>, encoding: &str) -> Option<icu::Converter> {
    let wanted = case.c_peers.then_some(encoding);
    wanted.and_then(icu::Converter::new)
}

/// Enters iconv, if there is one for these encodings.
fn with_iconv(contest: Contest<u8, u8>, case: &Case<'_>, to: &str, from: &str) -> Contest<u8, u8> {
    let wanted = case.c_peers.then_some((to, from));
    match wanted.and_then(|(to, from)| iconv::Converter::new(to, from)) {
        Some(iconv) => contest.peer_if_like("iconv", move |src, dst| iconv.convert(src, dst)),
        None => contest,
    }
}

pub(super) fn to_utf8(
    contest: Contest<u8, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u8> {
    let contest = with_iconv(contest, case, "UTF-8", encoding);
    match icu(case, encoding) {
        Some(icu) => contest.peer_if_like("icu", move |src, dst| icu.decode_to_utf8(src, dst)),
        None => contest,
    }
}

pub(super) fn to_utf16(
    contest: Contest<u8, u16>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u16> {
    match icu(case, encoding) {
        Some(icu) => contest.peer_if_like("icu", move |src, dst| icu.decode_to_utf16(src, dst)),
        None => contest,
    }
}

pub(super) fn from_utf8(
    contest: Contest<u8, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u8> {
    let contest = with_iconv(contest, case, encoding, "UTF-8");
    match icu(case, encoding) {
        Some(icu) => contest.peer_if_like("icu", move |src, dst| icu.encode_utf8(src, dst)),
        None => contest,
    }
}

pub(super) fn from_utf16(
    contest: Contest<u16, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u16, u8> {
    match icu(case, encoding) {
        Some(icu) => contest.peer_if_like("icu", move |src, dst| icu.encode_utf16(src, dst)),
        None => contest,
    }
}
