//! The patterns of `--glob` and `--extension`, and whether each has matched a file. One that matches none is
//! probably a mistake, or the files that it should match are left out for another reason.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::overrides::{Override, OverrideBuilder};

use crate::message::{Counted, Escaped};
use crate::options::WalkOptions;
use crate::packed::without_ending;

/// The patterns that include files.
pub(super) struct Patterns {
    all: Vec<Pattern>,
    /// Whether any file was found in a folder.
    found: AtomicBool,
}

/// One such pattern.
pub(super) struct Pattern {
    kind: PatternKind,
    has_matched: AtomicBool,
}

enum PatternKind {
    /// The glob as it was written, and its rule.
    Glob(String, Override),
    Extension(String),
}

impl Patterns {
    /// `Err` says which glob is wrong, and why. Globs that begin with "!" include nothing.
    pub(super) fn new(options: &WalkOptions) -> Result<Self, String> {
        let pattern = |kind| Pattern {
            kind,
            has_matched: AtomicBool::new(false),
        };
        let mut all = Vec::new();
        for glob in options.glob.iter().filter(|glob| !glob.starts_with('!')) {
            let rule = rule_of(std::slice::from_ref(glob))?;
            all.push(pattern(PatternKind::Glob(glob.clone(), rule)));
        }
        let extensions = options.extension.iter().cloned();
        all.extend(extensions.map(|extension| pattern(PatternKind::Extension(extension))));
        Ok(Self {
            all,
            found: AtomicBool::new(false),
        })
    }

    /// Records a file that was found. With `decompress`, its name without the ending of a compressed file
    /// counts, too.
    pub(super) fn found(&self, path: &Path, decompress: bool) {
        self.found.store(true, Ordering::Relaxed);
        for pattern in &self.all {
            if !pattern.has_matched.load(Ordering::Relaxed) && pattern.is_match(path, decompress) {
                pattern.has_matched.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether no file was found at all.
    pub(super) fn is_without_files(&self) -> bool {
        !self.found.load(Ordering::Relaxed)
    }

    /// The patterns that no file has matched.
    pub(super) fn unmatched(&self) -> Vec<&Pattern> {
        let unmatched = |pattern: &&Pattern| !pattern.has_matched.load(Ordering::Relaxed);
        self.all.iter().filter(unmatched).collect()
    }
}

/// The rule of some globs. `Err` says which of them is wrong, and why.
pub(super) fn rule_of(globs: &[String]) -> Result<Override, String> {
    let mut rule = OverrideBuilder::new(".");
    for glob in globs {
        let added = rule.add(glob);
        added.map_err(|error| format!("--glob={}: {error}", Escaped(glob)))?;
    }
    rule.build().map_err(|error| format!("--glob: {error}"))
}

impl Pattern {
    pub(super) fn is_match(&self, path: &Path, decompress: bool) -> bool {
        match &self.kind {
            PatternKind::Glob(_, rule) => rule.matched(path, false).is_whitelist(),
            PatternKind::Extension(extension) => has_extension(path, extension, decompress),
        }
    }

    /// The pattern as on the command line.
    pub(super) fn shown(&self) -> String {
        match &self.kind {
            PatternKind::Glob(glob, _) => format!("--glob={}", Escaped(glob)),
            PatternKind::Extension(extension) => format!("--extension={}", Escaped(extension)),
        }
    }
}

/// Whether a name ends with `.EXT` in any case; with `decompress`, possibly before the ending of a compressed
/// file.
pub(super) fn has_extension(path: &Path, wanted: &str, decompress: bool) -> bool {
    let wanted = wanted.strip_prefix('.').unwrap_or(wanted);
    let has = |path: &Path| {
        let name = path.file_name().map_or(&[][..], OsStr::as_encoded_bytes);
        // Something comes before the dot.
        let start = name
            .len()
            .checked_sub(wanted.len() + 1)
            .filter(|start| *start > 0);
        start.is_some_and(|start| {
            name[start] == b'.' && name[start + 1..].eq_ignore_ascii_case(wanted.as_bytes())
        })
    };
    has(path) || decompress && has(&without_ending(path))
}

/// The number of files that were left out, by the flag that includes them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    /// Files that .gitignore and similar files exclude.
    pub(super) ignored: u64,
    pub(super) hidden: u64,
    /// Files that only both flags together include.
    pub(super) both: u64,
    /// Symbolic links, to files or folders.
    pub(super) links: u64,
}

impl LeftOut {
    /// The message if `what` matches nothing.
    pub(super) fn message(self, what: &str) -> String {
        let mut message = format!("{what}: no file matched");
        let by = [
            (
                self.ignored,
                "file",
                "of .gitignore and similar rules",
                "-I takes",
            ),
            (self.hidden, "file", "of being hidden", "-H takes"),
            (
                self.both,
                "file",
                "of such rules and being hidden",
                "-I -H takes",
            ),
            (self.links, "link", "links are not followed", "-L follows"),
        ];
        let by: Vec<String> = by
            .iter()
            .filter(|(files, ..)| *files > 0)
            .map(|(files, kind, why, flag)| {
                let (were, them) = if *files == 1 {
                    ("was", "it")
                } else {
                    ("were", "them")
                };
                let files = Counted(*files, kind);
                format!("{files} {were} left out because {why} ({flag} {them})")
            })
            .collect();
        if !by.is_empty() {
            message.push_str("; ");
            message.push_str(&by.join(", "));
        }
        message
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::has_extension;

    #[test]
    fn extensions() {
        for (name, wanted, has) in [
            ("t/a.txt", "txt", true),
            ("t/a.TXT", ".txt", true),
            ("t/a.tar.txt", "txt", true),
            ("t/a.html.erb", "html.erb", true),
            ("t/a.html.erb", "html", false),
            ("t/txt", "txt", false),
            ("t/.txt", "txt", false),
            ("t/atxt", "txt", false),
            ("t/a.", "", true),
        ] {
            assert_eq!(has_extension(Path::new(name), wanted, false), has, "{name}");
        }
        assert!(has_extension(Path::new("a.txt.gz"), "txt", true));
    }
}
