//! `late_meta`: its cases, and any markup, compared with html5gum's tags.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use simdtext::sniff::{
    Evidence, Format, HEAD_LEN, Hints, LATE_META_LEN, encoding_in_content, late_meta, resolve,
};
use simdtext::{Encoding, KOI8_R, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use simdtext_test_tags::{Meta, metas};

use crate::markup::PARTS;
use crate::{cases, name};

/// Tags that other markup lacks.
const TEXT: [&[u8]; 26] = [
    b"<script>",
    b"<script ",
    b"</script>",
    b"</script ",
    b"</SCRIPT/",
    b"<style>",
    b"</style>",
    b"</styles>",
    b"</title>",
    b"<title/>",
    b"<textarea>",
    b"</textarea>",
    b"<noscript>",
    b"</noscript>",
    b"<xmp>",
    b"</xmp",
    b"<plaintext>",
    b"<!--",
    b"<!-->",
    b"<!--->",
    b"-->",
    b"--!>",
    b"!>",
    b"<meta charset=gbk>",
    b"<meta charset='koi8-r'>",
    b"<meta http-equiv=content-type content='charset=gbk'>",
];

fn markup() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        select(PARTS.to_vec()).prop_map(<[u8]>::to_vec),
        select(TEXT.to_vec()).prop_map(<[u8]>::to_vec),
    ];
    vec(part, 0..60).prop_map(|parts| parts.concat())
}

#[test]
fn late_meta_cases() {
    cases::check("late_meta.txt", 60, |case| name(late_meta(&case.input())));
}

/// The first declaration of a `meta` tag according to html5gum.
fn by_html5gum(document: &[u8]) -> Option<&'static Encoding> {
    let declared = metas(document).iter().find_map(declared_by)?;
    Some(if declared == UTF_16BE || declared == UTF_16LE {
        UTF_8
    } else if declared == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        declared
    })
}

fn declared_by(tag: &Meta) -> Option<&'static Encoding> {
    let charset = tag.attribute(b"charset").and_then(Encoding::for_label);
    let is_pragma = tag
        .attribute(b"http-equiv")
        .is_some_and(|value| value.eq_ignore_ascii_case(b"content-type"));
    let content = tag.attribute(b"content").and_then(encoding_in_content);
    charset.or(content.filter(|_| is_pragma))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn late_meta_finds_the_tags_that_html5gum_finds(document in markup()) {
        prop_assert_eq!(late_meta(&document), by_html5gum(&document));
    }
}

#[test]
fn it_looks_as_far_as_it_says() {
    let tag = b"<meta charset=koi8-r>";
    let mut document = vec![b' '; LATE_META_LEN - tag.len()];
    document.extend_from_slice(tag);
    assert_eq!(late_meta(&document), Some(KOI8_R));
    document.insert(0, b' ');
    assert_eq!(late_meta(&document), None);
}

#[test]
fn resolve_looks_where_it_is_asked_to() {
    let mut document = b"<!DOCTYPE html>".to_vec();
    document.resize(HEAD_LEN, b' ');
    document.extend_from_slice(b"<meta charset=koi8-r>\xC3\xA9");
    let decided = |hints: &Hints<'_>| {
        let decision = resolve(hints, &document, true);
        (decision.encoding, decision.evidence)
    };
    let asked = Hints::new().late_meta(true);
    assert_eq!(decided(&asked), (KOI8_R, Evidence::LateMeta));
    assert_eq!(
        decided(&asked.environment(UTF_8)),
        (KOI8_R, Evidence::LateMeta)
    );
    assert_eq!(decided(&Hints::new()), (UTF_8, Evidence::Utf8Valid));
    let not_html = asked.format(Format::Text);
    assert_eq!(decided(&not_html), (UTF_8, Evidence::Utf8Valid));
    let other = asked.transport("text/html; charset=utf-8");
    assert_eq!(decided(&other), (UTF_8, Evidence::Transport));
}
