//! Runs the command and keeps its results.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use tempfile::TempDir;

/// The command, not started yet. `SIMDTEXT_ISA` selects its kernels, too. What the user of this machine has Git ignore
/// everywhere does not count.
pub(crate) fn simdtext<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simdtext"));
    command.args(args);
    command.env("HOME", "/nonexistent");
    command.env_remove("XDG_CONFIG_HOME");
    command
}

/// A copy of the command that every user may run: others may have no access to the folder where it was built.
pub(crate) fn copy_for_others(folder: &Folder) -> PathBuf {
    let copy = folder.path("command");
    // Another process copies it: if this one did, a child that another thread starts meanwhile would inherit the open
    // copy, and a file that is open for writing can't be run.
    let copied = Command::new("cp")
        .args([env!("CARGO_BIN_EXE_simdtext").as_ref(), copy.as_os_str()])
        .status();
    assert!(copied.expect("cp is there").success());
    std::fs::set_permissions(&copy, Permissions::from_mode(0o755)).expect("it is ours");
    copy
}

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) status: Option<i32>,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
            status: output.status.code(),
        }
    }
}

impl Ran {
    /// Checks the status, and that standard output is exactly this.
    #[track_caller]
    pub(crate) fn gives(self, status: i32, stdout: impl AsRef<[u8]>) -> Self {
        let stdout = stdout.as_ref();
        assert_eq!(
            (self.status, self.stdout.as_slice()),
            (Some(status), stdout),
            "\nstdout: {}\nwanted: {}\nstderr: {}",
            self.stdout.escape_ascii(),
            stdout.escape_ascii(),
            self.stderr
        );
        self
    }

    /// Checks the status alone.
    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "stderr: {}", self.stderr);
        self
    }

    /// Checks that standard error contains each of these.
    #[track_caller]
    pub(crate) fn says<const N: usize>(self, wanted: [&str; N]) -> Self {
        for wanted in wanted {
            assert!(
                self.stderr.contains(wanted),
                "no {wanted:?} in:\n{}",
                self.stderr
            );
        }
        self
    }

    /// Checks that standard error contains none of these.
    #[track_caller]
    pub(crate) fn never_says<const N: usize>(self, unwanted: [&str; N]) -> Self {
        for unwanted in unwanted {
            assert!(
                !self.stderr.contains(unwanted),
                "{unwanted:?} in:\n{}",
                self.stderr
            );
        }
        self
    }

    /// Checks that standard error is empty; returns standard output.
    #[track_caller]
    pub(crate) fn quietly_said(self) -> String {
        assert_eq!(self.stderr, "");
        String::from_utf8(self.stdout).expect("it is UTF-8")
    }

    /// Checks that standard error is empty.
    #[track_caller]
    pub(crate) fn quietly(self) -> Self {
        assert_eq!(self.stderr, "");
        self
    }
}

/// Runs with `input` on standard input.
pub(crate) fn run_with<S: AsRef<OsStr>>(
    args: impl IntoIterator<Item = S>,
    input: impl AsRef<[u8]>,
) -> Ran {
    feed(simdtext(args), input)
}

/// Runs a prepared command with `input` on standard input.
pub(crate) fn feed(mut command: Command, input: impl AsRef<[u8]>) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.as_ref().to_vec();
    let writer = thread::spawn(move || {
        // A run that stops early reads no more.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    output.into()
}

/// Runs with an empty standard input.
pub(crate) fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    feed(simdtext(args), b"")
}

/// Says that a test can't be run here. Tests that pass show what they print only if asked; this is always shown.
pub(crate) fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// Pseudorandom numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A folder of its own for one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder can be made"))
    }

    /// One in memory, if Linux has that and there is enough room. For tests that make thousands of files and are not
    /// about the file system: on disk they take ten times as long.
    pub(crate) fn in_memory() -> Self {
        const MEMORY: &str = "/dev/shm";
        let has_room =
            rustix::fs::statvfs(MEMORY).is_ok_and(|it| it.f_bavail * it.f_frsize >= 1 << 30);
        let folder = has_room.then(|| TempDir::new_in(MEMORY).ok()).flatten();
        folder.map_or_else(Self::new, Self)
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path as text.
    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("it is UTF-8").to_owned()
    }

    /// Writes a file; returns its path as text.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), contents).expect("a file can be written");
        self.name(name)
    }

    /// Makes a folder and those above it; returns its path as text.
    pub(crate) fn folder(&self, name: &str) -> String {
        std::fs::create_dir_all(self.path(name)).expect("a folder can be made");
        self.name(name)
    }

    /// All files below a folder, by their relative paths, with their content.
    pub(crate) fn tree(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let top = self.path(name);
        let mut files = BTreeMap::new();
        let mut folders = vec![top.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
                let path = entry.expect("the folder can be read").path();
                let metadata = path.symlink_metadata().expect("it is there");
                if metadata.is_dir() {
                    folders.push(path);
                } else if metadata.is_file() {
                    let relative = path.strip_prefix(&top).expect("it is below");
                    let contents = std::fs::read(&path).expect("the file can be read");
                    files.insert(relative.to_path_buf(), contents);
                }
            }
        }
        files
    }

    /// Whether there is no file below a folder.
    pub(crate) fn tree_is_empty(&self, name: &str) -> bool {
        std::fs::read_dir(self.path(name)).is_ok_and(|mut entries| entries.next().is_none())
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("the file can be read")
    }

    /// The names of everything in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .expect("the folder can be read")
            .map(|entry| {
                let name = entry.expect("the folder can be read").file_name();
                name.to_string_lossy().into_owned()
            })
            .collect();
        names.sort();
        names
    }
}
