#!/usr/bin/env python3
"""Writes the tables of ../iconv.md and the listings next to this file: where the iconv of this machine's glibc differs from
the Encoding Standard, found by asking both for every sequence and every character.

    cargo build --release -p simdtext-encoding_c
    python3 docs/iconv/compare.py            # writes them, in a minute or two
    python3 docs/iconv/compare.py --check    # fails if they are not what it would write

With `--check`, another version of glibc than the one that the page names is reported, and is no failure.
"""

import argparse
import pathlib
import re
import sys
import unicodedata

from converters import Iconv, Standard, glibc_version, knows

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = HERE.parent / "iconv.md"

# Label, and the names of glibc to compare with: the nearest one first.
PAIRS = [
    ("shift_jis", ["CP932", "SHIFT_JIS"]),
    ("euc-jp", ["EUC-JP-MS", "EUC-JP"]),
    ("iso-2022-jp", ["ISO-2022-JP"]),
    ("gbk", ["GB18030", "GBK"]),
    ("gb18030", ["GB18030"]),
    ("big5", ["BIG5-HKSCS", "BIG5"]),
    ("euc-kr", ["UHC", "EUC-KR"]),
    ("ibm866", ["CP866"]),
    *((f"iso-8859-{n}", [f"ISO-8859-{n}"]) for n in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16]),
    ("koi8-r", ["KOI8-R"]),
    ("koi8-u", ["KOI8-U"]),
    ("macintosh", ["MACINTOSH"]),
    ("windows-874", ["CP874"]),
    *((f"windows-{n}", [f"CP{n}"]) for n in range(1250, 1259)),
    ("x-mac-cyrillic", ["MAC-CYRILLIC"]),
]
MULTI_BYTE = {"shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "big5", "euc-kr"}
# Pairs with more differences than this are not listed in full.
MOST_LISTED = 3000

# A table shows so many rows of each pair and direction, the largest.
MOST_ROWS = 10


def sequences(label):
    """Every sequence that may be one character, those before it that it starts with included."""
    for a in range(0x100):
        yield bytes([a])
    if label == "iso-2022-jp":
        for escape in [b"$@", b"$B", b"$(D"]:
            for row in range(0x21, 0x7F):
                for cell in range(0x21, 0x7F):
                    yield b"\x1b" + escape + bytes([row, cell])
        for escape in [b"(B", b"(J", b"(I"]:
            for byte in range(0x80):
                if byte != 0x1B:
                    yield b"\x1b" + escape + bytes([byte])
    elif label in MULTI_BYTE:
        for a in range(0x80, 0x100):
            for b in range(0x100):
                yield bytes([a, b])
    if label == "euc-jp":
        for b in range(0x80, 0x100):
            for c in range(0x80, 0x100):
                yield bytes([0x8F, b, c])
    if label in ("gbk", "gb18030"):
        for a in range(0x81, 0xFF):
            for b in range(0x30, 0x3A):
                for c in range(0x81, 0xFF):
                    for d in range(0x30, 0x3A):
                        yield bytes([a, b, c, d])


def one_character(converter):
    """Decodes a sequence to what it stands for as a whole: None if its start stands for something by itself."""
    single = [converter.decode(bytes([a])) is not None for a in range(0x100)]
    return lambda source: None if len(source) > 1 and single[source[0]] and source[0] != 0x1B else converter.decode(source)


def characters(label, name):
    """Every character that either may have: GB18030 has all, and the others have none above U+2FFFF."""
    end = 0x110000 if name == "GB18030" else 0x30000 if label in MULTI_BYTE else 0x10000
    return (chr(c) for c in range(end) if not 0xD800 <= c < 0xE000)


class Comparison:
    """One direction of a pair: what is the same, and [(from, the standard's result, iconv's result)]."""

    def __init__(self, sources, standard, iconv):
        self.same, self.differences = 0, []
        for source in sources:
            a, b = standard(source), iconv(source)
            if a != b:
                self.differences.append((source, a, b))
            elif a is not None:
                self.same += 1

    def count(self, kind):
        return sum(1 for _, a, b in self.differences if kind == kind_of(a, b))


def kind_of(a, b):
    return "differ" if a is not None and b is not None else "standard" if b is None else "iconv"


def joined(standard, iconv):
    """Pairs of characters that iconv joins to one."""
    single = {a: standard.decode(bytes([a])) for a in range(0x100)}
    same = [a for a, text in single.items() if text is not None and iconv.decode(bytes([a])) == text]
    high = [b for b in same if b >= 0x80]
    return [
        (bytes([a, b]), single[a] + single[b], text)
        for a in same for b in high
        if (text := iconv.decode(bytes([a, b]))) != single[a] + single[b]
    ]  # fmt: skip


# --- how things are written ---


def number(n):
    return f"{n:,}"


def hexadecimal(source):
    return source.hex(" ").upper() if len(source) > 2 else source.hex().upper()


def points(text):
    return " ".join(f"U+{ord(c):04X}" for c in text)


def shown(text):
    """Code points, and the characters where they can be shown."""
    if any(unicodedata.category(c)[0] in "CZM" for c in text):
        return points(text)
    escaped = "".join({"|": "&#124;", "\\": "&#92;", "`": "&#96;", "~": "&#126;", "*": "&#42;"}.get(c, c) for c in text)
    return f"{points(text)} {escaped}"


def group_of(text):
    if text is None:
        return "–"
    if all(0xE000 <= ord(c) < 0xF900 or ord(c) >= 0xF0000 for c in text):
        return "private use"
    if all(unicodedata.category(c) == "Cc" for c in text):
        return "control"
    return "text"


def rows_of(differences, position, gap, groups):
    """Ranges of differences of one kind: [(first, last, [difference])], the largest ones, in order."""
    rows, last_of = [], {}
    for difference in differences:
        key = groups(difference)
        at = position(difference[0])
        row = last_of.get(key)
        if row is None or not 0 <= at - position(row[-1][0]) <= gap:
            row = last_of[key] = []
            rows.append(row)
        row.append(difference)
    shown_rows = sorted(rows, key=len, reverse=True)[:MOST_ROWS]
    rest = [row for row in rows if not any(row is other for other in shown_rows)]
    return [row for row in rows if any(row is other for other in shown_rows)], rest


def span(first, last, write):
    return write(first) if first == last else f"{write(first)} to {write(last)}"


def rows(differences, write, result, position, gap, groups):
    lines, rest = [], []
    shown_rows, rest = rows_of(differences, position, gap, groups)
    for row in shown_rows:
        first, a, b = row[0]
        cells = [result(x) if x is not None else "–" for x in (a, b)]
        lines.append(f"| {span(first, row[-1][0], write)} | {number(len(row))} | {cells[0]} | {cells[1]} |")
    if rest:
        count = sum(len(row) for row in rest)
        lines.append(f"| in {number(len(rest))} more ranges | {number(count)} | | |")
    return lines


def position(source):
    """Where a sequence stands among those of its length, without its last byte: a range goes on in the next row."""
    if len(source) == 1:
        return source[0]
    if len(source) == 4 and source[0] != 0x1B:
        a, b, c, _ = source
        return ((a - 0x81) * 10 + b - 0x30) * 126 + c - 0x81
    return int.from_bytes(source[:-1], "big")


def decode_rows(comparison):
    return rows(
        comparison.differences,
        hexadecimal,
        shown,
        position,
        1,
        lambda d: (len(d[0]), kind_of(d[1], d[2]), group_of(d[1]), group_of(d[2])),
    )


def encode_rows(comparison):
    return rows(
        comparison.differences,
        shown,
        hexadecimal,
        ord,
        0x100,
        lambda d: (kind_of(d[1], d[2]), group_of(d[0])),
    )


# --- the tables ---


def summary(results):
    same = [f"{label} ({name})" for label, name, decode, encode, pairs in results
            if not decode.differences and not encode.differences and not pairs]  # fmt: skip
    yield f"No difference in any sequence or character: {', '.join(same)}."
    yield ""
    yield "| | | decoding | | | | encoding | | | |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    yield "| **label** | **iconv** | **same** | **different** | **only the standard** | **only iconv** | **same** | **different** | **only the standard** | **only iconv** |"
    for label, name, decode, encode, _ in results:
        if not decode.differences and not encode.differences:
            continue
        cells = []
        for direction in (decode, encode):
            counts = [direction.same, *(direction.count(kind) for kind in ("differ", "standard", "iconv"))]
            cells += [number(n) if n else "–" for n in counts]
        yield f"| {label} | {name} | {' | '.join(cells)} |"


def details(results):
    for label, name, decode, encode, pairs in results:
        if label not in MULTI_BYTE:
            continue
        yield f"### {label} and iconv's {name}"
        yield ""
        if not decode.differences and not encode.differences:
            yield "No difference."
            yield ""
            continue
        for title, direction, write in [("bytes", decode, decode_rows), ("characters", encode, encode_rows)]:
            if direction.differences:
                yield f"| {title} | count | standard, first result | iconv, first result |"
                yield "|---|--:|---|---|"
                yield from write(direction)
                yield ""


def single_byte_details(results):
    yield "| label | iconv name | bytes | standard | iconv |"
    yield "|---|---|---|---|---|"
    for label, name, decode, _, pairs in results:
        if label in MULTI_BYTE:
            continue
        groups = {}
        for source, a, b in decode.differences:
            kind = (kind_of(a, b), group_of(a), group_of(b))
            # What differs in something else than a control is shown one by one.
            key = kind if "text" not in kind or kind_of(a, b) != "differ" else (source,)
            groups.setdefault(key, []).append((source, a, b))
        for group in groups.values():
            source, a, b = group[0]
            bytes_ = " ".join(hexadecimal(s) for s, _, _ in group)
            cells = [("–" if x is None else shown(x)) + (" …" if x is not None and len(group) > 1 else "") for x in (a, b)]
            yield f"| {label} | {name} | {bytes_} | {cells[0]} | {cells[1]} |"
        if pairs:
            source, a, b = next(((s, a, b) for s, a, b in pairs if s[0] < 0x80), pairs[0])
            yield f"| {label} | {name} | {number(len(pairs))} pairs, as {hexadecimal(source)} | {points(a)} | {points(b)} |"


def all_labels():
    source = (ROOT / "tests/spec/labels.rs").read_text()
    return [
        (name, re.findall(r'"([^"]+)"', labels))
        for name, labels in re.findall(r'\(\s*"([^"]+)",\s*&\[(.*?)\]', source, re.S)
    ]


def short_sequences(name):
    """One and two bytes, and in UTF-8 and UTF-16 what is at the limits."""
    if name == "UTF-8":
        yield from (bytes([a]) for a in range(0x100))
        yield from (bytes([a, b]) for a in range(0x80, 0x100) for b in range(0x100))
        yield from (bytes([a, b, c]) for a in (0xE0, 0xED, 0xEF) for b in range(0x80, 0xC0) for c in (0x80, 0xBB, 0xBF))
        yield from (bytes([a, b, 0x80, 0x80]) for a in range(0xF0, 0xF9) for b in range(0x80, 0xC0))
    elif name.startswith("UTF-16"):
        yield from (bytes([a, b]) for a in range(0x100) for b in range(0x100))
    elif name.lower() in MULTI_BYTE:
        yield from (source for source in sequences(name.lower()) if len(source) != 4)
    else:
        yield from sequences(name.lower())


def labels_table():
    yield "| encoding | labels with the same meaning in iconv | labels that iconv decodes differently, with the number of sequences | labels that iconv does not know |"
    yield "|---|---|---|---|"
    for name, labels in all_labels():
        if name in ("replacement", "x-user-defined"):
            continue
        standard = one_character(Standard(name))
        expected = [(source, standard(source)) for source in short_sequences(name)]
        same, differ, unknown = [], [], []
        for label in labels:
            if not knows(label):
                unknown.append(label)
                continue
            iconv = one_character(Iconv(label))
            count = sum(1 for source, text in expected if iconv(source) != text)
            (differ if count else same).append(f"{label} ({number(count)})" if count else label)
        yield f"| {name} | {', '.join(same)} | {', '.join(differ)} | {', '.join(unknown)} |"


def listing(results):
    yield "label\tname\tbytes\tstandard\ticonv"
    for label, name, decode, _, pairs in results:
        if len(decode.differences) <= MOST_LISTED:
            for source, *texts in decode.differences + pairs:
                yield "\t".join([label, name, source.hex().upper(), *("" if x is None else points(x) for x in texts)])


def replace(page, name, lines):
    begin, end = f"<!-- begin {name} -->\n", "<!-- end -->"
    start = page.index(begin) + len(begin)
    return page[:start] + "\n".join(lines).rstrip("\n") + "\n" + page[page.index(end, start) :]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--check", action="store_true")
    options.add_argument("--library", default=str(ROOT / "target/release/libencoding_c.so"))
    options = options.parse_args()
    page = PAGE.read_text()
    version = glibc_version()
    if options.check and f"glibc {version}" not in page:
        print(f"SKIPPED: docs/iconv.md is about another version than glibc {version}")
        return
    Standard.load(options.library)

    results = []
    for label, names in PAIRS:
        for name in names:
            standard, iconv = Standard(label), Iconv(name)
            decode = Comparison(sequences(label), one_character(standard), one_character(iconv))
            encode = Comparison(characters(label, name), standard.encode, iconv.encode)
            pairs = [] if label in MULTI_BYTE else joined(standard, iconv)
            results.append((label, name, decode, encode, pairs))
    page = replace(page, "version", [f"The version compared is **glibc {version}**."])
    page = replace(page, "summary", summary(results))
    page = replace(page, "details", details(results))
    page = replace(page, "single-byte", single_byte_details(results))
    page = replace(page, "labels", labels_table())
    files = {PAGE: page, HERE / "decode.tsv": "\n".join(listing(results)) + "\n"}
    for path, content in files.items():
        if not options.check:
            path.write_text(content)
        elif not path.exists() or path.read_text() != content:
            sys.exit(f"{path.relative_to(ROOT)} is not what {pathlib.Path(__file__).name} writes")


if __name__ == "__main__":
    main()
