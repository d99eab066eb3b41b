"""Collects files that are not text: python3 benches/detect/binaries.py FOLDER [ROOT…]

Copies at most 80 files of each kind from the roots (/usr, /opt, /var/lib and the home folder) to FOLDER/KIND. The kind
is known by extension and magic number; no two files are alike, and none is longer than 4 MiB. More files are made with
Python's own modules and with those of `convert`, `gcc`, `javac`, `xz`, `zstd`, `lz4` and `cpio` that are installed.
Then `cargo bench --bench detect -- --binaries FOLDER` says which of them are taken for text.
"""

import bz2, dbm.dumb, gzip, hashlib, io, lzma, marshal, os, pickle, plistlib, random, shelve, sqlite3
import struct, subprocess, sys, tarfile, tempfile, wave, zipfile, zlib

MOST, LONGEST = 80, 4 << 20

# Extension: what the file begins with, or nothing if the extension is enough.
KINDS = {
    "pyc": b"", "mo": (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"), "png": b"\x89PNG", "gz": b"\x1f\x8b",
    "so": b"\x7fELF", "o": b"\x7fELF", "debug": b"\x7fELF", "ko": b"\x7fELF", "a": b"!<arch>", "woff2": b"wOF2",
    "woff": b"wOFF", "ttf": b"\0\1\0\0", "otf": b"OTTO", "ttc": b"ttcf", "jar": b"PK", "jmod": b"JM",
    "whl": b"PK", "zip": b"PK", "docx": b"PK", "xlsx": b"PK", "odt": b"PK", "epub": b"PK", "gif": b"GIF8",
    "jpg": b"\xff\xd8\xff", "jpeg": b"\xff\xd8\xff", "ico": b"\0\0\1\0", "webp": b"RIFF", "wav": b"RIFF",
    "avi": b"RIFF", "au": b".snd", "aiff": b"FORM", "aifc": b"FORM", "aif": b"FORM", "mp3": b"", "ogg": b"OggS",
    "flac": b"fLaC", "mp4": b"", "exe": b"MZ", "dll": b"MZ", "rlib": b"!<arch>", "rmeta": b"rust",
    "class": b"\xca\xfe\xba\xbe", "wasm": b"\0asm", "bc": b"BC\xc0\xde", "pdf": b"%PDF",
    "bz2": b"BZh", "xz": b"\xfd7zXZ", "zst": b"\x28\xb5\x2f\xfd", "tar": b"", "deb": b"!<arch>", "rpm": b"\xed\xab",
    "db": (b"SQLite", b"\0\6\x15\x61", b"\x13\x57\x9a\xce"), "sqlite": b"SQLite", "sqlite3": b"SQLite",
    "npy": b"\x93NUMPY", "npz": b"PK", "pickle": b"\x80", "pkl": b"\x80", "pck": b"\x80", "parquet": b"PAR1",
    "bmp": b"BM", "tiff": (b"II", b"MM"), "tif": (b"II", b"MM"), "psd": b"8BPS", "jks": b"\xfe\xed",
    "der": b"\x30", "p12": b"\x30", "gresource": b"GVariant", "swf": (b"CWS", b"FWS"), "elc": b"\0", "qm": b"\x3c\xb8",
    "pcf": b"\1fcp", "pfb": b"\x80\1", "tfm": b"", "crate": b"\x1f\x8b", "nib": b"bplist", "icns": b"icns",
    "pack": b"PACK", "idx": b"\xfftOc", "dat": b"", "bin": b"", "mmdb": b"", "trie": b"", "cache": b"", "rdb": b"",
}
UNSURE = {"dat", "bin", "cache", "trie", "db", "rdb", "tar", "pyc", "mp4"}  # Only with a NUL in the first 4 KiB.


def main():
    folder, roots = sys.argv[1], sys.argv[2:] or ["/usr", "/opt", "/var/lib", os.path.expanduser("~")]
    seen, counts = set(), {}

    def keep(kind, data):
        digest = hashlib.sha1(data).digest()
        if not data or digest in seen or counts.get(kind, 0) >= MOST:
            return
        seen.add(digest)
        os.makedirs(os.path.join(folder, kind), exist_ok=True)
        with open(os.path.join(folder, kind, f"{counts.get(kind, 0):03}.{kind}"), "wb") as file:
            file.write(data)
        counts[kind] = counts.get(kind, 0) + 1

    collect(roots, keep, counts)
    generate(keep)
    make_with_programs(keep)
    print(f"{sum(counts.values())} files of {len(counts)} kinds: {counts}")


def collect(roots, keep, counts):
    tried = {}
    for root in roots:
        for path, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if not os.path.ismount(os.path.join(path, f)))
            for name in sorted(files):
                full = os.path.join(path, name)
                kind = name.rpartition(".")[2].lower() if "." in name else None
                if path.startswith(("/usr/share/zoneinfo", "/usr/share/terminfo", "/lib/terminfo")):
                    kind = "tzif" if "zoneinfo" in path else "terminfo"
                elif kind is None and path in ("/usr/bin", "/usr/sbin", "/usr/local/bin"):
                    kind = "elf"
                magic = {"tzif": b"TZif", "terminfo": (b"\x1a\1", b"\x1e\2"), "elf": b"\x7fELF"}.get(kind, KINDS.get(kind))
                # No more than a few from each folder, so that they come from many sources.
                place = (kind, path)
                if magic is None or counts.get(kind, 0) >= MOST or tried.get(place, 0) >= 12 or os.path.islink(full):
                    continue
                try:
                    if not 0 < os.path.getsize(full) <= LONGEST:
                        continue
                    with open(full, "rb") as file:
                        data = file.read()
                except OSError:
                    continue
                if data.startswith(magic) and not (kind in UNSURE and b"\0" not in data[:4096].rstrip(b"\0")):
                    tried[place] = tried.get(place, 0) + 1
                    keep(kind, data)


def generate(keep):
    rng = random.Random(17)
    words = [line.strip() for line in LOREM.split()]
    text = lambda n: " ".join(rng.choice(words) for _ in range(n)).encode()
    for n in range(60):
        size = int(64 * 1.15**n)
        noise = rng.randbytes(size)
        prose = text(8 + size // 20)
        value = {"id": n, "words": prose.decode().split()[:200], "x": [rng.random() for _ in range(n + 1)], "raw": noise[:50]}
        keep("random", noise)
        keep("bz2", bz2.compress(prose)); keep("xz", lzma.compress(prose)); keep("lzma", lzma.compress(prose, lzma.FORMAT_ALONE))
        keep("zlib", zlib.compress(prose)); keep("deflate", zlib.compress(prose)[2:-4])
        keep("pickle2", pickle.dumps(value, 2)); keep("pickle5", pickle.dumps(value, 5)); keep("marshal", marshal.dumps(value))
        keep("plist", plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
        floats = struct.pack(f">{size}f", *(rng.gauss(1000, 20) for _ in range(size)))
        card = lambda k, v: f"{k:8}= {v:>20}".ljust(80)
        cards = [card("SIMPLE", "T"), card("BITPIX", -32), card("NAXIS", 1), card("NAXIS1", size)]
        cards += ["COMMENT " + text(6).decode()[:70]] * 40 * (n % 8) + ["END"]
        header = "".join(c.ljust(80) for c in cards).encode()
        keep("fits", header + b" " * (-len(header) % 2880) + floats + b"\0" * (-len(floats) % 2880))
        side = 4 + n
        pixels = bytes((x * 3 + y + c * 40 + rng.randrange(16)) & 255 for y in range(side) for x in range(side) for c in range(3))
        keep("ppm", b"P6\n# made by a test\n%d %d\n255\n" % (side, side) + pixels)
        keep("pgm", b"P5\n%d %d\n255\n" % (side, 3 * side) + pixels)
        stub = b"#!/bin/sh\n# " + text(40 * (n + 1)) + b"\ntail -c +$SKIP \"$0\" | gunzip | tar x\nexit 0\n"
        keep("run", stub + gzip.compress(prose + noise))
        with io.BytesIO() as out:
            with tarfile.open(fileobj=out, mode="w", format=[tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT][n % 3]) as tar:
                for number in range(1 + n % 5):
                    data = text(10 * (n + 1)) + b"\n"
                    info = tarfile.TarInfo(f"docs/{number}.txt")
                    info.size = len(data)
                    tar.addfile(info, io.BytesIO(data))
            keep("tar", out.getvalue())
        with io.BytesIO() as out:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if n % 2 else zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("[Content_Types].xml", b"<Types/>")
                archive.writestr("word/document.xml", b"<w:document>" + prose + b"</w:document>")
            keep("zip-stored" if n % 2 else "docx", out.getvalue())
        with io.BytesIO() as out:
            with wave.open(out, "wb") as sound:
                sound.setparams((1, 1 + n % 2, 8000, 0, "NONE", ""))
                sound.writeframes(pixels[: len(pixels) & ~1])
            keep("wav", out.getvalue())
        stored = [(prose[i : i + 40], rng.randrange(1 << 16)) for i in range(0, len(prose), 40)]
        keep("dbf", struct.pack("<B3BIHH20x", 3, 99, 1, 1, len(stored), 97, 49) + b"NAME".ljust(11, b"\0") + b"C" + b"\0" * 4 + b"\x30" + b"\0" * 15
             + b"N".ljust(11, b"\0") + b"N" + b"\0" * 4 + b"\x08" + b"\0" * 15 + b"\r" + b"".join(b" " + t.ljust(40) + b"%8d" % k for t, k in stored) + b"\x1a")
        keep("cdb", b"".join(struct.pack("<II", 5, len(t)) + b"key%02d" % (k % 100) + t for t, k in stored) + struct.pack("<512I", *range(0, 1024, 2)))
        # Records of a string, two numbers and a price.
        price = [rng.random() * 100 for _ in stored]
        keep("protobuf", b"".join(b"\x0a" + bytes([len(t)]) + t + b"\x10" + varint(k) + b"\x18" + bytes([k & 7]) + b"\x21" + struct.pack("<d", p) for (t, k), p in zip(stored, price)))
        keep("msgpack", b"".join(b"\x84\xa4name\xd9" + bytes([len(t)]) + t + b"\xa2id\xcd" + struct.pack(">H", k) + b"\xa4size" + bytes([k & 7]) + b"\xa5price\xcb" + struct.pack(">d", p) for (t, k), p in zip(stored, price)))
        keep("cbor", b"\x9f" + b"".join(b"\xa4\x64name\x78" + bytes([len(t)]) + t + b"\x62id\x19" + struct.pack(">H", k) + b"\x64size" + bytes([k & 7]) + b"\x65price\xfb" + struct.pack(">d", p) for (t, k), p in zip(stored, price)) + b"\xff")
        keep("bson", b"".join(struct.pack("<i", len(t) + 16) + b"\x02name\0" + struct.pack("<i", len(t) + 1) + t + b"\0\0" for t, _ in stored))
        keep("npy", b"\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % size + b" " * 40 + b"\n" + struct.pack(f"<{size}d", *(rng.random() for _ in range(size))))
        keep("int16", struct.pack(f"<{size}h", *(rng.randrange(-3000, 3000) for _ in range(size))))
        keep("int32", struct.pack(f"<{size}i", *(rng.randrange(0, 100000) for _ in range(size))))
        keep("float64", struct.pack(f"<{size}d", *(rng.gauss(0, 1) for _ in range(size))))
        with tempfile.TemporaryDirectory() as tmp:
            path = os.path.join(tmp, "a.db")
            with sqlite3.connect(path) as database:
                database.execute("create table t (a text, b integer)")
                database.executemany("insert into t values (?, ?)", [(t.decode(), k) for t, k in stored])
            database.close()
            with open(path, "rb") as file:
                keep("sqlite-made", file.read())


def varint(number):
    return bytes([number & 127]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def make_with_programs(keep):
    rng = random.Random(4)
    with tempfile.TemporaryDirectory() as tmp:
        def run(*command):
            try:
                return subprocess.run(command, cwd=tmp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode == 0
            except (OSError, subprocess.TimeoutExpired):
                return False

        def kept(kind, name):
            path = os.path.join(tmp, name)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    keep(kind, file.read())
                os.remove(path)

        for number in range(12):
            size = 16 + 12 * number
            image = ["plasma:fractal", "gradient:black-white", "rose:", "pattern:checkerboard", "xc:white", "netscape:"][number % 6]
            for kind in ["bmp", "tiff", "tga", "pcx", "sgi", "xwd", "webp", "jpg", "gif", "ico", "pdf", "psd", "miff", "ras", "jp2", "dds", "fits", "ppm", "rgb"]:
                if run("convert", "-size", f"{size}x{size}", image, "-resize", f"{size}x{size}", f"a.{kind}"):
                    kept(kind, f"a.{kind}")
            with open(os.path.join(tmp, "a.txt"), "w") as file:
                file.write(" ".join(rng.choice(LOREM.split()) for _ in range(100 * (number + 1))))
            with open(os.path.join(tmp, "A.java"), "w") as file:
                file.write("public class A { " + " ".join(f"int f{i}(String s) {{ return s.length() + {i * 7919}; }}" for i in range(number + 1)) + " }")
            with open(os.path.join(tmp, "a.c"), "w") as file:
                file.write("#include <stdio.h>\n" + "\n".join(f'int f{i}(int x) {{ return printf("%d {i}", x * {i}); }}' for i in range(number + 1)))
            for command, kind, name in [
                (("gcc", "-c", "a.c"), "o", "a.o"), (("javac", "A.java"), "class", "A.class"),
                (("zstd", "-q", "a.txt", "-o", "a.zst"), "zst", "a.zst"), (("lz4", "-q", "a.txt", "a.lz4"), "lz4", "a.lz4"),
                (("sh", "-c", "ls a.* | cpio -o > a.cpio"), "cpio", "a.cpio"), (("sh", "-c", "ls a.* | cpio -o -H newc > b.cpio"), "cpio", "b.cpio"),
                (("gcc", "-shared", "-fPIC", "a.c", "-o", "a.so"), "so", "a.so"), (("compress", "-c", "a.txt"), "Z", "a.txt.Z"),
                (("openssl", "enc", "-aes-128-ctr", "-K", "0" * 32, "-iv", "1" * 32, "-in", "a.txt", "-out", "a.enc"), "encrypted", "a.enc"),
                (("gzip", "-k", "a.txt"), "gz", "a.txt.gz"),
            ]:
                if run(*command):
                    kept(kind, name)


LOREM = """the of a quick lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor
incididunt ut labore et dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris
nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse cillum"""

if __name__ == "__main__":
    main()
