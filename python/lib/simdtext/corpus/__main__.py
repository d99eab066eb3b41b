"""The command: `python -m simdtext.corpus --help`."""

from __future__ import annotations

import argparse
import glob
import os
import signal
import sys
from typing import NoReturn

from .._engine import corpus_command
from . import Options

_ENGINES = """\
With --engine ray or --engine spark the engine divides the work:

  python -m simdtext.corpus --engine ray --help
"""


def _size(text: str) -> int:
    number, shift = text, 0
    for suffix, power in (("K", 10), ("M", 20), ("G", 30)):
        if text[-1:].upper() == suffix:
            number, shift = text[:-1], power
    if not number.isascii() or not number.isdigit() or int(number) == 0:
        raise argparse.ArgumentTypeError("a size is a number of bytes, or ends in K, M or G")
    return int(number) << shift


def _arguments(engine: str, given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"python -m simdtext.corpus --engine {engine}",
        description="Reads records from files, trees and archives, decides which encoding each is in, and writes their"
        " text: on the workers of the engine, which need the files under the same paths. Paths with :// are read with"
        " fsspec. The output is Parquet: DIR/rejected=false has the rows, DIR/rejected=true the"
        " records that gave no text, and why.",
        epilog="Exit status: 0 if all input was read, 1 if some of it is damaged or can't be read (the rest was read),"
        " 2 if the output could not be finished.",
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="files, folders of files, and patterns")
    parser.add_argument("-o", "--out", required=True, metavar="DIR", help="the folder to write to, as the engine names it")
    parser.add_argument("--address", help="the cluster [default: what the engine finds, or this machine]")
    parser.add_argument("--split-size", type=_size, default=64 << 20, metavar="SIZE", help="what a task reads [64M]")
    parser.add_argument(
        "--container",
        choices=["file", "warc", "tar", "zip", "jsonl", "parquet", "mbox"],
        help="what all inputs are [default: their first bytes and their names tell]",
    )
    parser.add_argument("--fallback", metavar="LABEL", help="the encoding where nothing tells it and no guess is plausible")
    parser.add_argument("--content", metavar="NAME", default="content", help="the field with the document")
    parser.add_argument("--url", metavar="NAME", default="url", help="the field with its URL")
    parser.add_argument("--content-type", metavar="NAME", default="content_type", help="the field with its Content-Type")
    parser.add_argument("--base64", action="store_true", help="the document is in base64, where it is a string")
    parser.add_argument("--max-record", type=_size, default=16 << 20, metavar="SIZE", help="what a record may have [16M]")
    parser.add_argument("--max-ratio", type=int, default=500, metavar="TIMES", help="how many times as large as it is compressed")
    return parser.parse_args(given)


def _on_engine(engine: str, given: list[str]) -> int:
    arguments = _arguments(engine, given)
    options: Options = {
        "container": arguments.container,
        "content": arguments.content,
        "url": arguments.url,
        "content_type": arguments.content_type,
        "base64": arguments.base64,
        "max_record": arguments.max_record,
        "max_ratio": arguments.max_ratio,
        "fallback": arguments.fallback,
    }
    out: str = arguments.out
    if "://" not in out:
        out = os.path.abspath(out)
        if os.path.isdir(out) and os.listdir(out):
            raise SystemExit(_failed(f"{out} is not empty: name another folder"))
    inputs = [path if "://" in path else os.path.abspath(path) for path in arguments.inputs]
    for path in inputs:
        # Checked before an engine is started, which takes seconds.
        if "://" not in path and not os.path.lexists(path) and not glob.glob(path, recursive=True):
            raise FileNotFoundError(f"{path}: there is no such file")
    if engine == "ray":
        from ._run_ray import run
    else:
        from ._run_spark import run
    rows, rejected, faults = run(inputs, out, arguments.address, arguments.split_size, options)
    print(f"{rows} rows, {rejected} rejected records of which {faults} could not be read, in {out}")
    return 1 if faults else 0


def _failed(what: object) -> int:
    print(f"simdtext.corpus: {what}", file=sys.stderr)
    return 2


def main(given: list[str]) -> NoReturn:
    """Runs the command and ends the process with its exit status."""
    engine = "local"
    for at, argument in enumerate(given):
        if argument == "--engine" and at + 1 < len(given):
            engine, given = given[at + 1], given[:at] + given[at + 2 :]
            break
        if argument.startswith("--engine="):
            engine, given = argument.removeprefix("--engine="), given[:at] + given[at + 1 :]
            break
    if engine == "local":
        if {"-h", "--help"} & set(given):
            print(_ENGINES, flush=True)
        # Python's own handler would wait for the end of the run.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        corpus_command(["simdtext-corpus", *given])
    if engine not in ("ray", "spark"):
        raise SystemExit(_failed(f"--engine is local, ray or spark, not {engine!r}"))
    try:
        raise SystemExit(_on_engine(engine, given))
    except ImportError as error:
        raise SystemExit(_failed(f"{error}; `pip install pyarrow` and the engine itself")) from None
    except (OSError, ValueError) as error:
        raise SystemExit(_failed(error)) from None
    except Exception as error:
        # For any exception of an engine: status 1 would mean that all of the input was handled.
        what = str(error).strip() or type(error).__name__
        raise SystemExit(_failed(f"{engine} failed, and the output is not complete: {what}")) from None


if __name__ == "__main__":
    main(sys.argv[1:])
