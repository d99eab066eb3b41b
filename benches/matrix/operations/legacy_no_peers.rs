//! In place of `legacy_peers` where the feature `c-peers` is off: no more peers.

use super::Case;

pub(crate) const OPTION: &str = "";

pub(crate) fn versions() -> String {
    String::new()
}

pub(super) fn to_utf8<C>(contest: C, _: &Case<'_>, _: &str) -> C {
    contest
}

pub(super) fn to_utf16<C>(contest: C, _: &Case<'_>, _: &str) -> C {
    contest
}

pub(super) fn from_utf8<C>(contest: C, _: &Case<'_>, _: &str) -> C {
    contest
}

pub(super) fn from_utf16<C>(contest: C, _: &Case<'_>, _: &str) -> C {
    contest
}
