"""Archives that others made, by many programs: what Python's readers and warcio find in them, simdtext-corpus has found.

    real_archives.py SIMDTEXT_CORPUS WORK

They are downloaded: the samples of pywb and Warcat (web archives of wget, wpull, Heritrix and others), of the crates
rawzip (zip) and mail-parser (mbox), and, where it is installed with them, the archives of Python's own tests.
"""

import glob
import hashlib
import importlib.util
import io
import json
import mailbox
import os
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile

import pyarrow.dataset
from warcio.archiveiterator import ArchiveIterator

SDISTS = {"pywb==2.10.0": "sample_archive/warcs", "Warcat==2.2.5": "example"}
CRATES = {"rawzip-0.5.2": "assets", "mail-parser-1.0.1": "resources/mbox"}
# A body whose chunks are cut, which warcio gives with their lengths, and simdtext-corpus as far as they can be undone; a
# response of HTTPX, which is a document with its headers for simdtext-corpus, and without for warcio; and a record whose
# lines end with CR CR LF, which simdtext-corpus calls damaged.
DIFFERENT = {"bad_http_chunked_content.warc", "example-extra.warc", "missing-status-text.warc"}
# These have holes in them, which tarfile fills.
SPARSE = ("gnu/sparse", "gnu/sparse-0.0", "gnu/sparse-0.1", "gnu/sparse-1.0")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def unpack(archive: tarfile.TarFile, folder: str, into: str) -> None:
    os.makedirs(into)
    for member in archive.getmembers():
        directory, name = os.path.split(member.name)
        if member.isfile() and directory.endswith(folder):
            with open(f"{into}/{name}", "wb") as file:
                file.write(archive.extractfile(member).read())


def download(work: str) -> str:
    archives = f"{work}/archives"
    for package, folder in SDISTS.items():
        place = f"{work}/{package}"
        pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--no-binary=:all:", "-d", place, package], check=True)
        with tarfile.open(glob.glob(f"{place}/*.tar.gz")[0]) as archive:
            unpack(archive, folder, f"{archives}/{package}")
    for crate, folder in CRATES.items():
        name = crate.rpartition("-")[0]
        with urllib.request.urlopen(f"https://static.crates.io/crates/{name}/{crate}.crate") as file:
            data = file.read()
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            unpack(archive, folder, f"{archives}/{crate}")
    tests = importlib.util.find_spec("test")
    if tests and tests.origin:
        os.makedirs(f"{archives}/python")
        for pattern in ("*.tar", "*.zip", "archivetestdata/*.tar", "archivetestdata/*.zip"):
            for path in glob.glob(f"{os.path.dirname(tests.origin)}/{pattern}"):
                shutil.copy(path, f"{archives}/python")
    return archives


def documents(path: str) -> list[str]:
    """The hashes of what an archive holds, as others read it. Nothing, where they can't."""
    found = []
    if path.endswith((".warc", ".warc.gz")):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type in ("response", "resource", "conversion"):
                    found.append(sha256(record.content_stream().read()))
    elif path.endswith(".tar"):
        with tarfile.open(path, encoding="latin-1") as archive:
            for member in archive.getmembers():
                # Links to files are no files.
                if member.isreg() and not member.issparse() and member.name not in SPARSE:
                    found.append(sha256(archive.extractfile(member).read()))
    elif path.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                is_link = member.external_attr >> 28 == 0xA
                if not member.is_dir() and not member.flag_bits & 1 and not is_link:
                    found.append(sha256(archive.read(member)))
    elif path.endswith(".mbox"):
        # The line breaks in front of the next message belong to one or the other.
        for message in mailbox.mbox(path):
            found.append(str(len(message.get_payload(decode=True).split())))
    return found


def main(program: str, work: str) -> None:
    archives = f"{work}/archives" if os.path.isdir(f"{work}/archives") else download(work)
    out = f"{work}/out"
    done = subprocess.run([program, "-q", archives, "--out", out], check=False)
    # Some are damaged on purpose.
    assert done.returncode == 1, done.returncode
    ours: dict[str, set[str]] = {}
    rows = pyarrow.dataset.dataset(f"{out}/text").to_table(["source", "sha256", "text"]).to_pylist()
    for path in glob.glob(f"{out}/rejected/*.jsonl"):
        with open(path, encoding="utf-8") as file:
            rows += map(json.loads, file)
    for row in rows:
        is_mail = row["source"].endswith(".mbox")
        words = str(len(row["text"].split())) if is_mail and "text" in row else None
        ours.setdefault(row["source"], set()).add(words or row["sha256"])
    archives_read = found = 0
    different = set()
    for path in sorted(glob.glob(f"{archives}/*/*")):
        try:
            theirs = documents(path)
        except Exception as error:
            print(f"{os.path.basename(path)}: not read by others: {error}")
            continue
        if any(it not in ours.get(path, set()) for it in theirs):
            different.add(os.path.basename(path))
        archives_read += bool(theirs)
        found += len(theirs)
    assert different == DIFFERENT, different
    assert archives_read > 40, archives_read
    print(f"{found} documents of {archives_read} archives, as others read them")


if __name__ == "__main__":
    main(*sys.argv[1:])
