"""A run on Spark."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, count, sum, when

from ..spark import read_corpus
from . import Options
from ._parts import FAULTS

#: Variables that may name a cluster.
_SETTINGS = {"MASTER", "SPARK_CONF_DIR", "SPARK_HOME", "SPARK_REMOTE"}


def run(
    inputs: Sequence[str], out: str, address: str | None, split_bytes: int, options: Options
) -> tuple[int, int, int]:
    """Writes the rows of all inputs; returns the numbers of rows, of rejected records, and of faults."""
    is_local = address.startswith("local") if address else not _SETTINGS & set(os.environ)
    if is_local:
        # Otherwise Spark takes the first python3 on the path, which may lack this package.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("simdtext.corpus")
    spark = (builder.master(address) if address else builder).getOrCreate()
    rows = read_corpus(spark, inputs, split_bytes=split_bytes, **options)
    marked = rows.withColumn("rejected", col("reason").isNotNull())
    marked.write.partitionBy("rejected").option("compression", "zstd").parquet(out)
    is_fault = when(col("reason").isin(*FAULTS), 1).otherwise(0)
    of_all = spark.read.schema(rows.schema).parquet(out).agg(count("*"), count("reason"), sum(is_fault)).first()
    every, rejected, faults = of_all or (0, 0, 0)
    spark.stop()
    return every - rejected, rejected, faults or 0
