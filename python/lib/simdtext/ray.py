"""Corpora on a Ray cluster: simdtext reads, divides and decodes, and Ray Data does everything else."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pyarrow
import ray.data

from .corpus import Options, _Path
from .corpus._parts import batches, decode_values, labels_of, units

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["decode", "read_corpus"]


def read_corpus(
    paths: Iterable[_Path], *, split_bytes: int = 64 << 20, **options: Unpack[Options]
) -> ray.data.Dataset:
    """Reads all records of files, of the files below folders and of glob patterns, as the rows of `simdtext.corpus.read()`.

    Each task reads a unit of about `split_bytes` bytes: a part of a plain WARC, another file, or several small ones.
    Workers need the files under the same paths; paths with `://` are read with fsspec.
    """
    found = units(paths, split_bytes, options)
    # Ray would make columns of anything but bytes.
    items = [{"unit": pickle.dumps(unit)} for unit in found]

    def read(table: pyarrow.Table) -> Iterator[pyarrow.Table]:
        for unit in table.column("unit"):
            for batch in batches(pickle.loads(unit.as_py()), options):
                yield pyarrow.Table.from_batches([batch])

    return ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        read, batch_size=1, batch_format="pyarrow"
    )


def decode(
    ds: ray.data.Dataset, column: str, *, encoding: str = "auto", into: str = "decoded"
) -> ray.data.Dataset:
    """Decodes a column of bytes into a column of structs: text, encoding, evidence, errors, first_error_offset.

    `encoding` is `"auto"`, the name of a column of labels, or a label. If a label in the column is null or unknown,
    the value's encoding is detected.
    """

    def decode_batch(table: pyarrow.Table) -> pyarrow.Table:
        if into in table.column_names:
            raise ValueError(f"there is a column {into!r} already; name another one by into=")
        labels, label = labels_of(encoding, table.column_names)
        values = decode_values(table.column(column), label if labels is None else table.column(labels))
        return table.append_column(into, values)

    return ds.map_batches(decode_batch, batch_format="pyarrow")
