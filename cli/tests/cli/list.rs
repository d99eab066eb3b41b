//! `list` and `--version`.

use std::collections::BTreeSet;

use encoding_rs::Encoding;
use serde_json::Value;

use crate::harness::{run, simdtext};

/// Each label in the list, with the name of its encoding.
fn listed() -> Vec<(String, String)> {
    let stdout = run(["list"]).quietly().ends(0).stdout;
    let text = String::from_utf8(stdout).expect("the list is UTF-8");
    text.lines()
        .flat_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default().to_owned();
            words
                .map(move |label| (label.to_owned(), name.clone()))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn all_228_labels_as_encoding_rs_knows_them() {
    let listed = listed();
    assert_eq!(listed.len(), 228);
    for (label, name) in &listed {
        let encoding = Encoding::for_label(label.as_bytes()).expect("encoding_rs has the label");
        assert_eq!(encoding.name(), name, "{label}");
    }
    let names: BTreeSet<&String> = listed.iter().map(|(_, name)| name).collect();
    assert_eq!(names.len(), 40);
}

#[test]
fn json_says_the_same() {
    let stdout = run(["list", "--json"]).quietly().ends(0).stdout;
    let text = String::from_utf8(stdout).expect("the list is UTF-8");
    let mut labels = Vec::new();
    let mut not_written = Vec::new();
    for line in text.lines() {
        let object: Value = serde_json::from_str(line).expect("each line is an object");
        assert_eq!(object["version"], 1);
        let name = object["name"].as_str().expect("it has a name");
        for label in object["labels"].as_array().expect("it has labels") {
            labels.push((
                label.as_str().unwrap_or_default().to_owned(),
                name.to_owned(),
            ));
        }
        if object["encoder"] == false {
            not_written.push(name.to_owned());
        }
    }
    assert_eq!(labels, listed());
    assert_eq!(not_written, ["replacement"]);
}

#[test]
fn the_version_names_the_kernels() {
    let version = |isa: Option<&str>| {
        let mut command = simdtext(["--version"]);
        match isa {
            Some(isa) => command.env("SIMDTEXT_ISA", isa),
            None => command.env_remove("SIMDTEXT_ISA"),
        };
        let ran = crate::harness::feed(command, b"").ends(0);
        (
            String::from_utf8(ran.stdout).expect("it is UTF-8"),
            ran.stderr,
        )
    };
    let (line, messages) = version(None);
    assert!(line.starts_with("simdtext 0.1.0 (kernels: "), "{line}");
    assert_eq!(messages, "");
    assert_eq!(
        version(Some("scalar")).0,
        "simdtext 0.1.0 (kernels: scalar)\n"
    );
    // An unknown value changes nothing, and is reported.
    let (same, messages) = version(Some("avx1024"));
    assert_eq!(same, line);
    for word in ["avx1024", "none", "scalar", "sse4", "avx2"] {
        assert!(messages.contains(word), "{messages}");
    }
}
