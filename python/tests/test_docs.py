"""Every block of docs/python.md runs."""

from __future__ import annotations

import os
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("at", range(len(BLOCKS)))
def test_block(at: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if folder := os.environ.get("SIMDTEXT_DOC_BLOCKS"):
        # For type checkers.
        pathlib.Path(folder, f"block_{at}.py").write_text(BLOCKS[at], encoding="utf-8")
    exec(compile(BLOCKS[at], f"{PAGE.name}, block {at}", "exec"), {})


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 6
