"""The two converters that compare.py asks: iconv(3) of the C library, and simdtext by the functions of encoding_c.

Each decodes a sequence of bytes to a string, and encodes a character to bytes, alone and from the start; None stands for
an error. Both are strict: no //TRANSLIT, no replacement.
"""

import ctypes
import functools
import platform
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_void_p

ROOM = 64

libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = c_void_p
libc.iconv_open.argtypes = [c_char_p, c_char_p]
libc.iconv.restype = c_size_t
libc.iconv.argtypes = [c_void_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_void_p), POINTER(c_size_t)]
libc.iconv_close.restype = c_int
libc.iconv_close.argtypes = [c_void_p]


def glibc_version():
    name, version = platform.libc_ver()
    if name != "glibc":
        raise SystemExit("this is about the iconv of glibc, and the C library here is another one")
    return version


@functools.cache
def open_iconv(to, origin):
    """A descriptor, or None if the name is not known."""
    descriptor = libc.iconv_open(to.encode(), origin.encode())
    return None if descriptor == c_void_p(-1).value else descriptor


def knows(name):
    return open_iconv("UTF-32LE", name) is not None


class Iconv:
    """What glibc calls `name`."""

    def __init__(self, name):
        self.name = name
        self.to_unicode = open_iconv("UTF-32LE", name)
        self.from_unicode = open_iconv(name, "UTF-32LE")
        self.buffer = ctypes.create_string_buffer(ROOM)

    def convert(self, descriptor, source):
        libc.iconv(descriptor, None, None, None, None)
        data = ctypes.create_string_buffer(source, len(source))
        src, src_left = c_void_p(ctypes.addressof(data)), c_size_t(len(source))
        dst, dst_left = c_void_p(ctypes.addressof(self.buffer)), c_size_t(ROOM)
        if libc.iconv(descriptor, byref(src), byref(src_left), byref(dst), byref(dst_left)) == c_size_t(-1).value:
            return None
        # Some converters hold the last character back.
        if libc.iconv(descriptor, None, None, byref(dst), byref(dst_left)) == c_size_t(-1).value:
            return None
        return self.buffer.raw[: ROOM - dst_left.value]

    def decode(self, source):
        converted = self.convert(self.to_unicode, source)
        return None if converted is None else converted.decode("utf-32-le")

    def encode(self, char):
        return self.convert(self.from_unicode, char.encode("utf-32-le"))


class Standard:
    """The encoding that the standard gives `label`."""

    library = None

    @classmethod
    def load(cls, path):
        cls.library = library = ctypes.CDLL(path)
        for name in ["encoding_for_label", "encoding_new_decoder", "encoding_new_encoder"]:
            getattr(library, name).restype = c_void_p
        library.encoding_for_label.argtypes = [c_char_p, c_size_t]
        for name in ["encoding_new_decoder", "encoding_new_encoder", "encoding_output_encoding"]:
            getattr(library, name).argtypes = [c_void_p]
        for name in ["encoding_new_decoder_without_bom_handling_into", "encoding_new_encoder_into"]:
            getattr(library, name).argtypes = [c_void_p, c_void_p]
            getattr(library, name).restype = None
        for name in ["decoder_decode_to_utf8_without_replacement", "encoder_encode_from_utf8_without_replacement"]:
            getattr(library, name).argtypes = [
                c_void_p, c_char_p, POINTER(c_size_t), c_char_p, POINTER(c_size_t), ctypes.c_bool,
            ]  # fmt: skip
            getattr(library, name).restype = c_uint32

    def __init__(self, label):
        self.encoding = self.library.encoding_for_label(label.encode(), len(label))
        self.decoder = self.library.encoding_new_decoder(self.encoding)
        self.encoder = self.library.encoding_new_encoder(self.encoding)
        self.buffer = ctypes.create_string_buffer(ROOM)
        self.read, self.written = c_size_t(), c_size_t()

    def convert(self, function, converter, source):
        self.read.value, self.written.value = len(source), ROOM
        result = function(converter, source, byref(self.read), self.buffer, byref(self.written), True)
        return self.buffer.raw[: self.written.value] if result == 0 else None

    def decode(self, source):
        self.library.encoding_new_decoder_without_bom_handling_into(self.encoding, self.decoder)
        converted = self.convert(self.library.decoder_decode_to_utf8_without_replacement, self.decoder, source)
        return None if converted is None else converted.decode()

    def encode(self, char):
        self.library.encoding_new_encoder_into(self.encoding, self.encoder)
        return self.convert(self.library.encoder_encode_from_utf8_without_replacement, self.encoder, char.encode())
