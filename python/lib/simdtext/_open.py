"""Files in any encoding."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable

from . import _codecs
from ._engine import detect, lookup, sniff

#: How many bytes of a file are examined to find out its encoding.
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
    """Opens a text file in an encoding of the standard, like the built-in function.

    Without `encoding`, the encoding of a file that is read is found out from its first 64 KiB: it is what they declare,
    or else a guess. A file that is written is UTF-8. Unless `errors` says otherwise, malformed sequences are replaced
    by U+FFFD (`errors="replace"`), and characters that the encoding lacks raise `UnicodeEncodeError`
    (`errors="strict"`). A file that begins with the byte order mark of UTF-32, which is not in the standard, is read
    with Python's codec.
    """
    if "b" in mode:
        raise ValueError("simdtext.open() opens text files")
    if buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    is_read = "r" in mode and "+" not in mode
    if errors is None:
        errors = "replace" if is_read else "strict"
    if encoding is not None:
        if not isinstance(encoding, str):
            raise TypeError(f"encoding must be str or None, not {type(encoding).__name__}")
        # The encoding of a file opened by this function is the name of a codec.
        encoding = lookup(encoding.removeprefix(_codecs.PREFIX))
        if encoding == "replacement" and not is_read:
            # Before the file is emptied.
            raise LookupError("replacement has no encoder")
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
        # As with the built-in function, the file has the mode with which it was opened.
        text.mode = mode  # type: ignore[misc]
        return text
    except BaseException:
        raw.close()
        raise


def _codec_of(file: io.BufferedReader, content_type: str | None) -> str:
    head = file.peek(_HEAD)
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    # A pipe returns what is available, and more may follow.
    complete = len(head) < _HEAD and file.seekable()
    decision = sniff(head, content_type, complete=complete)
    encoding = decision.encoding
    if decision.evidence in ("utf-8", "fallback"):
        encoding = detect(head, complete=complete).encoding or encoding
    return _codecs.PREFIX + encoding.lower()
