"""Files and trees of files, converted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from ._engine import Conversion

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def convert_files(
    paths: Iterable[_Path],
    *,
    out_dir: _Path | None = None,
    in_place: bool = False,
    encoding: str | Sequence[str] = "auto",
    to: str = "utf-8",
    errors: Literal["strict", "replace", "ignore"] | None = None,
    unmappable: Literal["strict", "replace", "ignore", "xmlcharrefreplace"] = "strict",
    accept_guess: bool = False,
    backup: str | None = None,
    binary: Literal["copy", "convert"] | None = None,
    decompress: bool = False,
    dry_run: bool = False,
    extensions: Iterable[str] = (),
    fail_fast: bool = False,
    fix_declarations: bool = False,
    fsync: bool = True,
    globs: Iterable[str] = (),
    hidden: bool = False,
    jobs: int = 0,
    no_clobber: bool = False,
    output_bom: bool = False,
    per_line: bool = False,
    preserve: bool = False,
    resume: _Path | None = None,
    tld: str | None = None,
    undo_double_encoding: bool = False,
    update: bool = False,
    verify: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Conversion:
    """Converts files, and all files of folders, on all cores: into `out_dir`, or `in_place`.

    The conversion begins at once, and the returned object yields a report for each file as it is done. The conversion
    ends if that object is dropped, with a `RuntimeWarning`, so iterate over it to the end. Afterwards it has a
    `summary`. An exception from the iterator means that nothing was begun; what is wrong with a file is in its report.
    `KeyboardInterrupt` ends the run as SIGINT ends the command: files that were begun are finished, and no others are
    begun. The `summary` counts what was done, also after an exception of `progress`.

    `encoding` is a label, `"auto"`, or a list of labels, of which the first that fits is used, after UTF-8. `errors`
    says how malformed bytes are handled: by default U+FFFD is written for them with `out_dir`, and with `in_place` the
    file is left alone. `progress` is called with the number of bytes read so far, from the thread that iterates. The
    other arguments have the names of the command's flags.
    """
    for name, value in (("extensions", extensions), ("globs", globs)):
        # A text is an iterable of its characters, and the glob `*` is every file.
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{name} must be an iterable of texts, not one text")
    options: dict[str, object] = {
        "out_dir": None if out_dir is None else os.fsdecode(out_dir),
        "in_place": in_place,
        "encoding": encoding if isinstance(encoding, str) else list(encoding),
        "to": to,
        "errors": errors,
        "unmappable": unmappable,
        "accept_guess": accept_guess,
        "backup": backup,
        "binary": binary,
        "decompress": decompress,
        "dry_run": dry_run,
        "extensions": list(extensions),
        "fail_fast": fail_fast,
        "fix_declarations": fix_declarations,
        "fsync": fsync,
        "globs": list(globs),
        "hidden": hidden,
        "jobs": jobs,
        "no_clobber": no_clobber,
        "output_bom": output_bom,
        "per_line": per_line,
        "preserve": preserve,
        "resume": None if resume is None else os.fsdecode(resume),
        "tld": tld,
        "undo_double_encoding": undo_double_encoding,
        "update": update,
        "verify": verify,
    }
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError("paths must be an iterable of paths, not one path")
    names = [os.fsdecode(path) for path in paths]
    if not names:
        raise ValueError("paths is empty")
    if in_place == (out_dir is not None):
        raise ValueError("either out_dir or in_place says where the output goes")
    return Conversion(names, options, progress)
