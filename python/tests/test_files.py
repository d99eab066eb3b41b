"""convert_files(), and python -m simdtext."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import warnings

import pytest

import simdtext
from simdtext import convert_files

RUSSIAN = "Все люди рождаются свободными и равными в своём достоинстве.\n" * 20


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "old"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_bytes(RUSSIAN.encode("koi8-r"))
    (folder / "sub" / "b.txt").write_bytes(RUSSIAN.encode("cp1251"))
    (folder / "c.bin").write_bytes(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>" * 20)
    return folder


def test_out_dir(tree: pathlib.Path) -> None:
    out = tree.parent / "new"
    read: list[int] = []
    run = convert_files([tree], out_dir=out, progress=read.append)
    reports = {report.path.name: report for report in run}
    assert {name: report.state for name, report in reports.items()} == {
        "a.txt": "converted",
        "b.txt": "converted",
        "c.bin": "binary",
    }
    assert (reports["a.txt"].encoding, reports["b.txt"].encoding) == ("KOI8-R", "windows-1251")
    assert reports["a.txt"].target is not None
    assert (out / "a.txt").read_text("utf-8") == (out / "sub" / "b.txt").read_text("utf-8") == RUSSIAN
    assert run.summary is not None
    assert (run.summary.files, run.summary.cancelled) == (3, False)
    assert run.summary.states == {"converted": 2, "binary": 1}
    assert read == sorted(read)
    assert run.bytes_read >= 2 * len(RUSSIAN)
    assert list(run) == []


def test_in_place(tree: pathlib.Path) -> None:
    kept = list(convert_files([tree / "a.txt"], in_place=True))
    assert [(report.state, report.why is not None) for report in kept] == [("skipped", True)]
    done = list(convert_files([tree / "a.txt"], in_place=True, encoding="koi8-r", backup=".orig", verify=True))
    assert [report.state for report in done] == ["converted"]
    assert (tree / "a.txt").read_text("utf-8") == RUSSIAN
    assert (tree / "a.txt.orig").read_bytes() == RUSSIAN.encode("koi8-r")


def test_wrong_options(tree: pathlib.Path) -> None:
    for options in ({}, {"in_place": True, "out_dir": "new"}):
        with pytest.raises(ValueError):
            convert_files([tree], **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        convert_files([], out_dir="new")
    with pytest.raises(LookupError):
        convert_files([tree], out_dir="new", to="nothing")
    with pytest.raises(ValueError):
        convert_files([tree], out_dir="new", errors="explode")  # type: ignore[arg-type]
    # Each file name ends with this.
    with pytest.raises(ValueError, match="backup"):
        list(convert_files([tree], in_place=True, encoding="koi8-r", backup=""))
    for wrong in ("old", b"old", tree):
        with pytest.raises(TypeError):
            convert_files(wrong, out_dir="new")  # type: ignore[arg-type]
    # Each character of these would be one, and `*` matches all files.
    for text in ({"globs": "*.txt"}, {"extensions": "txt"}, {"globs": b"*.txt"}):
        with pytest.raises(TypeError, match="not one text"):
            convert_files([tree], out_dir="new", **text)
    # An exception in a callback ends the run.
    with pytest.raises(ZeroDivisionError):
        list(convert_files([tree], out_dir=tree.parent / "new", progress=lambda read: 1 // 0))


def test_cancel(tree: pathlib.Path) -> None:
    """From a callback, from another thread, while the next report is waited for."""
    for at in range(500):
        (tree / f"{at}.txt").write_bytes(RUSSIAN.encode("koi8-r"))
    # (Nothing may have been begun before the first bytes were read.)
    run = convert_files(
        [tree], out_dir=tree.parent / "one", jobs=1, progress=lambda read: run.cancel() if read > 0 else None
    )
    assert 0 < len(list(run)) < 500
    assert run.summary is not None
    assert run.summary.cancelled
    other = convert_files([tree], out_dir=tree.parent / "two", jobs=1)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        reports = pool.submit(list, other)
        other.cancel()
        assert len(reports.result()) < 500
    # Only one thread at a time gets the next file.
    told: list[type[Exception]] = []

    def nested(read: int) -> None:
        try:
            next(third)
        except RuntimeError as error:
            told.append(type(error))

    third = convert_files([tree / "a.txt"], out_dir=tree.parent / "three", progress=nested)
    assert [report.state for report in third] == ["converted"]
    assert RuntimeError in told


def test_names_and_repeats(tree: pathlib.Path) -> None:
    """Names that are no Unicode, and a file that is named twice."""
    odd = os.fsencode(tree) + b"/caf\xe9.txt"
    with open(odd, "wb") as file:
        file.write(RUSSIAN.encode("koi8-r"))
    reports = list(convert_files([os.fsdecode(odd)], out_dir=tree.parent / "odd", encoding="koi8-r"))
    assert [os.fsencode(report.path) for report in reports] == [odd]
    assert reports[0].target is not None
    assert reports[0].target.read_text("utf-8") == RUSSIAN
    repr(reports[0])
    path = tree / "a.txt"
    with pytest.raises(ValueError, match="named more than once"):
        list(convert_files([path, path], in_place=True, encoding="koi8-r"))
    assert path.read_bytes() == RUSSIAN.encode("koi8-r")


def test_keyboard_interrupt(tree: pathlib.Path) -> None:
    for at in range(2000):
        (tree / f"{at}.txt").write_bytes(RUSSIAN.encode("koi8-r"))
    program = f"""
import os, signal, simdtext
def interrupt(read):
    if read > 10000:
        os.kill(os.getpid(), signal.SIGINT)
run = simdtext.convert_files(
    [{str(tree)!r}], out_dir={str(tree.parent / "new")!r}, jobs=1, progress=interrupt
)
try:
    for report in run:
        pass
except KeyboardInterrupt:
    print("interrupted")
assert list(run) == []
print(run.summary.cancelled, run.summary.states["converted"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    outputs = list((tree.parent / "new").rglob("*.txt"))
    assert len(outputs) < 2000
    assert done.stdout == f"interrupted\nTrue {len(outputs)}\n", done.stderr
    assert all(path.read_text("utf-8") == RUSSIAN for path in outputs)


def test_dropped(tree: pathlib.Path) -> None:
    run = convert_files([os.fsencode(tree)], out_dir=os.fsencode(tree.parent / "new"), jobs=1)
    next(run)
    with pytest.warns(RuntimeWarning, match="given up"):
        del run
    run = convert_files([tree], out_dir=tree.parent / "other")
    run.cancel()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del run
        list(convert_files([tree], out_dir=tree.parent / "new"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork(tree: pathlib.Path) -> None:
    """A run goes on in the process that began it. A child that has the object gets an error, and does not hang."""
    other = tree.parent / "other"
    other.mkdir()
    (other / "d.txt").write_bytes(RUSSIAN.encode("koi8-r"))
    # It is read at the beginning of the first run, with a pattern that is compiled then.
    home = tree.parent / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\nname = A\n")
    program = f"""
import gc, os, simdtext, sys, time
run = simdtext.convert_files([{str(tree)!r}], out_dir={str(tree.parent / "new")!r})
time.sleep(float(sys.argv[1]))
child = os.fork()
if child == 0:
    try:
        next(run)
    except RuntimeError as error:
        print(error, flush=True)
    del run
    gc.collect()
    again = simdtext.convert_files([{str(other)!r}], out_dir={str(tree.parent / "again")!r})
    print(len(list(again)), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(len(list(run)))
"""
    # From Python 3.12 on, a fork warns of the threads of the run.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    for step in range(12):
        for folder in ("new", "again"):
            shutil.rmtree(tree.parent / folder, ignore_errors=True)
        done = subprocess.run(
            [*command, str(step / 3000)], capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(home)}
        )
        assert done.stdout == "the run goes on in the process that called convert_files()\n1\n3\n", done.stderr
        assert done.stderr == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_locks_of_a_run_that_a_child_outlives(tree: pathlib.Path) -> None:
    program = f"""
import os, simdtext
run = simdtext.convert_files([{str(tree)!r}], out_dir={str(tree.parent / "new")!r})
next(run)
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.close(writing)
    os.read(reading, 1)
    os._exit(0)
list(run)
again = simdtext.convert_files([{str(tree)!r}], out_dir={str(tree.parent / "again")!r})
print(len(list(again)))
os.close(writing)
os.waitpid(child, 0)
"""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "3\n", done.stderr


def test_command(tree: pathlib.Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "simdtext", *arguments], capture_output=True, text=True, timeout=60
        )

    done = run("convert", "-f", "koi8-r", str(tree / "a.txt"))
    assert (done.returncode, done.stdout) == (0, RUSSIAN)
    assert run("nothing").returncode == 2
    assert "Usage: simdtext" in run("--help").stdout
    assert run("check", "-f", "utf-8", str(tree / "a.txt")).returncode == 1
    waiting = subprocess.Popen([sys.executable, "-m", "simdtext", "convert"], stdin=subprocess.PIPE)
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(0.5)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(30) in (130, -signal.SIGINT)
    assert simdtext.names
