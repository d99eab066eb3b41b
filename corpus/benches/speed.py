"""How long corpora take: one thread and two, beside fastwarc with resiliparse, and beside bare decompression.

    speed.py PROGRAMS OUT.tsv [TEXTS...]

PROGRAMS is the folder with simdtext-corpus and its examples, built for release. `make_corpus` makes 1 GiB of archives from
the texts (its own, if none are named). fastwarc and resiliparse must be installed. Times are the least of three.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

# What reading is compared with, by the name in columns: how `bare` decompresses members, and undoes content codings.
BARE = {
    "streaming": ("streaming", None),
    "one_step": ("one-step", None),
    "streaming_codings": ("streaming", "codings-streaming"),
    "one_step_codings": ("one-step", "codings-one-step"),
}
KINDS = ["warc", "warc.gz", "whole.warc.gz", "warc.zst", "whole.warc.zst"]
ROUNDS = 3


def run(programs: str, archives: str, out: str, jobs: int) -> tuple[float, float, int]:
    """Seconds, seconds of processors, and MiB of memory."""
    shutil.rmtree(out, ignore_errors=True)
    begin = time.perf_counter()
    process = subprocess.Popen([f"{programs}/simdtext-corpus", "-q", archives, "--out", out, f"-j{jobs}"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # 1: some records are damaged.
    assert process.returncode in (0, 1), process.returncode
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def bare(programs: str, archives: str, out: str) -> dict[str, float]:
    """Seconds of decompression and of writing the same Parquet, in each way."""
    done = subprocess.run([f"{programs}/examples/bare", archives, out], check=True, capture_output=True, text=True)
    seconds = {name: float(number) for name, number in (line.split() for line in done.stdout.splitlines())}
    return {
        way: seconds["writing"] + seconds[members] + (seconds[codings] if codings else 0)
        for way, (members, codings) in BARE.items()
    }


def documents(path: str) -> int:
    """Decodes the documents of an archive as resiliparse does."""
    kinds = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    characters = 0
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=kinds, parse_http=True):
            body = record.reader.read()
            characters += len(bytes_to_str(body, detect_encoding(body)))
    return characters


def main(programs: str, table: str, texts: list[str]) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as work, ProcessPoolExecutor(2) as pool:
        everything = f"{work}/all"
        subprocess.run([f"{programs}/examples/make_corpus", everything, "1024", *texts], check=True)
        for kind in ["all", *KINDS]:
            archives = f"{work}/{kind}"
            if kind != "all":
                os.mkdir(archives)
                for path in glob.glob(f"{everything}/[0-9][0-9][0-9][0-9].{kind}"):
                    os.link(path, f"{archives}/{os.path.basename(path)}")
            files = sorted(glob.glob(f"{archives}/*"))
            out = f"{work}/out"
            one, two, theirs, least = [], [], [], []
            for _ in range(ROUNDS):
                one.append(run(programs, archives, out, 1))
                two.append(run(programs, archives, out, 2))
                if kind in ("warc", "warc.gz"):
                    begin = time.perf_counter()
                    assert sum(pool.map(documents, files))
                    theirs.append(time.perf_counter() - begin)
                if kind in ("warc.gz", "whole.warc.gz"):
                    least.append(bare(programs, archives, out))
            first, second = min(one), min(two)
            packed = sum(os.path.getsize(path) for path in files) >> 20
            row = [kind, str(packed), f"{first[0]:.2f}", f"{second[0]:.2f}", f"{first[0] / second[0]:.2f}"]
            row += [f"{min(it[1] for it in one):.2f}", str(max(it[2] for it in one)), str(max(it[2] for it in two))]
            row += [f"{min(theirs):.2f}", f"{min(theirs) / second[0]:.1f}"] if theirs else ["", ""]
            for way in BARE:
                seconds = min((it[way] for it in least), default=None)
                row += [f"{seconds:.2f}", f"{seconds / first[0]:.2f}"] if seconds else ["", ""]
            rows.append(row)
            print("\t".join(row), flush=True)
    columns = ["archives", "MiB", "j1_s", "j2_s", "j2_times_as_fast", "j1_cpu_s", "j1_peak_MiB", "j2_peak_MiB"]
    columns += ["resiliparse_2_processes_s", "j2_times_resiliparse"]
    columns += [name for way in BARE for name in (f"bare_{way}_s", f"bare_{way}_of_j1")]
    with open(table, "w", encoding="ascii") as file:
        file.write("# Written by corpus/benches/speed.py (`.ci/corpus speed`): 1 GiB of archives by make_corpus, and\n")
        file.write("# of these each kind alone. bare: decompressing (streaming by flate2, or in one step by libdeflate; with\n")
        file.write("# or without the content codings of bodies) and writing the same Parquet, one thread, over j1_s\n")
        for row in [columns, *rows]:
            file.write("\t".join(row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
