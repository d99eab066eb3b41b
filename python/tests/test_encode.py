"""encode(): forms of str, error handlers, surrogates."""

from __future__ import annotations

import codecs

import pytest
from conftest import ENCODABLE, TEXTS
from hypothesis import given
from hypothesis import strategies as st

from simdtext import decode, encode

ANY_TEXT = st.text(st.characters(codec="utf-8"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text[:4]}*{len(text)}")
def test_forms(text: str) -> None:
    assert encode(text, "utf-8") == text.encode()
    assert encode(text, "utf-16le") == text.encode("utf-16-le")
    assert encode(text, "utf-16be") == text.encode("utf-16-be")
    assert decode(encode(text, "gb18030"), "gb18030") == text
    for policy in ("xmlcharrefreplace", "ignore", "replace", "backslashreplace", "namereplace"):
        assert encode(text, "windows-1251", errors=policy) == text.encode("cp1251", policy)


@given(ANY_TEXT, st.sampled_from(ENCODABLE))
def test_round_trip(text: str, encoding: str) -> None:
    try:
        data = encode(text, encoding)
    except UnicodeEncodeError as error:
        assert error.object is text or error.object == text
        assert error.end == error.start + 1
        with pytest.raises(UnicodeEncodeError):
            encode(text[error.start], encoding)
        encode(text[: error.start], encoding)
        return
    # Characters such as U+00A5 that are encoded as bytes of ASCII do not round-trip.
    if encoding not in ("Shift_JIS", "EUC-JP", "ISO-2022-JP"):
        assert decode(data, encoding, bom="keep") == text


def test_unmappable_characters() -> None:
    with pytest.raises(UnicodeEncodeError) as raised:
        encode("aé日𝒳€z", "shift_jis")
    error = raised.value
    assert (error.encoding, error.start, error.end) == ("Shift_JIS", 1, 2)
    assert encode("a€日", "shift_jis", errors="xmlcharrefreplace") == b"a&#8364;\x93\xfa"
    assert encode("a€日", "shift_jis", errors="replace") == b"a?\x93\xfa"
    assert encode("日€本", "iso-2022-jp", errors="xmlcharrefreplace") == b"\x1b$BF|\x1b(B&#8364;\x1b$BK\\\x1b(B"
    # The standard's encoder does not let text select another character set.
    assert encode("a\x1b", "iso-2022-jp", errors="xmlcharrefreplace") == b"a&#65533;"
    with pytest.raises(LookupError):
        encode("a", "replacement")
    with pytest.raises(TypeError):
        encode(b"a", "gbk")  # type: ignore[arg-type]


def test_surrogates() -> None:
    for text in ("a\ud800", "日\udc80", "𝒳\udfff", "a\ud83d\ude00b"):
        for encoding in ("utf-8", "gb18030", "utf-16le", "windows-1252"):
            with pytest.raises(UnicodeEncodeError) as raised:
                encode(text, encoding)
            assert raised.value.start in (0, 1)
        assert encode(text, "utf-8", errors="surrogatepass") == text.encode("utf-8", "surrogatepass")
        assert encode(text, "utf-8", errors="ignore") == text.encode("utf-8", "ignore")
        assert encode(text, "utf-8", errors="replace") == text.encode("utf-8", "replace")
        assert encode(text, "utf-8", errors="xmlcharrefreplace") == text.encode("utf-8", "xmlcharrefreplace")
    data = b"a\xff\x93\xfa\xfe"
    assert encode(decode(data, "sjis", errors="surrogateescape"), "sjis", errors="surrogateescape") == data


@given(st.binary(), st.sampled_from([name for name in ENCODABLE if not name.startswith("ISO-2022")]))
def test_surrogateescape(data: bytes, encoding: str) -> None:
    """Nothing is lost, wherever each character has bytes of its own."""
    try:
        text = decode(data, encoding, errors="surrogateescape", bom="keep")
        back = encode(text, encoding, errors="surrogateescape")
    except UnicodeError:
        # In UTF-16, bytes of ASCII are malformed, too, and some characters are decoded but never encoded.
        return
    assert decode(back, encoding, errors="surrogateescape", bom="keep") == text


def test_registered_handlers() -> None:
    codecs.register_error("test.bytes", lambda error: (b"\xff!", error.end))  # type: ignore[attr-defined]
    assert encode("a€日", "sjis", errors="test.bytes") == b"a\xff!\x93\xfa"
    codecs.register_error("test.text", lambda error: ("日", error.end))  # type: ignore[attr-defined]
    assert encode("a€b", "sjis", errors="test.text") == b"a\x93\xfab"
    with pytest.raises(UnicodeEncodeError):
        encode("a€b", "windows-1251", errors="test.text") and encode("a日b", "windows-1251", errors="test.text")
    for answer, exception in ((None, TypeError), ((1, 1), TypeError), (("a", 100), IndexError)):
        codecs.register_error("test.wrong", lambda error, answer=answer: answer)  # type: ignore[misc]
        with pytest.raises(exception):
            encode("a日", "windows-1251", errors="test.wrong")
