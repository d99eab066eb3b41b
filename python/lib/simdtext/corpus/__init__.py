"""Whole corpora: reads files, web archives, tar, zip, JSON lines, Parquet and mail as rows of text.

`read()` yields Arrow batches with one row for each record: its text, the encoding that it was in, and where it comes
from. Records without text are rows as well, with a `reason` and a `detail`. `splits()` and `read_split()` divide the
work; `simdtext.ray` and `simdtext.spark` are built on them. `python -m simdtext.corpus` is the command.
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
    """Options for reading records; each may be omitted."""

    #: What the files contain. By default, their first bytes and their names determine it.
    container: Literal["file", "warc", "tar", "zip", "jsonl", "parquet", "mbox"] | None
    #: The field of JSON lines, or the column of Parquet, that holds the document. Default: `"content"`.
    content: str
    #: The field or column that holds the document's URL. Default: `"url"`.
    url: str
    #: The field or column that holds its Content-Type. Default: `"content_type"`.
    content_type: str
    #: Whether a document that is a string is in base64.
    base64: bool
    #: The maximum size of a decompressed record in bytes. Larger ones are rejected. Default: 16 MiB.
    max_record: int
    #: How many times its compressed size a decompressed record may be. Default: 500.
    max_ratio: int
    #: The encoding of records that do not declare one and for which no guess is plausible. Without it, they are
    #: rejected.
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
    """A part of a file: the records that begin in a range of its bytes."""

    #: The path of the file.
    path: str
    #: The offset of the first record, in bytes.
    start: int = 0
    #: The offset, in bytes, of the first record after this part.
    end: int = 2**64 - 1
    #: The number of the first record in the file, counted from 0.
    first_record: int = 0


def read(paths: Iterable[_Path], **options: Unpack[Options]) -> Batches:
    """Reads all records of files, and of the files below folders, in the order of their names.

    A file that can't be read gives a row that says so (`reason` is `"unreadable"`). A path that does not exist raises
    `FileNotFoundError`.
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
    """Divides a file into parts of about `bytes` bytes. Read in any order, they give the records of the file.

    A plain WARC is divided between its records, whose headers are read for that; any other file is one part.
    """
    if bytes < 1:
        raise ValueError("bytes is less than 1")
    name = os.fspath(path)
    return [Split(name, *part) for part in corpus_splits(name, bytes, _all(options))]


def read_split(split: Split, **options: Unpack[Options]) -> Batches:
    """Reads the records of a part of a file. If the file can't be opened, a single row says so."""
    path, *part = split
    return corpus_read_split(path, tuple(part), _all(options))


def read_file(name: str, file: BinaryIO, **options: Unpack[Options]) -> Batches:
    """Reads the records of a seekable file object, such as fsspec's, from its start; `name` is the rows' `source`."""
    if not isinstance(file.read(0), bytes):
        raise TypeError(f"{name}: the file object does not give bytes; open it with mode 'rb'")
    if not file.seekable():
        raise ValueError(f"{name}: the file object can't seek")
    return corpus_read_file(name, file, _all(options))


def no_rows() -> Array:
    """An array without rows that has these columns."""
    return corpus_no_rows()


def files(paths: Iterable[_Path]) -> list[str]:
    """The files that paths name, in the order of their names: also those below folders and those that `*`, `?` and `[` match.

    Paths such as `s3://bucket/crawl/*.warc.gz` need fsspec and its package for that storage. A path that does not
    exist, or a pattern that matches nothing, raises `FileNotFoundError`.
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
                # As everywhere in simdtext, links below a folder are not followed, and pipes are not opened.
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
