"""Python's codecs, for the encodings that they define as the standard does, or nearly."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simdtext import decode

#: Encodings, and Python's codecs.
SINGLE = {
    "ibm866": "cp866",
    "iso-8859-2": "iso8859_2",
    "iso-8859-3": "iso8859_3",
    "iso-8859-4": "iso8859_4",
    "iso-8859-5": "iso8859_5",
    "iso-8859-6": "iso8859_6",
    "iso-8859-7": "iso8859_7",
    "iso-8859-8": "iso8859_8",
    "iso-8859-10": "iso8859_10",
    "iso-8859-13": "iso8859_13",
    "iso-8859-14": "iso8859_14",
    "iso-8859-15": "iso8859_15",
    "iso-8859-16": "iso8859_16",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "windows-874": "cp874",
    "windows-1250": "cp1250",
    "windows-1251": "cp1251",
    "windows-1252": "cp1252",
    "windows-1253": "cp1253",
    "windows-1254": "cp1254",
    "windows-1255": "cp1255",
    "windows-1256": "cp1256",
    "windows-1257": "cp1257",
    "windows-1258": "cp1258",
    "x-mac-cyrillic": "mac_cyrillic",
}
#: Bytes, the standard's text, and Python's (`None` for an error). Beyond these only bytes from 80 to 9F
#: differ, which Python's windows codecs refuse, and which are control characters in the standard.
DIFFERENT_BYTES = {
    ("koi8-u", b"\xae"): ("ў", "╝"),
    ("koi8-u", b"\xbe"): ("Ў", "╬"),
    ("windows-1255", b"\xca"): ("\u05ba", None),
    ("x-mac-cyrillic", b"\xa2"): ("Ґ", "¢"),
    ("x-mac-cyrillic", b"\xb6"): ("ґ", "∂"),
}
DOUBLE = {
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "gb18030": "gb18030",
    "gbk": "gbk",
    "shift_jis": "cp932",
}
UNICODE = {"utf-8": "utf_8", "utf-16le": "utf_16_le", "utf-16be": "utf_16_be"}


def theirs(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def ours(data: bytes, encoding: str) -> str | None:
    try:
        return decode(data, encoding, errors="strict", bom="keep")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("encoding", SINGLE)
def test_single_bytes(encoding: str) -> None:
    for value in range(256):
        data = bytes([value])
        expected = (ours(data, encoding), theirs(data, SINGLE[encoding]))
        if expected[0] == expected[1]:
            continue
        if (encoding, data) in DIFFERENT_BYTES:
            assert expected == DIFFERENT_BYTES[encoding, data]
        else:
            assert encoding.startswith("windows-")
            assert 0x80 <= value <= 0x9F
            assert expected == (chr(value), None)


@given(st.binary(max_size=64), st.sampled_from(sorted(SINGLE)))
def test_single_byte_texts(data: bytes, encoding: str) -> None:
    known = theirs(data, SINGLE[encoding])
    differ = any((encoding, bytes([value])) in DIFFERENT_BYTES for value in data)
    if known is not None and not differ:
        assert decode(data, encoding, bom="keep") == known


@given(st.binary(max_size=64) | st.text(max_size=32).map(str.encode), st.sampled_from(sorted(UNICODE)))
def test_unicode(data: bytes, encoding: str) -> None:
    assert ours(data, encoding) == theirs(data, UNICODE[encoding])
    if encoding == "utf-8":
        assert decode(data, encoding, bom="keep") == data.decode("utf-8", "replace")


#: Of all pairs whose first byte is not ASCII: how many both decode, to different texts; how many only the
#: standard decodes; and how many only Python.
PAIRS = {
    "big5": (11, 192, 0),
    "euc-jp": (6, 457, 0),
    "euc-kr": (0, 0, 0),
    "gb18030": (20, 129, 0),
    "gbk": (0, 2278, 0),
    # A0, FD, FE and FF are private-use characters in Python's codec.
    "shift_jis": (0, 0, 1040),
}


@pytest.mark.parametrize("encoding", DOUBLE)
def test_pairs(encoding: str) -> None:
    different = only_ours = only_theirs = 0
    for lead in range(0x80, 0x100):
        for trail in range(0x100):
            data = bytes([lead, trail])
            both = ours(data, encoding), theirs(data, DOUBLE[encoding])
            different += None not in both and both[0] != both[1]
            only_ours += both[1] is None and both[0] is not None
            only_theirs += both[0] is None and both[1] is not None
    if encoding == "gb18030" and sys.version_info >= (3, 13):
        pytest.skip("counted for the edition of gb18030 that older versions have")
    assert (different, only_ours, only_theirs) == PAIRS[encoding]
