"""Measures decode() against bytes.decode(), and detect() against chardet and charset-normalizer.

    python benches/bench.py [decode] [short] [detect]

The texts are those of SIMDTEXT_CORPUS, a folder laid out like the public collection
github.com/lemire/unicode_lipsum: prose (dense) and pages (html). Each figure is the best of several runs, in which
the functions that are compared take turns.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from math import exp, log
from pathlib import Path

import simdtext

CORPUS = Path(os.environ.get("SIMDTEXT_CORPUS", "../../shared/corpus"))
# Label, Python's codec for the same encoding, the prose, the page.
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
    # Bytes do not tell where characters end.
    least, most = 0, length + 1
    text *= length // len(text) + 1
    while least + 1 < most:
        middle = (least + most) // 2
        if len(text[:middle].encode(codec)) <= length:
            least = middle
        else:
            most = middle
    return text[:least].encode(codec)


def best(calls: list[Callable[[], object]], seconds: float = 0.12) -> list[float]:
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
    print(f"## decode, {length} bytes: ns, GB/s, times as fast as bytes.decode")
    for kind, at in (("dense", 2), ("html", 3)):
        ratios = []
        for row in ENCODINGS:
            if not row[at]:
                continue
            data = bytes_of(text_of(kind, row[at]), row[1], length)
            ours, ratio = compare(row[0], row[1], data)
            ratios.append(ratio)
            print(f"{kind:6} {row[0]:14} {ours * 1e9:10.0f} {len(data) / ours / 1e9:7.2f} {ratio:7.2f}")
        print(f"{kind:6} {'geometric mean':14} {'':18} {mean(ratios):7.2f}")
    ratios = []
    for dense, html in UTF_8:
        for kind, name in (("dense", dense), ("html", html)):
            data = bytes_of(text_of(kind, name), "utf_8", length)
            ours, ratio = compare("utf-8", "utf_8", data)
            ratios.append(ratio)
            print(f"utf-8  {kind} {name:8} {ours * 1e9:10.0f} {len(data) / ours / 1e9:7.2f} {ratio:7.2f}")
    print(f"utf-8  geometric mean {'':19} {mean(ratios):7.2f}")


def detect_rows() -> None:
    import chardet
    import charset_normalizer

    print("## detect: µs, times as fast as chardet and charset-normalizer, right answers of each")
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
                for list_, other in zip(ratios, others):
                    list_.append(other / ours)
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
        print(f"{length:6} bytes: {mean(ratios[0]):7.1f} {mean(ratios[1]):7.1f}")
    print(f"right, of {cases}: simdtext {right[0]}, chardet {right[1]}, charset-normalizer {right[2]}")


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


if __name__ == "__main__":
    parts = sys.argv[1:] or ["decode", "short", "detect"]
    if "decode" in parts:
        decode_rows(64 * 1024)
    if "short" in parts:
        decode_rows(64)
    if "detect" in parts:
        detect_rows()
