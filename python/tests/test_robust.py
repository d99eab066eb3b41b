"""What goes wrong around the engine: threads, shutdown, buffers, memory, interpreters."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import threading

import pytest
from conftest import sample_of

import simdtext
from simdtext import Decoder, decode, detect


def run(program: str) -> subprocess.CompletedProcess[str]:
    # Without a GIL, Python has an allocator that reserves memory.
    environment = {**os.environ, "MIMALLOC_ARENA_RESERVE": "0"}
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def test_gil_is_left_alone() -> None:
    """Where there is none, the package does not bring it back."""
    program = "import sys, simdtext; print(getattr(sys, '_is_gil_enabled', lambda: None)())"
    is_free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert run(program).stdout.strip() in (["False"] if is_free else ["True", "None"])


def test_eight_threads() -> None:
    inputs = [(name, sample_of(name) * 100) for name in simdtext.names]
    expected = [decode(data, name) for name, data in inputs]
    failures = []

    def work(seed: int) -> None:
        for turn in range(len(inputs) * 2):
            at = (turn * 7 + seed) % len(inputs)
            name, data = inputs[at]
            if decode(data, name) != expected[at] or decode(bytearray(data), name) != expected[at]:
                failures.append(name)
            detect(data[:2000])

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_one_decoder_of_many_threads() -> None:
    """A decoder is for one thread at a time: others are told so, and nothing breaks."""
    decoder = Decoder("gbk")
    data = sample_of("gbk") * 2000
    told = []

    def work() -> None:
        for _ in range(20):
            try:
                decoder.decode(data)
            except RuntimeError as error:
                told.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrowed" in message for message in told)
    decoder.reset()
    assert decoder.decode(b"\xc4\xe3", True) == "你"


def test_handler_that_calls_back() -> None:
    import codecs

    decoder = Decoder("gbk", "test.call-back")

    def call_back(error: UnicodeError) -> tuple[str, int]:
        with pytest.raises(RuntimeError):
            decoder.decode(b"a")
        assert isinstance(error, UnicodeDecodeError)
        return "?", error.end

    codecs.register_error("test.call-back", call_back)
    assert decoder.decode(b"a\xffb", True) == "a?b"


def test_buffers_that_are_resized_or_released() -> None:
    data = bytearray(b"\xc4\xe3" * 4_000_000)
    text = "你" * 4_000_000
    begun = threading.Event()
    seen = []

    def work() -> None:
        begun.set()
        seen.append(decode(data, "gbk"))

    refused = False
    for _ in range(100):
        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        while thread.is_alive():
            try:
                data.append(0x41)
                data.pop()
            except BufferError:
                # It is exported, as it should be.
                refused = True
        thread.join()
        assert seen.pop().rstrip("A") == text
        if refused:
            break
        begun.clear()
    assert refused
    data.clear()
    view = memoryview(b"\xc4\xe3" * 4_000_000)
    begun.clear()

    def look() -> None:
        begun.set()
        seen.append(decode(view, "gbk"))

    thread = threading.Thread(target=look)
    thread.start()
    begun.wait()
    try:
        view.release()
    except BufferError:
        pass
    thread.join()
    # Unless it was released before.
    assert seen in ([], [text])
    with pytest.raises(ValueError):
        view.release()
        decode(view, "gbk")


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_memory_error() -> None:
    done = run(
        """
import resource, simdtext
simdtext.decode(b"x\\xe9" * 1000, "windows-1251")
data, latin1, ascii = b"\\xe9" * 40_000_000, "é" * 40_000_000, "a" * 40_000_000
encoder = simdtext.Encoder("iso-2022-jp")
assert encoder.encode("日") == b"\\x1b$BF|"
changing = bytearray(data)
short_text, short_data = ascii[:20_000_000], data[:8_000_000]
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 33_000_000,) * 2)
for at, work in enumerate((
    lambda: simdtext.decode(data, "windows-1251"),
    lambda: simdtext.decode(memoryview(data), "utf-8"),
    lambda: simdtext.decode(changing, "utf-8"),
    lambda: simdtext.decode(changing, "utf-8", errors="strict"),
    lambda: simdtext.decode(data, "utf-8", errors="backslashreplace"),
    lambda: simdtext.decode(data, "utf-8", errors="strict"),
    lambda: simdtext.Decoder("gbk").decode(data),
    lambda: simdtext.Decoder("utf-8", "strict").decode(data),
    lambda: simdtext.OffsetMap().decode(data, "koi8-r"),
    lambda: simdtext.detect(changing),
    lambda: simdtext.Detector().feed(data),
    lambda: simdtext.Detector(limit=36_000_000).feed(data),
    lambda: simdtext.percent_encode_after_encoding(latin1),
    lambda: simdtext.encode(latin1, "gb18030"),
    lambda: simdtext.encode(latin1, "utf-8"),
    lambda: simdtext.encode(latin1, "windows-1252"),
    lambda: simdtext.encode(ascii, "windows-1251"),
    lambda: encoder.encode(ascii),
)):
    try:
        work()
    except MemoryError:
        continue
    raise AssertionError(f"no MemoryError from {at}")
assert simdtext.decode(b"\\xe9", "windows-1251") == "й"
assert encoder.encode("本", True) == b"K\\\\\\x1b(B"
# There is memory for the conversion, and none for its result.
assert encoder.encode("日") == b"\\x1b$BF|"
offsets = simdtext.OffsetMap()
offsets.decode(b"abc", "koi8-r")
for work in (
    lambda: encoder.encode(short_text, True),
    lambda: offsets.decode(short_data, "koi8-r"),
):
    try:
        work()
    except MemoryError:
        continue
    raise AssertionError("no MemoryError")
assert encoder.encode("本", True) == b"K\\\\\\x1b(B"
assert offsets.text is None
print("done")
"""
    )
    assert done.stdout == "done\n", done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_error_after_a_long_text() -> None:
    """There is memory for the exception, which has a copy of the bytes, but not for the text before it."""
    done = run(
        """
import resource, simdtext
data = b"a" * 10_000_000 + b"\\xc3"
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 40_000_000,) * 2)
for decode in (
    lambda: simdtext.decode(data, "utf-8", errors="strict"),
    lambda: simdtext.decode(data, "euc-kr", errors="strict"),
):
    try:
        decode()
    except UnicodeDecodeError as error:
        print(error.start)
"""
    )
    assert done.stdout == "10000000\n10000000\n", done.stderr


def test_shutdown() -> None:
    done = run(
        """
import threading, simdtext
data = b"\\x93\\xfa" * 3_000_000
def work():
    while True:
        simdtext.decode(data, "sjis")
        simdtext.decode(bytearray(data), "sjis")
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
class AtEnd:
    def __del__(self):
        assert simdtext.decode(b"\\x93\\xfa", "sjis") == "日"
kept = AtEnd()
threading.Event().wait(0.3)
"""
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("first", ["main", "other"])
def test_subinterpreters(first: str) -> None:
    """They are refused by an exception from Python 3.12 on, and work before."""
    done = run(
        f"""
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
program = '''
import gc, simdtext
assert simdtext.decode("你".encode("gbk"), "gbk") == "你"
assert simdtext.Decoder("gbk").decode(b"a") == "a"
assert simdtext.detect(b"a") == simdtext.detect(b"b")
try:
    simdtext.decode(bytes([255]), "gbk", errors="strict")
except UnicodeDecodeError:
    gc.collect()
    print("works", flush=True)
'''
def main():
    exec(program)
def other():
    id = interpreters.create()
    # Newer versions return what is raised, older ones raise an error that names it.
    raised = interpreters.run_string(id, program)
    interpreters.destroy(id)
    if raised is not None:
        raise RuntimeError(str(raised.formatted))
for work in (main, other) if {first!r} == "main" else (other, main):
    try:
        work()
    except Exception as error:
        assert "ImportError" in str(error) + type(error).__name__, error
        print("refused", flush=True)
"""
    )
    expected = {"main": "works", "other": "works" if sys.version_info < (3, 12) else "refused"}
    assert done.stdout.split() == [expected[first], expected["other" if first == "main" else "main"]], done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="asks for memory as Linux does")
def test_no_growth() -> None:
    # In a process of its own: in this one, other tests leave memory that can be used again.
    done = run(
        f"""
import gc, resource
from simdtext import Decoder, decode, encode
data, wrong = {sample_of("Shift_JIS")!r}, b"a\\xff" * 50
def turn():
    encode(decode(data, "sjis"), "sjis")
    decode(bytearray(data), "sjis", errors="ignore")
    decode(wrong, "sjis", errors="backslashreplace")
    decode(memoryview(data), "gbk")
    try:
        decode(wrong, "sjis", errors="strict")
    except UnicodeDecodeError:
        pass
    decoder = Decoder("sjis")
    decoder.decode(data)
    decoder.setstate(decoder.getstate())
    encode("a€日", "sjis", errors="namereplace")
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
for _ in range(10_000):
    turn()
before = resident()
# Ten calls each.
for _ in range(25_000):
    turn()
grown = resident() - before
assert grown < 512 * 1024, f"{{grown}} bytes more after 250,000 calls"
"""
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
