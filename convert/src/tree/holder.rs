//! Finds out which process holds the lock of a folder, if the system tells.

use std::path::Path;

/// The process that has locked a folder, and its command line.
#[cfg(target_os = "linux")]
pub(super) fn holder(folder: &Path) -> Option<String> {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    use crate::message::Escaped;

    /// A command line may be very long.
    const SHOWN: usize = 200;
    const TRIES: usize = 5;

    let metadata = fs::metadata(folder).ok()?;
    let (device, inode) = (metadata.dev(), metadata.ino());
    let place = format!(
        "{:02x}:{:02x}:{inode}",
        rustix::fs::major(device),
        rustix::fs::minor(device)
    );
    // The system writes the list a page at a time, and passes over a lock if others are freed between two pages.
    let process = (0..TRIES).find_map(|_| {
        let locks = fs::read_to_string("/proc/locks").ok()?;
        holder_in(&locks, &place, &format!(":{inode}"))
    })?;
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

/// The process that has locked the file at `place` (its device and inode) according to `locks`, the contents of
/// `/proc/locks`. Some file systems report different devices for files and for locks, so otherwise the first file
/// whose place ends with `inode`.
#[cfg(target_os = "linux")]
fn holder_in(locks: &str, place: &str, inode: &str) -> Option<String> {
    // The form of a line: 1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF
    let held = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_held = words.get(1) == Some(&"FLOCK");
        is_held.then_some((*words.get(4)?, *words.get(5)?))
    });
    let held: Vec<(&str, &str)> = held.collect();
    let of = |is_here: &dyn Fn(&str) -> bool| held.iter().find(|(_, there)| is_here(there));
    let found = of(&|there| there == place).or_else(|| of(&|there| there.ends_with(inode)));
    found.map(|(process, _)| (*process).to_owned())
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn holder(_folder: &Path) -> Option<String> {
    None
}
