"""Files in any encoding."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable

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
    buffering: int = -1,
    closefd: bool = True,
    opener: Callable[[str, int], int] | None = None,
) -> io.TextIOWrapper:
    """Opens a text file, as the built-in function does, in an encoding of the standard.

    With no encoding, what a file that is read is in is found out from its first 64 KiB: what it declares, or else a
    guess; a file that is written is UTF-8. What is malformed is replaced by U+FFFD (`errors="replace"`), and what
    the encoding lacks raises `UnicodeEncodeError` (`errors="strict"`), unless `errors` says otherwise. A file that
    begins with the byte order mark of UTF-32, which the standard does not have, is read by Python's codec.
    """
    if "b" in mode:
        raise ValueError("simdtext.open() opens text files")
    if buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    is_read = "r" in mode and "+" not in mode
    if errors is None:
        errors = "replace" if is_read else "strict"
    if encoding is not None:
        # A file that this opened tells its encoding by the name of a codec.
        encoding = lookup(encoding.removeprefix(_codecs.PREFIX))
    elif not is_read:
        encoding = "UTF-8"
    _codecs.register()
    size = buffering if buffering > 1 and encoding is not None else _HEAD
    raw = builtins.open(file, mode.replace("t", "") + "b", size, closefd=closefd, opener=opener)
    try:
        if encoding is None:
            assert isinstance(raw, io.BufferedReader)
            codec = _codec_of(raw, content_type)
        else:
            codec = _codecs.PREFIX + encoding.lower()
        is_by_line = buffering == 1 or (buffering < 0 and raw.isatty())
        text = io.TextIOWrapper(raw, codec, errors, newline, is_by_line)
        # The built-in function's files show the mode that they were opened with.
        text.mode = mode  # type: ignore[misc]
        return text
    except BaseException:
        raw.close()
        raise


def _codec_of(file: io.BufferedReader, content_type: str | None) -> str:
    head = file.peek(_HEAD)
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    # A pipe gives what is there, and more may come.
    complete = len(head) < _HEAD and file.seekable()
    decision = sniff(head, content_type, complete=complete)
    encoding = decision.encoding
    if decision.evidence in ("utf-8", "fallback"):
        encoding = detect(head, complete=complete).encoding or encoding
    return _codecs.PREFIX + encoding.lower()
