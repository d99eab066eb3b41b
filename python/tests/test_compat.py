"""The interfaces of chardet and webencodings."""

from __future__ import annotations

import codecs
import inspect
import subprocess
import sys

import pytest
from conftest import SAMPLES

import simdtext
from simdtext.compat import chardet, webencodings

RUSSIAN = "Все люди рождаются свободными и равными в своём достоинстве".encode("koi8-r")


def test_chardet_detect() -> None:
    result = chardet.detect(RUSSIAN)
    assert (result["encoding"], result["language"], result["mime_type"]) == ("KOI8-R", "ru", "text/plain")
    assert 0.5 < result["confidence"] < 1
    for data, name in (
        (b"abc", "ascii"),
        ("naïve".encode(), "utf-8"),
        (b"\xef\xbb\xbfabc", "UTF-8-SIG"),
        (b"\xff\xfea\0", "UTF-16"),
        (b"\xff\xfe\0\0a\0\0\0", "UTF-32"),
        (b"", "utf-8"),
        (b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>", None),
        ("これは日本語の文章です。".encode("cp932"), "CP932"),
        ("これは日本語の文章です。".encode("euc_jp"), "EUC-JP"),
        ("これは日本語の文章です。".encode("iso2022_jp"), "ISO-2022-JP"),
    ):
        assert chardet.detect(data)["encoding"] == name
    assert chardet.detect(bytearray(RUSSIAN)) == result


def test_chardet_names_are_codecs() -> None:
    for path in SAMPLES.glob("*.txt"):
        for compat_names in (True, False):
            for result in chardet.detect_all(path.read_bytes(), True, compat_names=compat_names):
                encoding = result["encoding"]
                assert encoding is None or codecs.lookup(encoding)
                if not compat_names and encoding is not None:
                    assert codecs.lookup(encoding).name.replace("_", "-") == encoding.replace("_", "-")


def test_chardet_options() -> None:
    every = chardet.detect_all(RUSSIAN, ignore_threshold=True)
    assert every[0] == chardet.detect(RUSSIAN)
    assert len({result["encoding"] for result in every}) == len(every) > 1
    assert [result["confidence"] for result in every] == sorted((r["confidence"] for r in every), reverse=True)
    assert chardet.detect(RUSSIAN, exclude_encodings=["koi8-r"])["encoding"] != "KOI8-R"
    assert chardet.detect(RUSSIAN, include_encodings=["koi8-u"])["encoding"] == "KOI8-U"
    assert chardet.detect(RUSSIAN, include_encodings=["ascii"], no_match_encoding="cp1252")["encoding"] == "cp1252"
    assert chardet.detect(RUSSIAN, compat_names=False)["encoding"] == "koi8-r"
    assert chardet.detect(b"abc", prefer_superset=True)["encoding"] == "Windows-1252"
    cyrillic = RUSSIAN.decode("koi8-r").encode("iso8859-5")
    assert chardet.detect(cyrillic, prefer_superset=True)["encoding"] == "ISO-8859-5"
    assert chardet.detect(b"", empty_input_encoding="ascii")["encoding"] == "ascii"
    assert chardet.detect(b"a" * 100 + RUSSIAN, max_bytes=100)["encoding"] == "ascii"
    with pytest.raises(ValueError):
        chardet.detect(b"", max_bytes=0)


def test_chardet_detector() -> None:
    detector = chardet.UniversalDetector()
    assert detector.result["encoding"] is None
    for at in range(len(RUSSIAN)):
        detector.feed(RUSSIAN[at : at + 1])
    assert not detector.done
    assert detector.close() == chardet.detect(RUSSIAN) == detector.result
    assert detector.done
    with pytest.raises(ValueError):
        detector.feed(b"")
    detector.reset()
    detector.feed(b"abc")
    assert detector.close()["encoding"] == "ascii"
    detector = chardet.UniversalDetector(max_bytes=3)
    detector.feed(b"abc\xff")
    assert detector.done
    assert detector.close()["encoding"] == "ascii"


def test_chardet_signatures() -> None:
    original = pytest.importorskip("chardet")
    for ours, theirs in (
        (chardet.detect, original.detect),
        (chardet.detect_all, original.detect_all),
        (chardet.UniversalDetector.__init__, original.UniversalDetector.__init__),
    ):
        ours_of = [(p.name, p.kind, p.default) for p in inspect.signature(ours).parameters.values()]
        theirs_of = [(p.name, p.kind, p.default) for p in inspect.signature(theirs).parameters.values()]
        assert ours_of == theirs_of


def test_webencodings() -> None:
    assert [encoding.name for encoding in (webencodings.lookup(" Latin1 "), webencodings.UTF8) if encoding] == ["windows-1252", "utf-8"]
    assert webencodings.lookup("latin-1") is None
    assert webencodings.lookup("\u212aOI8-R") is None
    assert repr(webencodings.UTF8) == "<Encoding utf-8>"
    assert webencodings.decode(b"\xef\xbb\xbf\xe9", "latin1") == ("\ufffd", webencodings.UTF8)
    text, encoding = webencodings.decode(b"\x93\xfa", "sjis", "strict")
    assert (text, encoding.name) == ("日", "shift_jis")
    assert webencodings.encode("日", "sjis") == b"\x93\xfa"
    with pytest.raises(LookupError):
        webencodings.decode(b"", "nothing")
    pieces, encoding = webencodings.iter_decode([b"\xff", b"\xfea", b"", b"\0b", b"\0"], "utf-8")
    assert (list(pieces), encoding.name) == (["a", "b"], "utf-16le")
    pieces, encoding = webencodings.iter_decode([], "gbk")
    assert (list(pieces), encoding.name) == ([], "gbk")
    assert b"".join(webencodings.iter_encode(["日", "本"], "iso-2022-jp")) == b"\x1b$BF|K\\\x1b(B"
    assert webencodings.encode("", "replacement") == b""
    with pytest.raises(UnicodeEncodeError):
        webencodings.encode("a", "replacement")


def test_webencodings_in_its_place() -> None:
    program = """
import simdtext.compat.webencodings as ours
ours.install()
import webencodings
from webencodings.labels import LABELS
assert webencodings.lookup is ours.lookup and LABELS["latin1"] == "windows-1252"
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_pandas(tmp_path: object) -> None:
    pandas = pytest.importorskip("pandas")
    simdtext.register()
    path = f"{tmp_path}/table.csv"
    with simdtext.open(path, "w", encoding="shift_jis") as file:
        file.write("名前,値\n髙橋①,1\n")
    table = pandas.read_csv(path, encoding="web-shift_jis")
    assert table["名前"][0] == "髙橋①"
