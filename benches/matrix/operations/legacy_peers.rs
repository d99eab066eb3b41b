//! The peers of the legacy encodings that are no crates: iconv, ICU and other builds of encoding_rs.
//! With whole texts only; in short ones encoding_rs is ahead of them.

use super::Case;
use super::legacy::well_formed;
use crate::peers::encoding_rs::{Build, Encoding};
use crate::peers::{iconv, icu};
use crate::timing::Contest;

/// What cargo must be told for them.
pub(crate) const OPTION: &str = "--features simdtext-bench/c-peers ";

/// The versions of the C libraries.
pub(crate) fn versions() -> String {
    let icu = icu::version().map_or("no ICU".to_owned(), |version| format!("ICU {version}"));
    format!(", {icu}, glibc {}", iconv::version())
}

fn nightly(case: &Case<'_>, encoding: &str) -> Option<Encoding> {
    case.nightly
        .then(|| Encoding::new(Build::Nightly, encoding))
        .flatten()
}

/// For the one encoding whose target is against the encoder with default features: such encoders
/// take tens of milliseconds for a text.
fn default_encoder(case: &Case<'_>, encoding: &str) -> Option<Encoding> {
    (case.c_peers && encoding == "ISO-2022-JP")
        .then(|| Encoding::new(Build::Default, encoding))
        .flatten()
}

fn icu(case: &Case<'_>, encoding: &str) -> Option<icu::Converter> {
    case.c_peers
        .then(|| icu::Converter::new(encoding))
        .flatten()
}

fn iconv(case: &Case<'_>, to: &str, from: &str) -> Option<iconv::Converter> {
    case.c_peers
        .then(|| iconv::Converter::new(to, from))
        .flatten()
}

pub(super) fn to_utf8(
    mut contest: Contest<u8, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u8> {
    if let Some(peer) = nightly(case, encoding) {
        contest = contest.peer(Build::Nightly.name(), move |src, dst| {
            peer.decode_to_utf8(src, dst)
        });
    }
    if let Some(iconv) = iconv(case, "UTF-8", encoding) {
        contest = contest.peer_if_like("iconv", move |src, dst| iconv.convert(src, dst));
    }
    if let Some(icu) = icu(case, encoding) {
        contest = contest.peer_if_like("icu", move |src, dst| icu.decode_to_utf8(src, dst));
    }
    contest
}

pub(super) fn to_utf16(
    mut contest: Contest<u8, u16>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u16> {
    if let Some(peer) = nightly(case, encoding) {
        contest = contest.peer(Build::Nightly.name(), move |src, dst| {
            peer.decode_to_utf16(src, dst)
        });
    }
    if let Some(icu) = icu(case, encoding) {
        contest = contest.peer_if_like("icu", move |src, dst| icu.decode_to_utf16(src, dst));
    }
    contest
}

pub(super) fn from_utf8(
    mut contest: Contest<u8, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u8, u8> {
    if let Some(peer) = nightly(case, encoding) {
        contest = contest.peer(Build::Nightly.name(), move |src, dst| {
            peer.encode_utf8(well_formed(src), dst)
        });
    }
    if let Some(peer) = default_encoder(case, encoding) {
        contest = contest.peer(Build::Default.name(), move |src, dst| {
            peer.encode_utf8(well_formed(src), dst)
        });
    }
    if let Some(iconv) = iconv(case, encoding, "UTF-8") {
        contest = contest.peer_if_like("iconv", move |src, dst| iconv.convert(src, dst));
    }
    if let Some(icu) = icu(case, encoding) {
        contest = contest.peer_if_like("icu", move |src, dst| icu.encode_utf8(src, dst));
    }
    contest
}

pub(super) fn from_utf16(
    mut contest: Contest<u16, u8>,
    case: &Case<'_>,
    encoding: &str,
) -> Contest<u16, u8> {
    if let Some(peer) = nightly(case, encoding) {
        contest = contest.peer(Build::Nightly.name(), move |src, dst| {
            peer.encode_utf16(src, dst)
        });
    }
    if let Some(peer) = default_encoder(case, encoding) {
        contest = contest.peer(Build::Default.name(), move |src, dst| {
            peer.encode_utf16(src, dst)
        });
    }
    if let Some(icu) = icu(case, encoding) {
        contest = contest.peer_if_like("icu", move |src, dst| icu.encode_utf16(src, dst));
    }
    contest
}
