import pathlib
from collections.abc import Callable, Sequence
from typing import Literal, NoReturn, final

from typing_extensions import Buffer, Self

__version__: str

_Bom = Literal["sniff", "strip", "keep"]

class UnknownLabelError(LookupError):
    """A label that no encoding has. `suggestions` are labels that may have been meant, the most likely one first."""

    suggestions: tuple[str, ...]

def decode(data: Buffer, encoding: str, errors: str = "replace", *, bom: _Bom = "sniff") -> str:
    """Decodes bytes to a text, as the Encoding Standard says.

    `encoding` is a label of the standard. A byte order mark selects its encoding and is removed (`bom="sniff"`), is
    removed if it is that of `encoding` (`"strip"`), or is decoded as text (`"keep"`). `errors` says how malformed
    bytes are handled: `"replace"`, `"strict"`, `"ignore"`, `"backslashreplace"`, `"surrogateescape"`, or the name of
    a handler registered with `codecs.register_error`.
    """

def encode(text: str, encoding: str, errors: str = "strict") -> bytes:
    """Encodes a text to bytes, as the Encoding Standard says.

    `errors` says how characters that the encoding does not have, and surrogates, are handled: `"strict"`,
    `"replace"`, `"ignore"`, `"xmlcharrefreplace"`, `"backslashreplace"`, or the name of another handler.
    """

def sniff(
    data: Buffer,
    content_type: str | None = None,
    *,
    format: Literal["html", "xml", "css", "text"] | None = None,
    override: str | None = None,
    environment: str | None = None,
    fallback: str | None = None,
    late_meta: bool = False,
    complete: bool = True,
) -> Decision:
    """Finds out the encoding that a document declares, as browsers do. Does not guess.

    `content_type` is the value of the header that came with it, `override` a label chosen by the user (ignored if it is
    unknown, as is the charset of the header), `environment` the encoding of what refers to it, and `fallback` the
    encoding to use if nothing declares one (by default UTF-8). With `late_meta=True` an HTML document whose first 1,024
    bytes declare nothing is searched further. With `complete=False` more follows.
    """

def undo_double_encoding(text: str, read_as: str = "windows-1252") -> str | None:
    """Undoes UTF-8 that was read as another encoding and written as UTF-8 again: `"Ã©"` becomes `"é"`.

    `None` if the text is right as it is, or can't be restored without loss. `read_as` is a single-byte encoding.
    """

def detect(
    data: Buffer,
    *,
    tld: str | None = None,
    allow_utf8: bool = True,
    sample: int = 16384,
    complete: bool = True,
) -> Guess:
    """Guesses the encoding of bytes that do not declare it.

    `tld` is the last label of the host name that they come from, such as `"jp"`; `sample` is the number of bytes that
    are weighed. With `complete=False` more follows, and a character may be cut off at the end.
    """

def first_valid(data: Buffer, encodings: Sequence[str]) -> str | None:
    """Finds the first of several encodings in which bytes have nothing malformed; `None` if there is none.

    UTF-8 is tried first, whether `encodings` has it or not. Nothing is malformed in windows-1252 and other encodings in
    which every byte is a character, so that those after it are not tried. ASCII with escape sequences is ISO-2022-JP if
    that is in the list. A byte order mark decides nothing.
    """

def segments(
    data: Buffer,
    encodings: Sequence[str] = (),
    otherwise: str | Callable[[bytes], str] = "windows-1252",
    *,
    iso_2022_jp: bool = False,
) -> list[Segment]:
    """Cuts text in which each line may be in another encoding, such as a log, into segments of one encoding each.

    A line is in UTF-8 if it is valid UTF-8, or else in the first of `encodings` in which nothing is malformed, or else in
    `otherwise`: a label, or a function that is called with the line and returns one. `iso_2022_jp=True` looks for lines
    of ISO-2022-JP as well. The segments follow each other without gaps; decode each with `bom="keep"`.
    """

_PercentEncodeSet = Literal[
    "c0-control",
    "fragment",
    "query",
    "special-query",
    "path",
    "userinfo",
    "component",
    "application/x-www-form-urlencoded",
]

def percent_encode_after_encoding(
    text: str,
    encoding: str = "utf-8",
    percent_encode_set: _PercentEncodeSet = "special-query",
    *,
    space_as_plus: bool | None = None,
) -> str:
    """Encodes a text as URLs and forms have it: the URL standard's *percent-encode after encoding*.

    A byte of `percent_encode_set` is written as `%` and two digits, and a character that the encoding does not have as
    `%26%23`, its number and `%3B`. The set is `"c0-control"`, `"fragment"`, `"query"`, `"special-query"` (for `http` and
    `https`), `"path"`, `"userinfo"`, `"component"` or `"application/x-www-form-urlencoded"`. A space becomes `+` with
    the last one, unless `space_as_plus` says otherwise. UTF-16 and replacement encode as UTF-8, as on the web.
    """

def lookup(label: str) -> str:
    """The name of the encoding that a label means; raises `UnknownLabelError` if it means none."""

def encodings() -> list[tuple[str, list[str]]]: ...

class Decoder:
    """Decodes a stream piece by piece, by the protocol of `codecs.IncrementalDecoder`."""

    errors: str
    def __new__(cls, encoding: str, errors: str = "replace", *, bom: _Bom = "sniff") -> Self: ...
    @property
    def encoding(self) -> str:
        """The current encoding, which a byte order mark may have changed."""
    @property
    def may_have_bom(self) -> bool:
        """Whether a byte order mark may still follow, so that the encoding may change."""
    def decode(self, input: Buffer, final: bool = False) -> str:
        """Decodes a piece. After an exception the stream is where it was before."""
    def reset(self) -> None:
        """Begins a new stream."""
    def getstate(self) -> tuple[bytes, int]:
        """Returns the bytes that are not decoded yet, and a number for the rest of the state."""
    def setstate(self, state: tuple[bytes, int]) -> None:
        """Returns to a state."""

@final
class Detector:
    """Guesses the encoding of bytes that come in pieces. However they are cut, the answer is that of `detect` for all of
    them in one piece.

    A detector keeps what it is fed, unless the first bytes decide for all. With `limit` it keeps no more than that many
    bytes, and guesses from these.
    """

    def __new__(
        cls, *, tld: str | None = None, allow_utf8: bool = True, sample: int = 16384, limit: int | None = None
    ) -> Self: ...
    def feed(self, data: Buffer) -> bool:
        """Takes the next bytes. Returns whether it needs more: `False` once nothing that follows can change the answer."""
    def guess(self) -> Guess:
        """The guess for the bytes fed so far, if more follow. Takes as long as `detect` for all of them."""
    def finish(self) -> Guess:
        """The guess for the bytes fed, if nothing follows."""
    def reset(self) -> None:
        """Forgets what it was fed, and keeps the memory for reuse."""

@final
class FirstValid:
    """Finds the first of several encodings in which a stream has nothing malformed.

    UTF-8 is tried first, whether `encodings` has it or not. Nothing is malformed in windows-1252 and other encodings in
    which every byte is a character, so that those after it are not tried. ASCII with escape sequences is ISO-2022-JP if
    that is in the list. A byte order mark decides nothing.
    """

    def __new__(cls, encodings: Sequence[str]) -> Self: ...
    def feed(self, data: Buffer) -> bool:
        """Takes the next bytes of the stream. Returns whether it needs more: `False` once nothing that follows can change
        the answer."""
    def finish(self) -> str | None:
        """Ends the stream. Returns the first encoding in which nothing is malformed, or `None`."""
    @property
    def tried(self) -> list[tuple[str, int | None]]:
        """The encodings that are tried, in order. Each comes with the offset of its first malformed sequence in the
        stream, or `None` if it has none so far."""

class Encoder:
    """Encodes a stream piece by piece, by the protocol of `codecs.IncrementalEncoder`."""

    errors: str
    def __new__(cls, encoding: str, errors: str = "strict") -> Self: ...
    @property
    def encoding(self) -> str:
        """The encoding."""
    def encode(self, input: str, final: bool = False) -> bytes:
        """Encodes a piece. After an exception the stream is where it was before."""
    def reset(self) -> None:
        """Begins a new stream."""
    def getstate(self) -> int:
        """Returns a number for the state: 0 except within ISO-2022-JP."""
    def setstate(self, state: int) -> None:
        """Returns to a state."""

@final
class OffsetMap:
    """Maps places in a decoded text to the bytes that they were decoded from.

    Places in the text are counted in characters, and those in the source in bytes. The map keeps the text, but not the
    source, which each look-up needs again.
    """

    def __new__(cls, *, spacing: int = 65536) -> Self: ...
    @property
    def encoding(self) -> str:
        """The encoding of the source, which a byte order mark may have changed."""
    @property
    def text(self) -> str | None:
        """The text that was decoded last."""
    def decode(self, data: Buffer, encoding: str, *, bom: _Bom = "sniff") -> str:
        """Decodes a source, and forgets the previous one."""
    def to_bytes(self) -> bytes:
        """The map as bytes, to be stored with the text: about 40, and 5 more for each place that it keeps.

        The format has a version, and is the same on all machines and in all languages.
        """
    @staticmethod
    def from_bytes(stored: Buffer, text: str) -> OffsetMap:
        """The map that `to_bytes` has stored, with the text that it was made of.

        Raises `ValueError` if `stored` is not a map or is damaged, its format is that of another version, or the text
        has another length in UTF-8.
        """
    def source_range(self, data: Buffer, start: int, end: int) -> tuple[int, int] | None:
        """The bytes that the characters from `start` to `end` were decoded from, as a start and an end.

        `None` if the text has no such characters, or `data` is shorter than the source.
        """
    def text_offset(self, data: Buffer, source_offset: int) -> int | None:
        """The character that the byte at `source_offset` belongs to.

        `None` if that is after the end of the source, or `data` is shorter than the source.
        """

@final
class Decision:
    """The result of `sniff`. It is a value: it can be compared, copied and pickled."""

    def __new__(cls, encoding: str, evidence: str, certain: bool, bom_len: int) -> Self: ...
    @property
    def encoding(self) -> str: ...
    @property
    def evidence(self) -> str:
        """`bom`, `override`, `transport`, `declaration`, `environment`, `utf-8` or `fallback`."""
    @property
    def certain(self) -> bool:
        """Whether nothing that follows can change it."""
    @property
    def bom_len(self) -> int:
        """The length of the byte order mark, in bytes."""

@final
class Segment:
    """Lines in one encoding, one of the results of `segments`. It is a value: it can be compared, copied and pickled."""

    def __new__(cls, start: int, end: int, encoding: str, reason: str) -> Self: ...
    @property
    def start(self) -> int:
        """The offset of its first byte."""
    @property
    def end(self) -> int:
        """The offset after its last byte."""
    @property
    def encoding(self) -> str: ...
    @property
    def reason(self) -> str:
        """`ascii`, `utf-8`, `escapes` (of ISO-2022-JP), `first-of-list` or `otherwise`."""

@final
class Guess:
    """The result of `detect`, and of a `Detector`. It is a value: it can be compared, copied and pickled."""

    def __new__(
        cls,
        encoding: str | None,
        language: str | None,
        evidence: str,
        certain: bool,
        confidence: float,
        reason: str,
        candidates: Sequence[Candidate],
    ) -> Self: ...
    @property
    def encoding(self) -> str | None:
        """`None` if the bytes are not text, or not in an encoding of the standard."""
    @property
    def language(self) -> str | None:
        """Two letters of ISO 639-1, if the language was decisive."""
    @property
    def evidence(self) -> str:
        """`bom`, `utf-8`, `ascii` or `guess`."""
    @property
    def certain(self) -> bool:
        """Whether nothing that follows can change it."""
    @property
    def confidence(self) -> float:
        """From 0 to 1: how likely the text is in this encoding rather than in the next candidate."""
    @property
    def reason(self) -> str:
        """A phrase for people."""
    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The encodings that were weighed against each other, the most likely first."""

@final
class Candidate:
    """An encoding that bytes may be in."""

    def __new__(cls, encoding: str, language: str | None, bits: float, malformed: int) -> Self: ...
    @property
    def encoding(self) -> str: ...
    @property
    def language(self) -> str | None:
        """Two letters of ISO 639-1."""
    @property
    def bits(self) -> float:
        """How much less likely than the first candidate, in bits."""
    @property
    def malformed(self) -> int:
        """The number of malformed sequences in the sample, and of characters that text does not have."""

class Conversion:
    """A run of the converter: an iterator over the reports about files, for one thread at a time."""

    def __new__(
        cls, paths: list[str], options: dict[str, object], progress: Callable[[int], object] | None
    ) -> Self: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> FileReport: ...
    def cancel(self) -> None:
        """Asks the run to end: files that were begun are finished, and after a second call abandoned."""
    @property
    def bytes_read(self) -> int:
        """The number of bytes read so far."""
    @property
    def summary(self) -> Summary | None:
        """The totals, once the run has ended."""
    @property
    def warnings(self) -> list[str]:
        """Messages that are not about one file."""

@final
class FileReport:
    """The result for a file."""

    @property
    def path(self) -> pathlib.Path: ...
    @property
    def target(self) -> pathlib.Path | None:
        """The output."""
    @property
    def state(self) -> str:
        """`converted`, `unchanged`, `already`, `finished`, `kept`, `binary`, `faulty`, `skipped` or `failed`."""
    @property
    def encoding(self) -> str: ...
    @property
    def evidence(self) -> str:
        """How the encoding is known."""
    @property
    def malformed(self) -> int: ...
    @property
    def unmappable(self) -> int: ...
    @property
    def bytes_in(self) -> int: ...
    @property
    def bytes_out(self) -> int: ...
    @property
    def why(self) -> str | None:
        """The reason why it was not converted."""
    @property
    def messages(self) -> list[str]:
        """The first faults, for people."""

@final
class Summary:
    """The totals of a run."""

    @property
    def files(self) -> int: ...
    @property
    def bytes_in(self) -> int: ...
    @property
    def bytes_out(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def files_with_errors(self) -> int: ...
    @property
    def cancelled(self) -> bool: ...
    @property
    def states(self) -> dict[str, int]:
        """The number of files with each state."""

def command(arguments: list[str]) -> NoReturn:
    """Runs the command, and ends the process."""

@final
class Array:
    """An Arrow array, which can be read over the PyCapsule interface."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __getitem__(self, name: str) -> Array:
        """A field of an array of structs."""
    def __len__(self) -> int: ...
    @property
    def type(self) -> str:
        """The name of the type."""

@final
class ChunkedArray:
    """A column in chunks, which can be read over the PyCapsule interface."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __getitem__(self, name: str) -> ChunkedArray:
        """A field of structs."""
    def __len__(self) -> int: ...
    @property
    def chunks(self) -> list[Array]:
        """The chunks."""
    @property
    def type(self) -> str:
        """The name of the type."""

def arrow_decode(
    array: object,
    encoding: object,
    *,
    columns: Sequence[str] | None,
    errors: str,
    bom: str,
    null_label: str,
    unknown_label: str,
    content_type: str | None,
    fallback: str | None,
) -> Array | ChunkedArray: ...
def arrow_encode(
    array: object, encoding: object, *, errors: str, null_label: str, unknown_label: str
) -> Array | ChunkedArray: ...
def arrow_idle_memory() -> int: ...
def arrow_release_memory() -> None: ...

@final
class Batches:
    """Batches of rows: an iterator, and a stream that can be read over the PyCapsule interface."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Array: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def corpus_read(paths: Sequence[str], options: dict[str, object]) -> Batches: ...
def corpus_read_split(path: str, range: tuple[int, ...], options: dict[str, object]) -> Batches: ...
def corpus_read_file(name: str, file: object, options: dict[str, object]) -> Batches: ...
def corpus_splits(path: str, bytes: int, options: dict[str, object]) -> list[tuple[int, int, int]]: ...
def corpus_no_rows() -> Array: ...
def corpus_command(arguments: Sequence[str]) -> NoReturn: ...
