//! Messages that apply to many files: the first few files are named, and the rest counted in one line.
//!
//! `--verbose` names all of them, and so does `--json`.

use std::collections::{BTreeMap, HashMap};

use crate::message::Counted;

/// How many files with the same message are named.
const SHOWN: u64 = 10;

/// How many different messages are counted, to bound memory. Further ones are always shown.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// By the message without the names and numbers in it.
    same: HashMap<String, Group>,
    /// Files that were left alone because their encoding is a guess.
    guesses: Guesses,
}

#[derive(Debug)]
struct Group {
    files: u64,
    /// The message about the first of them, with its name.
    first: String,
}

#[derive(Debug, Default)]
struct Guesses {
    files: u64,
    by_encoding: BTreeMap<&'static str, u64>,
}

impl Groups {
    /// Counts a file with the message `why`. Returns whether to show the message.
    pub(crate) fn is_shown(&mut self, input: &dyn std::fmt::Display, why: &str) -> bool {
        let kind = kind_of(why);
        if self.same.len() == MOST && !self.same.contains_key(&kind) {
            return true;
        }
        let group = self.same.entry(kind).or_insert_with(|| Group {
            files: 0,
            first: format!("{input}: {why}"),
        });
        group.files += 1;
        group.files <= SHOWN
    }

    /// Counts a file that was left alone because `encoding` is a guess. Returns whether to show a message.
    pub(crate) fn is_guess_shown(&mut self, encoding: &'static str) -> bool {
        self.guesses.files += 1;
        *self.guesses.by_encoding.entry(encoding).or_default() += 1;
        self.guesses.files <= SHOWN
    }

    /// One line for each group of which not all files were named.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut groups: Vec<&Group> = self.same.values().collect();
        groups.retain(|group| group.files > SHOWN);
        groups.sort_by_key(|group| (std::cmp::Reverse(group.files), &group.first));
        let mut lines: Vec<String> = groups
            .iter()
            .map(|group| {
                format!(
                    "{} in all have a message like this one: {} (-v names them, --json lists them)",
                    Counted(group.files, "file"),
                    group.first
                )
            })
            .collect();
        if self.guesses.files > SHOWN {
            let mut of: Vec<_> = self.guesses.by_encoding.iter().collect();
            of.sort_by_key(|(_, files)| std::cmp::Reverse(**files));
            let of: Vec<_> = of
                .iter()
                .map(|(encoding, files)| format!("{files} {encoding}"))
                .collect();
            lines.push(format!(
                "{} left alone because their encoding is a guess: {} (-v names them, --json lists \
                 them)",
                Counted(self.guesses.files, "file"),
                of.join(", ")
            ));
        }
        lines
    }
}

/// A message without the numbers and paths that differ from file to file.
fn kind_of(why: &str) -> String {
    let mut kind = String::with_capacity(why.len());
    for word in why.split(' ') {
        if word.contains(std::path::is_separator) {
            kind.push('/');
        } else {
            kind.extend(word.chars().filter(|ch| !ch.is_ascii_digit()));
        }
        kind.push(' ');
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn the_first_are_named_and_all_are_counted() {
        let mut groups = Groups::default();
        for number in 0..5_000 {
            let why = format!("its output new/{number} cannot be written: Permission denied");
            assert_eq!(groups.is_shown(&number, &why), number < 10);
        }
        assert!(groups.is_shown(&"a", "cannot be read: Permission denied"));
        for _ in 0..7 {
            groups.is_guess_shown("windows-1252");
            groups.is_guess_shown("KOI8-R");
        }
        assert!(!groups.is_guess_shown("KOI8-R"));
        assert_eq!(
            groups.lines(),
            [
                "5000 files in all have a message like this one: 0: its output new/0 cannot be written: \
                 Permission denied (-v names them, --json lists them)",
                "15 files left alone because their encoding is a guess: 8 KOI8-R, 7 windows-1252 (-v \
                 names them, --json lists them)",
            ]
        );
    }

    #[test]
    fn what_there_is_no_room_for_is_said() {
        let mut groups = Groups::default();
        for number in 0..10_000 {
            let why = "x".repeat(number);
            assert!(groups.is_shown(&"a", &why));
        }
    }
}
