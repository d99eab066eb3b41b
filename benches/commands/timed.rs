//! Runs commands and says how long they took.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A command and its arguments.
pub(crate) fn command<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs commands side by side, until all have ended. `Err` where one can't be run or fails.
pub(crate) fn run_all(commands: &mut [Command]) -> Result<Duration, String> {
    let begun = Instant::now();
    let children: Vec<(String, Child)> = commands
        .iter_mut()
        .map(|command| {
            let name = command.get_program().to_string_lossy().into_owned();
            let child = command
                .spawn()
                .map_err(|error| format!("{name}: {error}"))?;
            Ok::<_, String>((name, child))
        })
        .collect::<Result<_, _>>()?;
    for (name, mut child) in children {
        let status = child.wait().map_err(|error| format!("{name}: {error}"))?;
        if !status.success() {
            return Err(format!("{name}: {status}"));
        }
    }
    Ok(begun.elapsed())
}

/// Runs a command.
pub(crate) fn run(mut command: Command) -> Result<Duration, String> {
    run_all(std::slice::from_mut(&mut command))
}

/// The median of the times.
pub(crate) fn median(runs: &[Duration]) -> Duration {
    let mut times = runs.to_vec();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The shortest of the times: what else the machine does only makes them longer.
pub(crate) fn best(runs: &[Duration]) -> Duration {
    runs.iter().min().copied().unwrap_or_default()
}

/// Whether there is such a program.
pub(crate) fn exists(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
    })
}

/// Has written data reach the disk, so that nothing that comes later waits for it; in memory there is
/// nothing to do.
pub(crate) fn settle() {
    let _done = command("sync", [""; 0]).status();
}
