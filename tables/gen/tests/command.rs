//! The command, run on the committed tables and on damaged copies of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn committed() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tables/gen lies in tables")
}

/// A copy of the committed tables that a test may damage.
fn copy_of_tables(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old copy can be removed");
    }
    fs::create_dir_all(&folder).expect("a folder for the copy");
    for entry in fs::read_dir(committed()).expect("the tables") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    folder
}

/// How many files FINGERPRINTS lists.
fn listed() -> usize {
    let text = fs::read_to_string(committed().join("FINGERPRINTS")).expect("FINGERPRINTS");
    text.lines()
        .filter(|line| line.starts_with("output "))
        .count()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simdtext-tables"))
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn check(tables: &Path) -> Output {
    run(&["check", "--tables", tables.to_str().expect("a UTF-8 path")])
}

#[track_caller]
fn assert_fails(output: &Output, status: i32, expected: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    for words in expected {
        assert!(stderr.contains(words), "no `{words}` in: {stderr}");
    }
}

#[test]
fn the_committed_tables_are_right() {
    let output = run(&["check"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout.contains("The source was not present"), "{stdout}");
    let expected = format!("{} files are right, 0 are not", listed());
    assert!(stdout.contains(&expected), "{stdout}");
}

#[test]
fn a_flipped_byte_is_found_in_every_file() {
    let tables = copy_of_tables("flipped");
    let mut tried = 0;
    for entry in fs::read_dir(&tables).expect("the copy") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_str()
            .expect("UTF-8")
            .to_owned();
        if !name.ends_with(".bin") && !name.ends_with(".rs") {
            continue;
        }
        let good = fs::read(&path).expect("the file");
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 0x01;
        fs::write(&path, &bad).expect("the damaged file");
        assert_fails(
            &check(&tables),
            1,
            &[&name, "SHA-256", "generate --from DIR"],
        );
        fs::write(&path, &good).expect("the file as it was");
        tried += 1;
    }
    assert_eq!(tried, listed());
    assert!(check(&tables).status.success());
}

#[test]
fn a_missing_file_is_found() {
    let tables = copy_of_tables("missing");
    fs::remove_file(tables.join("jis0208.decode_packed.bin")).expect("it was there");
    let output = check(&tables);
    assert_fails(&output, 1, &["jis0208.decode_packed.bin", "is missing"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let expected = format!("{} files are right, 1 are not", listed() - 1);
    assert!(stdout.contains(&expected), "{stdout}");
}

#[test]
fn a_truncated_file_and_a_stray_one_are_found() {
    let tables = copy_of_tables("truncated");
    let path = tables.join("big5.astral_units.bin");
    let bytes = fs::read(&path).expect("the file");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("the shorter file");
    fs::write(tables.join("big6.decode_packed.bin"), b"").expect("the stray file");
    let expected = [
        "big5.astral_units.bin: has 3425 bytes",
        "big6.decode_packed.bin",
        "delete it",
    ];
    assert_fails(&check(&tables), 1, &expected);
}

#[test]
fn damaged_or_missing_fingerprints_cannot_be_checked() {
    let tables = copy_of_tables("fingerprints");
    let path = tables.join("FINGERPRINTS");
    fs::write(&path, "output x.bin\n").expect("damaged");
    assert_fails(&check(&tables), 2, &["FINGERPRINTS, line 1"]);
    fs::write(&path, "# nothing\n").expect("emptied");
    assert_fails(&check(&tables), 2, &["FINGERPRINTS", "no output is listed"]);
    fs::remove_file(&path).expect("it was there");
    assert_fails(
        &check(&tables),
        2,
        &["FINGERPRINTS", "cannot read the fingerprints"],
    );
}

#[test]
fn a_source_that_is_not_there_is_an_error() {
    for task in ["check", "generate"] {
        let tables = copy_of_tables(&format!("no-source-{task}"));
        let tables = tables.to_str().expect("a UTF-8 path");
        let output = run(&[task, "--from", "no/such/folder", "--tables", tables]);
        assert_fails(
            &output,
            2,
            &["encodings.json", "--from", "encoding.spec.whatwg.org"],
        );
    }
}

/// If the standard's files are available, `generate` writes the committed bytes, and `check --from` finds
/// what FINGERPRINTS alone can't reveal: a wrong table with a matching fingerprint.
#[test]
fn generating_anew_gives_the_committed_files() {
    use std::io::Write as _;

    let source = std::env::var_os("SIMDTEXT_INDEXES")
        .map_or_else(|| committed().join("../../shared/whatwg"), PathBuf::from);
    let Some(source) = source.to_str().filter(|_| source.is_dir()) else {
        // Not `eprintln!`, which the test runner would swallow.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED generating_anew_gives_the_committed_files: {} is not there",
            source.display()
        );
        return;
    };
    let tables = copy_of_tables("anew");
    for entry in fs::read_dir(&tables).expect("the copy") {
        fs::remove_file(entry.expect("an entry").path()).expect("an empty folder");
    }
    let folder = tables.to_str().expect("a UTF-8 path");
    let output = run(&["generate", "--from", source, "--tables", folder]);
    assert!(output.status.success(), "{output:?}");
    for entry in fs::read_dir(&tables).expect("what was written") {
        let name = entry.expect("an entry").file_name();
        let (new, old) = (
            fs::read(tables.join(&name)),
            fs::read(committed().join(&name)),
        );
        assert!(
            new.expect("written") == old.expect("committed"),
            "{}",
            name.display()
        );
    }
    assert!(
        run(&["check", "--from", source, "--tables", folder])
            .status
            .success()
    );
    let path = tables.join("gb18030_ranges.bin");
    let mut bytes = fs::read(&path).expect("the file");
    bytes[1000] ^= 0x80;
    fs::write(&path, &bytes).expect("the damaged file");
    let output = run(&["check", "--from", source, "--tables", folder]);
    assert_fails(&output, 1, &["gb18030_ranges.bin", "from byte 1000 on"]);
    fs::remove_file(&path).expect("it was there");
    let output = run(&["check", "--from", source, "--tables", folder]);
    assert_fails(&output, 1, &["gb18030_ranges.bin", "is missing"]);
}
