"""`simdtext.arrow` with polars, DuckDB, nanoarrow, arro3 and pandas, and the recipes of docs/arrow.md."""

from __future__ import annotations

import pathlib
import re

import arro3.core
import duckdb
import nanoarrow
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from simdtext import arrow

VALUES = [b"\x93\xfa\x96{", None, b"ascii, and more than twelve bytes", b""]
TEXTS = ["日本", None, "ascii, and more than twelve bytes", ""]

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "arrow.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_polars() -> None:
    values = pl.Series("body", VALUES)
    text = pl.Series("text", arrow.decode_text(values, "sjis"))
    assert text.dtype == pl.String
    assert text.to_list() == TEXTS
    assert pl.Series(arrow.encode(text, "sjis")).to_list() == VALUES
    by_row = arrow.decode_text(values.slice(1), pl.Series(["gbk", None, "utf-8"]))
    assert pl.Series(by_row).to_list() == [None, None, ""]
    chunks = pl.concat([values, values], rechunk=False)
    assert pl.Series(arrow.decode_text(chunks, "sjis")).to_list() == TEXTS * 2
    categories = pl.Series(["sjis", "sjis", "gbk", "gbk"], dtype=pl.Categorical)
    assert pl.Series(arrow.decode_text(values, categories)).to_list() == TEXTS
    frame = pl.DataFrame(arrow.decode(pl.Series([b"a", b"\xff"]), "utf-8"))
    assert frame.columns == ["text", "encoding", "evidence", "errors", "first_error_offset"]
    assert frame["first_error_offset"].to_list() == [None, 0]


def test_polars_views_are_shared() -> None:
    values = pl.Series([b"plain ascii text, in its buffer %d" % row for row in range(1000)])
    before = {buffer.address for buffer in pa.chunked_array(values).chunk(0).buffers()[2:]}
    text = pa.chunked_array(arrow.decode_text(values, "gbk")).chunk(0)
    assert {buffer.address for buffer in text.buffers()[2:]} == before


def test_duckdb() -> None:
    connection = duckdb.connect()
    pages = connection.query(r"select '\xC4\xE3'::blob as body from range(5000)")
    assert pages is not None
    decoded = arrow.decode(pages, "gbk")
    assert len(decoded) == 5000
    connection.register("decoded", pa.table(decoded))
    connection.execute("select text, errors, count(*) from decoded group by all")
    assert connection.fetchall() == [("你", 0, 5000)]
    pages = connection.query("select 'a'::blob, 'b'::blob")
    assert pages is not None
    with pytest.raises(TypeError, match="a table of 2 columns"):
        arrow.decode(pages, "gbk")


def test_nanoarrow() -> None:
    values = nanoarrow.Array(VALUES, nanoarrow.binary())
    assert nanoarrow.Array(arrow.decode_text(values, "sjis")).to_pylist() == TEXTS
    chunked = nanoarrow.Array.from_chunks([values, values])
    decoded = arrow.decode_text(chunked, "sjis")
    assert isinstance(decoded, arrow.ChunkedArray)
    assert nanoarrow.Array(decoded).to_pylist() == TEXTS * 2
    assert nanoarrow.ArrayStream(arrow.encode(decoded, "sjis")).read_all().to_pylist() == VALUES * 2


def test_arro3() -> None:
    values = arro3.core.Array.from_arrow(pa.array(VALUES))
    decoded = arro3.core.Array(arrow.decode_text(values, "sjis"))
    assert decoded.to_pylist() == TEXTS
    chunks = arro3.core.ChunkedArray([values, values])
    assert arro3.core.ChunkedArray(arrow.decode_text(chunks, "sjis")).to_pylist() == TEXTS * 2


def test_pandas() -> None:
    values = pd.Series(VALUES, dtype=pd.ArrowDtype(pa.binary()))
    text = pa.chunked_array(arrow.decode_text(pa.chunked_array(values), "sjis"))
    assert text.to_pylist() == TEXTS


@pytest.mark.parametrize("at", range(len(BLOCKS)))
def test_recipe(at: int) -> None:
    exec(compile(BLOCKS[at], f"{PAGE.name}, block {at}", "exec"), {})


def test_there_are_recipes() -> None:
    assert len(BLOCKS) >= 5
