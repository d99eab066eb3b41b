"""Files in any encoding."""

from __future__ import annotations

import builtins
import io
import os

from . import _codecs
from ._engine import detect, lookup, sniff

#: As much of a file as is looked at to find out what it is in.
_HEAD = 64 * 1024

def open(
    file: str | bytes | os.PathLike[str] | os.PathLike[bytes] | int,
    mode: str = "r",
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    *,
    content_type: str | None = None,
) -> io.TextIOWrapper:
    """Opens a text file, as the built-in function does, in an encoding of the standard.

    With no encoding, what a file that is read is in is found out from its first 64 KiB: what it declares, or else a
    guess; a file that is written is UTF-8. What is malformed is replaced by U+FFFD (`errors="replace"`), and what
    the encoding lacks raises `UnicodeEncodeError` (`errors="strict"`), unless `errors` says otherwise.
    """
    if "b" in mode:
        raise ValueError("simdtext.open() opens text files")
    is_read = "r" in mode and "+" not in mode
    if errors is None:
        errors = "replace" if is_read else "strict"
    if encoding is not None:
        encoding = lookup(encoding)
    elif not is_read:
        encoding = "UTF-8"
    _codecs.register()
    raw = builtins.open(file, mode.replace("t", "") + "b", buffering=_HEAD)
    try:
        if encoding is None:
            assert isinstance(raw, io.BufferedReader)
            encoding = _encoding_of(raw, content_type)
        text = io.TextIOWrapper(raw, _codecs.PREFIX + encoding.lower(), errors, newline)
        # The built-in function's files show the mode that they were opened with.
        text.mode = mode  # type: ignore[misc]
        return text
    except BaseException:
        raw.close()
        raise

def _encoding_of(file: io.BufferedReader, content_type: str | None) -> str:
    head = file.peek(_HEAD)
    complete = len(head) < _HEAD
    declared = sniff(head, content_type, complete=complete)
    if declared.evidence not in ("utf-8", "fallback"):
        return declared.encoding
    return detect(head, complete=complete).encoding or declared.encoding
