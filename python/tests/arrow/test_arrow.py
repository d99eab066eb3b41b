"""`simdtext.arrow` with the arrays of pyarrow: every type, and what callers do wrong."""

from __future__ import annotations

import gc
import multiprocessing
import pathlib
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pytest

import simdtext
from simdtext import arrow

LONG = "naïve readers pay 3 times. " * 3
VALUES = [b"\x93\xfa\x96{", None, b"ascii, and more than twelve bytes", b"\xff\xff", b"", LONG.encode(), None, b"\xb1"]
LABELS = ["sjis", "gbk", "koi8-r", "utf-8", None, "utf-8", None, "shift_jis"]
TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]
TEXT_OF = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string(), pa.binary_view(): pa.string_view()}


def expected(values: list[bytes | None], labels: list[str | None]) -> list[str | None]:
    return [
        None if value is None or label is None else simdtext.decode(value, label)
        for value, label in zip(values, labels, strict=True)
    ]


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("label_type", [pa.string(), pa.large_string(), pa.string_view(), "dictionary"], ids=str)
def test_types(type_: Any, label_type: Any) -> None:
    labels = pa.array(LABELS).dictionary_encode() if label_type == "dictionary" else pa.array(LABELS, label_type)
    text = pa.array(arrow.decode_text(pa.array(VALUES, type_), labels))
    text.validate(full=True)
    assert text.type == TEXT_OF[type_]
    assert text.to_pylist() == expected(VALUES, LABELS)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("start", range(len(VALUES)))
def test_slices(type_: Any, start: int) -> None:
    for end in range(start, len(VALUES) + 1):
        values = pa.array([b"before", *VALUES, b"behind"], type_)[1:-1][start:end]
        labels = pa.array([*LABELS, "x"])[start:end]
        text = pa.array(arrow.decode_text(values, labels))
        text.validate(full=True)
        assert text.to_pylist() == expected(VALUES[start:end], LABELS[start:end])


def test_fixed_size() -> None:
    text = pa.array(arrow.decode_text(pa.array([b"\xc4\xe3", None, b"ab"], pa.binary(2)), "gbk"))
    assert (text.type, text.to_pylist()) == (pa.string(), ["你", None, "ab"])


@pytest.mark.parametrize("type_", [pa.binary(), pa.large_binary()], ids=str)
def test_dictionaries(type_: Any) -> None:
    values = pa.array([b"\xc4\xe3", None, b"ab", b"\xc4\xe3"], type_).dictionary_encode()
    text = pa.array(arrow.decode_text(values[1:], "gbk"))
    text.validate(full=True)
    assert text.type == pa.dictionary(pa.int32(), TEXT_OF[type_])
    assert text.to_pylist() == [None, "ab", "你"]
    several = pa.array(arrow.decode_text(values, pa.array(["gbk", "gbk", "gbk", "koi8-r"])))
    assert several.to_pylist() == ["你", None, "ab", "дЦ"]


def test_fields() -> None:
    decoded = pa.array(arrow.decode(pa.array([b"\xff!", None]), "utf-8"))
    fields = {"text": "\ufffd!", "encoding": "UTF-8", "evidence": "label", "errors": 1, "first_error_offset": 0}
    assert decoded.to_pylist() == [fields, None]
    some = arrow.decode(pa.array([b"\xff!"]), "utf-8", columns=["errors", "text"])
    assert [field.name for field in pa.array(some).type] == ["text", "errors"]
    assert pa.array(some["errors"]).to_pylist() == [1]
    with pytest.raises(KeyError):
        some["encoding"]
    with pytest.raises(TypeError):
        some["text"]["text"]
    assert (len(some), some["text"].type) == (1, "Utf8")
    assert repr(some["text"]) == "<simdtext.arrow.Array of 1 Utf8>"


def test_guesses() -> None:
    russian = "Все люди рождаются свободными и равными в своём достоинстве и правах. " * 3
    values = pa.array([russian.encode("koi8-r"), "naïve".encode(), b"\xef\xbb\xbfa", b'<meta charset="gbk">\xc4\xe3'])
    decoded = arrow.decode(values)
    assert pa.array(decoded["text"]).to_pylist() == [russian, "naïve", "a", '<meta charset="gbk">你']
    assert pa.array(decoded["evidence"]).to_pylist() == ["detected", "utf-8", "bom", "prescan"]
    by_header = arrow.decode(pa.array([b"\xc4\xe3"]), content_type="text/html; charset=gbk")
    assert pa.array(by_header["text"]).to_pylist() == ["你"]


def test_malformed_and_labels() -> None:
    values, labels = pa.array([b"\xff", b"a\xff", b"b"]), pa.array(["utf-8", "nonsense", None])
    with pytest.raises(LookupError, match='row 1: .*"nonsense"'):
        arrow.decode(values, labels)
    text = arrow.decode_text(values, labels, errors="null", unknown_label="latin1", null_label="auto")
    assert pa.array(text).to_pylist() == [None, "aÿ", "b"]
    text = arrow.decode_text(values, labels, unknown_label="null")
    assert pa.array(text).to_pylist() == ["\ufffd", None, None]
    with pytest.raises(ValueError, match="row 2: the label is null"):
        arrow.decode(values, labels, null_label="error", unknown_label="null")
    with pytest.raises(ValueError, match="row 1: .*FF at offset 1"):
        arrow.decode(pa.array([b"a", b"a\xff"]), "utf-8", errors="strict")
    kept = arrow.decode_text(pa.array([b"\xef\xbb\xbfa"]), "utf-8", bom="keep")
    assert pa.array(kept).to_pylist() == ["\ufeffa"]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_encode(type_: Any) -> None:
    text = pa.array(["日本", None, "plain ascii text, in its buffer", ""], TEXT_OF[type_])
    values = pa.array(arrow.encode(text, "sjis"))
    values.validate(full=True)
    assert values.type == type_
    assert values.to_pylist() == [b"\x93\xfa\x96{", None, b"plain ascii text, in its buffer", b""]
    assert pa.array(arrow.decode_text(values, "sjis")).equals(text)
    several = arrow.encode(text, pa.array(["gbk", "gbk", "koi8-r", None]))
    assert pa.array(several).to_pylist() == ["日本".encode("gbk"), None, b"plain ascii text, in its buffer", None]


def test_unmappable() -> None:
    text = pa.array(["a€", "日"])
    with pytest.raises(ValueError, match=r"row 0: character U\+20AC at offset 1 is not in Shift_JIS"):
        arrow.encode(text, "sjis")
    results = {"null": None, "replace": b"a?", "ignore": b"a", "xmlcharrefreplace": b"a&#8364;"}
    for errors, first in results.items():
        encoded: Any = arrow.encode(text, "sjis", errors=errors)  # type: ignore[call-overload]
        assert pa.array(encoded).to_pylist() == [first, b"\x93\xfa"]
    with pytest.raises(ValueError, match="can't be detected"):
        arrow.encode(text, "auto")


def test_chunks() -> None:
    values = pa.chunked_array([VALUES[:3], [], VALUES[3:]], pa.binary())
    decoded = arrow.decode_text(values, "sjis")
    assert [len(chunk) for chunk in decoded.chunks] == [3, 0, 5]
    assert pa.chunked_array(decoded).to_pylist() == expected(VALUES, ["sjis"] * 8)
    # Labels in other chunks, and in one.
    for labels in (pa.chunked_array([[], LABELS[:5], [], LABELS[5:]], pa.string()), pa.array(LABELS)):
        decoded = arrow.decode_text(values, labels)
        assert pa.chunked_array(decoded).to_pylist() == expected(VALUES, LABELS)
    # The row of an error counts from the first chunk.
    with pytest.raises(LookupError, match="row 7:"):
        arrow.decode(values, pa.array([*LABELS[:7], "nonsense"]))
    assert len(decoded) == 8
    assert repr(decoded) == "<simdtext.arrow.ChunkedArray of 8 Utf8 in 3 chunks>"


def test_no_chunks() -> None:
    decoded = arrow.decode(pa.chunked_array([], pa.large_binary()), "sjis")
    assert (len(decoded), decoded["text"].type, decoded.chunks) == (0, "LargeUtf8", [])
    assert pa.chunked_array(decoded["text"]).type == pa.large_string()
    assert len(arrow.decode(pa.array([], pa.binary()), pa.array([], pa.string()))) == 0
    with pytest.raises(LookupError):
        arrow.decode(pa.chunked_array([], pa.binary()), "nonsense")


def test_tables() -> None:
    table = pa.table({"body": VALUES})
    text = pa.chunked_array(arrow.decode_text(table, "sjis"))
    assert text.to_pylist() == expected(VALUES, ["sjis"] * 8)
    decoded = pa.table(arrow.decode(pa.chunked_array([[b"a"], [b"\x80"]]), "gbk"))
    assert decoded.column("text").to_pylist() == ["a", "€"]
    with pytest.raises(TypeError, match="a table of 2 columns"):
        arrow.decode(table.append_column("more", pa.array(VALUES)), "sjis")


@pytest.mark.parametrize("type_", [pa.binary_view(), pa.string_view()], ids=str)
def test_views_are_shared(type_: Any) -> None:
    plain = ["plain ascii text, in its buffer %d" % row for row in range(1000)]
    if type_ == pa.binary_view():
        values = pa.array([text.encode() for text in plain], type_)
        result = pa.array(arrow.decode_text(values, "gbk"))
    else:
        values = pa.array(plain, type_)
        result = pa.array(arrow.encode(values, "gbk"))
    before = {buffer.address for buffer in values.buffers()[2:]}
    after = {buffer.address for buffer in result.buffers()[2:]}
    assert after == before
    expected = result.to_pylist()
    # The text holds what it shares.
    del values
    gc.collect()
    result.validate(full=True)
    assert result.to_pylist() == expected == (plain if type_ == pa.binary_view() else [t.encode() for t in plain])


def test_input_is_released() -> None:
    values = pa.array([b"\xc4\xe3" * 500] * 2000)
    before = pa.total_allocated_bytes()
    for _ in range(20):
        arrow.decode(values, "gbk")
        pa.array(arrow.decode_text(values, "gbk"))
    gc.collect()
    assert pa.total_allocated_bytes() == before
    del values
    gc.collect()
    assert pa.total_allocated_bytes() < before


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda: arrow.decode([b"a"], "gbk"), TypeError, "__arrow_c_array__ or __arrow_c_stream__, not list"),  # type: ignore[call-overload]
        (lambda: arrow.decode(pa.array(["a"]), "gbk"), TypeError, "Utf8 does not hold bytes"),
        (lambda: arrow.encode(pa.array([b"a"]), "gbk"), TypeError, "Binary does not hold text"),
        (lambda: arrow.decode(pa.array([b"a"]), 3), TypeError, "not int"),  # type: ignore[call-overload]
        (lambda: arrow.decode(pa.array([b"a"]), pa.array([3])), TypeError, "Int64 does not hold labels"),
        (lambda: arrow.decode(pa.array([b"a"]), "nonsense"), LookupError, "nonsense"),
        (lambda: arrow.decode(pa.array([b"a"]), "\udc80"), LookupError, "not a label"),
        (lambda: arrow.decode(pa.array([b"a"]), pa.array(["a", "b"])), ValueError, "2 labels for an array of 1"),
        (lambda: arrow.decode(pa.array([b"a"]), "gbk", columns=["x"]), ValueError, "no such column"),  # type: ignore[list-item]
        (lambda: arrow.decode(pa.array([b"a"]), "gbk", errors="ignore"), ValueError, "errors must be"),  # type: ignore[call-overload]
        (lambda: arrow.decode(pa.array([b"a"]), "gbk", bom="x"), ValueError, "bom must be"),  # type: ignore[call-overload]
        (lambda: arrow.decode(pa.array([b"a"]), "gbk", null_label="x"), LookupError, "unknown encoding: x"),
        (lambda: arrow.decode(pa.array([[b"a"]]), "gbk"), TypeError, "does not hold bytes"),
    ],
)
def test_wrong_arguments(call: Callable[[], object], exception: type[Exception], message: str) -> None:
    with pytest.raises(exception, match=message):
        call()


class Exported:
    """Gives the same capsules each time that it is asked."""

    def __init__(self, array: Any) -> None:
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
        return self.capsules


class Odd:
    def __init__(self, result: object) -> None:
        self.result = result

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def test_odd_producers() -> None:
    once = Exported(pa.array([b"a"]))
    arrow.decode(once, "gbk")
    with pytest.raises(ValueError, match="read before"):
        arrow.decode(once, "gbk")
    schema, array = pa.array([b"a"]).__arrow_c_array__()
    for result in (None, (1, 2), (schema,), (array, schema), (schema, schema)):
        with pytest.raises((TypeError, ValueError)):
            arrow.decode(Odd(result), "gbk")
    with pytest.raises(ZeroDivisionError):
        arrow.decode(Odd(ZeroDivisionError()), "gbk")
    ours = arrow.decode_text(pa.array([b"a"]), "gbk")
    for capsules in (ours.__arrow_c_array__(), ours.__arrow_c_stream__(None), ours.__arrow_c_schema__()):
        del capsules


def test_stream_that_fails() -> None:
    schema = pa.schema([("body", pa.binary())])

    def batches() -> Iterator[Any]:
        yield pa.record_batch([pa.array([b"a"])], schema)
        raise OSError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        arrow.decode(pa.RecordBatchReader.from_batches(schema, batches()), "gbk")


def test_threads() -> None:
    values = pa.chunked_array([[b"\xc4\xe3" * 1000] * 50] * 8)
    results: list[bool] = []

    def work() -> None:
        for _ in range(5):
            text = pa.chunked_array(arrow.decode_text(values, "gbk"))
            results.append(text[0].as_py() == "你" * 1000 and len(text) == 400)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 40


def decode_chunks(_: int) -> int:
    return len(arrow.decode_text(pa.chunked_array([[b"\xc4\xe3"]] * 8), "gbk"))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork() -> None:
    assert decode_chunks(0) == 8
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(decode_chunks, range(4)).get(timeout=60) == [8] * 4
    assert decode_chunks(0) == 8


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_fork_while_another_thread_decodes() -> None:
    """Also during the first call, which starts the threads that all calls use."""
    program = """
import os, sys, threading, time
import pyarrow as pa
from simdtext import arrow
column = pa.chunked_array([[b"\\xc4\\xe3"]] * 8)
thread = threading.Thread(target=arrow.decode_text, args=(column, "gbk"))
thread.start()
time.sleep(float(sys.argv[1]))
child = os.fork()
if child == 0:
    print(len(arrow.decode_text(column, "gbk")), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
thread.join()
"""
    # From Python 3.12 on, a fork warns of threads.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    for step in range(20):
        done = subprocess.run([*command, str(step / 50_000)], capture_output=True, text=True, timeout=60)
        assert done.stdout == "8\n", done.stderr


def test_memory() -> None:
    """At the most 1.3 times the input and the output."""

    def status(field: str) -> int:
        lines = pathlib.Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

    try:
        # The peak begins anew.
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pytest.skip("only Linux tells the peak")
    for label, text in (("gbk", "人人生而自由，在尊严和权利上一律平等。"), ("windows-1251", "Все люди рождаются. ")):
        array = pa.array([text.encode(label) * 40] * 80_000)
        arrow.release_memory()
        pathlib.Path("/proc/self/clear_refs").write_text("5")
        before = status("VmRSS")
        decoded = pa.array(arrow.decode(array, label))
        taken = status("VmHWM") - before
        output = decoded.nbytes
        assert decoded.field("text")[79_999].as_py() == text * 40
        assert taken + array.nbytes <= 1.3 * (array.nbytes + output)


def letters(seed: int, rows: int) -> Any:
    """Rows of a thousand letters in windows-1251, which differ by `seed`."""
    return pa.array([bytes([0xC0 + (seed + row) % 64]) * 1000 for row in range(rows)])


def is_text_of(text: Any, seed: int, start: int = 0) -> bool:
    return all(
        value == chr(0x410 + (seed + start + row) % 64) * 1000 for row, value in enumerate(pa.array(text).to_pylist())
    )


def test_memory_is_used_again() -> None:
    arrow.release_memory()
    assert arrow.idle_memory() == 0
    values = letters(0, 5000)
    text = arrow.decode_text(values, "windows-1251")
    assert arrow.idle_memory() == 0
    address = pa.array(text).buffers()[2].address
    del text
    assert arrow.idle_memory() >= 10_000_000
    text = arrow.decode_text(letters(1, 5000), "windows-1251")
    assert pa.array(text).buffers()[2].address == address
    # What others have of it stays theirs: a slice, a capsule, a buffer.
    part = pa.array(text)[4990:]
    capsules = text.__arrow_c_array__()
    del text
    assert arrow.idle_memory() == 0
    others = [arrow.decode_text(letters(seed, 5000), "windows-1251") for seed in (2, 3)]
    assert is_text_of(part, 1, 4990)
    del part
    assert arrow.idle_memory() == 0
    assert is_text_of(pa.Array._import_from_c_capsule(*capsules), 1)
    del capsules
    assert arrow.idle_memory() > 0
    assert is_text_of(others[0], 2) and is_text_of(others[1], 3)
    del others
    arrow.release_memory()
    assert arrow.idle_memory() == 0


def test_memory_that_is_kept_is_bounded() -> None:
    values = pa.array([b"\xe0" * 1_000_000] * 100)
    results = [arrow.decode_text(values, "windows-1251") for _ in range(4)]
    while results:
        results.pop()
        assert 0 < arrow.idle_memory() <= 512 * 1024 * 1024
    arrow.release_memory()


def test_memory_by_eight_threads() -> None:
    def work(thread: int) -> bool:
        numbers = random.Random(thread)
        held: list[tuple[Any, int, int]] = []
        right = True
        for turn in range(12):
            seed, rows = 100 * thread + turn, numbers.randrange(2500, 6000)
            text = arrow.decode_text(letters(seed, rows), "windows-1251")
            start = numbers.randrange(rows)
            held.append((pa.array(text)[start:] if numbers.random() < 0.5 else pa.array(text), seed, start))
            if len(held[-1][0]) == rows:
                held[-1] = (held[-1][0], seed, 0)
            if len(held) > 2:
                right &= is_text_of(*held.pop(numbers.randrange(3)))
        return right and all(is_text_of(*one) for one in held)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    arrow.release_memory()


def decode_large(seed: int) -> bool:
    return all(is_text_of(arrow.decode_text(letters(seed + turn, 5000), "windows-1251"), seed + turn) for turn in range(3))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_memory_in_a_forked_process() -> None:
    text = arrow.decode_text(letters(1, 5000), "windows-1251")
    assert decode_large(2)
    assert arrow.idle_memory() > 0
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert all(pool.map_async(decode_large, range(4)).get(timeout=60))
    assert decode_large(3)
    assert is_text_of(text, 1)
    del text
    arrow.release_memory()
