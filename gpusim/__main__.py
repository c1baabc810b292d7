"""`python -m gpusim kernel.cu --grid 64 --block 256 --arg ...`: one kernel from the command line."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

from .command import CommandError, arguments, define, parser
from .cuda.text.includes import beside
from .errors import GpusimError
from .machine.launch import count, launch
from .machine.program import Program
from .machine.verify import verify
from .show.outline import outline
from .show.report_page import Examination

CLEAN, REPORTED, WRONG_COMMAND, WRONG_TEXT = 0, 1, 2, 3


def main(words=None) -> int:
    """Run the command; words : its options, those of the process unless told.  return : the exit code"""
    words = sys.argv[1:] if words is None else words
    options = parser().parse_args(words)
    if (options.grid is None) != (options.block is None):
        parser().error(f"--grid and --block go together; without both {options.file} is only read")
    if options.html and options.grid is None:
        parser().error("--html writes the page of a run, which takes --grid and --block")
    most = options.gpu.registers_per_thread
    if options.registers is not None and not 1 <= options.registers <= most:
        parser().error(f"--registers {options.registers}: a thread of the {options.gpu} has 1 to {most}")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a kernel's comments may hold what a terminal cannot show
    try:
        text = Path(options.file).read_bytes()
    except OSError as error:
        return _failed(options, error.strerror, f"{options.file}: {error.strerror}", WRONG_COMMAND)
    if options.html and not options.html.parent.is_dir():  # told before a long run, not after it
        message = f"--html {options.html}: there is no folder {options.html.parent}"
        return _failed(options, message, message, WRONG_COMMAND)
    try:
        program = Program(text, options.file, dict(map(define, options.defines)), beside(options.file))
        found = outline(program, _repeated(options)) if options.grid is None else examined(program, options)
    except GpusimError as error:
        error.hint = error.terminal or error.hint
        wrong = WRONG_COMMAND if isinstance(error, CommandError) else WRONG_TEXT
        return _failed(options, error, str(error), wrong)
    except MemoryError:
        message = "the arrays do not fit into memory; --count needs none of them"
        return _failed(options, message, f"{options.file}: {message}", WRONG_TEXT)
    print(json.dumps(found.as_dict(), indent=2, default=int) if options.json else found)
    if options.grid is None:
        return CLEAN
    return _written(found, options, words) or (CLEAN if found.clean else REPORTED)


def examined(program, options) -> Examination:
    """The run that the options ask for, with all that is said about it."""
    kernel = _kernel(program, options)
    values = arguments(options.arg, kernel, options.seed, options.count)
    gpu, shared, steps = options.gpu, options.shared, options.step_limit
    told = gpu, options.registers, tuple(program.skipped)
    if options.verify:
        verdict = verify(kernel, options.grid, options.block, *values, shared=shared, gpu=gpu)
        if verdict.run is None:  # what stopped it is an error, as it is without --verify
            return _stopped(kernel, options, values, verdict)
        return Examination(verdict.run, *told, verdict)
    if options.count:
        run = count(kernel, options.grid, options.block, *values, shared=shared, gpu=gpu, step_limit=steps)
    else:
        how = {"shared": shared, "gpu": gpu, "bounds": "report", "step_limit": steps}
        run = launch(kernel, options.grid, options.block, *values, **how)
    return Examination(run, *told)


def _stopped(kernel, options, values, verdict):
    """Raise the error of the schedule that could not run to its end, with what was executed."""
    try:
        launch(
            kernel,
            options.grid,
            options.block,
            *values,
            shared=options.shared,
            gpu=options.gpu,
            bounds="report",
        )
    except GpusimError as error:
        error.notes += (f"executed: {verdict.executed}",)
        raise
    raise GpusimError(verdict.evidence)


def _kernel(program, options):
    names = [*program.kernels, *program.unit.templates]
    if options.kernel is None and len(names) > 1:
        raise GpusimError(f"the text has {len(names)} kernels: say which with --kernel", file=options.file,
                          hint=f"--kernel {' or '.join(names)}")  # fmt: skip
    return program[options.kernel or next(iter([*names, *program.unit.refused]))]


def _repeated(options) -> list:
    """The words about how the text is read, for the command lines of its outline."""
    return [word for define in options.defines for word in ("-D", define)]


def _written(found, options, words) -> int:
    """Write the page where one is asked for, and say so beside the output; 0, or the code of the failure."""
    if options.html is None:
        return CLEAN
    try:
        options.html.write_text(found.page(shlex.join(["python", "-m", "gpusim", *words])), encoding="utf-8")
    except OSError as error:
        print(f"--html {options.html}: {error.strerror}", file=sys.stderr)
        return WRONG_COMMAND
    print(f"wrote {options.html}", file=sys.stderr if options.json else sys.stdout)
    return CLEAN


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
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = CLEAN
    sys.exit(code)
