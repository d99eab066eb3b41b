//! Where documents declare their encodings.

use simdtext::sniff::{Format, declarations, prescan, xml_encoding};
use simdtext::{Encoding, UTF_16LE, X_USER_DEFINED};

/// The labels found in `document`, each in brackets.
fn marked(document: &str, format: Format) -> String {
    let mut marked = String::new();
    let mut done = 0;
    for declaration in declarations(document.as_bytes(), format) {
        let label = &document[declaration.range.clone()];
        assert_eq!(
            Encoding::for_label(label.as_bytes()),
            Some(declaration.encoding)
        );
        marked.push_str(&document[done..declaration.range.start]);
        marked.push_str(&format!("[{label}]"));
        done = declaration.range.end;
    }
    marked.push_str(&document[done..]);
    marked
}

#[test]
fn labels_and_nothing_else() {
    for marked_by_hand in [
        "<meta charset=[koi8-r]>",
        "<meta charset = \" [koi8-r]\t\" charset=gbk>",
        "<META http-equiv=content-type content='text/html; CHARSET = \"[Big5]\"'>",
        "<meta content=\"text/html; charset=[big5];x\" http-equiv=\"Content-Type\">",
        "<meta content=\"text/html; charset=big5\">",
        "<meta charset=nope><meta charset='[sjis]'><p><meta charset=[gbk] /><meta charset=gbk/>",
        "<!-- <meta charset=gbk> --><a href='<meta charset=gbk>'><meta charset=[utf-16le] >",
        "<?xml version='1.0' encoding='[euc-jp]'?><html><meta charset=[cp1252]>",
        "<meta charset=koi8-r",
        "",
    ] {
        let document = marked_by_hand.replace(['[', ']'], "");
        assert_eq!(marked(&document, Format::Html), marked_by_hand);
        assert_eq!(marked(&document, Format::Text), document);
    }
    let xml = "<?xml version=\"1.0\" encoding = \"[x-sjis]\" ?><a><meta charset=gbk></a>";
    assert_eq!(marked(&xml.replace(['[', ']'], ""), Format::Xml), xml);
    let css = "@charset \"[gbk]\"; a {}";
    assert_eq!(marked(&css.replace(['[', ']'], ""), Format::Css), css);
}

/// The prescan takes a tag in a script for one, and the parser does not.
#[test]
fn in_scripts_and_other_text() {
    for marked_by_hand in [
        // Browsers obey both, one after the other.
        "<script>w('<meta charset=[gbk]>')</script><meta charset=[koi8-r]>",
        "<script>// <meta charset=[gbk]>\n</script><p>",
        "<meta charset=[koi8-r]><script>w('<meta charset=koi8-r>')</script><meta charset=\"[gbk]\">",
        "<meta charset=[koi8-r]><title><meta charset=gbk></title><style>/*<meta charset=gbk>*/</style>",
        "<meta charset=[koi8-r]><script>w('<meta charset=koi8-r>')",
        "<!-- <script> --><meta charset=[koi8-r]><!-- <meta charset=gbk> -->",
        // To the prescan, the rest is a comment.
        "<script><!-- hidden from old browsers\n</script><meta charset=[koi8-r]>",
        "<meta charset=nope http-equiv=content-type content='text/html;charset=[gbk]'><meta charset=[gbk]>",
    ] {
        let document = marked_by_hand.replace(['[', ']'], "");
        assert_eq!(marked(&document, Format::Html), marked_by_hand);
    }
    // The prescan does not come that far.
    let script = format!("{}<script>'<meta charset=gbk>'</script>", " ".repeat(1100));
    assert_eq!(marked(&script, Format::Html), script);
}

#[test]
fn after_what_browsers_look_at() {
    let page = format!("{}<meta charset=gbk>", " ".repeat(2000));
    assert_eq!(prescan(page.as_bytes()), None);
    assert_eq!(declarations(page.as_bytes(), Format::Html).count(), 1);
}

#[test]
fn encodings_as_they_are_named() {
    for (label, encoding) in [("utf-16", UTF_16LE), ("x-user-defined", X_USER_DEFINED)] {
        let page = format!("<meta charset={label}>");
        let found = declarations(page.as_bytes(), Format::Html).next();
        assert_eq!(found.map(|it| it.encoding), Some(encoding));
        assert_ne!(prescan(page.as_bytes()), Some(encoding));
        let xml = format!("<?xml encoding='{label}'?>");
        let found = declarations(xml.as_bytes(), Format::Xml).next();
        assert_eq!(found.map(|it| it.encoding), Some(encoding));
        assert!(xml_encoding(xml.as_bytes()).is_some());
    }
}
