"""The encodings as codecs of Python: web-shift_jis, web-gbk and so on, by each label of the standard."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import Self

from ._engine import Decoder, Encoder, decode, encode, encodings

Bom = Literal["sniff", "strip", "keep"]

PREFIX = "web-"


def _normalized(name: str) -> str:
    """A name in the form that `codecs.lookup` passes on; versions of Python differ in its punctuation."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower())


_LABELS: dict[str, str] = {
    _normalized(PREFIX + label): name for name, labels in encodings() for label in labels
}


def _search(name: str) -> codecs.CodecInfo | None:
    found = _LABELS.get(_normalized(name))
    return None if found is None else codec_info(found, PREFIX + found.lower())


def register() -> None:
    """Registers each label of the standard, with web- in front, as a codec for `open`, `bytes.decode` and others.

    Further calls do nothing.
    """
    global _registered
    if not _registered:
        codecs.register(_search)
        _registered = True


_registered = False


def codec_info(encoding: str, name: str, bom: Bom = "sniff") -> codecs.CodecInfo:
    """A codec that encodes to an encoding, and decodes from it."""

    class IncrementalDecoder(Decoder):
        def __new__(cls, errors: str = "strict") -> Self:
            return super().__new__(cls, encoding, errors, bom=bom)

        def decode(self, input: Any, final: bool = False) -> str:
            if not final:
                return super().decode(input)
            is_unread = not memoryview(input).nbytes and self.getstate() == start
            text = super().decode(input, True)
            if not is_unread:
                # Unlike a new stream, what is added to the end of a file has no byte order mark, and is in the encoding
                # that the mark at the start selected.
                self.setstate(Decoder(self.encoding, bom="keep").getstate())
            return text

    start = Decoder(encoding, bom=bom).getstate()

    class IncrementalEncoder(Encoder):
        def __new__(cls, errors: str = "strict") -> Self:
            return super().__new__(cls, encoding, errors)

    new_encoder: Any = _NoEncoder if encoding == "replacement" else IncrementalEncoder

    def decode_all(input: Any, errors: str | None = "strict") -> tuple[str, int]:
        text = decode(input, encoding, errors=errors or "strict", bom=bom)
        return text, memoryview(input).nbytes

    def encode_all(input: str, errors: str | None = "strict") -> tuple[bytes, int]:
        if new_encoder is _NoEncoder:
            return _NoEncoder().encode(input), len(input)
        return encode(input, encoding, errors=errors or "strict"), len(input)

    return codecs.CodecInfo(
        name=name,
        encode=encode_all,
        decode=decode_all,
        incrementaldecoder=IncrementalDecoder,  # type: ignore[arg-type]
        incrementalencoder=new_encoder,
        streamreader=_reader(IncrementalDecoder),
        streamwriter=_writer(new_encoder),
    )


class _NoEncoder(codecs.IncrementalEncoder):
    """The encoder of replacement, which always fails because it has no characters."""

    def encode(self, input: str, final: bool = False) -> bytes:
        if input:
            raise UnicodeEncodeError("replacement", input, 0, len(input), "there is no encoder")
        return b""


def _reader(new_decoder: Callable[[str], Decoder]) -> type[codecs.StreamReader]:
    class StreamReader(codecs.StreamReader):
        """The state of the stream is kept in the decoder, and the bytes of a character that is not complete in the
        buffer of the base class."""

        bytebuffer: bytes

        def __init__(self, stream: Any, errors: str = "strict") -> None:
            super().__init__(stream, errors)
            self._decoder = new_decoder(errors)

        def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
            if size == 0:
                return ""
            text = super().read(size, chars, firstline)
            if size < 0 and chars < 0 and self.bytebuffer:
                text += super().read()
            return text

        def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
            self._decoder.errors = errors
            # What is in the buffer comes again, and alone if nothing follows.
            is_end = len(input) == len(self.bytebuffer)
            flags = self._decoder.getstate()[1]
            text = self._decoder.decode(input, is_end)
            held = b""
            if not is_end:
                held, flags = self._decoder.getstate()
            self._decoder.setstate((b"", flags))
            return text, len(input) - len(held)

        def reset(self) -> None:
            super().reset()
            # The base class calls this before the decoder exists.
            if hasattr(self, "_decoder"):
                self._decoder.reset()

    return StreamReader


def _writer(new_encoder: Callable[[str], Any]) -> type[codecs.StreamWriter]:
    class StreamWriter(codecs.StreamWriter):
        """The state of the stream is kept in the encoder."""

        def __init__(self, stream: Any, errors: str = "strict") -> None:
            super().__init__(stream, errors)
            self._encoder = new_encoder(errors)

        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            self._encoder.errors = errors
            return self._encoder.encode(input), len(input)

        def reset(self) -> None:
            """Ends the stream: ISO-2022-JP returns to ASCII.

            What `codecs.open` returns calls this after `seek(0)`, also if the file is only read. What would end the
            stream does not belong at the start of the file.
            """
            end = self._encoder.encode("", True)
            if end and not self._is_at_start():
                self.stream.write(end)

        def _is_at_start(self) -> bool:
            stream: Any = self.stream
            try:
                return bool(stream.tell() == 0)
            except (AttributeError, OSError):
                # It can't be moved.
                return False

    return StreamWriter
