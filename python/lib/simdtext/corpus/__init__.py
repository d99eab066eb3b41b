"""Whole corpora: files, web archives, tar, zip, JSON lines, Parquet and mail to rows of text.

`read()` yields batches of Arrow, one row for each record, with its text, the encoding that it was in and where it is
from; records that give no text are rows, too, with `reason` and `detail`. `splits()` and `read_split()` divide the work:
`simdtext.ray` and `simdtext.spark` are built on them. `python -m simdtext.corpus` is the command.
"""

from __future__ import annotations

import glob as _glob
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, TypedDict

try:
    from .._engine import (
        Array,
        Batches,
        corpus_no_rows,
        corpus_read,
        corpus_read_file,
        corpus_read_split,
        corpus_splits,
    )
except ImportError as error:
    raise ImportError("simdtext was built without its feature `corpus`") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Batches",
    "Options",
    "Split",
    "files",
    "no_rows",
    "read",
    "read_file",
    "read_split",
    "splits",
]

_Path = str | os.PathLike[str]


class Options(TypedDict, total=False):
    """How records are read; each may be left out."""

    #: What the files hold; where it is not said, their first bytes and their names tell.
    container: Literal["file", "warc", "tar", "zip", "jsonl", "parquet", "mbox"] | None
    #: The field of JSON lines, or the column of Parquet, that holds the document: `"content"`.
    content: str
    #: The field that holds its URL: `"url"`.
    url: str
    #: The field that holds its Content-Type: `"content_type"`.
    content_type: str
    #: Whether the document is in base64, where it is a string.
    base64: bool
    #: Bytes that a record may have, decompressed: 16 MiB. Larger ones are rejected.
    max_record: int
    #: How many times as large as it is compressed a record may become: 500.
    max_ratio: int
    #: The encoding of records for which nothing tells it and no guess is plausible. They are rejected where it is
    #: not said.
    fallback: str | None


_DEFAULTS = {
    "container": None,
    "content": "content",
    "url": "url",
    "content_type": "content_type",
    "base64": False,
    "max_record": 16 << 20,
    "max_ratio": 500,
    "fallback": None,
}


def _all(options: Options) -> dict[str, object]:
    unknown = sorted(set(options) - set(_DEFAULTS))
    if unknown:
        raise TypeError(f"there is no option {', '.join(unknown)}; there are {', '.join(_DEFAULTS)}")
    return {**_DEFAULTS, **options}


class Split(NamedTuple):
    """A part of a file: the records that begin in it."""

    #: The file.
    path: str
    #: Where the first of them begins, in bytes.
    start: int = 0
    #: Where the first begins that is not among them.
    end: int = 2**64 - 1
    #: The number of the first of them in the file.
    first_record: int = 0


def read(paths: Iterable[_Path], **options: Unpack[Options]) -> Batches:
    """Reads all records of files, and of the files below folders, in the order of their names.

    A file that can't be read is a row that says so (`reason` is `"unreadable"`); `FileNotFoundError` is raised for a
    path that does not exist.
    """
    names = _names(paths)
    for name in names:
        os.lstat(name)
    return corpus_read(names, _all(options))


def _names(paths: Iterable[_Path]) -> list[str]:
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError("paths must be an iterable of paths, not one path")
    names = [os.fspath(path) for path in paths]
    if not names:
        raise ValueError("paths is empty")
    return names


def splits(path: _Path, bytes: int = 64 << 20, **options: Unpack[Options]) -> list[Split]:
    """Divides a file into parts of about so many bytes, which give its records when they are read in any order.

    A plain WARC is divided between its records, whose headers are read for that; any other file is one part.
    """
    if bytes < 1:
        raise ValueError("bytes is less than 1")
    name = os.fspath(path)
    return [Split(name, *part) for part in corpus_splits(name, bytes, _all(options))]


def read_split(split: Split, **options: Unpack[Options]) -> Batches:
    """Reads the records of a part of a file. Where the file can't be opened, there is one row, which says so."""
    path, *part = split
    return corpus_read_split(path, tuple(part), _all(options))


def read_file(name: str, file: BinaryIO, **options: Unpack[Options]) -> Batches:
    """Reads the records of a file object that can seek, such as fsspec's; `name` is what `source` says of them."""
    if not isinstance(file.read(0), bytes):
        raise TypeError(f"{name}: the file object does not give bytes; open it with mode 'rb'")
    if not file.seekable():
        raise ValueError(f"{name}: the file object can't seek")
    return corpus_read_file(name, file, _all(options))


def no_rows() -> Array:
    """An array without rows, which has the columns."""
    return corpus_no_rows()


def files(paths: Iterable[_Path]) -> list[str]:
    """The files that paths stand for, in the order of their names: those below folders, and what `*`, `?` and `[` match.

    Paths such as `s3://bucket/crawl/*.warc.gz` are fsspec's, which has to be installed with what reads such storage.
    `FileNotFoundError` is raised for what does not exist or matches nothing.
    """
    return [name for path in _names(paths) for name in _files(path)]


def _files(path: str) -> Iterator[str]:
    if "://" in path:
        yield from _remote_files(path)
        return
    found = [path] if os.path.lexists(path) else sorted(_glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(f"{path}: there is no such file")
    for one in found:
        if not os.path.isdir(one):
            yield one
            continue
        for folder, folders, names in os.walk(one, onerror=_raise):
            folders.sort()
            for name in sorted(names):
                file = os.path.join(folder, name)
                # As everywhere, links below a folder are not followed, and pipes are not opened.
                if os.path.isfile(file) and not os.path.islink(file):
                    yield file


def _raise(error: OSError) -> None:
    raise error


def _remote_files(path: str) -> list[str]:
    import fsspec

    system, name = fsspec.core.url_to_fs(path)
    if any(character in name for character in "*?["):
        found = [one for one in system.glob(name) if system.isfile(one)]
    else:
        found = system.find(name)
    if not found:
        raise FileNotFoundError(f"{path}: there is no such file")
    return [str(system.unstrip_protocol(one)) for one in sorted(found)]
