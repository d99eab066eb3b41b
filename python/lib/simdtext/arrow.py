"""Columns of bytes to columns of text and back, over Arrow's PyCapsule interface.

Functions accept anything that has `__arrow_c_array__` or `__arrow_c_stream__`, without a copy: arrays and columns of
pyarrow, polars, nanoarrow and arro3, and tables of one column, such as DuckDB's relations. These libraries can read
what the functions return.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, overload

from ._engine import Array, ChunkedArray, arrow_decode, arrow_encode, arrow_idle_memory, arrow_release_memory

__all__ = [
    "Array",
    "ArrowArray",
    "ArrowStream",
    "ChunkedArray",
    "decode",
    "decode_text",
    "encode",
    "idle_memory",
    "release_memory",
]

_Bom = Literal["sniff", "strip", "keep"]
_Column = Literal["text", "encoding", "evidence", "errors", "first_error_offset"]
_OnMalformed = Literal["replace", "null", "strict"]
_OnUnmappable = Literal["strict", "null", "replace", "ignore", "xmlcharrefreplace"]


class ArrowArray(Protocol):
    """An array that can be read over the PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """A column in chunks that can be read over the PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@overload
def decode(
    array: ArrowArray,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    columns: Sequence[_Column] | None = None,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> Array: ...
@overload
def decode(
    array: ArrowStream,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    columns: Sequence[_Column] | None = None,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> ChunkedArray: ...
def decode(
    array: ArrowArray | ArrowStream,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    columns: Sequence[_Column] | None = None,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> Array | ChunkedArray:
    """Decodes bytes to structs of `text`, `encoding`, `evidence`, `errors` and `first_error_offset`.

    `encoding` is a label for all values, an array with one for each, or `None`. With `None`, or a label `"auto"`, the
    encoding of each value is detected: from a byte order mark, from a declaration, by being valid UTF-8, or else by
    how plausible it is as text. Detection uses `content_type`, the header that came with the values, and `fallback`,
    the encoding if nothing determines it.

    `columns` are the fields to make, by default all. `errors` says what becomes of malformed values: U+FFFD for each
    malformed sequence (`"replace"`), null (`"null"`), or an exception (`"strict"`). `null_label` and `unknown_label`
    say what becomes of values whose label is null or unknown: `"null"`, `"error"`, `"auto"`, or a label to use.

    The text of `Binary` is `Utf8`, that of `LargeBinary` `LargeUtf8`, and that of `BinaryView` `Utf8View`, whose ASCII
    and UTF-8 values are not copied. Chunks, and arrays of 1 MiB or more, are decoded on all cores, with the GIL
    released.
    """
    return arrow_decode(
        array,
        encoding,
        columns=columns,
        errors=errors,
        bom=bom,
        null_label=null_label,
        unknown_label=unknown_label,
        content_type=content_type,
        fallback=fallback,
    )


@overload
def decode_text(
    array: ArrowArray,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> Array: ...
@overload
def decode_text(
    array: ArrowStream,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> ChunkedArray: ...
def decode_text(
    array: ArrowArray | ArrowStream,
    encoding: str | ArrowArray | ArrowStream | None = None,
    *,
    errors: _OnMalformed = "replace",
    bom: _Bom = "sniff",
    null_label: str = "null",
    unknown_label: str = "error",
    content_type: str | None = None,
    fallback: str | None = None,
) -> Array | ChunkedArray:
    """Decodes bytes to text alone: the field `text` of the result of `decode()`."""
    structs = arrow_decode(
        array,
        encoding,
        columns=("text",),
        errors=errors,
        bom=bom,
        null_label=null_label,
        unknown_label=unknown_label,
        content_type=content_type,
        fallback=fallback,
    )
    return structs["text"]


@overload
def encode(
    array: ArrowArray,
    encoding: str | ArrowArray | ArrowStream,
    *,
    errors: _OnUnmappable = "strict",
    null_label: str = "null",
    unknown_label: str = "error",
) -> Array: ...
@overload
def encode(
    array: ArrowStream,
    encoding: str | ArrowArray | ArrowStream,
    *,
    errors: _OnUnmappable = "strict",
    null_label: str = "null",
    unknown_label: str = "error",
) -> ChunkedArray: ...
def encode(
    array: ArrowArray | ArrowStream,
    encoding: str | ArrowArray | ArrowStream,
    *,
    errors: _OnUnmappable = "strict",
    null_label: str = "null",
    unknown_label: str = "error",
) -> Array | ChunkedArray:
    """Encodes text to bytes: `Utf8` to `Binary`, `LargeUtf8` to `LargeBinary`, `Utf8View` to `BinaryView`.

    `encoding` is a label for all texts, or an array with one for each. `errors` says what becomes of a text with
    characters that its encoding lacks: an exception (`"strict"`), null (`"null"`), or for each such character `?`
    (`"replace"`), nothing (`"ignore"`), or a numeric character reference (`"xmlcharrefreplace"`). `null_label` and
    `unknown_label` have the meaning that they have in `decode()`.
    """
    return arrow_encode(
        array,
        encoding,
        errors=errors,
        null_label=null_label,
        unknown_label=unknown_label,
    )


def idle_memory() -> int:
    """Returns the number of bytes kept for later results: large buffers of results that were dropped, 512 MiB at
    most.
    """
    return arrow_idle_memory()


def release_memory() -> None:
    """Frees the memory that is kept for later results."""
    arrow_release_memory()
