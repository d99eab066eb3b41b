#!/usr/bin/env python3
"""Writes the encoded samples and LIST from the texts in utf-8/.

Run it here: `python3 make.py`. The bytes come from Python's own codecs, so that the tests do not
check simdtext against itself. A row is: text, label, and for a damaged sample the malformed bytes
that stand where its text has U+FFFD, one item for each.
"""

from pathlib import Path

# Where Python has no codec of the label's name, or one that maps other characters than the
# standard: the Windows code page is the one that the web means.
CODECS = {
    "windows-874": "cp874",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "iso-8859-8-i": "iso8859-8",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "cp950",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
# A text whose name ends in -bom gets its byte order mark; in UTF-16 every file does.
BOMS = {"utf-16le": b"\xff\xfe", "utf-16be": b"\xfe\xff"}

SAMPLES = [
    ("en", "utf-8"), ("en", "windows-1252"), ("en", "macintosh"),
    ("de", "windows-1252"), ("de", "iso-8859-15"), ("de", "macintosh"),
    ("fr", "windows-1252"), ("fr", "macintosh"),
    ("is", "windows-1252"), ("is", "iso-8859-10"), ("is", "iso-8859-15"),
    ("pl", "iso-8859-2"), ("pl", "windows-1250"),
    ("cs", "iso-8859-2"), ("cs", "windows-1250"),
    ("ro", "iso-8859-16"), ("ro", "utf-16be"),
    ("lt", "iso-8859-13"), ("lt", "windows-1257"),
    ("lv", "iso-8859-4"), ("lv", "iso-8859-13"), ("lv", "windows-1257"),
    ("eo", "iso-8859-3"), ("cy", "iso-8859-14"), ("tr", "windows-1254"),
    ("el", "iso-8859-7"), ("el", "windows-1253"),
    ("ru", "koi8-r"), ("ru", "ibm866"), ("ru", "windows-1251"), ("ru", "iso-8859-5"),
    ("ru", "x-mac-cyrillic"), ("ru", "utf-16le"),
    ("uk", "koi8-u"), ("uk", "windows-1251"), ("uk", "x-mac-cyrillic"),
    ("he", "iso-8859-8"), ("he", "iso-8859-8-i"), ("he", "windows-1255"),
    ("ar", "iso-8859-6"), ("ar", "windows-1256"),
    ("th", "windows-874"),
    ("vi", "utf-8"), ("vi-tones", "windows-1258"),
    ("ja", "shift_jis"), ("ja", "euc-jp"), ("ja", "iso-2022-jp"), ("ja", "utf-16le"),
    ("ja-kana", "shift_jis"), ("ja-kana", "euc-jp"),
    ("zh-hans", "gbk"), ("zh-hans", "gb18030"),
    ("zh-hans-rare", "gb18030"), ("zh-hans-rare", "utf-16be"),
    ("zh-hant", "big5"), ("ko", "euc-kr"),
]  # fmt: skip
WITH_BOM = [("de", "utf-8"), ("ko", "utf-8")]
DAMAGED = [
    ("uk-damaged", "utf-8", ["C0", "AF", "ED", "A0", "80", "E2 82"]),
    ("el-damaged", "windows-1253", ["D2"]),
    ("ja-damaged", "shift_jis", ["FF", "83", "81 FD"]),
    ("zh-hant-cut", "big5", ["A4"]),
    ("zh-hans-rare-cut", "gb18030", ["95 32 82"]),
    ("ru-cut", "utf-16le", ["43"]),
]


def main():
    here = Path(__file__).parent
    rows = []

    def write(text, label, damage=(), name=None, bom=b""):
        damage = [bytes.fromhex(item) for item in damage]
        codec = CODECS.get(label, label)
        true_text = (here / "utf-8" / f"{text}.txt").read_bytes().decode("utf-8")
        pieces = true_text.split("\N{REPLACEMENT CHARACTER}")
        assert len(pieces) == len(damage) + 1, (text, label)
        out = BOMS.get(label, bom) + pieces[0].encode(codec)
        errors = []
        for item, piece in zip(damage, pieces[1:]):
            errors.append(f"{len(out)}:{item.hex().upper()}")
            out += item + piece.encode(codec)
        file = f"{name or text}.{label}.txt"
        (here / file).write_bytes(out)
        rows.append((file, label, f"utf-8/{text}.txt", str(len(errors)), ",".join(errors) or "-"))

    for text, label in SAMPLES:
        write(text, label)
    for text, label in WITH_BOM:
        write(text, label, name=f"{text}-bom", bom=b"\xef\xbb\xbf")
    for text, label, damage in DAMAGED:
        write(text, label, damage)
    header = ("# file", "label", "text", "malformed sequences", "offset:bytes of each")
    lines = ["\t".join(row) + "\n" for row in (header, *rows)]
    (here / "LIST").write_bytes("".join(lines).encode("ascii"))


if __name__ == "__main__":
    main()
