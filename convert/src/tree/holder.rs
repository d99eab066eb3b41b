//! Finds out which process holds the lock of a file, if the system tells.

use std::fs::File;

/// The process that has locked `file`, and its command line.
#[cfg(target_os = "linux")]
pub(super) fn holder(file: &File) -> Option<String> {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    use crate::message::Escaped;

    /// A command line may be very long.
    const SHOWN: usize = 200;

    let metadata = file.metadata().ok()?;
    let (device, inode) = (metadata.dev(), metadata.ino());
    let place = format!(
        "{:02x}:{:02x}:{inode}",
        rustix::fs::major(device),
        rustix::fs::minor(device)
    );
    let inode = format!(":{inode}");
    let locks = fs::read_to_string("/proc/locks").ok()?;
    // The form of a line: 1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF
    let held = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_held = words.get(1) == Some(&"FLOCK");
        is_held.then_some((*words.get(4)?, *words.get(5)?))
    });
    let held: Vec<(&str, &str)> = held.collect();
    // Some file systems report different devices for files and for locks.
    let (process, _) = held
        .iter()
        .find(|(_, there)| *there == place)
        .or_else(|| held.iter().find(|(_, there)| there.ends_with(&inode)))?;
    let number: u32 = process.parse().ok().filter(|number| *number > 0)?;
    let command = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let words: Vec<String> = command
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty())
        .map(|word| Escaped(&String::from_utf8_lossy(word)).to_string())
        .collect();
    let mut shown: String = words.join(" ").chars().take(SHOWN).collect();
    if shown.len() < words.join(" ").len() {
        shown.push('…');
    }
    Some(if shown.is_empty() {
        format!("process {number}")
    } else {
        format!("process {number}: {shown}")
    })
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn holder(_file: &File) -> Option<String> {
    None
}
