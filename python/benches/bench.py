"""Measures decode() against bytes.decode(), detect() against chardet and charset-normalizer, ways to make a `str`,
and columns of Arrow against lists.

    python benches/bench.py [--save] [decode] [short] [detect] [strings] [arrow]

The texts are those of SIMDTEXT_CORPUS, a folder laid out like the public collection
github.com/lemire/unicode_lipsum: prose (dense) and pages (html). Each figure is the best of several runs, in which
the functions that are compared take turns. With --save all rows go to docs/performance/python.tsv.
"""

from __future__ import annotations

import ctypes
import datetime
import os
import platform
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from math import exp, log
from pathlib import Path
from typing import Any

import simdtext

HERE = Path(__file__).parent
CORPUS = Path(os.environ.get("SIMDTEXT_CORPUS", HERE / "../../../shared/corpus"))
SAVED = HERE / "../../docs/performance/python.tsv"
# The label, Python's codec for the same encoding, the prose, the page.
ENCODINGS = [
    ("windows-1252", "cp1252", "Latin", "french"),
    ("iso-8859-15", "iso8859_15", "Latin", "french"),
    ("iso-8859-2", "iso8859_2", "Latin", "czech"),
    ("windows-1250", "cp1250", "Latin", "czech"),
    ("windows-1251", "cp1251", "Russian", "russian"),
    ("koi8-r", "koi8_r", "Russian", "russian"),
    ("iso-8859-5", "iso8859_5", "Russian", "russian"),
    ("ibm866", "cp866", "Russian", "russian"),
    ("windows-1255", "cp1255", "Hebrew", "hebrew"),
    ("windows-1256", "cp1256", "Arabic", "arabic"),
    ("windows-1253", "cp1253", "", "greek"),
    ("windows-874", "cp874", "", "thai"),
    ("windows-1254", "cp1254", "", "turkish"),
    ("windows-1258", "cp1258", "", "vietnamese"),
    ("shift_jis", "cp932", "Japanese", "japanese"),
    ("euc-jp", "euc_jp", "Japanese", "japanese"),
    ("iso-2022-jp", "iso2022_jp", "Japanese", "japanese"),
    ("gbk", "gbk", "Chinese", "chinese"),
    ("gb18030", "gb18030", "Chinese", "chinese"),
    ("big5", "big5hkscs", "Chinese", "chinese"),
    ("euc-kr", "cp949", "Korean", "korean"),
    ("utf-16le", "utf_16_le", "Chinese", "japanese"),
    ("utf-16be", "utf_16_be", "Russian", "russian"),
]
UTF_8 = [("Latin", "english"), ("Russian", "russian"), ("Chinese", "chinese"), ("Emoji", "japanese"), ("Arabic", "arabic")]


#: The results: operation, encoding, text, bytes, ns, GB/s, peer, how many times as fast as the peer.
rows: list[list[str]] = []


def add(operation: str, encoding: str, text: str, length: int, ns: float, peer: str, ratio: float) -> None:
    speed = "" if operation == "str" else f"{length / ns:.2f}"
    times = f"{ratio:.2f}" if ratio > 0.1 else f"{ratio:.4f}"
    cells = [operation, encoding, text, str(length), f"{ns:.0f}", speed, peer, times]
    rows.append(cells)
    print("{:8}{:28}{:16}{:>6}{:>10}{:>8}  {:20}{:>8}".format(*cells), flush=True)


def add_mean(operation: str, text: str, length: int, peer: str, ratios: list[float]) -> None:
    cells = [operation, "geometric mean", text, str(length), "", "", peer, f"{mean(ratios):.2f}"]
    rows.append(cells)
    print("{:8}{:28}{:16}{:>6}{:>10}{:>8}  {:20}{:>8}".format(*cells), flush=True)


def text_of(kind: str, name: str) -> str:
    path = CORPUS / ("lipsum" if kind == "dense" else "wikipedia_mars")
    path /= f"{name}-Lipsum.utf8.txt" if kind == "dense" else f"{name}.html"
    return path.read_text(encoding="utf-8-sig")


def bytes_of(text: str, codec: str, length: int) -> bytes:
    """The front of a text, repeated, less the characters that the two codecs do not have in common."""
    label = next((label for label, python, *_ in ENCODINGS if python == codec), "utf-8")

    def is_common(ch: str) -> bool:
        theirs = ch.encode(codec, "ignore")
        return theirs != b"" and simdtext.decode(theirs, label, bom="keep") == ch

    common = {ch for ch in set(text) if is_common(ch)}
    text = "".join(filter(common.__contains__, text))
    # Bytes do not show where characters end.
    least, most = 0, length + 1
    text *= length // len(text) + 1
    while least + 1 < most:
        middle = (least + most) // 2
        if len(text[:middle].encode(codec)) <= length:
            least = middle
        else:
            most = middle
    return text[:least].encode(codec)


def best(calls: list[Callable[[], object]], seconds: float = 0.25) -> list[float]:
    """The least time of each call, in seconds."""
    least = [float("inf")] * len(calls)
    counts = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        once = max(time.perf_counter() - start, 1e-8)
        counts.append(max(1, int(0.002 / once)))
    end = time.perf_counter() + seconds * len(calls)
    while time.perf_counter() < end:
        for i, (call, count) in enumerate(zip(calls, counts)):
            turns = range(count)
            start = time.perf_counter()
            for _ in turns:
                call()
            least[i] = min(least[i], (time.perf_counter() - start) / count)
    return least


def mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))


def compare(label: str, codec: str, data: bytes) -> tuple[float, float]:
    assert data.decode(codec) == simdtext.decode(data, label), label
    decode = simdtext.decode
    ours, theirs = best([lambda: decode(data, label), lambda: data.decode(codec)])
    return ours, theirs / ours


def decode_rows(length: int) -> None:
    for kind, at in (("dense", 2), ("html", 3)):
        ratios = []
        for row in ENCODINGS:
            if not row[at]:
                continue
            data = bytes_of(text_of(kind, row[at]), row[1], length)
            ours, ratio = compare(row[0], row[1], data)
            ratios.append(ratio)
            add("decode", row[0], f"{row[at]} {kind}", len(data), ours * 1e9, "bytes.decode", ratio)
        add_mean("decode", kind, length, "bytes.decode", ratios)
    ratios = []
    for dense, html in UTF_8:
        for kind, name in (("dense", dense), ("html", html)):
            data = bytes_of(text_of(kind, name), "utf_8", length)
            ours, ratio = compare("utf-8", "utf_8", data)
            ratios.append(ratio)
            add("decode", "utf-8", f"{name} {kind}", len(data), ours * 1e9, "bytes.decode", ratio)
    add_mean("decode", "UTF-8", length, "bytes.decode", ratios)


def detect_rows() -> None:
    import chardet
    import charset_normalizer

    peers = ["chardet", "charset-normalizer"]
    right = [0, 0, 0]
    cases = 0
    for length in (1024, 8192, 65536):
        ratios: list[list[float]] = [[], []]
        for label, codec, dense, html in ENCODINGS:
            for kind, name in (("dense", dense), ("html", html)):
                if not name:
                    continue
                data = bytes_of(text_of(kind, name), codec, length)
                calls: list[Callable[[], object]] = [
                    lambda: simdtext.detect(data),
                    lambda: chardet.detect(data),
                    lambda: charset_normalizer.from_bytes(data).best(),
                ]
                ours, *others = best(calls, 0.02)
                for list_, peer, other in zip(ratios, peers, others):
                    list_.append(other / ours)
                    add("detect", label, f"{name} {kind}", len(data), ours * 1e9, peer, other / ours)
                wanted = data.decode(codec)
                found = charset_normalizer.from_bytes(data).best()
                answers = [
                    simdtext.detect(data).encoding,
                    chardet.detect(data)["encoding"],
                    found and found.encoding,
                ]
                cases += 1
                for i, answer in enumerate(answers):
                    right[i] += decodes_to(data, answer, wanted)
        for peer, list_ in zip(peers, ratios):
            add_mean("detect", "", length, peer, list_)
    for name, count in zip(["simdtext", *peers], right):
        rows.append(["right", "", f"{count} of {cases}", "", "", "", name, ""])
        print(f"right, of {cases}: {name} {count}")


def decodes_to(data: bytes, encoding: object, wanted: str) -> bool:
    """Whether the answer gives the right text, by Python's codec or ours."""
    if not isinstance(encoding, str):
        return False
    try:
        if simdtext.decode(data, encoding, bom="keep") == wanted:
            return True
    except LookupError:
        pass
    try:
        return data.decode(encoding) == wanted
    except (LookupError, UnicodeDecodeError):
        return False


def in_chunks(array: Any) -> Any:
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

    length = len(array) // 64 + 1
    return pyarrow.chunked_array([array.slice(at, length) for at in range(0, len(array), length)])


def spread_threads() -> None:
    """Has each thread of the pool that decodes arrays run on a core of its own.

    Some virtual machines keep all threads of a process on one core until it has been busy for a while, and a call ends
    before that.
    """
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

    import simdtext.arrow

    if sys.platform != "linux":
        return
    before = set(os.listdir("/proc/self/task"))
    simdtext.arrow.decode(pyarrow.array([b"\xe0" * 1024] * 4096), "windows-1251")
    threads = sorted(map(int, set(os.listdir("/proc/self/task")) - before))
    for thread, core in zip(threads, sorted(os.sched_getaffinity(0))):
        os.sched_setaffinity(thread, {core})


def arrow_rows() -> None:
    """A column of 100,000 documents with their labels, beside three list comprehensions: over as many `bytes` that are
    there already, over `to_pylist()` of the column, and over its scalars.
    """
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

    import simdtext.arrow

    spread_threads()
    for least, most in ((100, 6000), (100, 1000), (64, 64)):
        numbers = random.Random(1)
        texts = [
            (label, codec, bytes_of(text_of("dense", dense), codec, 8192))
            for label, codec, dense, _ in [*ENCODINGS, *(("utf-8", "utf_8", name, "") for name, _ in UTF_8)]
            if dense
        ]
        labels, codecs, values = [], [], []
        for _ in range(100_000):
            label, codec, data = numbers.choice(texts)
            labels.append(label)
            codecs.append(codec)
            # If a character is cut, the last one is left out.
            text = data[: numbers.randint(least, most)].decode(codec, "ignore")
            values.append(text.encode(codec))
        array, column = pyarrow.array(values), pyarrow.array(labels)
        length = sum(map(len, values))
        text = pyarrow.array(simdtext.arrow.decode(array, column)).field("text")
        assert text.to_pylist() == [value.decode(codec) for value, codec in zip(values, codecs)]
        # Like the columns of tables, and decoded on all cores.
        arrays, columns = in_chunks(array), in_chunks(column)
        codec_of = dict(zip(labels, codecs))
        *ours, from_bytes, from_list, from_scalars = best(
            [
                lambda: simdtext.arrow.decode(array, column),
                lambda: simdtext.arrow.decode_text(array, column),
                lambda: [value.decode(codec) for value, codec in zip(values, codecs)],
                lambda: [
                    value.decode(codec_of[label]) for value, label in zip(array.to_pylist(), column.to_pylist())
                ],
                lambda: [value.as_py().decode(codec) for value, codec in zip(array, codecs)],
            ],
            3,
        )
        # On its own: its many results take the place of the one in the memory that is kept.
        ours += best([lambda: simdtext.arrow.decode(arrays, columns)], 3)
        size = f"{least} B" if least == most else f"{least} to {most} B"
        peers = [
            ("list of bytes.decode", from_bytes),
            ("to_pylist, then list", from_list),
            ("as_py in the list", from_scalars),
        ]
        for way, time_of_it in zip(("mixed", "mixed, text alone", "mixed, in 64 chunks"), ours):
            for peer, of_peer in peers:
                add("arrow", way, size, length, time_of_it * 1e9, peer, of_peer / time_of_it)


def string_rows() -> None:
    """A `str` out of a buffer, beside one that is written where it is: what there is to win by PyUnicode_New."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/strings.so"
        compiler = ["cc", "-O2", "-shared", "-fPIC", "-I", sysconfig.get_path("include")]
        subprocess.run([*compiler, "-o", library, HERE / "strings.c"], check=True)
        nanoseconds = ctypes.PyDLL(library).nanoseconds
    nanoseconds.restype = ctypes.c_double
    nanoseconds.argtypes = [ctypes.c_int, ctypes.py_object, ctypes.c_int]
    ways = ["PyUnicode_New", "PyUnicode_FromKindAndData", "PyUnicode_DecodeUTF8"]
    for name in ("English", "Latin", "Russian", "Chinese", "Emoji"):
        for length in (64, 65536):
            text = "English prose. " if name == "English" else text_of("dense", name)
            text = (text * (length // len(text) + 1)).encode()[:length].decode(errors="ignore")
            turns = 2_000_000 // length
            times = [[nanoseconds(way, text, turns) for way in range(3)] for _ in range(200)]
            times_of = [min(of_one) for of_one in zip(*times)]
            for way, time_of_it in zip(ways, times_of):
                add("str", way, name, length, time_of_it, ways[0], times_of[0] / time_of_it)


def save() -> None:
    processor = next(
        line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    )
    commit = subprocess.run(
        ["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    about = (
        f"# {datetime.date.today()}, simdtext {commit}, `python benches/bench.py --save` in python/;"
        f" Python {platform.python_version()}, {processor}; the least times, with a load of {os.getloadavg()[0]:.0f}"
    )
    heading = ["operation", "encoding or way", "text", "bytes", "ns", "GB/s", "beside", "times as fast"]
    lines = [about, *("\t".join(cells) for cells in [heading, *rows]), ""]
    SAVED.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    parts = [part for part in arguments if part != "--save"] or ["decode", "short", "detect", "strings", "arrow"]
    if "decode" in parts:
        decode_rows(64 * 1024)
    if "short" in parts:
        decode_rows(64)
    if "detect" in parts:
        detect_rows()
    if "strings" in parts:
        string_rows()
    if "arrow" in parts:
        arrow_rows()
    if "--save" in arguments:
        save()
