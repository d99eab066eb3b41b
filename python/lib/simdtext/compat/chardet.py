"""The interface of the package chardet 7, with the detector of this one.

    import simdtext.compat.chardet as chardet

Arguments, keys and the spelling of names are chardet's; the answers are those of this package's detector, with the
encodings of the standard. `encoding_era`, `lang_filter` and `chunk_size` are accepted without effect. `prefer_superset`
renames an encoding only if that gives the same text: ISO-8859-5 is not a subset of windows-1251.
"""

from __future__ import annotations

import codecs
import enum
from collections.abc import Iterable
from typing import TypedDict

from .._engine import Guess
from .._engine import detect as _detect

__all__ = [
    "DEFAULT_MAX_BYTES",
    "MINIMUM_THRESHOLD",
    "DetectionDict",
    "EncodingEra",
    "LanguageFilter",
    "UniversalDetector",
    "detect",
    "detect_all",
]

DEFAULT_MAX_BYTES = 200_000
MINIMUM_THRESHOLD = 0.20


class DetectionDict(TypedDict):
    """The result of a detector."""

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str | None


class EncodingEra(enum.IntFlag):
    """Accepted as an argument, without effect."""

    MODERN_WEB = 1
    LEGACY_ISO = 2
    LEGACY_MAC = 4
    LEGACY_REGIONAL = 8
    DOS = 16
    MAINFRAME = 32
    ALL = 63


class LanguageFilter(enum.IntFlag):
    """Accepted as an argument, without effect."""

    CHINESE_SIMPLIFIED = 0x01
    CHINESE_TRADITIONAL = 0x02
    JAPANESE = 0x04
    KOREAN = 0x08
    NON_CJK = 0x10
    ALL = 0x1F
    CHINESE = 0x03
    CJK = 0x0F


#: For the names of the standard, chardet's name for the encoding, and the name of Python's codec.
_NAMES = {
    "Big5": ("Big5", "big5hkscs"),
    "EUC-KR": ("CP949", "cp949"),
    "GBK": ("GB18030", "gb18030"),
    "gb18030": ("GB18030", "gb18030"),
    "ISO-8859-8-I": ("ISO-8859-8", "iso8859-8"),
    "macintosh": ("MacRoman", "mac-roman"),
    "Shift_JIS": ("CP932", "cp932"),
    "UTF-8": ("utf-8", "utf-8"),
    "UTF-16BE": ("utf-16-be", "utf-16-be"),
    "UTF-16LE": ("utf-16-le", "utf-16-le"),
    "windows-874": ("CP874", "cp874"),
    "x-mac-cyrillic": ("MacCyrillic", "mac-cyrillic"),
}

_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-2": "cp1250",
    "iso8859-5": "cp1251",
    "iso8859-6": "cp1256",
    "iso8859-7": "cp1253",
    "iso8859-8": "cp1255",
    "iso8859-13": "cp1257",
}


def _superset(data: bytes | bytearray, codec: str) -> str:
    """The codec that `prefer_superset` asks for, if it gives the same text."""
    superset = _SUPERSETS.get(codec, codec)
    return superset if data.decode(superset, "replace") == data.decode(codec, "replace") else codec


def _codec(name: str) -> str:
    """The name of Python's codec for an encoding of the standard."""
    return _NAMES[name][1] if name in _NAMES else codecs.lookup(name).name


def _spelt(codec: str) -> str:
    """The name of a codec in chardet's spelling."""
    for display, python in _NAMES.values():
        if python == codec:
            return display
    if codec.startswith("cp125"):
        return codec.replace("cp", "Windows-")
    if codec.startswith("iso8859"):
        return codec.replace("iso8859", "ISO-8859").upper()
    return _SPELLINGS.get(codec, codec)


_SPELLINGS = {
    "cp866": "IBM866",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "utf-8-sig": "UTF-8-SIG",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
}


class _Options:
    """The arguments that the functions and the class have in common."""

    def __init__(
        self,
        should_rename_legacy: bool,
        max_bytes: int,
        prefer_superset: bool,
        compat_names: bool,
        include_encodings: Iterable[str] | None,
        exclude_encodings: Iterable[str] | None,
        no_match_encoding: str,
        empty_input_encoding: str,
    ) -> None:
        if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
            raise ValueError("max_bytes must be a positive integer")
        self.max_bytes = max_bytes
        self.prefer_superset = prefer_superset or should_rename_legacy
        self.compat_names = compat_names
        self.include = _codecs(include_encodings)
        self.exclude = _codecs(exclude_encodings) or frozenset()
        self.no_match = no_match_encoding
        self.empty_input = empty_input_encoding

    def results(self, data: bytes | bytearray, is_cut: bool) -> list[DetectionDict]:
        """The possible encodings of the bytes, the most likely first."""
        if not data:
            return [_result(self.empty_input, 0.1, None)]
        guess = _detect(data, complete=not is_cut)
        if guess.encoding is None and not guess.reason.startswith(_UTF_32):
            return [_result(None, 0.95 if "not text" in guess.reason else 0.0, None)]
        found = [
            (codec, confidence, language)
            for codec, confidence, language in _candidates(guess)
            if codec not in self.exclude and (self.include is None or codec in self.include)
        ]
        if not found:
            return [_result(self.no_match, 0.1, None)]
        if self.prefer_superset:
            found = [(_superset(data, codec), sure, language) for codec, sure, language in found]
        spelt = _spelt if self.compat_names else str
        return [_result(spelt(codec), confidence, language) for codec, confidence, language in found]


_UTF_32 = ("byte order mark of UTF-32", "plausible code units of UTF-32")


def _codecs(names: Iterable[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(codecs.lookup(name).name for name in names)


def _candidates(guess: Guess) -> list[tuple[str, float, str | None]]:
    if guess.reason.startswith(_UTF_32):
        order = "be" if guess.reason.endswith("big-endian") else "le"
        return [("utf-32" if guess.evidence == "bom" else f"utf-32-{order}", 1.0, None)]
    assert guess.encoding is not None
    if guess.evidence == "ascii":
        return [("ascii", 1.0, guess.language)]
    if guess.evidence == "bom":
        marked = "utf-8-sig" if guess.encoding == "UTF-8" else "utf-16"
        return [(marked, 1.0, guess.language)]
    best = (_codec(guess.encoding), min(guess.confidence, 0.99), guess.language)
    # The others share the rest, in proportion to how likely each is compared with the best.
    others = [
        (_codec(other.encoding), (1 - best[1]) * 2.0 ** min(0.0, 1 - other.bits), other.language)
        for other in guess.candidates
        if other.encoding != guess.encoding
    ]
    unique = {best[0]: best}
    for other in others:
        unique.setdefault(other[0], other)
    return list(unique.values())


def _result(encoding: str | None, confidence: float, language: str | None) -> DetectionDict:
    return {
        "encoding": encoding,
        "confidence": confidence,
        "language": language,
        "mime_type": "text/plain" if encoding is not None else "application/octet-stream",
    }


def detect(
    byte_str: bytes | bytearray,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = 65_536,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> DetectionDict:
    """The encoding of bytes."""
    return detect_all(
        byte_str,
        True,
        should_rename_legacy,
        encoding_era,
        chunk_size,
        max_bytes,
        prefer_superset=prefer_superset,
        compat_names=compat_names,
        include_encodings=include_encodings,
        exclude_encodings=exclude_encodings,
        no_match_encoding=no_match_encoding,
        empty_input_encoding=empty_input_encoding,
    )[0]


def detect_all(
    byte_str: bytes | bytearray,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = 65_536,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> list[DetectionDict]:
    """The possible encodings, the most likely first; only those above `MINIMUM_THRESHOLD`, if there are any."""
    options = _Options(
        should_rename_legacy,
        max_bytes,
        prefer_superset,
        compat_names,
        include_encodings,
        exclude_encodings,
        no_match_encoding,
        empty_input_encoding,
    )
    data = byte_str if len(byte_str) <= max_bytes else byte_str[:max_bytes]
    results = options.results(data, len(byte_str) > max_bytes)
    likely = [result for result in results if result["confidence"] > MINIMUM_THRESHOLD]
    return results if ignore_threshold or not likely else likely


class UniversalDetector:
    """Finds out the encoding of bytes that come in pieces."""

    MINIMUM_THRESHOLD = MINIMUM_THRESHOLD

    def __init__(
        self,
        lang_filter: LanguageFilter = LanguageFilter.ALL,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int = DEFAULT_MAX_BYTES,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str = "cp1252",
        empty_input_encoding: str = "utf-8",
    ) -> None:
        self._options = _Options(
            should_rename_legacy,
            max_bytes,
            prefer_superset,
            compat_names,
            include_encodings,
            exclude_encodings,
            no_match_encoding,
            empty_input_encoding,
        )
        self._data = bytearray()
        self._is_cut = False
        self._result: DetectionDict | None = None

    def feed(self, byte_str: bytes | bytearray) -> None:
        """Takes the next bytes. Those beyond `max_bytes` in all are ignored."""
        if self._result is not None:
            raise ValueError("feed() called after close() without reset()")
        room = self._options.max_bytes - len(self._data)
        self._data += byte_str[:room]
        self._is_cut |= len(byte_str) > room

    def close(self) -> DetectionDict:
        """Ends the bytes, and returns their encoding."""
        if self._result is None:
            self._result = self._options.results(self._data, self._is_cut)[0]
        return self.result

    def reset(self) -> None:
        """Starts over."""
        self._data = bytearray()
        self._is_cut = False
        self._result = None

    @property
    def done(self) -> bool:
        """Whether more bytes can't change the answer."""
        return self._result is not None or len(self._data) >= self._options.max_bytes

    @property
    def result(self) -> DetectionDict:
        """The answer, once there is one."""
        if self._result is None:
            return {"encoding": None, "confidence": 0.0, "language": None, "mime_type": None}
        return self._result.copy()
