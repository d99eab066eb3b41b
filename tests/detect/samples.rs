//! Every file of `samples/` must be recognised, or decode to the same text.

use std::path::Path;
use std::{env, fs};

use simdtext::detect::{Options, detect};
use simdtext::{Bom, Encoding};

/// The sample of a language.
pub(crate) fn text(language: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/utf-8");
    fs::read_to_string(folder.join(format!("{language}.txt"))).expect(language)
}

#[test]
fn recognised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let list = fs::read_to_string(folder.join("LIST")).expect("samples/LIST");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let [file, label] = line.split('\t').collect::<Vec<_>>()[..2] else {
            panic!("{line}");
        };
        let encoding = Encoding::for_label(label.as_bytes()).expect(label);
        let bytes = fs::read(folder.join(file)).expect(file);
        let guess = detect(&bytes, true, &Options::default());
        let text = |encoding: &'static Encoding| encoding.decode_with_bom(&bytes, Bom::Sniff).text;
        count += 1;
        if guess.encoding.map(text) != Some(text(encoding)) {
            wrong.push(format!("{file}: {:?} ({})", guess.encoding, guess.reason));
        }
    }
    assert!(count > 50, "samples/LIST has {count} lines");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
