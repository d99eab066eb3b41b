//! What is refused before any file is changed.

use std::os::unix::fs::symlink;

use crate::folding::mounted_twice;
use crate::harness::{Folder, feed, run, simdtext};

#[test]
fn two_inputs_for_one_output() {
    let folder = Folder::new();
    for name in ["one", "two"] {
        folder.folder(name);
        folder.file(&format!("{name}/same"), "é");
        folder.file(&format!("{name}/{name}"), "é");
    }
    let (one, two, out) = (folder.name("one"), folder.name("two"), folder.name("out"));
    run(["convert", "--out-dir", &out, &one, &two])
        .gives(2, b"")
        .says([
            "same output",
            "one/same",
            "two/same",
            "nothing was read or written",
        ]);
    let ran = run(["convert", "--out-dir", &out, &one, &two]);
    assert!(!ran.stderr.contains("two/two"), "{}", ran.stderr);
    assert!(!folder.path("out").exists());

    let file = folder.name("one/one");
    let args = ["convert", "-t", "utf-16le", "--in-place"];
    for inputs in [[&one, &one], [&one, &file], [&file, &file]] {
        run(args.iter().chain(inputs.map(String::as_str).iter()))
            .gives(2, b"")
            .says(["the same file is named more than once", "one/one"]);
    }
    symlink(folder.path("one"), folder.path("link")).expect("a link can be made");
    let link = folder.name("link");
    run(args.iter().chain(["-L", &one, &link].iter()))
        .gives(2, b"")
        .says(["more than once"]);
    assert_eq!(folder.read("one/one"), "é".as_bytes());
}

#[test]
fn an_output_inside_the_input() {
    let folder = Folder::new();
    folder.folder("in/sub");
    folder.file("in/a", "x");
    symlink("in", folder.path("link")).expect("a link can be made");
    let input = folder.name("in");
    for out in [
        "in",
        "in/sub",
        "in/new/er",
        "link/sub",
        "in/../in/x",
        "new/../in/x",
        "new/er/../../link/x",
    ] {
        run(["convert", "--out-dir", &folder.name(out), &input])
            .gives(2, b"")
            .says(["is inside", "nothing was read or written"]);
    }
    assert_eq!(folder.tree("in").len(), 1);
    // A folder beside it is not inside it, whatever its name is.
    run(["convert", "--out-dir", &folder.name("in2"), &input]).gives(0, b"");
    // The folder above is allowed, unless outputs would fall into the input.
    run(["convert", "--out-dir", &folder.name(""), &input]).gives(0, b"");
    folder.folder("in/in");
    folder.file("in/in/a", "y");
    run(["convert", "--out-dir", &folder.name(""), &input])
        .gives(2, b"")
        .says(["outputs would be written into"]);
    assert_eq!(folder.read("in/a"), b"x");
}

#[test]
fn an_output_inside_the_input_by_way_of_a_link() {
    let folder = Folder::new();
    for name in ["in/shared", "out", "shared"] {
        folder.folder(name);
        folder.file(&format!("{name}/a"), name);
    }
    let run = |out: &str| {
        let mut command = simdtext(["convert", "-L", "-t", "utf-16le", "--out-dir", out, "in"]);
        command.current_dir(folder.path(""));
        feed(command, "")
    };
    for (target, out, why) in [
        ("../out", "out", "--out-dir=out is inside in/link"),
        ("../out", "out/new", "--out-dir=out/new is inside in/link"),
        ("..", "new", "--out-dir=new is inside in/link"),
        (
            "../shared",
            ".",
            "the output for in/shared/a would be written into ",
        ),
    ] {
        symlink(target, folder.path("in/link")).expect("a link can be made");
        run(out)
            .gives(2, b"")
            .says([why, "nothing was read or written"]);
        std::fs::remove_file(folder.path("in/link")).expect("it is there");
    }
    assert_eq!(folder.names(), ["in", "out", "shared"]);
    assert_eq!(folder.read("shared/a"), b"shared");
    // Beside the output folder, or in it where no output falls into it.
    symlink("../shared", folder.path("in/link")).expect("a link can be made");
    std::fs::rename(folder.path("in/shared"), folder.path("in/own")).expect("it is ours");
    run("out").gives(0, b"").says(["2 converted"]);
    run(".").gives(0, b"").says(["2 converted"]);
}

#[test]
fn an_output_that_would_replace_another_input() {
    let folder = Folder::new();
    folder.folder("a/b");
    folder.folder("b");
    for name in ["a/b/f", "b/f", "f"] {
        folder.file(name, name);
    }
    for (out, paths, list, why) in [
        (
            ".",
            &["a", "b"][..],
            "",
            "the output for a/b/f would be written into ",
        ),
        (
            ".",
            &["b", "a"],
            "",
            "the output for a/b/f would be written into ",
        ),
        (
            "new/..",
            &["a", "b"],
            "",
            "the output for a/b/f would be written into ",
        ),
        (
            ".",
            &["a"],
            "./b/f",
            "the output for a/b/f would replace ./b/f",
        ),
        ("b", &[], "f\nb/f", "the output for f would replace b/f"),
        ("b", &[], "b/f\nf", "the output for f would replace b/f"),
        (
            "a/b",
            &["a/b/f"],
            "f",
            "the output would be the same file as the input a/b/f",
        ),
    ] {
        let mut command = simdtext(["convert", "-t", "utf-16le", "--out-dir", out]);
        command.args(paths).args(["--files-from", "-"]);
        command.current_dir(folder.path(""));
        feed(command, list)
            .gives(2, b"")
            .says([why, "nothing was read or written"]);
    }
    let mut command = simdtext(["convert", "--out-dir", "b", "--files-from", "b/f"]);
    folder.file("b/f", "f");
    command.current_dir(folder.path(""));
    feed(command, "")
        .gives(2, b"")
        .says(["the output for f would replace b/f"]);
    folder.file("b/f", "b/f");
    assert_eq!(folder.names(), ["a", "b", "f"]);
    for name in ["a/b/f", "b/f", "f"] {
        assert_eq!(folder.read(name), name.as_bytes());
    }
}

#[test]
fn an_output_that_is_the_input() {
    let folder = Folder::new();
    let a = folder.file("a", "é");
    run([
        "convert",
        "-t",
        "utf-16le",
        "--out-dir",
        &folder.name(""),
        &a,
    ])
    .gives(2, b"")
    .says(["the same file as the input"]);
    assert_eq!(folder.read("a"), "é".as_bytes());
}

#[test]
fn a_target_that_is_no_file() {
    let folder = Folder::new();
    folder.folder("in");
    folder.folder("out/a");
    folder.file("in/a", "x");
    folder.file("in/b", "x");
    let (input, out) = (folder.name("in"), folder.name("out"));
    run(["convert", "--out-dir", &out, &input])
        .gives(2, b"")
        .says(["out/a, the output for", "not a regular file"]);
    assert!(!folder.path("out/b").exists());
    // A link that leads elsewhere is not followed, either.
    let elsewhere = folder.file("elsewhere", "mine");
    std::fs::remove_dir(folder.path("out/a")).expect("it is empty");
    symlink(elsewhere, folder.path("out/a")).expect("a link can be made");
    run(["convert", "--out-dir", &out, &input])
        .gives(2, b"")
        .says(["not a regular file"]);
    assert_eq!(folder.read("elsewhere"), b"mine");
    let file = folder.name("in/a");
    run(["convert", "--out-dir", &file, &input])
        .gives(2, b"")
        .says(["not a folder"]);
    run(["convert", "--in-place", "/dev/null"])
        .gives(2, b"")
        .says(["not a regular file"]);
}

#[test]
fn a_way_out_of_the_output_folder() {
    let folder = Folder::new();
    folder.folder("place/in");
    folder.folder("out");
    folder.folder("elsewhere");
    folder.file("place/in/a", "x");
    let inside = folder.name("place/in/a");
    for path in ["../place/in/a", &*inside, "in/../in/a"] {
        let mut command = simdtext(["convert", "--files-from", "-", "--out-dir", "../out"]);
        command.current_dir(folder.path("place"));
        feed(command, format!("in/a\n{path}\n"))
            .gives(2, b"")
            .says(["would not be below ../out", "nothing was read or written"]);
    }
    assert!(folder.tree("out").is_empty());
    // This link in the output folder leads out of it.
    folder.folder("tree/sub");
    folder.file("tree/sub/a", "x");
    symlink(folder.path("elsewhere"), folder.path("out/sub")).expect("a link can be made");
    run([
        "convert",
        "--out-dir",
        &folder.name("out"),
        &folder.name("tree"),
    ])
    .gives(2, b"")
    .says(["symbolic link, which may lead out"]);
    assert!(folder.tree("elsewhere").is_empty());
}

#[test]
fn flags_that_do_not_go_together() {
    let folder = Folder::new();
    let a = folder.file("a", "x");
    for (flags, words) in [
        (&["--in-place", "-z"][..], "--compress"),
        (&["--in-place", "--compress", "gzip"], "--decompress"),
        (&["--out-dir", "x", "--backup", "~"], "--backup"),
        (&["--in-place", "-n", "--verify"], "--verify"),
        (&["--in-place", "-q", "-v"], "--verbose"),
        (&["--in-place", "-j0"], "--jobs"),
        (&["--in-place", "--max-size", "big"], "--max-size"),
    ] {
        let args = ["convert", &a];
        run(args.iter().chain(flags)).gives(2, b"").says([words]);
    }
    assert_eq!(folder.names(), ["a"]);
}

/// Mounting makes a folder appear at a second place.
#[test]
fn an_output_inside_the_input_by_way_of_a_mount() {
    let folder = Folder::new();
    let Some(_mounted) = mounted_twice(&folder, "in", "mounted") else {
        return;
    };
    folder.file("in/a", b"caf\xE9");
    let at = |args: [&str; 2]| {
        let mut command = simdtext(["convert", "-f", "windows-1252", "--out-dir"]);
        command.args(args).current_dir(folder.path(""));
        feed(command, b"")
    };
    for [out, input] in [
        ["mounted", "in"],
        ["mounted/out", "in"],
        ["mounted/out/new", "in"],
        ["in/out", "mounted"],
    ] {
        let said = format!("--out-dir={out} is inside {input} by way of a mount, as ");
        at([out, input])
            .gives(2, b"")
            .says([&said, "nothing was read or written"]);
    }
    assert_eq!(folder.tree("in").len(), 1);
    at(["out", "mounted"]).ends(0);
    assert_eq!(folder.read("out/a"), "café".as_bytes());
}

/// What is mounted in the output folder may be a part of the input.
#[test]
fn outputs_that_would_fall_into_the_input_by_way_of_a_mount() {
    let folder = Folder::new();
    let Some(_mounted) = mounted_twice(&folder, "in/part", "out/deep") else {
        return;
    };
    folder.folder("in/deep");
    folder.file("in/deep/a", b"caf\xE9");
    folder.file("in/part/a", b"caf\xE9s");
    let (input, out) = (folder.name("in"), folder.name("out"));
    let args = ["convert", "-f", "windows-1252", "--out-dir", &out, &input];
    run(args).gives(2, b"").says([
        "in/deep/a would be written into",
        "which is to be converted; nothing was read or written",
    ]);
    assert_eq!(folder.read("in/part/a"), b"caf\xE9s");
}

#[test]
fn an_output_folder_that_is_a_link_to_nothing() {
    let folder = Folder::new();
    let file = folder.file("a", "a");
    let out = folder.name("out");
    symlink("nowhere", &out).expect("a link can be made");
    run(["convert", "--out-dir", &out, &file])
        .gives(2, "")
        .says(["it is a symbolic link to something that does not exist; make that folder"]);
}
