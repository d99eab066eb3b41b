"""decode(): forms of str, buffers, error handlers."""

from __future__ import annotations

import array
import codecs
import ctypes
import mmap
import pickle
import threading

import pytest
from conftest import ENCODABLE, TEXTS, sample_of
from hypothesis import given
from hypothesis import strategies as st

import simdtext
from simdtext import decode, encode


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text[:4]}*{len(text)}")
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16le", "utf-16be"])
def test_forms(text: str, encoding: str) -> None:
    codec = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(encoding, encoding)
    data = text.encode(codec)
    for kind in (bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))):
        decoded = decode(kind(data), encoding)
        assert decoded == text
        # A `str` in a wider form than necessary would not be equal to other texts, and have a different hash.
        assert hash(decoded) == hash(text)
        assert {text: 1}[decoded] == 1
        assert decoded.__sizeof__() <= text.__sizeof__()
    for policy in ("strict", "ignore", "surrogateescape", "backslashreplace"):
        assert decode(data, encoding, errors=policy) == text


def test_long_changing_buffers() -> None:
    for text in ("abc" * 70_000, "é" * 100_000, "日本" * 50_000, "𝒳" * 40_000):
        data = bytearray(text.encode("gb18030"))
        assert decode(data, "gb18030") == text
        assert decode(data + b"\xff", "gb18030") == text + "\ufffd"
        assert decode(bytearray(text.encode()), "gbk", bom="keep") == decode(text.encode(), "gbk")
        with pytest.raises(UnicodeDecodeError) as raised:
            decode(data + b"\xff", "gb18030", errors="strict")
        assert (raised.value.start, raised.value.end) == (len(data), len(data) + 1)
    assert decode(bytearray(b"\xef\xbb\xbf" + b"a" * 100_000), "gbk") == "a" * 100_000


def test_every_kind_of_buffer() -> None:
    assert decode(array.array("B", b"caf\xe9"), "latin1") == "café"
    assert decode(array.array("H", [0x6163]), "latin1") == "ca"
    assert decode(ctypes.create_string_buffer(b"caf\xe9", 4), "latin1") == "café"
    assert decode(memoryview(b"?caf\xe9?")[1:-1], "latin1") == "café"
    assert decode(memoryview(b"caf\xe9").toreadonly(), "latin1") == "café"
    assert decode(memoryview(bytearray(b"caf\xe9")).toreadonly(), "latin1") == "café"
    with mmap.mmap(-1, 100_000) as mapped:
        mapped[:4] = b"caf\xe9"
        assert decode(mapped, "latin1") == "café" + "\0" * 99_996
    with pytest.raises(BufferError):
        decode(memoryview(b"abcdef")[::2], "latin1")
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(TypeError):
            decode(wrong, "latin1")  # type: ignore[arg-type]


def test_labels() -> None:
    assert decode(b"\x80", " Latin1\n") == "€"
    for unknown in ("latin-1", "", "web-gbk", "utf-8\0", "é"):
        with pytest.raises(LookupError, match="simdtext.labels"):
            decode(b"", unknown)
    with pytest.raises(LookupError, match=r"unknown encoding: utf_8 \(did you mean utf-8\? simdtext.labels"):
        decode(b"", "utf_8")
    for unknown, hint in {
        "latin-1": "did you mean latin1? ",
        "cp932": "use shift_jis; ",
        "latin9": "use iso-8859-15; ",
        "utf-8-sig": "use utf-8; ",
        "cp850": "it is a code page of DOS, of which the Encoding Standard has ibm866 only; `iconv -f CP850 -t UTF-8` "
        "converts it; ",
        "klingon": "",
        "gbk//TRANSLIT": "",
    }.items():
        with pytest.raises(LookupError) as error:
            decode(b"", unknown)
        assert error.value.args == (f"unknown encoding: {unknown} ({hint}simdtext.labels has all labels)",)
    for unknown, suggestions in {
        "latin-1": ("latin1",),
        "UTF_8": ("utf-8",),
        "cp932": ("shift_jis",),
        "ansi": ("windows-1252",),
        "cp850": (),
        "klingon": (),
    }.items():
        with pytest.raises(simdtext.UnknownLabelError) as raised:
            simdtext.lookup(unknown)
        assert raised.value.suggestions == suggestions
        assert all(label in simdtext.labels for label in suggestions)
        copied = pickle.loads(pickle.dumps(raised.value))
        assert (copied.args, copied.suggestions) == (raised.value.args, suggestions)
    for wrong in ("sniffs", ""):
        with pytest.raises(ValueError):
            decode(b"", "gbk", bom=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        decode(b"", None)  # type: ignore[arg-type]


def test_byte_order_marks() -> None:
    assert decode(b"\xef\xbb\xbfab", "gbk") == "ab"
    assert decode(b"\xff\xfea\0", "utf-8") == "a"
    assert decode(b"\xef\xbb\xbfab", "gbk", bom="strip") == "锘縜b"
    assert decode(b"\xef\xbb\xbfab", "utf-8", bom="strip") == "ab"
    assert decode(b"\xef\xbb\xbfab", "utf-8", bom="keep") == "\ufeffab"
    with pytest.raises(UnicodeDecodeError) as raised:
        decode(b"\xef\xbb\xbfab\xff", "gbk", errors="strict")
    assert (raised.value.encoding, raised.value.start) == ("UTF-8", 5)
    assert decode(b"\xef\xbb\xbfab\xffc", "gbk", errors="ignore") == "abc"


def test_error_handlers() -> None:
    data = b"a\xff\x81\x81b\xfd"
    assert decode(data, "sjis") == "a\ufffd＝b\ufffd"
    assert decode(data, "sjis", errors="ignore") == "a＝b"
    assert decode(data, "sjis", errors="backslashreplace") == "a\\xff＝b\\xfd"
    assert decode(data, "sjis", errors="surrogateescape") == "a\udcff＝b\udcfd"
    with pytest.raises(UnicodeDecodeError) as raised:
        decode(data, "sjis", errors="strict")
    error = raised.value
    assert (error.encoding, error.object, error.start, error.end) == ("Shift_JIS", data, 1, 2)
    assert error.reason == "malformed sequence FF"
    with pytest.raises(TypeError):
        decode(data, "sjis", errors="xmlcharrefreplace")
    with pytest.raises(LookupError):
        decode(data, "sjis", errors="no such handler")
    assert decode(b"abc", "sjis", errors="no such handler") == "abc"
    # The third byte is not part of the character, and is decoded by itself.
    assert decode(b"\x81\x30\x81", "gb18030", errors="surrogateescape") == "\udc810\udc81"
    with pytest.raises(UnicodeDecodeError):
        decode(b"\x1b$B\x21", "iso-2022-jp", errors="surrogateescape")


def test_error_handlers_by_position() -> None:
    # As with `str(data, encoding, errors)` and `codecs.encode`.
    assert decode(b"a\xff", "utf-8", "ignore") == str(b"a\xff", "utf-8", "ignore") == "a"
    assert encode("a€", "iso-8859-2", "replace") == codecs.encode("a€", "iso8859-2", "replace") == b"a?"


def test_registered_handlers() -> None:
    seen = []

    def skip_two(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        seen.append((error.object[error.start : error.end], error.start))
        return "<𝒳é\udc80>", min(error.start + 2, len(error.object))

    codecs.register_error("test.skip-two", skip_two)
    assert decode(b"a\xffbc\xfe", "gbk", errors="test.skip-two") == "a<𝒳é\udc80>c<𝒳é\udc80>"
    assert seen == [(b"\xff", 1), (b"\xfe", 4)]
    # In ISO-2022-JP what follows stays shifted.
    data = b"\x1b$B\xffxF|K\\"
    assert decode(data, "iso-2022-jp", errors="test.skip-two") == "<𝒳é\udc80>日本"
    for answer, exception in (
        (None, TypeError),
        (("a",), TypeError),
        ((b"a", 1), TypeError),
        (("a", "b"), TypeError),
        (("a", 100), IndexError),
        (("a", -100), IndexError),
    ):
        codecs.register_error("test.wrong", lambda error, answer=answer: answer)  # type: ignore[misc]
        with pytest.raises(exception):
            decode(b"a\xff", "gbk", errors="test.wrong")

    class Raises:
        def __index__(self) -> int:
            raise KeyboardInterrupt

    for place, raised in ((Raises(), KeyboardInterrupt), (1 << 64, OverflowError)):
        codecs.register_error("test.place", lambda error, place=place: ("a", place))  # type: ignore[misc]
        with pytest.raises(raised):
            decode(b"a\xff", "gbk", errors="test.place")
        with pytest.raises(raised):
            simdtext.encode("a€", "iso-8859-2", errors="test.place")
    codecs.register_error("test.negative", lambda error: ("!", -1))
    assert decode(b"a\xffbc", "gbk", errors="test.negative") == "a!c"
    codecs.register_error("test.raises", lambda error: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(ZeroDivisionError):
        decode(b"a\xff", "gbk", errors="test.raises")


@given(st.binary(), st.sampled_from(simdtext.names))
def test_handlers_agree(data: bytes, encoding: str) -> None:
    """Each handler changes nothing but what becomes of malformed bytes, which `strict` finds first."""
    replaced = decode(data, encoding, bom="keep")
    codecs.register_error("test.like-replace", lambda error: ("\ufffd", error.end))  # type: ignore[attr-defined]
    assert decode(data, encoding, errors="test.like-replace", bom="keep") == replaced
    try:
        strict = decode(data, encoding, errors="strict", bom="keep")
    except UnicodeDecodeError as error:
        front = decode(data[: error.start], encoding, bom="keep")
        assert replaced.startswith(front) or encoding == "ISO-2022-JP"
        assert error.object == data
        assert 0 <= error.start < error.end <= len(data)
    else:
        assert strict == replaced == decode(data, encoding, errors="ignore", bom="keep")


def test_scribbled_buffers() -> None:
    """However a buffer changes meanwhile, the text is one, in the form that it needs."""
    data = bytearray("日本語 caf\xe9 𝒳".encode() * 8000)
    stop = threading.Event()

    def scribble() -> None:
        at = 0
        while not stop.is_set():
            for _ in range(1000):
                at = (at * 7919 + 13) % len(data)
                data[at] ^= 0xFF

    threads = [threading.Thread(target=scribble) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(60):
            for encoding in ("utf-8", "gb18030", "windows-1252"):
                policy = ("replace", "ignore", "strict")[turn % 3]
                try:
                    text = decode(data, encoding, errors=policy)
                except UnicodeDecodeError as error:
                    assert error.end <= len(data)
                    continue
                assert not any("\ud800" <= ch <= "\udfff" for ch in set(text))
                assert text.encode("utf-32-le").decode("utf-32-le").__sizeof__() == text.__sizeof__()
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_round_trips() -> None:
    for name in ENCODABLE:
        data = sample_of(name)
        text = decode(data, name, bom="keep")
        if "\ufffd" not in text and not name.startswith("UTF-16"):
            assert encode(text, name) == data or name in ("gb18030", "ISO-2022-JP", "Shift_JIS", "Big5")
        assert decode(bytearray(data) * 50, name) == decode(data * 50, name)
