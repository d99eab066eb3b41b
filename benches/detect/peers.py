"""Asks chardet, charset-normalizer and uchardet for the encoding of bytes.

Reads the files 0.bytes, 1.bytes and so on in a folder. For each file and detector, it prints a line: the nanoseconds
that it took, its name for the encoding, and whether Python then decodes the file to the text of 0.text.
"""

import codecs
import ctypes
import ctypes.util
import itertools
import pathlib
import sys
import time

import chardet
import charset_normalizer


def by_chardet(data):
    return chardet.detect(data)["encoding"]


def by_charset_normalizer(data):
    best = charset_normalizer.from_bytes(data).best()
    return best.encoding if best else None


def uchardet():
    name = ctypes.util.find_library("uchardet")
    if name is None:
        print("no libuchardet: apt-get install libuchardet0", file=sys.stderr)
        return lambda data: None
    library = ctypes.CDLL(name)
    library.uchardet_new.restype = ctypes.c_void_p
    library.uchardet_get_charset.restype = ctypes.c_char_p
    library.uchardet_get_charset.argtypes = [ctypes.c_void_p]
    library.uchardet_handle_data.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    library.uchardet_data_end.argtypes = [ctypes.c_void_p]
    library.uchardet_delete.argtypes = [ctypes.c_void_p]

    def by_uchardet(data):
        detector = library.uchardet_new()
        library.uchardet_handle_data(detector, data, len(data))
        library.uchardet_data_end(detector)
        name = library.uchardet_get_charset(detector).decode("ascii")
        library.uchardet_delete(detector)
        return name

    return by_uchardet


def decoded(data, name):
    if not name:
        return ""
    try:
        return codecs.lookup(name).decode(data, "replace")[0]
    except LookupError:
        return ""


def main():
    detectors = [by_chardet, by_charset_normalizer, uchardet()]
    for detector in detectors:
        detector("éà".encode("utf-8"))
    folder = pathlib.Path(sys.argv[1])
    for number in itertools.count():
        sample = folder / f"{number}.bytes"
        if not sample.is_file():
            break
        data = sample.read_bytes()
        right = sample.with_suffix(".text").read_bytes()
        for detector in detectors:
            start = time.perf_counter_ns()
            name = detector(data)
            took = time.perf_counter_ns() - start
            text = decoded(data, name).encode("utf-8", "replace")
            print(took, name or "", text == right, sep="\t")


main()
