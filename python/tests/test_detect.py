"""sniff(), detect(), labels and OffsetMap."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import pytest
from conftest import ENCODABLE, SAMPLES, sample_of
from hypothesis import given
from hypothesis import strategies as st

import simdtext
from simdtext import OffsetMap, decode, detect, encode, sniff, undo_double_encoding


def test_names_and_labels() -> None:
    assert len(simdtext.names) == 40
    assert len(simdtext.labels) == 228
    assert set(simdtext.labels.values()) == set(simdtext.names)
    for label, name in simdtext.labels.items():
        assert simdtext.lookup(label.upper()) == simdtext.lookup(name) == name
    with pytest.raises(TypeError):
        simdtext.labels["x"] = "y"  # type: ignore[index]
    with pytest.raises(LookupError):
        simdtext.lookup("nothing")


def test_sniff() -> None:
    page = b'<meta charset="shift_jis">'
    decision = sniff(page)
    assert (decision.encoding, decision.evidence, decision.certain) == ("Shift_JIS", "declaration", False)
    decision = sniff(page, "text/html; charset=euc-jp")
    assert (decision.encoding, decision.evidence, decision.certain) == ("EUC-JP", "transport", True)
    decision = sniff(b"\xef\xbb\xbf" + page, override="gbk")
    assert (decision.encoding, decision.evidence, decision.bom_len) == ("UTF-8", "bom", 3)
    assert sniff(page, override="gbk").evidence == "override"
    # From an environment variable, say, which Python decodes with surrogateescape.
    decision = sniff(page, 'text/html; title="\udce9"; charset=euc-jp', override="\udce9")
    assert (decision.encoding, decision.evidence) == ("EUC-JP", "transport")
    assert sniff(page, format="text").evidence == "fallback"
    assert sniff(b"@charset \"koi8-r\";", format="css").encoding == "KOI8-R"
    assert sniff(b"a{}", format="css", environment="gbk").evidence == "environment"
    assert sniff("é".encode()).evidence == "utf-8"
    assert sniff(b"\xe9", fallback="windows-1251").encoding == "windows-1251"
    assert sniff(b"a") == sniff(bytearray(b"a"))
    assert repr(sniff(b"a")) == "Decision(encoding='UTF-8', evidence='fallback', certain=False, bom_len=0)"
    with pytest.raises(ValueError):
        sniff(b"", format="pdf")  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        sniff(b"", fallback="nothing")


def test_a_late_declaration() -> None:
    page = b"<style>" + b"p { margin: 0 } " * 100 + b"</style><meta charset=koi8-r>"
    assert sniff(page).evidence == "fallback"
    decision = sniff(page, late_meta=True)
    assert (decision.encoding, decision.evidence, decision.certain) == ("KOI8-R", "declaration", False)


def test_double_encoding() -> None:
    for text, codec, read_as in (("été €", "cp1252", "windows-1252"), ("мир", "cp1251", "windows-1251")):
        twice = text.encode().decode(codec)
        assert undo_double_encoding(twice, read_as) == text
        assert undo_double_encoding(text, read_as) is None
    assert undo_double_encoding("Ã©") == "é"
    assert undo_double_encoding("Ã© and é") is None
    assert undo_double_encoding("ASCII") is None
    with pytest.raises(LookupError):
        undo_double_encoding("Ã©", "nothing")
    with pytest.raises(ValueError, match="must be a single-byte encoding, not GBK"):
        undo_double_encoding("Ã©", "gbk")
    assert undo_double_encoding("Ã©\udcff") is None


def test_detect() -> None:
    guess = detect("Все люди рождаются свободными и равными".encode("koi8-r"))
    assert (guess.encoding, guess.language, guess.evidence) == ("KOI8-R", "ru", "guess")
    assert not guess.certain
    assert 0.5 <= guess.confidence <= 0.99
    assert guess.candidates[0].encoding == "KOI8-R"
    assert guess.candidates[0].bits == 0
    assert [c.bits for c in guess.candidates] == sorted(c.bits for c in guess.candidates)
    guess = detect("naïve".encode())
    assert (guess.encoding, guess.evidence, guess.certain, guess.confidence) == ("UTF-8", "utf-8", True, 1)
    guess = detect(b"abc")
    assert (guess.encoding, guess.evidence, guess.candidates) == ("UTF-8", "ascii", ())
    guess = detect(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>")
    assert (guess.encoding, guess.confidence) == (None, 0)
    assert "not text" in guess.reason
    assert detect(b"abc", allow_utf8=False).encoding == "windows-1252"
    assert detect(b"\xff\xfea\0").evidence == "bom"
    assert repr(detect(b"abc")).startswith("Guess(encoding='UTF-8', language=None, ")


def test_answers_are_values() -> None:
    """They are equal if what they say is, and go to other processes."""
    data = "Все люди рождаются свободными".encode("koi8-r")
    for answer in (detect(data), detect(b"abc"), detect(b"\0\1\2"), detect(data).candidates[0], sniff(b"\xef\xbb\xbf")):
        for same in (copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
            assert same == answer
            assert repr(same) == repr(answer)
    assert detect(data) == detect(bytearray(data)) != detect(b"abc")
    assert detect(data).candidates == detect(data).candidates
    assert len({sniff(b"a"), sniff(b"b"), sniff(b"\xef\xbb\xbf")}) == 2
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(detect, [data, b"abc"]) == [detect(data), detect(b"abc")]


def test_detect_samples() -> None:
    whole = [path for path in SAMPLES.glob("*.txt") if "damaged" not in path.name and "cut" not in path.name]
    for path in whole:
        data = path.read_bytes()
        if len(data) > 256:
            encoding = detect(data).encoding
            assert encoding is not None
            assert decode(data, encoding) == decode(data, path.name.split(".")[1]), path


@given(st.lists(st.sampled_from([b"a", b"\xe9", b"\x93\xfa", b"\x81", b"\xf0\x9f\x98\x80", b"\xff", b"\x1b$B", b"\n"])).map(b"".join), st.sampled_from(simdtext.names))
def test_offsets(data: bytes, encoding: str) -> None:
    offsets = OffsetMap(spacing=16)
    text = offsets.decode(data, encoding)
    assert text == decode(data, encoding)
    assert offsets.text == text
    for at in range(len(text)):
        found = offsets.source_range(data, at, at + 1)
        assert found is not None
        start, end = found
        assert 0 <= start < end <= len(data)
        back = offsets.text_offset(data, start)
        assert back is not None
        assert back <= at
    assert offsets.source_range(data, 0, len(text) + 1) is None
    assert offsets.source_range(data, 1, 0) is None


def test_offsets_stored() -> None:
    for name in ENCODABLE:
        data = sample_of(name) * 20
        offsets = OffsetMap(spacing=256)
        text = offsets.decode(data, name)
        stored = offsets.to_bytes()
        for again in (OffsetMap.from_bytes(stored, text), OffsetMap.from_bytes(bytearray(stored), text)):
            assert (again.encoding, again.text, again.to_bytes()) == (offsets.encoding, text, stored)
            for at in range(0, len(text), 997):
                assert again.source_range(data, at, at + 1) == offsets.source_range(data, at, at + 1)
            for at in range(0, len(data) + 1, 997):
                assert again.text_offset(data, at) == offsets.text_offset(data, at)
    stored = offsets.to_bytes()
    version = stored[:16] + b"\x09" + stored[17:]
    for wrong in (b"", b"{}", stored[:-1], stored + b"\0", version):
        with pytest.raises(ValueError, match="offset map"):
            OffsetMap.from_bytes(wrong, text)
    for other in ("", text[1:], text + "a"):
        with pytest.raises(ValueError, match="not of this text"):
            OffsetMap.from_bytes(stored, other)
    with pytest.raises(TypeError):
        OffsetMap.from_bytes("text", text)  # type: ignore[arg-type]
    assert OffsetMap.from_bytes(OffsetMap().to_bytes(), "").text == ""


def test_offsets_of_long_texts() -> None:
    for name in ENCODABLE:
        data = sample_of(name) * 300
        offsets = OffsetMap(spacing=4096)
        text = offsets.decode(data, name)
        for at in (0, 1, len(text) // 3, len(text) - 1):
            found = offsets.source_range(bytearray(data), at, at + 1)
            assert found is not None
            assert offsets.text_offset(data, found[0]) in (at, at - 1)
            if name not in ("ISO-2022-JP", "Big5") and text[at] != "\ufffd" and "windows" in name:
                assert encode(text[at], name) == data[found[0] : found[1]]
    # A different source than the one that was decoded gives different places, but no error.
    offsets.decode(b"\x93\xfa" * 5000, "sjis")
    for wrong in (b"", b"a", b"\x93" * 10_000, bytes(range(256)) * 100):
        for at in (0, 1, 4999, 5000, 10_000):
            offsets.source_range(wrong, at, at + 1)
            offsets.text_offset(wrong, at)
    with pytest.raises(ValueError):
        OffsetMap(spacing=15)
    assert OffsetMap().source_range(b"", 0, 0) is None
