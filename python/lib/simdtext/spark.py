"""Corpora on Spark 4: simdtext reads, divides and decodes, and Spark does everything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import StructField, StructType

from .corpus import Options, Split, _Path
from .corpus._parts import batches, decode_values, decoded_type, labels_of, schema, units

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["CorpusSource", "decode_column", "read_corpus"]

_SPLIT_BYTES = 64 << 20


def read_corpus(
    spark: SparkSession,
    paths: _Path | Iterable[_Path],
    *,
    split_bytes: int = _SPLIT_BYTES,
    **options: Unpack[Options],
) -> DataFrame:
    """Reads all records of files, of the files below folders and of glob patterns, as the rows of `simdtext.corpus.read()`.

    A partition is a unit of about `split_bytes` bytes: a part of a plain WARC, another file, or several small ones.
    Workers need the files under the same paths; paths with `://` are read with fsspec.
    """
    names = [paths] if isinstance(paths, str) or not isinstance(paths, Iterable) else paths
    spark.dataSource.register(CorpusSource)
    reader = spark.read.format(CorpusSource.name())
    reader = reader.option("paths", json.dumps([str(name) for name in names]))
    return reader.option("split_bytes", split_bytes).option("options", json.dumps(options)).load()


class CorpusSource(DataSource):
    """The data source `simdtext`: after it is registered, `spark.read.format("simdtext").load(path)` reads with it."""

    @classmethod
    def name(cls) -> str:
        return "simdtext"

    def schema(self) -> StructType:
        columns = [StructField(it.name, from_arrow_type(it.type), it.nullable) for it in schema()]
        return StructType(columns)

    def reader(self, schema: StructType) -> DataSourceReader:
        given = self.options
        if "paths" in given:
            paths = json.loads(given["paths"])
        elif "path" in given:
            paths = [given["path"]]
        else:
            raise ValueError("a path has to be given: load(path), or the option `paths`, a list in JSON")
        split_bytes = int(given.get("split_bytes", _SPLIT_BYTES))
        return _Reader(paths, split_bytes, json.loads(given.get("options", "{}")))


class _Unit(InputPartition):
    def __init__(self, splits: list[Split]) -> None:
        self.splits = splits


class _Reader(DataSourceReader):
    def __init__(self, paths: list[str], split_bytes: int, options: Options) -> None:
        self.paths = paths
        self.split_bytes = split_bytes
        self.read_options = options

    def partitions(self) -> list[InputPartition]:
        return [_Unit(unit) for unit in units(self.paths, self.split_bytes, self.read_options)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, _Unit)
        return batches(partition.splits, self.read_options)


def decode_column(df: DataFrame, column: str, encoding: str = "auto", *, into: str = "decoded") -> DataFrame:
    """Decodes a column of bytes into a column of structs: text, encoding, evidence, errors, first_error_offset.

    `encoding` is `"auto"`, the name of a column of labels, or a label. If a label in the column is null or unknown,
    the value's encoding is detected.
    """
    names = df.columns
    for name, has in ((column, True), (into, False)):
        if (name in names) != has:
            there = "there is no column" if has else "there is already a column"
            raise ValueError(f"{there} {name!r}; there are {', '.join(names)}")
    data_type = df.schema[column].dataType.simpleString()
    if data_type != "binary":
        raise TypeError(f"column {column!r} is {data_type}, and only binary can be decoded")
    labels, label = labels_of(encoding, names)
    if labels is not None and df.schema[labels].dataType.simpleString() != "string":
        raise TypeError(f"column {labels!r} has the labels, and is not of strings")

    def decode(rows: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in rows:
            decoded = decode_values(batch.column(column), label if labels is None else batch.column(labels))
            yield pyarrow.record_batch([*batch.columns, decoded], names=[*batch.schema.names, into])

    added = StructField(into, from_arrow_type(decoded_type()))
    return df.mapInArrow(decode, StructType([*df.schema.fields, added]))
