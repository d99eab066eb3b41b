"""A run on Ray."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow
import ray
from pyarrow import compute

from ..ray import read_corpus
from . import Options
from ._parts import counted


def run(
    inputs: Sequence[str], out: str, address: str | None, split_bytes: int, options: Options
) -> tuple[int, int, int]:
    """Writes the rows of all inputs; returns the numbers of rows, of rejected records, and of faults."""
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    rows = read_corpus(inputs, split_bytes=split_bytes, **options)
    rows = rows.map_batches(_marked, batch_format="pyarrow")
    rows.write_parquet(out, partition_cols=["rejected"], compression="zstd")
    return counted(out)


def _marked(table: pyarrow.Table) -> pyarrow.Table:
    is_rejected = compute.is_valid(table.column("reason"))
    return table.append_column("rejected", compute.if_else(is_rejected, "true", "false"))
