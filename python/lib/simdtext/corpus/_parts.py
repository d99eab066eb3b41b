"""The units of work that engines pass to their workers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from . import Options, Split, _Path, files, no_rows, read_file, read_split, splits

if TYPE_CHECKING:
    import pyarrow

#: Reasons that mean a fault of the input itself, not of what it contains.
FAULTS = ("bomb", "damaged", "unreadable")


def units(paths: Iterable[_Path], split_bytes: int, options: Options) -> list[list[Split]]:
    """All files, in units of about `split_bytes` bytes: a part of a large plain WARC, another large file, or small files.

    Each file in storage that fsspec reads is a unit.
    """
    found: list[list[Split]] = []
    small: list[Split] = []
    size = 0
    for file in files(paths):
        if "://" in file:
            found.append([Split(file)])
            continue
        try:
            file_size = os.path.getsize(file)
            parts = splits(file, split_bytes, **options) if file_size > split_bytes else [Split(file)]
        except OSError:
            # The worker that reads it reports this in a row.
            file_size, parts = 0, [Split(file)]
        if file_size >= split_bytes:
            found += [[part] for part in parts]
            continue
        if size + file_size > split_bytes and small:
            found.append(small)
            small, size = [], 0
        small += parts
        size += file_size
    return [*found, small] if small else found


def batches(unit: Iterable[Split], options: Options) -> Iterator[pyarrow.RecordBatch]:
    """The rows of a unit."""
    import pyarrow

    for split in unit:
        if "://" not in split.path:
            for batch in read_split(split, **options):
                yield pyarrow.record_batch(batch)
            continue
        import fsspec

        with fsspec.open(split.path, "rb") as file:
            for batch in read_file(split.path, file, **options):
                yield pyarrow.record_batch(batch)


def schema() -> pyarrow.Schema:
    """The schema of the rows."""
    import pyarrow

    return pyarrow.record_batch(no_rows()).schema


def labels_of(encoding: str, columns: Iterable[str]) -> tuple[str | None, str | None]:
    """What `encoding` means, given these columns: the name of the column with the labels, or a label for all values."""
    if encoding in columns:
        return encoding, None
    if encoding == "auto":
        return None, None
    from .. import lookup

    try:
        return None, lookup(encoding)
    except LookupError:
        message = f'encoding is "auto", a column, or a label of an encoding; {encoding!r} is none of these'
        raise ValueError(message) from None


def decode_values(
    values: pyarrow.Array | pyarrow.ChunkedArray,
    labels: pyarrow.Array | pyarrow.ChunkedArray | str | None,
) -> pyarrow.Array | pyarrow.ChunkedArray:
    """Decodes a column. If a label is null, unknown or `"auto"`, the value's encoding is detected."""
    import pyarrow

    from ..arrow import decode

    # A block of nothing but nulls has the null type.
    if pyarrow.types.is_null(values.type):
        values = values.cast(pyarrow.binary())
    if isinstance(labels, (pyarrow.Array, pyarrow.ChunkedArray)) and pyarrow.types.is_null(labels.type):
        labels = labels.cast(pyarrow.string())
    decoded = decode(values, labels, null_label="auto", unknown_label="auto")
    if isinstance(values, pyarrow.ChunkedArray):
        chunks = [_plain(chunk) for chunk in pyarrow.chunked_array(decoded).chunks]
        return pyarrow.chunked_array(chunks, type=decoded_type())
    return _plain(pyarrow.array(decoded))


def decoded_type() -> pyarrow.StructType:
    """The type of decoded values: without dictionaries and unsigned numbers, which not every engine has."""
    import pyarrow

    return pyarrow.struct(
        [
            ("text", pyarrow.string()),
            ("encoding", pyarrow.string()),
            ("evidence", pyarrow.string()),
            ("errors", pyarrow.int64()),
            ("first_error_offset", pyarrow.int64()),
        ]
    )


def _plain(decoded: pyarrow.StructArray) -> pyarrow.StructArray:
    import pyarrow

    fields = list(decoded_type())
    columns = [decoded.field(field.name).cast(field.type) for field in fields]
    return pyarrow.StructArray.from_arrays(columns, fields=fields, mask=decoded.is_null())


def counted(out: str) -> tuple[int, int, int]:
    """The numbers of rows, of rejected records and of faults in the output of a run."""
    import pyarrow.dataset

    found = pyarrow.dataset.dataset(out, format="parquet", partitioning="hive")
    reason = pyarrow.dataset.field("reason")
    every, rejected = found.count_rows(), found.count_rows(filter=reason.is_valid())
    return every - rejected, rejected, found.count_rows(filter=reason.isin(FAULTS))
