"""The command: `python -m simdtext --help`."""

from __future__ import annotations

import signal
import sys

from ._engine import command

if __name__ == "__main__":
    # Python's handler would only record a signal that arrives before the command has installed its own.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    command(["simdtext", *sys.argv[1:]])
