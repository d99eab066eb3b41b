//! Runs commands and says how long they took.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// What a command took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) time: Duration,
    /// The most memory that was resident, in bytes.
    pub(crate) resident: u64,
}

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
pub(crate) fn run_all(commands: &mut [Command]) -> Result<Run, String> {
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
    let mut resident = 0;
    for (name, mut child) in children {
        let used = child.wait4().map_err(|error| format!("{name}: {error}"))?;
        if !used.status.success() {
            return Err(format!("{name}: {}", used.status));
        }
        resident = resident.max(used.rusage.maxrss);
    }
    Ok(Run {
        time: begun.elapsed(),
        resident,
    })
}

/// Runs a command.
pub(crate) fn run(mut command: Command) -> Result<Run, String> {
    run_all(std::slice::from_mut(&mut command))
}

/// The median of the times.
pub(crate) fn median(runs: &[Run]) -> Duration {
    let mut times: Vec<Duration> = runs.iter().map(|run| run.time).collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The shortest of the times: what else the machine does only makes them longer.
pub(crate) fn best(runs: &[Run]) -> Duration {
    runs.iter().map(|run| run.time).min().unwrap_or_default()
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
