//! One big file to UTF-8: one core, two, two processes with a half each, iconv, uconv, and a copy of the
//! output.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use simdtext::{Encoding, Unmappable};

use crate::corpus::Kind;
use crate::timed::{best, command, exists, run, run_all};
use crate::tsv::Tsv;
use crate::{Bench, table};

/// Labels, and the language of the text.
const CASES: [(&str, &str); 5] = [
    ("shift_jis", "ja"),
    ("gbk", "zh"),
    ("windows-1251", "ru"),
    ("utf-16le", "ja"),
    ("iso-2022-jp", "ja"),
];

/// Of a file, iconv and uconv are given so small a part, and their times are multiplied: what they
/// take grows with it.
const OF_PEERS: usize = 4;

/// A text in an encoding, again and again, until it has `len` bytes or a few more. Returns its length.
pub(crate) fn write_text(path: &Path, label: &str, text: &str, len: usize) -> Result<u64, String> {
    let encoded = encode(label, text)?;
    let written = || {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        for _ in 0..len.div_ceil(encoded.len()) {
            file.write_all(&encoded)?;
        }
        file.flush()?;
        fs::metadata(path).map(|metadata| metadata.len())
    };
    written().map_err(|error| format!("{}: {error}", path.display()))
}

fn encode(label: &str, text: &str) -> Result<Vec<u8>, String> {
    let encoding = Encoding::for_label(label.as_bytes()).ok_or(format!("{label}: no encoding"))?;
    // Ends with ASCII: two escape sequences in a row, where it begins anew, are malformed in ISO-2022-JP.
    let text = format!("{text}\n");
    let encoded = encoding.encode(&text, Unmappable::Ncr);
    let encoded = encoded.map_err(|error| format!("{label}: {error}"))?;
    Ok(encoded.bytes.into_owned())
}

fn encoded_len(label: &str, text: &str) -> Result<usize, String> {
    encode(label, text).map(|encoded| encoded.len())
}

/// `simdtext convert` of one file.
fn convert(bench: &Bench, label: &str, jobs: &str, from: &Path, to: &Path) -> Command {
    let mut command = command(&bench.simdtext, ["convert", "-f", label, "-j", jobs, "-o"]);
    command.arg(to).arg(from);
    command
}

/// Removes the output first: to make a file anew takes another time than to write over one.
///
/// And so much memory as it takes is touched: a virtual machine gives back what is free for some
/// seconds, and to get it again takes longer than all that is to be measured.
fn fresh(to: &[&Path], touched: usize, commands: &mut [Command]) -> Result<Duration, String> {
    for to in to {
        if to.exists() {
            fs::remove_file(to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    if let Some(to) = to.first() {
        touch(to, touched).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    run_all(commands)
}

/// Makes a file of `len` bytes, and removes it.
fn touch(path: &Path, len: usize) -> std::io::Result<()> {
    const BLOCK: usize = 1 << 20;
    let mut file = File::create(path)?;
    for _ in 0..len.div_ceil(BLOCK) {
        file.write_all(&[0; BLOCK])?;
    }
    drop(file);
    fs::remove_file(path)
}

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let len = bench.options.mib << 20;
    let path = |name: &str| bench.dir.join(name);
    let (from, to, copy) = (path("in"), path("out"), path("copy"));
    let halves = [path("half-1"), path("half-2")];
    let half_outs = [path("half-1.out"), path("half-2.out")];
    let mut table = table(
        &format!(
            "one file of {} MiB to UTF-8: GB/s of input, and in parentheses what -j 2 is of that",
            bench.options.mib
        ),
        &[
            "from",
            "text",
            "-j 2",
            "-j 1",
            "two processes, half each",
            "iconv",
            "uconv",
            "cp of the output",
        ],
    );
    for (label, language) in CASES {
        for kind in [Kind::Dense, Kind::Html] {
            let Some(text) = bench.corpus.legacy_text(language, kind) else {
                continue;
            };
            let bytes = write_text(&from, label, &text, len)?;
            for half in &halves {
                write_text(half, label, &text, len / 2)?;
            }
            let mut runs: [Vec<Duration>; 4] = Default::default();
            let touched = len.div_ceil(encoded_len(label, &text)?) * (text.len() + 1);
            for _ in 0..bench.options.rounds {
                let mut both = [convert(bench, label, "2", &from, &to)];
                runs[0].push(fresh(&[&to], touched, &mut both)?);
                let mut one = [convert(bench, label, "1", &from, &to)];
                runs[1].push(fresh(&[&to], touched, &mut one)?);
                let mut copied = [command("cp", [&to, &copy])];
                runs[3].push(fresh(&[&copy], touched, &mut copied)?);
                fs::remove_file(&copy).map_err(|error| error.to_string())?;
                let mut apart =
                    [0, 1].map(|i| convert(bench, label, "1", &halves[i], &half_outs[i]));
                runs[2].push(fresh(&[&half_outs[0], &half_outs[1]], touched, &mut apart)?);
                for out in &half_outs {
                    fs::remove_file(out).map_err(|error| error.to_string())?;
                }
            }
            write_text(&from, label, &text, len / OF_PEERS)?;
            let peer = |program: &str, arguments: &[&str]| {
                if !exists(program) {
                    return Ok(None);
                }
                let mut runs = Vec::new();
                for _ in 0..bench.options.rounds {
                    touch(&copy, touched / OF_PEERS).map_err(|error| error.to_string())?;
                    let out = File::create(&copy).map_err(|error| error.to_string())?;
                    let mut peer = command(program, arguments);
                    peer.arg(&from).stdout(out);
                    runs.push(run(peer)?);
                }
                Ok(Some(best(&runs) * OF_PEERS as u32))
            };
            let charset = if label == "gbk" { "gb18030" } else { label };
            let iconv = peer("iconv", &["-f", charset, "-t", "utf-8"]);
            let uconv = peer("uconv", &["-f", charset, "-t", "utf-8"]);
            let bests = runs.map(|runs| best(&runs));
            let speed = |time: Duration| bytes as f64 / time.as_secs_f64() / 1e9;
            let cell = |time: Duration| {
                let times = time.as_secs_f64() / bests[0].as_secs_f64();
                format!("{:.2} ({times:.2} ×)", speed(time))
            };
            let of_peer = |peer: Result<Option<Duration>, String>| match peer {
                Ok(Some(time)) => cell(time),
                Ok(None) => String::new(),
                Err(message) => message,
            };
            table.rows.push(vec![
                label.to_owned(),
                kind.name().to_owned(),
                format!("{:.2}", speed(bests[0])),
                cell(bests[1]),
                cell(bests[2]),
                of_peer(iconv),
                of_peer(uconv),
                cell(bests[3]),
            ]);
        }
    }
    for path in [&from, &to, &copy].into_iter().chain(&halves) {
        // Not all of them are there.
        let _gone = fs::remove_file(path);
    }
    Ok(table)
}
