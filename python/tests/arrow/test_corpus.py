"""`simdtext.corpus`: rows of archives, as batches of Arrow."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import pathlib
import subprocess
import sys
import threading

import duckdb
import polars
import pyarrow
import pyarrow.parquet
import pytest

import simdtext
from simdtext import corpus

SAMPLES = pathlib.Path(__file__).parents[3] / "samples"
Rows = list[dict[str, object]]


def record(number: int, body: bytes, content_type: str = "text/plain") -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (content_type.encode(), len(body))
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + len(body)}\r\n\r\n"
    )
    return head.encode() + http + body + b"\r\n\r\n"


@pytest.fixture
def archive(tmp_path: pathlib.Path) -> pathlib.Path:
    """A plain WARC with each of the samples twice: once with its charset, once without."""
    path = tmp_path / "samples.warc"
    numbers = itertools.count()
    with path.open("wb") as file:
        for sample in sorted(SAMPLES.glob("*.txt")):
            label = sample.name.split(".")[1]
            file.write(record(next(numbers), sample.read_bytes(), f"text/plain; charset={label}"))
            file.write(record(next(numbers), sample.read_bytes()))
    return path


def rows(batches: corpus.Batches) -> Rows:
    found: Rows = []
    for batch in batches:
        found += pyarrow.array(batch).to_pylist()
    return found


def test_rows_are_those_of_the_samples(archive: pathlib.Path) -> None:
    found = rows(corpus.read([archive]))
    samples = sorted(SAMPLES.glob("*.txt"))
    assert len(found) == 2 * len(samples)
    for row, sample in zip(found[::2], samples, strict=True):
        name = simdtext.lookup(sample.name.split(".")[1])
        if name in ("replacement", "x-user-defined") or row["reason"] is not None:
            continue
        assert row["encoding"] == name
        assert row["text"] == simdtext.decode(sample.read_bytes(), name)
        assert row["bytes"] == sample.stat().st_size
        assert row["warc_date"] == "2026-01-02T03:04:05Z"
    assert sum(row["reason"] is None for row in found) > len(samples)
    assert [row["record"] for row in found] == list(range(len(found)))


@pytest.mark.parametrize("size", [1, 500, 3000, 1 << 30])
def test_parts_give_the_rows_of_the_file(archive: pathlib.Path, size: int) -> None:
    whole = rows(corpus.read([archive]))
    parts = corpus.splits(archive, size)
    assert len(parts) == len(whole) if size == 1 else len(parts) <= len(whole)
    assert [row for part in parts for row in rows(corpus.read_split(part))] == whole


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_file_objects_give_the_rows_of_the_file(archive: pathlib.Path, pack: type[bytes]) -> None:
    whole = rows(corpus.read([archive]))
    read = rows(corpus.read_file(str(archive), io.BytesIO(pack(archive.read_bytes()))))
    for row in (*whole, *read):
        del row["record_offset"]
    assert read == whole


def test_tables_of_others(archive: pathlib.Path) -> None:
    table = pyarrow.table(corpus.read([archive]))
    count = table.num_rows
    assert polars.DataFrame(corpus.read([archive])).height == count
    reader = pyarrow.RecordBatchReader.from_stream(corpus.read([archive]))
    found = duckdb.from_arrow(reader).aggregate("count(*), count(text)").fetchall()
    assert found == [(count, count - table.column("text").null_count)]


def test_no_rows_has_the_columns(archive: pathlib.Path) -> None:
    (batch,) = corpus.read([archive])
    assert pyarrow.array(corpus.no_rows()).type == pyarrow.array(batch).type


def test_what_cannot_be_read_is_a_row(tmp_path: pathlib.Path) -> None:
    missing = str(tmp_path / "missing.warc")
    (row,) = rows(corpus.read_split(corpus.Split(missing)))
    assert (row["source"], row["reason"], row["text"]) == (missing, "unreadable", None)
    cut = tmp_path / "cut.warc"
    cut.write_bytes(record(0, b"one") + record(1, b"two" * 100)[:-150])
    one, two = rows(corpus.read([cut]))
    assert one["text"] == "one"
    assert two["truncated"] or two["reason"] == "damaged"


def test_what_a_file_object_raises_is_raised() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= 65536:
                raise ConnectionError("the other side has gone")
            return super().read(size)

    archive = b"".join(record(number, b"text " * 1000) for number in range(40))
    with pytest.raises(ConnectionError, match="has gone"):
        rows(corpus.read_file("broken", Broken(archive)))
    with pytest.raises(pyarrow.ArrowInvalid, match="ConnectionError: the other side has gone"):
        pyarrow.table(corpus.read_file("broken", Broken(b"\n" * 65536 + archive)))


def test_a_file_object_is_read_from_its_start(archive: pathlib.Path) -> None:
    file = io.BytesIO(archive.read_bytes())
    whole = rows(corpus.read_file("one", file))
    # As after a look at its first bytes.
    file.seek(100)
    assert rows(corpus.read_file("one", file)) == whole
    compressed = io.BytesIO(gzip.compress(archive.read_bytes()))
    compressed.seek(5)
    read = [row["text"] for row in rows(corpus.read_file("one", compressed))]
    assert read == [row["text"] for row in whole]


def test_a_file_object_that_asks_for_its_own_rows(archive: pathlib.Path) -> None:
    """It does not wait for itself."""
    found: list[corpus.Batches] = []

    class Asking(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            for batches in found:
                next(batches)
            return super().read(size)

    data = archive.read_bytes()
    found.append(corpus.read_file("asking", Asking(data + b"\n" * (1 << 20))))
    with pytest.raises(RuntimeError, match="asks for the rows"):
        rows(found[0])


def test_wrong_arguments(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        corpus.read([tmp_path / "missing"])
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        corpus.files([str(tmp_path / "*.warc")])
    with pytest.raises(TypeError, match="not one path"):
        corpus.read(str(tmp_path))
    with pytest.raises(ValueError, match="empty"):
        corpus.read([])
    with pytest.raises(TypeError, match="there is no option encoding; there are container"):
        corpus.read([tmp_path], encoding="x")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="container is one of"):
        corpus.read([tmp_path], container="rar")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="fallback"):
        corpus.read([tmp_path], fallback="klingon")
    with pytest.raises(ValueError, match="max_record"):
        corpus.read([tmp_path], max_record=0)
    with pytest.raises(TypeError, match="bytes"):
        corpus.read_file("text", io.StringIO("text"))  # type: ignore[arg-type]


def test_files_are_those_that_are_read(tmp_path: pathlib.Path) -> None:
    for name in ("b/2.txt", "b/1.txt", "a.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"text")
    (tmp_path / "b" / "link.txt").symlink_to(tmp_path / "a.txt")
    names = corpus.files([tmp_path])
    assert sorted(names) == sorted(str(row["source"]) for row in rows(corpus.read([tmp_path])))
    assert corpus.files([str(tmp_path / "[ac].txt")]) == [str(tmp_path / "a.txt"), str(tmp_path / "c.txt")]


def test_threads_share_an_iterator(archive: pathlib.Path) -> None:
    whole = len(rows(corpus.read([archive] * 50)))
    shared = corpus.read([archive] * 50)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(rows(shared)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_does_not_read_on(archive: pathlib.Path) -> None:
    """It has the same open files, so that each of the two would miss what the other one reads."""
    program = f"""
import os
from simdtext import corpus
later = corpus.read([{str(archive)!r}])
rows = corpus.read([{str(archive)!r}])
next(rows)
child = os.fork()
if child == 0:
    try:
        next(rows)
    except RuntimeError as error:
        print(error, flush=True)
    print(sum(map(len, later)) > 0, flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
list(rows)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "the rows are read in the process that began to\nTrue\n", done.stderr


def test_command(archive: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-m", "simdtext.corpus"]
    out = tmp_path / "out"
    done = subprocess.run([*command, str(archive), "--out", str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    table = pyarrow.parquet.read_table(out / "text")
    whole = rows(corpus.read([archive]))
    assert table.column("text").to_pylist() == [row["text"] for row in whole if row["reason"] is None]
    again = subprocess.run([*command, str(archive), "--out", str(out)], capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "not empty" in again.stderr
    for arguments, message in ((["--engine", "hadoop"], "local, ray or spark"), ([], "--out")):
        done = subprocess.run([*command, *arguments, "x"], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert message in done.stderr
