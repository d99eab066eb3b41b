#!/usr/bin/env python3
"""ripgrep with encoding_rs and with the drop-in: user and system time of whole commands, and the sizes of the two.

    python3 compat/ripgrep.py RG_WITH_ENCODING_RS RG_WITH_THE_DROP_IN SIMDTEXT > docs/performance/ripgrep.tsv

The texts are those of samples/, again and again up to 128 MiB, in each encoding as `simdtext` encodes them. Each row is
one search, by both in turns; its figures are the least of ROUNDS. `.ci/encoding_rs ripgrep` builds what this takes.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile

ROUNDS = 7
LENGTH = 128 << 20
SAMPLES = pathlib.Path(__file__).parents[1] / "samples" / "utf-8"

#: The encoding, the text, and a word of the language that the text does not have.
TEXTS = [
    ("shift_jis", "ja", "図書館員"),
    ("gbk", "zh-hans", "图书馆员"),
    ("euc-jp", "ja", "図書館員"),
    ("windows-1251", "ru", "Библиотекарь"),
    ("windows-1252", "de", "Bibliothekarin"),
    ("utf-16le", "ru", "Библиотекарь"),
    ("utf-8", "ru", "Библиотекарь"),
]

#: Five letters, three times: no literal helps to find it.
REGEX = r"\w{5}\s+\w{5}\s+\w{5}"


def seconds(command: list[str]) -> tuple[float, bytes]:
    """User and system time of a command, and what it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        printed = running.stdout.read()
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: status {running.returncode}")
    return usage.ru_utime + usage.ru_stime, printed


def main() -> None:
    without, with_drop_in, simdtext = sys.argv[1:]
    print("# Written by compat/ripgrep.py: user and system time of ripgrep, the least of", ROUNDS)
    for name, path in (("encoding_rs", without), ("the drop-in", with_drop_in)):
        print(f"# stripped, with {name}: {os.stat(path).st_size} bytes")
    print("encoding\tpattern\tencoding_rs_s\tdrop_in_s\ttimes_as_fast")
    with tempfile.TemporaryDirectory() as folder:
        for encoding, text, literal in TEXTS:
            once = (SAMPLES / f"{text}.txt").read_bytes().strip() + b"\n"
            utf8 = pathlib.Path(folder, "utf-8.txt")
            utf8.write_bytes(once * (LENGTH // len(once)))
            file = pathlib.Path(folder, "text.txt")
            convert = [simdtext, "convert", "-f", "utf-8", "-t", encoding, "-o", str(file), str(utf8)]
            subprocess.run(convert, check=True)
            for name, pattern in (("literal", literal), ("regex", REGEX)):
                arguments = ["-c", *(["-E", encoding] if encoding != "utf-8" else []), pattern, str(file)]
                least = [float("inf"), float("inf")]
                printed = set()
                for _ in range(ROUNDS):
                    for which, path in enumerate((without, with_drop_in)):
                        time, counted = seconds([path, "--no-config", *arguments])
                        least[which] = min(least[which], time)
                        printed.add(counted)
                if len(printed) != 1:
                    sys.exit(f"{encoding}, {name}: they count different lines")
                print(f"{encoding}\t{name}\t{least[0]:.3f}\t{least[1]:.3f}\t{least[0] / least[1]:.2f}", flush=True)


if __name__ == "__main__":
    main()
