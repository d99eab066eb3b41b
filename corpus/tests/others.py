"""What others read in a corpus: pyarrow, polars and duckdb the same table, warcio the same documents in the archives.

    others.py INPUTS OUTPUT      the folder that make_corpus made, and the one that simdtext-corpus wrote
"""

import glob
import hashlib
import json
import sys

import duckdb
import polars
import pyarrow.dataset
from warcio.archiveiterator import ArchiveIterator


def tables(out: str) -> None:
    table = pyarrow.dataset.dataset(f"{out}/text").to_table()
    rows = table.num_rows
    text = table.column("text").to_pylist()
    length = sum(len(it.encode()) for it in text)
    assert polars.read_parquet(f"{out}/text/*.parquet").shape == (rows, table.num_columns)
    query = f"select count(*), sum(strlen(text)), sum(malformed) from '{out}/text/*.parquet'"
    assert duckdb.sql(query).fetchall() == [(rows, length, sum(table.column("malformed").to_pylist()))]
    print(f"{rows} rows, {length} bytes of text: the same for pyarrow, polars and duckdb")


def archives(inputs: str, out: str) -> None:
    columns = ["source", "record", "record_offset", "sha256"]
    table = pyarrow.dataset.dataset(f"{out}/text").to_table(columns)
    found = {(row["source"], row["record"]): row for row in table.to_pylist()}
    for path in glob.glob(f"{out}/rejected/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                found[row["source"], row["record"]] = row
    same = 0
    # Those that warcio reads: plain, or compressed record by record.
    paths = [it for it in glob.glob(f"{inputs}/0*.warc*") if it.endswith((".warc", ".warc.gz")) and "whole" not in it]
    for path in paths:
        with open(path, "rb") as file:
            archive = ArchiveIterator(file)
            for number, record in enumerate(archive):
                body = record.content_stream().read()
                row = found.get((path, number))
                if record.rec_type not in ("response", "resource", "conversion"):
                    assert row is None, (path, number)
                    continue
                assert row is not None, (path, number)
                offset = archive.get_record_offset()
                assert row["record_offset"] == offset, (path, number, row)
                headers = record.http_headers
                codings = headers and (headers.get_header("Content-Encoding"), headers.get_header("Transfer-Encoding"))
                # It does not know zstd, and loses bytes where chunks are in no gzip although the headers say so.
                if not codings or codings[0] != "zstd" and codings != ("gzip", "chunked"):
                    assert row["sha256"] == hashlib.sha256(body).hexdigest(), (path, number, row)
                    same += 1
    assert same > 100
    print(f"{same} documents: the same for warcio")


if __name__ == "__main__":
    tables(sys.argv[2])
    archives(*sys.argv[1:3])
