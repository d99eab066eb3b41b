//! `-z` and `--compress`.

use std::io::{Read, Write};

use crate::harness::{Folder, run, run_with};

const KOI8: &[u8] = b"\xCD\xC9\xD2\n";
const UTF8: &[u8] = "мир\n".as_bytes();

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).expect("it writes memory");
    encoder.finish().expect("it writes memory")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("it writes memory")
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).expect("it writes memory");
    encoder.finish().expect("it writes memory")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).expect("it writes memory");
    encoder.finish().expect("it writes memory")
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut text);
    read.expect("it is gzip");
    text
}

/// A way to compress.
type Pack = fn(&[u8]) -> Vec<u8>;

const FORMATS: [(&str, Pack); 4] = [("gz", gzip), ("zst", zstd), ("xz", xz), ("bz2", bzip2)];

#[test]
fn all_members_of_all_formats() {
    let folder = Folder::new();
    folder.folder("t");
    for (ending, pack) in FORMATS {
        // One text in two members.
        let packed = [pack(&KOI8[..2]), pack(&KOI8[2..])].concat();
        run_with(["convert", "-z", "-f", "koi8-r"], &packed)
            .gives(0, UTF8)
            .quietly();
        folder.file(&format!("t/{ending}.txt.{ending}"), packed);
    }
    folder.file("t/plain.txt", KOI8);
    // The content decides, and not the name.
    folder.file("t/not.gz", KOI8);
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-z", "-f", "koi8-r", "--out-dir", &out, &tree])
        .gives(0, b"")
        .says(["6 converted"]);
    let written = folder.tree("out");
    let names: Vec<_> = written.keys().map(|path| path.to_str()).collect();
    let wanted = ["bz2.txt", "gz.txt", "not", "plain.txt", "xz.txt", "zst.txt"];
    assert_eq!(names, wanted.map(Some));
    assert!(written.values().all(|contents| contents == UTF8));
    // Without -z they are read as they are.
    run([
        "convert",
        "-f",
        "koi8-r",
        &folder.name("t/plain.txt"),
        &folder.name("t/not.gz"),
    ])
    .gives(0, [UTF8, UTF8].concat());
}

/// As pzstd writes it: before each frame is one that is skipped.
#[test]
fn zstd_that_begins_with_a_frame_to_be_skipped() {
    let frame = |text| [b"\x50\x2A\x4D\x18\x02\0\0\0\0\0", &*zstd(text)].concat();
    let packed = [frame(&KOI8[..2]), frame(&KOI8[2..])].concat();
    run_with(["convert", "-z", "-f", "koi8-r"], &packed)
        .gives(0, UTF8)
        .quietly();
}

/// Level 9 takes more memory than several files may take at the same time.
#[test]
fn xz_files_that_need_much_memory() {
    let folder = Folder::new();
    folder.folder("t");
    let large = |text: &[u8]| {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 9);
        encoder.write_all(text).expect("it writes memory");
        encoder.finish().expect("it writes memory")
    };
    let text = KOI8.repeat(50_000);
    for i in 0..4 {
        // The first member needs little memory, and the second much.
        let packed = [xz(&text), large(&text)].concat();
        folder.file(&format!("t/{i}.xz"), packed);
    }
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let args = ["convert", "-z", "-f", "koi8-r", "-j", "4", "--out-dir"];
    run(args.into_iter().chain([&*out, &tree]))
        .gives(0, b"")
        .says(["4 converted"]);
    for contents in folder.tree("out").values() {
        assert_eq!(contents.len(), 2 * UTF8.len() * 50_000);
    }
}

#[test]
fn what_is_cut_or_damaged_is_not_written() {
    let folder = Folder::new();
    folder.folder("t");
    for (ending, pack) in FORMATS {
        let numbers = (0..100_000_u32).map(|number| number.wrapping_mul(0x9E37_79B9));
        let text: Vec<u8> = numbers
            .flat_map(|number| [number.to_string().as_bytes(), b" \xCD\xC9\xD2\n"].concat())
            .collect();
        let packed = pack(&text);
        folder.file(&format!("t/{ending}.{ending}"), &packed[..packed.len() / 2]);
    }
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-z", "-f", "koi8-r", "--out-dir", &out, &tree])
        .gives(2, b"")
        .says([
            "4 failed",
            "gz.gz: cannot be read",
            "zst.zst: cannot be read",
            "xz.xz: cannot be read",
            "bz2.bz2: cannot be read",
        ]);
    assert!(folder.tree("out").is_empty());
}

#[test]
fn outputs_are_compressed() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a.txt", KOI8);
    folder.file("t/b.txt.xz", xz(KOI8));
    folder.file("t/empty", b"");
    let tree = folder.name("t");
    let convert = |out: &str, format: &str, more: &[&str]| {
        let args = [
            "convert",
            "-f",
            "koi8-r",
            "--compress",
            format,
            "--out-dir",
            out,
            &tree,
        ];
        run(args.iter().chain(more)).gives(0, b"")
    };
    convert(&folder.name("gz"), "gzip", &["-z", "--verify"]).says(["3 converted"]);
    let written = folder.tree("gz");
    let names: Vec<_> = written.keys().map(|path| path.to_str()).collect();
    assert_eq!(names, ["a.txt.gz", "b.txt.gz", "empty.gz"].map(Some));
    assert_eq!(gunzip(&folder.read("gz/a.txt.gz")), UTF8);
    assert_eq!(gunzip(&folder.read("gz/b.txt.gz")), UTF8);
    assert_eq!(gunzip(&folder.read("gz/empty.gz")), b"");
    convert(&folder.name("zst"), "zstd", &["-e", "txt"]).says(["1 converted"]);
    let text = zstd::decode_all(&*folder.read("zst/a.txt.zst"));
    assert_eq!(text.expect("it is zstd"), UTF8);
}

#[test]
fn two_that_would_get_one_name() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", KOI8);
    folder.file("t/a.gz", gzip(KOI8));
    run([
        "convert",
        "-z",
        "--out-dir",
        &folder.name("out"),
        &folder.name("t"),
    ])
    .gives(2, b"")
    .says(["same output", "t/a.gz"]);
    assert!(!folder.path("out").exists());
}

#[test]
fn in_place_as_they_were() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a.gz", gzip(KOI8));
    folder.file("t/ascii.gz", gzip(b"plain"));
    folder.file("t/b.zst", zstd(KOI8));
    folder.file("t/plain", KOI8);
    let before = folder.tree("t");
    let tree = folder.name("t");
    let args = [
        "convert",
        "-z",
        "-f",
        "koi8-r",
        "--in-place",
        "--compress",
        "gzip",
        &tree,
    ];
    run(args).gives(1, b"").says([
        "b.zst: it is compressed with zstd; left alone. --compress=zstd keeps it so, --out-dir writes it elsewhere",
        "2 converted, 1 unchanged, 1 skipped",
    ]);
    assert_eq!(gunzip(&folder.read("t/a.gz")), UTF8);
    assert_eq!(folder.read("t/plain"), UTF8);
    for name in ["ascii.gz", "b.zst"] {
        assert_eq!(
            folder.read(&format!("t/{name}")),
            before[std::path::Path::new(name)]
        );
    }
    run(args).says(["1 unchanged, 2 UTF-8 already"]);
}

#[test]
fn offsets_are_of_what_is_inside() {
    let packed = gzip(b"ab\n\xFF");
    run_with(["convert", "-z", "-f", "utf-8"], packed)
        .gives(1, "ab\n\u{FFFD}")
        .says(["<stdin>:2: malformed byte FF at offset 3"]);
}

#[test]
fn gzip_from_tapes_ends_in_zero_bytes() {
    let folder = Folder::new();
    let mut padded = [gzip(KOI8), gzip(KOI8)].concat();
    padded.resize(10_240, 0);
    let text = [UTF8, UTF8].concat();
    let file = folder.file("a.gz", &padded);
    run(["convert", "-z", "-f", "koi8-r", &file])
        .gives(0, &text)
        .quietly();
    run_with(["convert", "-z", "-f", "koi8-r"], &padded).gives(0, &text);
    // Anything else at the end is not padding.
    padded.push(b'x');
    run_with(["convert", "-z", "-f", "koi8-r"], &padded)
        .ends(2)
        .says(["<stdin>: its gzip data can't be decompressed: trailing garbage"]);
}

#[test]
fn what_standard_input_unpacks_to_is_bounded() {
    // A few KiB that are decompressed to 2 MiB.
    let bomb = gzip(&b"a\xE9".repeat(1 << 20));
    let args = ["convert", "-z", "-f", "auto:shift_jis,windows-1252"];
    run_with(args.into_iter().chain(["--spool-limit", "1M"]), &bomb)
        .gives(2, b"")
        .says([
            "<stdin>: the input has to be read twice",
            "1048576 bytes",
            "--spool-limit",
        ]);
    let limit = (2_u64 << 20).to_string();
    let long = "aé".repeat(1 << 20);
    run_with(args.into_iter().chain(["--spool-limit", &limit]), &bomb).gives(0, &long);
    // A file is read twice without a copy.
    let folder = Folder::new();
    let file = folder.file("a.gz", &bomb);
    run(args.into_iter().chain(["--spool-limit", "0", &file])).gives(0, &long);
}

#[test]
fn without_the_flag_it_is_named() {
    // What is packed is long enough to look binary in every format.
    let text: Vec<u8> = (0..4000_u32)
        .flat_map(|n| format!("{:x}\n", n.wrapping_mul(2_654_435_761)).into_bytes())
        .collect();
    for (name, packed) in [
        ("gzip", gzip(&text)),
        ("zstd", zstd(&text)),
        ("xz", xz(&text)),
        ("bzip2", bzip2(&text)),
    ] {
        let folder = Folder::new();
        let file = folder.file("file", &packed);
        let what = format!("it is binary (compressed with {name})");
        let advice = "-z reads what is compressed";
        run(["convert", &file]).gives(1, "").says([&what, advice]);
        run_with(["convert"], &packed)
            .gives(1, "")
            .says([&what, advice]);
        run(["convert", "--in-place", &file])
            .ends(1)
            .says([&what, advice]);
        // Even if its encoding is named, and it is read as that.
        run(["convert", "-f", "windows-1251", &file]).ends(1).says([
            &what,
            "was read as windows-1251; -z reads what is compressed",
        ]);
        // What is packed twice is unpacked once.
        let twice = folder.file("twice", gzip(&packed));
        run(["convert", "-z", &twice])
            .gives(1, "")
            .says([&what])
            .never_says([advice]);
    }
}

#[test]
fn what_is_cut_or_damaged_is_named() {
    let folder = Folder::new();
    let (gzip, zstd) = (gzip(&KOI8.repeat(100)), zstd(&KOI8.repeat(100)));
    for (packed, format) in [
        (&gzip[..gzip.len() - 9], "gzip"),
        (&zstd[..zstd.len() - 3], "zstd"),
    ] {
        let file = folder.file("a", packed);
        let says = [&*format!(
            "a: cannot be read: its {format} data can't be decompressed: "
        )];
        let args = [
            "convert",
            "-z",
            "-f",
            "koi8-r",
            "--out-dir",
            &folder.name("out"),
            &file,
        ];
        run(args).gives(2, b"").says(says);
        run(["detect", "-z", &file])
            .gives(2, b"")
            .says([&*format!("a: its {format} data can't be decompressed: ")]);
    }
    assert!(folder.tree_is_empty("out"));
}

/// What an encoder writes depends on the pieces that it receives, and these on the cores that are free.
#[test]
fn the_same_bytes_on_any_number_of_cores() {
    let folder = Folder::new();
    let lines = (0..300_000_u32).map(|i| format!("{} caf\u{E9}", i.wrapping_mul(2_654_435_761)));
    let text: Vec<u8> = lines
        .flat_map(|line| line.chars().map(|ch| ch as u8).collect::<Vec<u8>>())
        .collect();
    assert!(text.len() > 4 << 20);
    let file = folder.file("a", text);
    for (format, ending) in [("zstd", "zst"), ("gzip", "gz")] {
        let outputs = ["1", "2"].map(|jobs| {
            let out = folder.name(&format!("{format}{jobs}"));
            run([
                "convert",
                "-f",
                "windows-1252",
                "--compress",
                format,
                "-j",
                jobs,
                "--out-dir",
                &out,
                &file,
            ])
            .ends(0);
            folder.read(&format!("{format}{jobs}/a.{ending}"))
        });
        assert!(outputs[0] == outputs[1], "{format}");
    }
}
