"""What the tests share."""

from __future__ import annotations

import pathlib
import signal

import pytest

import simdtext

# A shell makes processes in the background ignore SIGINT, and Python keeps it that way.
signal.signal(signal.SIGINT, signal.default_int_handler)

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"
ENCODABLE = [name for name in simdtext.names if name != "replacement"]
#: Texts in each of the three forms in which CPython stores a `str`, short and long.
TEXTS = ["", "abc", "naïve", "ÿ", "日本語", "Привет", "𝒳 日", "aé日𝒳", "é" * 5000, "日é" * 3000, "𝒳b" * 3000]


@pytest.fixture(params=simdtext.names)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def sample_of(encoding: str) -> bytes:
    """Bytes in an encoding: of the samples, or all bytes."""
    found = sorted(SAMPLES.glob(f"*.{encoding.lower()}.txt"))
    return found[-1].read_bytes() if found else bytes(range(256))
