"""The whole WHATWG Encoding Standard at vector speed: decode, encode, detect and convert legacy text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ._codecs import register
from ._engine import (
    Candidate,
    Conversion,
    Decision,
    Decoder,
    Detector,
    Encoder,
    FileReport,
    FirstValid,
    Guess,
    OffsetMap,
    Segment,
    Summary,
    UnknownLabelError,
    __version__,
    decode,
    detect,
    encode,
    first_valid,
    lookup,
    percent_encode_after_encoding,
    segments,
    sniff,
    undo_double_encoding,
)
from ._engine import encodings as _encodings
from ._files import convert_files
from ._open import open

__all__ = [
    "Candidate",
    "Conversion",
    "Decision",
    "Decoder",
    "Detector",
    "Encoder",
    "FileReport",
    "FirstValid",
    "Guess",
    "OffsetMap",
    "Segment",
    "Summary",
    "UnknownLabelError",
    "__version__",
    "convert_files",
    "decode",
    "detect",
    "encode",
    "first_valid",
    "labels",
    "lookup",
    "names",
    "open",
    "percent_encode_after_encoding",
    "register",
    "segments",
    "sniff",
    "undo_double_encoding",
]

#: The names of the forty encodings, as the standard spells them and in its order.
names: tuple[str, ...] = tuple(name for name, _ in _encodings())

#: The labels of the standard, in lower case, each with the name of its encoding.
labels: Mapping[str, str] = MappingProxyType(
    {label: name for name, of_name in _encodings() for label in of_name}
)
