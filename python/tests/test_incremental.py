"""Decoder, Encoder, the codecs and open(): any cut of any bytes gives the text of one call."""

from __future__ import annotations

import codecs
import io
import os
import pathlib

import pytest
from conftest import ENCODABLE, sample_of
from hypothesis import given, settings
from hypothesis import strategies as st

import simdtext
from simdtext import Decoder, Encoder, decode, encode

simdtext.register()

#: Bytes that are difficult for decoders.
AWKWARD = st.lists(
    st.sampled_from(
        [b"a", b"\\", b"~", b"!", b"\x0e", b"\x1b", b"\x1b$B", b"\x1b$@", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x81"]
        + [b"\x8f", b"\x30", b"\x81\x30\x81\x30", b"\xfe", b"\xff", b"\xef\xbb\xbf", b"\xef", b"\xbb"]
        + [b"\xd8\x00", b"\xdc\x00", b"\xf0\x9f"]
    ),
    max_size=8,
).map(b"".join)
ANY_BYTES = AWKWARD | st.binary(max_size=24)
ERRORS = ["replace", "strict", "ignore", "backslashreplace", "surrogateescape"]


def outcome(work: object) -> object:
    try:
        return work()  # type: ignore[operator]
    except UnicodeDecodeError as error:
        return error.object[error.start : error.end], error.reason


@given(ANY_BYTES, st.sampled_from(simdtext.names), st.sampled_from(ERRORS), st.sampled_from(["sniff", "strip", "keep"]))
@settings(max_examples=1500)
def test_every_cut(data: bytes, encoding: str, errors: str, bom: str) -> None:
    whole = outcome(lambda: decode(data, encoding, errors=errors, bom=bom))  # type: ignore[arg-type]

    def cut_at(cut: int, through_state: bool) -> str:
        decoder = Decoder(encoding, errors, bom=bom)  # type: ignore[arg-type]
        text = decoder.decode(data[:cut])
        if through_state:
            state = decoder.getstate()
            decoder = Decoder(encoding, errors, bom=bom)  # type: ignore[arg-type]
            decoder.setstate(state)
            assert decoder.getstate() == state
        return text + decoder.decode(data[cut:], True)

    def byte_by_byte() -> str:
        decoder = Decoder(encoding, errors, bom=bom)  # type: ignore[arg-type]
        return "".join(decoder.decode(data[i : i + 1]) for i in range(len(data))) + decoder.decode(b"", True)

    for cut in range(len(data) + 1):
        assert outcome(lambda: cut_at(cut, False)) == whole
        assert outcome(lambda: cut_at(cut, True)) == whole
    assert outcome(byte_by_byte) == whole


@given(st.text(max_size=20), st.sampled_from(ENCODABLE), st.sampled_from(["ignore", "xmlcharrefreplace", "replace"]))
def test_every_cut_of_a_text(text: str, encoding: str, errors: str) -> None:
    whole = encode(text, encoding, errors=errors)
    for cut in range(len(text) + 1):
        encoder = Encoder(encoding, errors)
        data = encoder.encode(text[:cut])
        state = encoder.getstate()
        encoder = Encoder(encoding, errors)
        encoder.setstate(state)
        assert data + encoder.encode(text[cut:], True) == whole


def test_after_an_error() -> None:
    decoder = Decoder("gb18030", "strict")
    assert decoder.decode(b"a\x81") == "a"
    with pytest.raises(UnicodeDecodeError) as raised:
        decoder.decode(b"\xff")
    assert (raised.value.object, raised.value.start, raised.value.end) == (b"\x81\xff", 0, 2)
    assert decoder.getstate()[0] == b"\x81"
    assert decoder.decode(b"\x81", True) == "亖"
    decoder.errors = "ignore"
    assert decoder.decode(b"\xffb", True) == "b"
    encoder = Encoder("iso-2022-jp")
    assert encoder.encode("日") == b"\x1b$BF|"
    with pytest.raises(UnicodeEncodeError):
        encoder.encode("本😀")
    assert encoder.encode("本", True) == b"K\\\x1b(B"
    assert encoder.encode("本", True) == b"\x1b$BK\\\x1b(B"


def test_state_has_the_older_escape_sequence() -> None:
    """An error handler sees the bytes that were read, also if they came before the state was stored."""
    decoder = Decoder("iso-2022-jp", "backslashreplace")
    assert decoder.decode(b"a\x1b$@") == "a"
    state = decoder.getstate()
    decoder = Decoder("iso-2022-jp", "backslashreplace")
    decoder.setstate(state)
    assert decoder.decode(b"\x1b(Bb", True) == r"\x1b\x24\x40b"


def test_reset() -> None:
    decoder = Decoder("sjis")
    decoder.decode(b"\xef\xbb\xbf\xe3")
    assert decoder.encoding == "UTF-8"
    decoder.reset()
    assert (decoder.encoding, decoder.may_have_bom) == ("Shift_JIS", True)
    assert decoder.decode(b"\x93\xfa", True) == "日"
    for wrong in ((b"", 1 << 40), (b"\xff" * 5, 7 << 8)):
        with pytest.raises((ValueError, OverflowError)):
            decoder.setstate(wrong)


def test_any_buffer_ends_a_stream() -> None:
    class Array(bytearray):
        """Like an array of NumPy, it is neither true nor false."""

        def __bool__(self) -> bool:
            raise ValueError

    for data in (b"\xc4\xe3", b""):
        assert codecs.getincrementaldecoder("web-gbk")().decode(Array(data), True) == decode(data, "gbk")


def test_codecs() -> None:
    for label, name in simdtext.labels.items():
        assert codecs.lookup("web-" + label).name == "web-" + name.lower()
    assert "日本".encode("web-sjis") == b"\x93\xfa\x96{"
    assert b"\x93\xfa".decode("web-shift_jis") == "日"
    with pytest.raises(UnicodeDecodeError):
        b"\x93".decode("web-shift_jis")
    assert b"\x93".decode("web-shift_jis", "replace") == "\ufffd"
    for unknown in ("web-nothing", "web-", "web"):
        with pytest.raises(LookupError):
            codecs.lookup(unknown)


@pytest.mark.parametrize("name", ENCODABLE)
def test_files(name: str, tmp_path: pathlib.Path) -> None:
    data = sample_of(name) * 40
    path = tmp_path / "file"
    path.write_bytes(data)
    with simdtext.open(path, encoding=name, newline="") as file:
        assert file.read() == decode(data, name)
    # If the position in a text can be stored, reading can go on from there.
    with open(path, encoding="web-" + name.lower(), errors="replace", newline="") as file:
        places = []
        for _ in range(5):
            places.append((file.tell(), file.read(50)))
        for place, text in reversed(places):
            file.seek(place)
            assert file.read(50) == text
    text = "".join(ch for ch in decode(data, name) if outcome_of_encoding(ch, name))
    with simdtext.open(path, "w", encoding=name, newline="") as file:
        file.write(text[:100])
        file.write(text[100:])
    assert path.read_bytes() == encode(text, name)


def outcome_of_encoding(ch: str, name: str) -> bool:
    try:
        encode(ch, name)
    except UnicodeEncodeError:
        return False
    return True


def test_open_finds_out(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "page.html"
    for data, encoding in (
        (b'<meta charset="gbk">\xc4\xe3', "GBK"),
        (b"\xff\xfea\0", "UTF-16LE"),
        ("naïve".encode(), "UTF-8"),
        (b"", "UTF-8"),
        ("Все люди рождаются свободными и равными".encode("koi8-r"), "KOI8-R"),
        ("Все люди рождаются свободными и равными\n".encode("cp866") * 9000, "IBM866"),
    ):
        path.write_bytes(data)
        with simdtext.open(path) as file:
            assert file.encoding == "web-" + encoding.lower()
            assert file.read() == decode(data, encoding)
            with simdtext.open(path, encoding=file.encoding) as same:
                assert same.encoding == file.encoding
    with simdtext.open(path, "w") as file:
        file.write("é")
    assert path.read_bytes() == "é".encode()
    with simdtext.open(path, "a", "windows-1252") as file, pytest.raises(UnicodeEncodeError):
        file.write("日")
    with pytest.raises(ValueError):
        simdtext.open(path, "rb")
    with pytest.raises(LookupError):
        simdtext.open(path, encoding="none")
    with pytest.raises(FileNotFoundError):
        simdtext.open(tmp_path / "none")


def test_open_as_the_built_in_does(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    text = "日本\r\n語\rabc\n\n終"
    path.write_bytes(encode(text, "sjis") * 3000)
    for newline in (None, "", "\n", "\r", "\r\n"):
        with simdtext.open(path, encoding="sjis", newline=newline) as ours, open(path, encoding="cp932", newline=newline) as theirs:
            assert list(ours) == list(theirs)
            assert ours.newlines == theirs.newlines
    for buffering in (-1, 1, 2, 4096, 1 << 20):
        with simdtext.open(path, encoding="sjis", newline="", buffering=buffering) as file:
            assert file.read() == text * 3000
    with pytest.raises(ValueError):
        simdtext.open(path, buffering=0)
    with pytest.raises(TypeError, match="encoding must be str"):
        simdtext.open(path, encoding=b"sjis")  # type: ignore[arg-type]
    with simdtext.open(path, "w", "sjis", buffering=1) as file:
        file.write("日\n")
        assert path.read_bytes() == b"\x93\xfa\n"
    with simdtext.open(path, "r+", "sjis") as file:
        assert file.readline() == "日\n"
        file.write("本")
        file.seek(0)
        assert file.read() == "日\n本"
    with simdtext.open(path, "a", "sjis") as file:
        file.write("語")
    assert decode(path.read_bytes(), "sjis") == "日\n本語"
    with pytest.raises(FileExistsError):
        simdtext.open(path, "x")
    descriptor = os.open(path, os.O_RDONLY)
    with simdtext.open(descriptor, encoding="sjis", closefd=False) as file:
        assert file.readline() == "日\n"
    os.close(descriptor)
    path.write_bytes("\ufeffUTF-32 日".encode("utf-32-le"))
    with simdtext.open(path) as file:
        assert file.read() == "UTF-32 日"


def test_open_empties_no_file_in_vain(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    path.write_text("text")
    for encoding in ("replacement", "nonsense"):
        with pytest.raises(LookupError):
            simdtext.open(path, "w", encoding)
    assert path.read_text() == "text"


def test_open_a_pipe() -> None:
    """What has arrived may end within a character."""
    data = ("é" * 5000).encode()
    reader, writer = os.pipe()
    os.write(writer, data[:4001])
    with simdtext.open(reader) as file:
        os.write(writer, data[4001:])
        os.close(writer)
        assert (file.encoding, file.read()) == ("web-utf-8", "é" * 5000)


def test_stream_reader_and_writer() -> None:
    text = "日本語\nテスト\nabc\n"
    data = encode(text * 100, "iso-2022-jp")
    reader = codecs.getreader("web-iso-2022-jp")(io.BytesIO(data))
    assert reader.readline() == "日本語\n"
    assert reader.read() == (text * 100)[4:]
    reader.seek(0)
    assert reader.readlines() == (text * 100).splitlines(True)
    stream = io.BytesIO()
    writer = codecs.getwriter("web-iso-2022-jp")(stream)
    for line in (text * 100).splitlines(True):
        writer.write(line)
    writer.reset()
    assert decode(stream.getvalue(), "iso-2022-jp") == text * 100
    with codecs.open("/dev/null", "w", "web-gbk") as file:
        file.write("你好")


@given(
    st.lists(AWKWARD | st.sampled_from([b"\n", b"\r\n", b"a" * 70]), max_size=4).map(b"".join),
    st.sampled_from(simdtext.names),
    st.sampled_from([errors for errors in ERRORS if errors not in ("strict", "surrogateescape")]),
    st.sampled_from([1, 2, 3, 100]),
)
@settings(max_examples=500)
def test_stream_reader_loses_nothing(data: bytes, encoding: str, errors: str, size: int) -> None:
    """Not even a character that is cut off at the end."""
    whole = decode(data, encoding, errors)

    def reader() -> codecs.StreamReader:
        return codecs.getreader("web-" + encoding.lower())(io.BytesIO(data), errors)

    assert reader().read() == whole
    assert "".join(reader().readlines()) == "".join(reader()) == whole
    for arguments in ((size,), (-1, size), (size, size)):
        one = reader()
        # One byte may be no character yet.
        assert "".join(one.read(*arguments) for _ in range(4 * len(data) + 9)) == whole
    one = reader()
    one.readline()
    one.seek(0)
    assert one.read() == whole


@given(
    st.lists(AWKWARD | st.sampled_from([b"\n", b"\r\n", b"\r", b"a" * 9]), max_size=5).map(b"".join),
    st.sampled_from(simdtext.names),
    st.sampled_from([errors for errors in ERRORS if errors not in ("strict", "surrogateescape")]),
    st.sampled_from([None, "", "\n", "\r\n"]),
    st.sampled_from([1, 2, 3, 8192]),
    st.lists(st.tuples(st.sampled_from(["read", "readline", "tell", "seek"]), st.integers(0, 9)), max_size=12),
)
@settings(max_examples=500)
def test_text_files_go_on_from_any_place(
    data: bytes, encoding: str, errors: str, newline: str | None, chunk: int, operations: list[tuple[str, int]]
) -> None:
    """Reads, and goes back to places that `tell` has returned; what has been read is always the start of the text."""
    whole = decode(data, encoding, errors)
    if newline is None:
        whole = whole.replace("\r\n", "\n").replace("\r", "\n")
    file = io.TextIOWrapper(io.BytesIO(data), "web-" + encoding.lower(), errors, newline)
    file._CHUNK_SIZE = chunk  # type: ignore[attr-defined]
    at, places = 0, [(0, 0)]
    for operation, number in operations:
        if operation == "tell":
            places.append((file.tell(), at))
        elif operation == "seek":
            place, at = places[number % len(places)]
            file.seek(place)
        else:
            text = file.read(number) if operation == "read" else file.readline()
            assert whole.startswith(text, at)
            at += len(text)
    assert file.read() == whole[at:]


@pytest.mark.parametrize("mark_codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_file_that_grows(mark_codec: str, tmp_path: pathlib.Path) -> None:
    """The byte order mark at its start decides for what is added, too, as with Python's own codecs."""
    path = tmp_path / "file"
    path.write_bytes(b"")
    with open(path, encoding="web-gbk", newline="") as file, path.open("ab") as end:
        assert (file.read(), file.readline()) == ("", "")
        place = 0
        for text in ("\ufeff日\n", "本\n", "\ufeff語\n"):
            end.write(text.encode(mark_codec))
            end.flush()
            assert file.readline() == text.removeprefix("\ufeff" if place == 0 else "")
            assert (file.readline(), file.read()) == ("", "")
            place += 1
        file.seek(0)
        assert file.read() == "日\n本\n\ufeff語\n"


def test_stream_reader_at_the_end() -> None:
    stream = io.BytesIO(b"\xef\xbb\xbf\xe4\xbd")
    with pytest.raises(UnicodeDecodeError) as raised:
        codecs.getreader("web-gbk")(stream).read()
    assert raised.value.object == b"\xe4\xbd"
    stream.seek(0)
    reader = codecs.getreader("web-gbk")(stream, "replace")
    assert (reader.read(), reader.read()) == ("\ufffd", "")
    # If the file grows, it is still in the encoding that its mark selected.
    stream.write("你".encode())
    stream.seek(-3, io.SEEK_END)
    assert (reader.read(0), reader.read()) == ("", "你")


def test_stream_reader_and_writer_change_their_errors() -> None:
    """`errors` is an attribute, as in Python's own codecs."""
    for codec in ("web-gbk", "gbk"):
        stream = io.BytesIO(b"a\xff\n")
        reader = codecs.getreader(codec)(stream)
        reader.errors = "ignore"
        assert reader.read() == "a\n"
        writer = codecs.getwriter(codec)(stream)
        writer.errors = "replace"
        writer.write("a😀")
        assert stream.getvalue() == b"a\xff\na?"


@pytest.mark.parametrize("length", range(66, 74))
def test_stream_reader_raises_where_that_of_python_does(length: int) -> None:
    """Also if a character is cut in two where it has stopped: after 72 bytes."""
    data = ("a" * length + "é本\n").encode() + b"b\xff\nc\n"

    def lines(encoding: str) -> list[str | tuple[bytes, int]]:
        reader = codecs.getreader(encoding)(io.BytesIO(data))
        found: list[str | tuple[bytes, int]] = []
        for size in (None, None, 9, None):
            try:
                found.append(reader.readline() if size is None else reader.read(size))
            except UnicodeDecodeError as error:
                found.append((error.object, error.start))
        return found

    assert lines("web-utf-8") == lines("utf-8")


def test_codecs_open_goes_back_to_the_start(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "file")
    with codecs.open(path, "w+", "web-iso-2022-jp") as file:
        file.write("a日本")
        file.seek(0)
        assert file.read() == "a日本"
    with open(path, "rb") as raw:
        assert raw.read().startswith(b"a\x1b$B")
    # A file that is only read can be read again.
    with codecs.open(path, "r", "web-iso-2022-jp") as file:
        assert file.read(1) == "a"
        file.seek(0)
        assert file.read() == "a日本"
