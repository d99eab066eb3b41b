"""Detector, first_valid(), FirstValid, segments() and percent_encode_after_encoding()."""

from __future__ import annotations

import copy
import pickle
import urllib.parse
from collections.abc import Callable

import pytest
from conftest import ENCODABLE, SAMPLES, TEXTS
from hypothesis import given
from hypothesis import strategies as st

import simdtext
from simdtext import (
    Detector,
    FirstValid,
    Segment,
    decode,
    detect,
    encode,
    first_valid,
    percent_encode_after_encoding,
    segments,
)

#: Pieces of text in several encodings, and of damage.
PIECES = [b"a", b"\xe9", b"\x93\xfa", b"\x81", b"\xf0\x9f\x98\x80", b"\xc3\xa9", b"\xff", b"\x1b$BF|\x1b(B", b"\0", b"\n", b"\r\n"]
MIXED = st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)
LEGACY = [name for name in simdtext.names if name not in ("UTF-8", "UTF-16BE", "UTF-16LE", "replacement")]


def pieces_of(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def test_detector() -> None:
    for path in SAMPLES.glob("*.txt"):
        data = path.read_bytes()
        detector = Detector(sample=2000)
        needs_more = [detector.feed(piece) for piece in pieces_of(data, 777)]
        assert detector.finish() == detect(data, sample=2000), path
        assert detector.guess().encoding == detect(data, sample=2000, complete=False).encoding, path
        # Once it needs no more, that stays so.
        assert needs_more == sorted(needs_more, reverse=True)


@given(MIXED, st.integers(1, 5), st.booleans(), st.sampled_from([None, "jp", "RU", "com", "é", "zz", "AZ"]))
def test_detector_of_pieces(data: bytes, size: int, allow_utf8: bool, tld: str | None) -> None:
    detector = Detector(tld=tld, allow_utf8=allow_utf8)
    for _ in range(2):
        for piece in pieces_of(data, size):
            detector.feed(bytearray(piece))
        assert detector.finish() == detect(data, tld=tld, allow_utf8=allow_utf8)
        detector.reset()


def test_detector_of_a_country() -> None:
    # All labels that mean something here have two letters.
    data = bytes(range(0xC0, 0x100)) * 3
    for tld in ("ru", "UA", "gr", "Jp", "", "x", "xyz", "r\0", "ру"):
        detector = Detector(tld=tld)
        detector.feed(data)
        assert detector.finish() == detect(data, tld=tld), tld


def test_detector_with_a_limit() -> None:
    data = "Все люди рождаются свободными и равными".encode("koi8-r")
    detector = Detector(limit=20)
    assert detector.feed(data[:20])
    assert not detector.feed(data[20:])
    assert detector.finish() == detect(data[:20], complete=False)
    detector = Detector()
    assert detector.feed(b"\xff") and not detector.feed(b"\xfeab")
    assert detector.guess().encoding == "UTF-16LE"
    with pytest.raises(TypeError):
        detector.feed("text")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        Detector(limit=-1)


@given(MIXED, st.lists(st.sampled_from(simdtext.names), max_size=4), st.integers(1, 5))
def test_first_valid(data: bytes, encodings: list[str], size: int) -> None:
    first = FirstValid(encodings)
    needs_more = [first.feed(piece) for piece in pieces_of(data, size)]
    assert needs_more == sorted(needs_more, reverse=True)
    found = first.finish()
    assert found == first.finish() == first_valid(data, encodings) == first_valid(memoryview(data), tuple(encodings))
    for name, offset in first.tried:
        try:
            decode(data, name, "strict", bom="strip")
            assert offset is None
        except UnicodeDecodeError as error:
            assert offset == error.start
    valid = [name for name, offset in first.tried if offset is None]
    is_escaped = b"\x1b" in data and data.isascii() and "ISO-2022-JP" in valid
    assert found == ("ISO-2022-JP" if is_escaped else valid[0] if valid else None)


def test_what_was_tried() -> None:
    first = FirstValid(["shift_jis", "windows-1252", "gbk"])
    assert first.feed(b"a\x93")
    assert first.tried == [("UTF-8", 1), ("Shift_JIS", None), ("windows-1252", None)]
    assert repr(first) == "<simdtext.FirstValid of UTF-8, Shift_JIS, windows-1252>"
    assert not first.feed(b"\xff")
    assert first.tried[1] == ("Shift_JIS", 1)
    assert first.finish() == "windows-1252"
    with pytest.raises(ValueError, match="has ended"):
        first.feed(b"a")
    assert first_valid(b"\xff", ["shift_jis"]) is None
    assert first_valid(b"\xff", []) is None
    for wrong in ("shift_jis", [1], None, b"gbk"):
        with pytest.raises(TypeError):
            first_valid(b"", wrong)  # type: ignore[arg-type]
    with pytest.raises(LookupError, match="did you mean euc-jp"):
        FirstValid(["euc_jp"])
    with pytest.raises(TypeError):
        first_valid("text", ["gbk"])  # type: ignore[arg-type]


@given(MIXED, st.lists(st.sampled_from(LEGACY), max_size=3), st.sampled_from(LEGACY), st.booleans())
def test_segments(data: bytes, encodings: list[str], otherwise: str, iso_2022_jp: bool) -> None:
    parts = segments(data, encodings, otherwise, iso_2022_jp=iso_2022_jp)
    seen: list[bytes] = []

    def choose(line: bytes) -> str:
        seen.append(line)
        return otherwise

    assert segments(bytearray(data), encodings, choose, iso_2022_jp=iso_2022_jp) == parts
    ends = [part.end for part in parts]
    assert [part.start for part in parts] == [0, *ends[:-1]][: len(parts)]
    assert (ends or [0])[-1] == len(data)
    for part in parts:
        piece = data[part.start : part.end]
        if part.reason != "otherwise":
            # Without an error.
            decode(piece, part.encoding, "strict", bom="keep")
        else:
            assert part.encoding == otherwise
    for line in seen:
        assert line in data
        with pytest.raises(UnicodeDecodeError):
            decode(line, "utf-8", "strict", bom="keep")


def test_segments_of_a_log() -> None:
    log = b"start\ncaf\xc3\xa9\ndone\ncaf\xe9\n\x93\xfa\x96{\n"
    expected = [
        Segment(0, 17, "UTF-8", "utf-8"),
        Segment(17, 22, "windows-1252", "otherwise"),
        Segment(22, 27, "Shift_JIS", "first-of-list"),
    ]
    assert segments(log, ["shift_jis"]) == expected
    assert segments(b"") == []
    assert segments(b"\x1b$BF|\x1b(B", iso_2022_jp=True) == [Segment(0, 8, "ISO-2022-JP", "escapes")]
    assert segments(b"\x1b$BF|\x1b(B") == [Segment(0, 8, "UTF-8", "ascii")]
    part = expected[0]
    assert copy.copy(part) == pickle.loads(pickle.dumps(part)) == part
    assert len({*expected, *segments(log, ["shift_jis"])}) == 3
    assert repr(part) == "Segment(start=0, end=17, encoding='UTF-8', reason='utf-8')"


def test_functions_that_fail() -> None:
    lines = b"\xe9\n" * 100
    calls = 0

    def fail(line: bytes) -> str:
        nonlocal calls
        calls += 1
        raise KeyError(line)

    with pytest.raises(KeyError):
        segments(lines, [], fail)
    assert calls == 1
    answers: list[tuple[Callable[[bytes], object], type[Exception]]] = [
        (lambda _: "nothing", LookupError),
        (lambda _: None, TypeError),
        (lambda line: line, TypeError),
    ]
    for answer, raised in answers:
        with pytest.raises(raised):
            segments(lines, [], answer)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a label, or a function"):
        segments(lines, [], 1)  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        segments(lines, ["nothing"])
    # It may call any function of the package, and change what is being read.
    data = bytearray(lines)

    def change(line: bytes) -> str:
        data[:] = b""
        return detect(line).encoding or segments(line)[0].encoding

    assert segments(data, [], change)[-1].end == len(lines)


def test_percent_encoding() -> None:
    percent = percent_encode_after_encoding
    assert percent("日 本", "shift_jis", "component") == "%93%FA%20%96%7B"
    assert percent("‽", "shift_jis") == "%26%238253%3B"
    assert percent("a'b c") == "a%27b%20c"
    assert percent("a b+é", percent_encode_set="application/x-www-form-urlencoded") == "a+b%2B%C3%A9"
    assert percent("a b", percent_encode_set="application/x-www-form-urlencoded", space_as_plus=False) == "a%20b"
    assert percent("a b", space_as_plus=True) == "a+b"
    assert percent("é", "utf-16") == percent("é", "replacement") == "%C3%A9"
    assert percent("") == ""
    with pytest.raises(UnicodeEncodeError):
        percent("\ud800")
    with pytest.raises(ValueError, match="must be c0-control"):
        percent("", percent_encode_set="all")  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        percent("", "nothing")
    with pytest.raises(TypeError):
        percent(b"")  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ENCODABLE)
def test_percent_encoding_of_texts(encoding: str) -> None:
    output = encoding if not encoding.startswith("UTF-16") else "UTF-8"
    # The last one is encoded in two steps, except to ISO-2022-JP.
    long = ["日é&" * 200_000] if encoding in ("UTF-8", "Shift_JIS", "ISO-2022-JP") else []
    for text in (*TEXTS, *long):
        written = percent_encode_after_encoding(text, encoding, "component")
        assert urllib.parse.unquote_to_bytes(written) == encode(text, output, "xmlcharrefreplace")
