//! `simdtext man` and `simdtext completions`.

use crate::harness::{Folder, run};

#[test]
fn the_manual_has_all_flags() {
    let ran = run(["man"]).ends(0).quietly();
    let page = String::from_utf8(ran.stdout).expect("it is UTF-8");
    for wanted in [".TH", "in\\-place", "resume", "no\\-fsync", "errors\\-max"] {
        assert!(page.contains(wanted), "no {wanted:?}");
    }
    // The same on every machine.
    assert!(!page.contains("kernels: "));
    let folder = Folder::new();
    run(["man", "--out-dir", &folder.name("")])
        .gives(0, b"")
        .quietly();
    let names = folder.names();
    for wanted in ["simdtext.1", "simdtext-convert.1", "simdtext-check.1"] {
        assert!(names.contains(&String::from(wanted)), "{names:?}");
    }
    let nowhere = folder.name("nowhere");
    run(["man", "--out-dir", &nowhere])
        .gives(2, b"")
        .says([&format!(
            "--out-dir={nowhere}: cannot write the pages there: No such file or directory"
        )]);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(["completions", shell]).ends(0).quietly();
        let script = String::from_utf8(ran.stdout).expect("it is UTF-8");
        assert!(
            script.contains("simdtext") && script.contains("in-place"),
            "{shell}"
        );
    }
    run(["completions", "cobol"]).gives(2, b"");
}
