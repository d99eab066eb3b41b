//! Random trees under random flags: what the report says about a file is what was done to it, by a model made of
//! `encoding_rs` and the file system, and nothing else was done.
//!
//! The seeds are fixed. SIMDTEXT_CASES in the environment says how many there are; a failure names its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use encoding_rs::{DecoderResult, Encoding, UTF_16BE};
use serde_json::Value;

use crate::harness::{Folder, Ran, Random, run, run_with, simdtext};

fn one<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as u64) as usize]
}

/// A label, and a text in that encoding.
type Sample = (String, Vec<u8>);

/// The samples, damaged ones included.
fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let list = fs::read_to_string(folder.join("LIST")).expect("it is there");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let columns = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let read = |name| fs::read(folder.join(name)).expect("it is there");
    columns.map(|it| (it[1].into(), read(it[0]))).collect()
}

/// What is written into a file: text, most often in one encoding, which may be damaged or declare something.
fn contents(random: &mut Random, samples: &[Sample], label: &str) -> Vec<u8> {
    let is_other = random.below(4) == 0;
    let may_be = |it: &&Sample| is_other || it.0 == label;
    let (label, text) = one(random, &samples.iter().filter(may_be).collect::<Vec<_>>());
    let place = random.below(text.len() as u64) as usize;
    let mut bytes = text.clone();
    match random.below(16) {
        0 => bytes.truncate(place % 8),
        1 => bytes.truncate(place),
        2 => bytes = b"plain ASCII\r\n".repeat(1 + place),
        3 => bytes = [b"\x7FELF\x02\x01\x01\0", &text[..]].concat(),
        4 => bytes = [format!("<meta charset={label}>\n").as_bytes(), text].concat(),
        5 => bytes = [&b"# -*- coding: koi8-r -*-\n"[..], text].concat(),
        6 => bytes.extend_from_slice("über den Füßen, où êtes-vous\n".as_bytes()),
        7 if !text.starts_with(b"\xEF") => bytes = [&b"\xEF\xBB\xBF"[..], text].concat(),
        8 => bytes = text.repeat(1 + 100_000 / text.len()),
        9..=11 => bytes[place] = random.below(256) as u8,
        _ => {}
    }
    bytes
}

/// Makes a tree in `t`, and something beside it that a link leads to.
fn make_tree(random: &mut Random, folder: &Folder, samples: &[Sample], label: &str) {
    let names = "a|b.txt|-n|.hidden|new\nline|x.orig|x|ü|deep/a|deep/.git|.simdtext-1|deep/er/c";
    let names: Vec<_> = names.split('|').collect();
    folder.folder("t/deep/er");
    folder.folder("outside");
    folder.file("outside/a", b"caf\xE9\n");
    for _ in 0..=random.below(8) {
        let name = one(random, &names);
        let path = folder.file(&format!("t/{name}"), contents(random, samples, label));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(random.below(1 << 30));
        let file = fs::File::options().write(true).open(&path);
        file.and_then(|file| file.set_times(FileTimes::new().set_modified(time)))
            .expect("it is ours");
        let mode = one(random, &[0o644, 0o600, 0o755]);
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
    }
    if random.below(4) == 0 {
        let to = one(random, &["../outside", "../outside/a", "nowhere"]);
        symlink(to, folder.path("t/link")).expect("it is new");
        let _ = fs::hard_link(folder.path("t/a"), folder.path("t/hard"));
    }
}

/// The arguments of `convert`, each as `--flag` or `--flag=value`.
struct Flags(Vec<String>);

impl Flags {
    fn new(random: &mut Random, label: &str) -> Self {
        let mut all = vec![String::from("convert")];
        let other = one(random, &["windows-1252", "koi8-r", "shift_jis", "utf-16le"]);
        let list = format!("auto:euc-jp,{}", label.replace("utf-8", other));
        let from = one(random, &[label, label, label, "auto", &list, other]);
        let to = ["utf-16be", "windows-1252", "gb18030", "euc-kr", "koi8-r"];
        let to = one(random, &[&to[..], &["utf-8"; 10]].concat());
        let in_place = random.below(3) > 0;
        let invalid = if in_place { "strict" } else { "replace" };
        let bom = one(random, &["sniff", "sniff", "strip", "keep"]);
        for (flag, values) in [
            ("from", &[from][..]),
            ("to", &[to]),
            ("invalid", &[invalid, "strict", "replace", "skip"]),
            ("unmappable", &["strict", "ncr", "skip", "replace:?"]),
            ("bom", &[bom]),
        ] {
            all.push(format!("--{flag}={}", one(random, values)));
        }
        // A mark that is kept is text, before which each run would write another one.
        if to.starts_with("utf") && bom != "keep" && random.below(6) == 0 {
            all.push(String::from("--output-bom"));
        }
        let (place, safety) = match in_place {
            true => ("--in-place", "--backup=.bak"),
            false => ("--out-dir=out", "--update"),
        };
        for (flag, chance) in [
            ("--force", 8),
            (one(random, &["--binary=copy", "--binary=convert"]), 6),
            (place, 1),
            ("--json", 1),
            ("--no-fsync", 1),
            ("--accept-guess", 2),
            ("--hidden", 2),
            ("--jobs=1", 2),
            ("--max-size=1K", 8),
            (safety, 3),
        ] {
            if random.below(chance) == 0 {
                all.push(flag.into());
            }
        }
        Self(all)
    }

    /// The value of a flag, which is empty if it has none or is not there.
    fn value(&self, flag: &str) -> &str {
        let mut values = self.0.iter();
        let value = values.find_map(|arg| arg.strip_prefix(flag)?.strip_prefix('='));
        value.unwrap_or_default()
    }

    fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|arg| arg == flag)
    }

    /// Those that are also for one output.
    fn of_one(&self) -> impl Iterator<Item = &str> {
        let all = self.0.iter().map(String::as_str);
        all.take_while(|arg| !["--in-place", "--out-dir=out"].contains(arg))
    }

    /// The output for `bytes` in an encoding, with the numbers of malformed sequences and unmappable characters.
    fn expected(&self, bytes: &[u8], from: &'static Encoding) -> (Vec<u8>, u64, u64) {
        let mark = Encoding::for_bom(bytes).filter(|it| it.0 == from && !self.has("--bom=keep"));
        let mut rest = &bytes[mark.map_or(0, |it| it.1)..];
        let mut decoder = from.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(4 * rest.len() + 16);
        let mut malformed = 0;
        let instead = ["\u{FFFD}", ""][usize::from(self.has("--invalid=skip"))];
        while let (DecoderResult::Malformed(..), read) =
            decoder.decode_to_string_without_replacement(rest, &mut text, true)
        {
            malformed += 1;
            rest = &rest[read..];
            text += instead;
        }
        let to = Encoding::for_label(self.value("--to").as_bytes()).expect("it is a label");
        let is_mappable = |ch: char| to == UTF_16BE || !to.encode(ch.encode_utf8(&mut [0; 4])).2;
        let mut unmappable = 0;
        let begin = ["", "\u{FEFF}"][usize::from(self.has("--output-bom"))];
        let mut mappable = String::from(begin);
        for ch in text.chars() {
            if is_mappable(ch) {
                mappable.push(ch);
                continue;
            }
            unmappable += 1;
            match self.value("--unmappable") {
                "ncr" => mappable += &format!("&#{};", u32::from(ch)),
                "replace:?" => mappable.push('?'),
                _ => {}
            }
        }
        let bytes = if to == UTF_16BE {
            mappable.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else {
            to.encode(&mappable).0.into_owned()
        };
        (bytes, malformed, unmappable)
    }

    /// Checks what was written for a file.
    fn check(&self, old: &[u8], new: &[u8], report: &Value) {
        if report["result"] != "converted" {
            assert!(new == old, "{report}: not copied");
            return;
        }
        let label = report["from"].as_str().expect("it is text").as_bytes();
        let from = Encoding::for_label(label).expect("it is an encoding");
        let named = Encoding::for_label(self.value("--from").as_bytes());
        let may_guess = !self.has("--in-place") || self.has("--accept-guess");
        let (wanted, malformed, unmappable) = self.expected(old, from);
        let is_by = |evidence| report["evidence"] == evidence;
        let may_be = |errors, flag| errors == 0 || !self.has(flag);
        for (what, is_right) in [
            ("bytes", new == wanted),
            ("guess", !is_by("detected") || may_guess),
            ("label", !is_by("label") || named == Some(from)),
            ("malformed", report["malformed"] == malformed),
            ("unmappable", report["unmappable"] == unmappable),
            ("strict", may_be(malformed, "--invalid=strict")),
            ("strict", may_be(unmappable, "--unmappable=strict")),
        ] {
            let head = &old[..old.len().min(64)];
            assert!(is_right, "{what}: {report}\nof {head:x?}");
        }
    }

    /// The lowest exit status that a report allows.
    fn status(&self, report: &Value) -> i32 {
        match report["result"].as_str().expect("it is text") {
            "failed" => 2,
            "faulty" | "skipped" => 1,
            "binary" => i32::from(!self.has("--binary=copy")),
            _ => i32::from(report["errors"] != 0),
        }
    }
}

/// Mode, time and bytes. Folders have no time here, and links no bytes.
type Known = (u32, i64, Vec<u8>);

/// Everything in a folder and below.
fn look(folder: &Folder, below: &str) -> BTreeMap<String, Known> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder.path(below)).expect("it can be read") {
        let name = Path::new(below).join(entry.expect("it can be read").file_name());
        let name = name.to_str().expect("it is UTF-8").to_owned();
        let path = folder.path(&name);
        let metadata = path.symlink_metadata().expect("it is there");
        let mut known = (metadata.mode(), metadata.mtime(), Vec::new());
        if metadata.is_dir() {
            found.extend(look(folder, &name));
            known.1 = 0;
        } else if metadata.is_file() {
            known.2 = fs::read(&path).expect("it can be read");
        }
        found.insert(name, known);
    }
    found
}

/// The reports for the files, by their paths.
fn reports(ran: &Ran) -> BTreeMap<String, Value> {
    let mut files = BTreeMap::new();
    for line in serde_json::Deserializer::from_slice(&ran.stdout).into_iter() {
        let mut report: Value = line.expect("it is JSON");
        if report["type"] == "summary" {
            assert_eq!(report["files"], files.len(), "{}", ran.stderr);
            return files;
        }
        report["ms"] = Value::Null;
        let path = report["path"].take();
        let path = path.as_str().expect("it is text").replace("./", "");
        assert!(files.insert(path, report).is_none(), "{}", ran.stderr);
    }
    panic!("no summary: {}", ran.stderr)
}

fn check_case(seed: u64, samples: &[Sample]) {
    let random = &mut Random(seed);
    let label = &samples[random.below(samples.len() as u64) as usize].0;
    let flags = Flags::new(random, label);
    let folder = Folder::in_memory();
    make_tree(random, &folder, samples, label);
    let in_folder = |more: &[&str]| {
        let mut command = simdtext(&flags.0);
        let output = command.args(more).current_dir(folder.path("")).output();
        let ran = Ran::from(output.expect("the command ends"));
        let is_plain = |ch: char| ch == '\n' || !ch.is_control();
        assert!(ran.stderr.chars().all(is_plain), "{:?}", ran.stderr);
        ran
    };
    let before = look(&folder, "");
    let dry = in_folder(&["--dry-run", "t"]);
    assert!(look(&folder, "") == before, "a dry run writes");
    let ran = in_folder(&[one(random, &["t", "./t", "t/./"])]);
    let after = look(&folder, "");
    let files = reports(&ran);
    assert_eq!(files, reports(&dry), "{}", ran.stderr);
    assert_eq!(ran.status, dry.status, "{}", ran.stderr);
    let least = files.values().map(|report| flags.status(report)).max();
    assert!(ran.status >= least, "not {least:?}: {}", ran.stderr);

    let is_file = |it: &(&String, &Known)| it.0.starts_with("t/") && it.1.0 >> 12 == 0o10;
    for (name, known) in before.iter().filter(is_file) {
        let is_hidden = |it: &str| it == ".git" || it.starts_with('.') && !flags.has("--hidden");
        let is_large = known.2.len() > 1024 && flags.has("--max-size=1K");
        let is_wanted = !is_large && !name.split('/').any(is_hidden);
        assert_eq!(files.contains_key(name), is_wanted, "{name}");
    }
    let mut explained: BTreeSet<String> = before.keys().cloned().collect();
    let mut changed = BTreeMap::new();
    for (name, report) in files.iter().filter(|(_, report)| report["changed"] == true) {
        let output = report["output"]["path"].as_str().unwrap_or(name);
        let (old, new) = (&before[name], &after[output]);
        flags.check(&old.2, &new.2, report);
        assert_eq!(old.0, new.0, "{report}: mode");
        let backup = format!("{name}.bak");
        let wanted = flags.has("--backup=.bak").then_some(old);
        assert_eq!(after.get(&backup), wanted, "{report}");
        explained.extend([backup, output.to_owned()]);
        changed.insert(output, (old, report));
    }
    for (name, old) in &before {
        let is_unchanged = after[name] == *old;
        assert!(is_unchanged || changed.contains_key(&**name), "{name}");
    }
    let is_strange = |it: &(&String, &Known)| it.1.1 != 0 && !explained.contains(it.0);
    assert_eq!(after.iter().find(is_strange), None, "{}", ran.stderr);

    // One output: from a file, and, if nothing is to be found out, from a pipe.
    let mut converted = changed.iter().filter(|it| it.1.1["result"] == "converted");
    if let Some((output, (old, report))) = converted.next()
        && !flags.has("--binary=convert")
    {
        let path = folder.file("one", &old.2);
        let pipes = usize::from(!flags.value("--from").starts_with("auto"));
        for input in [&[&*path][..], &[]].iter().take(1 + pipes) {
            let ran = run_with(flags.of_one().chain(input.iter().copied()), &old.2);
            assert!(ran.stdout == after[*output].2, "{report}\n{}", ran.stderr);
        }
        fs::remove_file(path).expect("it is ours");
    }
    if !flags.has("--force") {
        let again = in_folder(&["t"]).stderr;
        assert!(look(&folder, "") == after, "{:?}\n{again}", flags.0);
    }
    if flags.has("--backup=.bak") {
        run(["restore", "--backup=.bak", "--hidden", &folder.name("t")]).ends(0);
        assert!(look(&folder, "") == before, "not everything is restored");
    }
}

#[test]
fn what_is_reported_is_what_was_done() {
    let (samples, cases) = (samples(), std::env::var("SIMDTEXT_CASES"));
    for seed in 0..cases.map_or(40, |it| it.parse().expect("it is a number")) {
        let checked = std::panic::catch_unwind(|| check_case(seed, &samples));
        assert!(checked.is_ok(), "the case with seed {seed} failed");
    }
}
