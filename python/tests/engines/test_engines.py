"""The rows of Ray and Spark are those of this machine alone, also where a worker is killed.

`SIMDTEXT_CORPUS` names a folder of archives, as `make_corpus` writes them; `.ci/engines` runs this.
"""

from __future__ import annotations

import logging
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest
import ray
from pyspark.sql import SparkSession

import simdtext.ray
import simdtext.spark
from simdtext import corpus

CORPUS = os.environ["SIMDTEXT_CORPUS"]
ORDER = [("source", "ascending"), ("record", "ascending")]
SPLIT = 1 << 20
T = TypeVar("T")


def in_order(table: pyarrow.Table) -> list[dict[str, object]]:
    return list(table.sort_by(ORDER).to_pylist())


@pytest.fixture(scope="module")
def local() -> list[dict[str, object]]:
    return in_order(pyarrow.table(corpus.read([CORPUS])))


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # A task is tried four times, as on a cluster.
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.memory", "2g").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def by_ray() -> pyarrow.Table:
    dataset = simdtext.ray.read_corpus([CORPUS], split_bytes=SPLIT)
    return pyarrow.concat_tables(ray.get(dataset.to_arrow_refs()))


def processes() -> Iterator[tuple[int, int, str]]:
    """The number, the parent and the command line of each process."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        yield int(folder.name), parent, command


def ray_workers() -> list[int]:
    return [pid for pid, _, command in processes() if command.startswith("ray::MapBatches(read)")]


def spark_workers() -> list[int]:
    # Others list the splits, with modules of their own; Spark does not try that again.
    module = "-m pyspark.daemon pyspark.worker"
    daemons = {pid: parent for pid, parent, command in processes() if module in command}
    return [pid for pid, parent in daemons.items() if parent in daemons]


WORKERS = {"ray": ray_workers, "spark": spark_workers}


def with_one_killed(workers: Callable[[], list[int]], work: Callable[[], T]) -> T:
    """Does `work`, and kills a worker that has read for some time."""
    killed: list[int] = []
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.is_set():
            at_work = workers()
            if at_work:
                time.sleep(0.1)
                try:
                    os.kill(at_work[0], signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed.append(at_work[0])
                return
            time.sleep(0.01)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        result = work()
    finally:
        is_over.set()
        thread.join()
    assert killed, "no worker was seen"
    return result


def test_ray_gives_the_same_rows(cluster: None, local: list[dict[str, object]]) -> None:
    assert in_order(by_ray()) == local


def test_spark_gives_the_same_rows(spark: SparkSession, local: list[dict[str, object]]) -> None:
    frame = simdtext.spark.read_corpus(spark, [CORPUS], split_bytes=SPLIT)
    assert frame.rdd.getNumPartitions() > 8
    assert in_order(frame.toArrow()) == local


def test_ray_survives_the_death_of_a_worker(cluster: None, local: list[dict[str, object]]) -> None:
    assert in_order(with_one_killed(ray_workers, by_ray)) == local


def test_spark_survives_the_death_of_a_worker(spark: SparkSession, local: list[dict[str, object]]) -> None:
    # Warm workers are at work at once.
    frame = simdtext.spark.read_corpus(spark, [CORPUS], split_bytes=SPLIT)
    assert in_order(with_one_killed(spark_workers, frame.toArrow)) == local


ENCODED = [("日本".encode("shift_jis"), "shift_jis"), ("日本".encode(), None), (None, "big5"), (b"caf\xe9", "latin1")]
TEXTS = ["日本", "日本", None, "café"]


def test_ray_decodes_a_column(cluster: None) -> None:
    dataset = ray.data.from_items([{"b": value, "l": label} for value, label in ENCODED])
    decoded = simdtext.ray.decode(dataset, "b", encoding="l").take_all()
    assert [row["decoded"] and row["decoded"]["text"] for row in decoded] == TEXTS
    as_one = simdtext.ray.decode(dataset, "b", encoding="sjis", into="as_one").take_all()
    assert as_one[0]["as_one"]["encoding"] == "Shift_JIS"
    with pytest.raises(Exception, match="klingon"):
        simdtext.ray.decode(dataset, "b", encoding="klingon").take_all()


def test_spark_decodes_a_column(spark: SparkSession) -> None:
    rows = [(None if value is None else bytearray(value), label) for value, label in ENCODED]
    frame = spark.createDataFrame(rows, "b binary, l string")
    decoded = simdtext.spark.decode_column(frame, "b", "l").collect()
    assert [row.decoded and row.decoded.text for row in decoded] == TEXTS
    auto = simdtext.spark.decode_column(frame, "b", into="auto").collect()
    assert auto[1].auto.evidence == "utf-8"
    for arguments, message in ((("b", "klingon"), "klingon"), (("x",), "no column"), (("l",), "only binary")):
        with pytest.raises((ValueError, TypeError), match=message):
            simdtext.spark.decode_column(frame, *arguments)


def test_spark_reads_by_the_name_of_the_source(spark: SparkSession, local: list[dict[str, object]]) -> None:
    spark.dataSource.register(simdtext.spark.CorpusSource)
    assert spark.read.format("simdtext").load(CORPUS).count() == len(local)
    with pytest.raises(Exception, match="there is no such file"):
        spark.read.format("simdtext").load(f"{CORPUS}/missing*").count()


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_command(engine: str, tmp_path: pathlib.Path, local: list[dict[str, object]]) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "simdtext.corpus", "--engine", engine, CORPUS, "--out", str(out)]
    command += ["--split-size", "1M"]
    if engine == "spark":
        command += ["--address", "local[2,4]"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)

    # Those of the tests above are idle.
    others = set(WORKERS[engine]())
    done = with_one_killed(lambda: [pid for pid in WORKERS[engine]() if pid not in others], run)
    # The corpus has damaged records.
    assert done.returncode == 1, done.stderr
    rejected = [row for row in local if row["reason"] is not None]
    assert f"{len(local) - len(rejected)} rows, {len(rejected)} rejected records" in done.stdout
    table = pyarrow.dataset.dataset(out, format="parquet", partitioning="hive").to_table()
    assert in_order(table.drop_columns("rejected")) == local
    files = f"{out}/rejected=false/*.parquet"
    texts = len(local) - len(rejected)
    assert polars.scan_parquet(files).select(polars.len()).collect().item() == texts
    assert duckdb.execute(f"select count(text) from '{files}'").fetchall() == [(texts,)]
    again = run()
    assert again.returncode == 2
    assert "not empty" in again.stderr


def test_guide(cluster: None, spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """The blocks of docs/clusters.md run."""
    guide = pathlib.Path(__file__).parents[3] / "docs/clusters.md"
    blocks = re.findall("^```python\n(.*?)^```$", guide.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    by_ray, by_spark = (
        block.replace("/shared/crawl/*.warc.gz", f"{CORPUS}/*0*.gz")
        .replace("/shared/crawl", CORPUS)
        .replace("/shared/corpus", f"{tmp_path}/out")
        .replace("/shared/pages.parquet", f"{tmp_path}/pages.parquet")
        for block in blocks
    )
    pages = pyarrow.table({"content": ["é".encode()], "charset": ["utf-8"]})
    pyarrow.parquet.write_table(pages, f"{tmp_path}/pages.parquet")
    names: dict[str, Any] = {}
    exec(by_ray, names)
    assert names["texts"].count() > 1000
    assert names["decoded"].take_all()[0]["decoded"]["text"] == "é"
    names = {}
    exec(by_spark, names)
    assert names["decoded"].first().decoded.text == "é"
    assert polars.read_parquet(f"{tmp_path}/out/*.parquet").columns == ["url", "encoding", "text"]
    assert spark.table("crawl").count() > 1000


def test_engine_that_fails(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-m", "simdtext.corpus", "--engine", "spark", "--address", "nonsense", CORPUS, "--out"]
    done = subprocess.run([*command, str(tmp_path / "out")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "spark failed, and the output is not complete" in done.stderr
