//! A file that is read is never written, whatever its name is.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::symlink;

use crate::harness::{Folder, Ran, run, simdtext};

const REFUSED: &str = "is the same file as the input";

#[test]
fn by_the_same_name() {
    let folder = Folder::new();
    let a = folder.file("a", "text");
    run(["convert", "-o", &a, &a])
        .gives(2, b"")
        .says([REFUSED, &a]);
    // Even if it is the second of two, and spelled differently.
    let b = folder.file("b", "other");
    let dotted = format!("{}/./a", folder.name(""));
    run(["convert", "-o", &dotted, &b, &a])
        .gives(2, b"")
        .says([REFUSED]);
    assert_eq!(
        (folder.read("a"), folder.read("b")),
        (b"text".to_vec(), b"other".to_vec())
    );
}

#[test]
fn through_links() {
    let folder = Folder::new();
    let a = folder.file("a", "text");
    symlink(&a, folder.path("soft")).expect("a link can be made");
    fs::hard_link(&a, folder.path("hard")).expect("a link can be made");
    symlink("soft", folder.path("softer")).expect("a link can be made");
    let names = ["a", "soft", "softer", "hard"].map(|name| folder.name(name));
    for input in &names {
        for output in &names {
            run(["convert", "-o", output, input])
                .gives(2, b"")
                .says([REFUSED]);
        }
    }
    assert_eq!(folder.read("a"), b"text");
    assert_eq!(folder.names(), ["a", "hard", "soft", "softer"]);
}

#[test]
fn through_redirections() {
    let folder = Folder::new();
    let a = folder.file("a", "text");
    let append = || {
        OpenOptions::new()
            .append(true)
            .open(&a)
            .expect("it is ours")
    };
    let read = || File::open(&a).expect("it is there");

    // convert a >> a
    let output = simdtext(["convert", &a]).stdout(append()).output();
    Ran::from(output.expect("it ends"))
        .ends(2)
        .says([REFUSED, "<stdout>"]);
    // convert < a >> a
    let output = simdtext(["convert"])
        .stdin(read())
        .stdout(append())
        .output();
    Ran::from(output.expect("it ends"))
        .ends(2)
        .says([REFUSED, "<stdin>"]);
    // convert -o a < a
    let output = simdtext(["convert", "-o", &a]).stdin(read()).output();
    Ran::from(output.expect("it ends"))
        .ends(2)
        .says([REFUSED, "<stdin>"]);
    // convert -o /dev/stdout a >> a
    let output = simdtext(["convert", "-o", "/dev/stdout", &a])
        .stdout(append())
        .output();
    Ran::from(output.expect("it ends")).ends(2).says([REFUSED]);
    // check a >> a
    let output = simdtext(["check", &a]).stdout(append()).output();
    Ran::from(output.expect("it ends")).ends(2).says([REFUSED]);
    assert_eq!(folder.read("a"), b"text");
}

#[test]
fn others_are_not_refused() {
    let folder = Folder::new();
    let a = folder.file("a", "text");
    folder.file("copy", "text");
    run(["convert", "-o", &folder.name("copy"), &a, &a])
        .gives(0, b"")
        .quietly();
    assert_eq!(folder.read("copy"), b"texttext");
    // A device can be both input and output.
    run(["convert", "-o", "/dev/null", "/dev/null"])
        .gives(0, b"")
        .quietly();
}
