"""The interface of the package webencodings 0.6: its functions and classes, with the exact encodings of the standard in
place of similar codecs of Python.

    import simdtext.compat.webencodings as webencodings

`install()` makes packages that import webencodings get this module.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Iterator

from .. import labels as _labels
from .. import names as _names
from .._codecs import codec_info as _codec_info
from .._engine import Decoder as _Decoder

VERSION = "0.6.1"

#: The labels, each with the name of its encoding in lower case.
LABELS: dict[str, str] = {label: name.lower() for label, name in _labels.items()}


class Encoding:
    """An encoding: its `name` in lower case, and its `codec_info` as in the module `codecs`."""

    def __init__(self, name: str, codec_info: codecs.CodecInfo) -> None:
        self.name = name
        self.codec_info = codec_info

    def __repr__(self) -> str:
        return f"<Encoding {self.name}>"


# The functions below look for a byte order mark; the codecs do not.
_ENCODINGS = {
    name.lower(): Encoding(name.lower(), _codec_info(name, name.lower(), "keep")) for name in _names
}


def ascii_lower(string: str) -> str:
    """The text with ASCII letters in lower case; other letters are unchanged."""
    return string.translate(_LOWER)


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def lookup(label: str) -> Encoding | None:
    """The encoding of a label, or `None`."""
    name = LABELS.get(ascii_lower(label.strip("\t\n\f\r ")))
    return None if name is None else _ENCODINGS[name]


def _get_encoding(encoding_or_label: Encoding | str) -> Encoding:
    if not isinstance(encoding_or_label, str):
        return encoding_or_label
    encoding = lookup(encoding_or_label)
    if encoding is None:
        raise LookupError(f"Unknown encoding label: {encoding_or_label!r}")
    return encoding


UTF8 = _ENCODINGS["utf-8"]
_MARKS = (
    (b"\xef\xbb\xbf", UTF8),
    (b"\xfe\xff", _ENCODINGS["utf-16be"]),
    (b"\xff\xfe", _ENCODINGS["utf-16le"]),
)


def decode(
    input: bytes, fallback_encoding: Encoding | str, errors: str = "replace"
) -> tuple[str, Encoding]:
    """The text without a byte order mark, and the encoding of the mark, or else the one given."""
    encoding = _get_encoding(fallback_encoding)
    for mark, marked in _MARKS:
        if input.startswith(mark):
            return marked.codec_info.decode(input[len(mark) :], errors)[0], marked
    return encoding.codec_info.decode(input, errors)[0], encoding


def encode(input: str, encoding: Encoding | str = UTF8, errors: str = "strict") -> bytes:
    """The text as bytes."""
    return _get_encoding(encoding).codec_info.encode(input, errors)[0]


def iter_decode(
    input: Iterable[bytes], fallback_encoding: Encoding | str, errors: str = "replace"
) -> tuple[Iterator[str], Encoding]:
    """The text piece by piece, and the encoding, for which as much input is read as needed."""
    decoder = IncrementalDecoder(fallback_encoding, errors)
    pieces = iter(input)
    first = ""
    is_complete = True
    for piece in pieces:
        first = decoder.decode(piece)
        if decoder.encoding is not None:
            is_complete = False
            break
    if is_complete:
        first = decoder.decode(b"", True)
    assert decoder.encoding is not None

    def rest() -> Iterator[str]:
        if first:
            yield first
        if is_complete:
            return
        for piece in pieces:
            if text := decoder.decode(piece):
                yield text
        if text := decoder.decode(b"", True):
            yield text

    return rest(), decoder.encoding


def iter_encode(
    input: Iterable[str], encoding: Encoding | str = UTF8, errors: str = "strict"
) -> Iterator[bytes]:
    """The bytes piece by piece."""
    # An unknown label raises an exception before anything is iterated.
    encoder = IncrementalEncoder(encoding, errors)

    def pieces() -> Iterator[bytes]:
        for piece in input:
            if output := encoder.encode(piece):
                yield output
        if output := encoder.encode("", True):
            yield output

    return pieces()


class IncrementalDecoder:
    """Decodes a stream piece by piece. `encoding` is `None` until it is known whether there is a byte order mark."""

    def __init__(self, fallback_encoding: Encoding | str, errors: str = "replace") -> None:
        self._decoder = _Decoder(_get_encoding(fallback_encoding).name, errors)
        self.encoding: Encoding | None = None

    def decode(self, input: bytes, final: bool = False) -> str:
        text = self._decoder.decode(input, final)
        if self.encoding is None and (final or not self._decoder.may_have_bom):
            self.encoding = _ENCODINGS[self._decoder.encoding.lower()]
        return text


class IncrementalEncoder:
    """Encodes a stream piece by piece."""

    def __init__(self, encoding: Encoding | str = UTF8, errors: str = "strict") -> None:
        self.encode = _get_encoding(encoding).codec_info.incrementalencoder(errors).encode


def install() -> None:
    """Makes `import webencodings` import this module, for imports from now on."""
    module = sys.modules[__name__]
    sys.modules["webencodings"] = module
    sys.modules["webencodings.labels"] = module
