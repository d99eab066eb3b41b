"""Asks chardet, charset-normalizer and uchardet what bytes are.

Reads a length (four bytes, little-endian) and as many bytes, again and again. For each detector it
writes the nanoseconds that it took, what it calls the encoding, and the text as Python decodes it.
"""

import codecs
import ctypes
import ctypes.util
import struct
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
    while len(head := sys.stdin.buffer.read(4)) == 4:
        data = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
        for detector in detectors:
            start = time.perf_counter_ns()
            name = detector(data)
            took = time.perf_counter_ns() - start
            name = name or ""
            text = decoded(data, name).encode("utf-8", "replace")
            name = name.encode("utf-8")
            answer = struct.pack("<QI", took, len(name)) + name
            sys.stdout.buffer.write(answer + struct.pack("<I", len(text)) + text)
        sys.stdout.buffer.flush()


main()
