"""`python -m gpusim kernel.cu --grid 64 --block 256 --arg ...`: one kernel from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .command import arguments, define, parser
from .errors import GpusimError
from .machine.launch import count, launch
from .machine.program import Program
from .machine.verify import verify
from .show.report_page import Examination

CLEAN, REPORTED, WRONG_COMMAND, WRONG_TEXT = 0, 1, 2, 3


def main(words=None) -> int:
    """Run the command; words : its options, those of the process unless told.  return : the exit code"""
    options = parser().parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a kernel's comments may hold what a terminal cannot show
    try:
        text = Path(options.file).read_bytes()
    except OSError as error:
        return _failed(options, error.strerror, f"{options.file}: {error.strerror}", WRONG_COMMAND)
    try:
        found = examined(text, options)
    except GpusimError as error:
        return _failed(options, error, str(error), WRONG_TEXT)
    except MemoryError:
        message = "the arrays do not fit into memory; --count needs none of them"
        return _failed(options, message, f"{options.file}: {message}", WRONG_TEXT)
    print(json.dumps(found.as_dict(), indent=2, default=int) if options.json else found)
    if options.html:
        options.html.write_text(found.page(), encoding="utf-8")
    return REPORTED if found.reports else CLEAN


def examined(text, options) -> Examination:
    """The run that the options ask for, with all that is said about it."""
    program = Program(text, options.file, dict(map(define, options.defines)))
    kernel = _kernel(program, options)
    values = arguments(options.arg, kernel, options.seed, options.count)
    gpu, shared = options.gpu, options.shared
    if options.verify and not options.count:
        verdict = verify(kernel, options.grid, options.block, *values, shared=shared, gpu=gpu)
        if verdict.run is not None:  # else the launch below ends in the error that stopped it
            return Examination(verdict.run, gpu, options.registers, tuple(program.skipped), verdict)
    if options.count:
        run = count(kernel, options.grid, options.block, *values, shared=shared, gpu=gpu)
    else:
        run = launch(kernel, options.grid, options.block, *values, shared=shared, gpu=gpu, bounds="report")
    return Examination(run, gpu, options.registers, tuple(program.skipped))


def _kernel(program, options):
    names = list(program.kernels)
    if options.kernel is None and len(names) > 1:
        raise GpusimError(f"the text has {len(names)} kernels: say which with --kernel", file=options.file,
                          hint=f"--kernel {' or '.join(names)}")  # fmt: skip
    return program[options.kernel or names[0]]


def _failed(options, error, message, code) -> int:
    """Tell what went wrong, as JSON where that was asked for."""
    if options.json:
        places = ("file", "line", "column", "block", "thread", "hint")
        told = {name: getattr(error, name, None) for name in places}
        told = {"kind": type(error).__name__, "message": getattr(error, "message", str(error)), **told}
        print(json.dumps({"error": told}, indent=2))
    else:
        print(message, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
