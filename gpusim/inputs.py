"""Inputs: what a public function accepts; a refusal names the argument, what came and what is allowed."""

from __future__ import annotations

import functools
import inspect
from difflib import get_close_matches
from numbers import Real

from .errors import GpusimError, LaunchError, is_whole

LONGEST = 60  # characters of a value that a message repeats


def shown(value) -> str:
    """What came, for a message: its text, cut if that is long, behind its type if the text does not tell.

    >>> shown("3"), shown(None), shown([0] * 100)[-6:]
    ("'3'", 'None', ' 0,...')
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**LONGEST else "a huge int"
    else:
        text = f"the {type(value).__name__} {value!r}"
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def whole(name, value, least=0, most=None, error=LaunchError) -> int:
    """A whole number in a range, as an int; 2.0 is one, True and "2" are not.

    >>> whole("chunk", 64.0), whole("chunk", 0, least=1)
    Traceback (most recent call last):
    gpusim.errors.LaunchError: chunk is a whole number from 1 up; got 0
    """
    if isinstance(value, bool) or not is_whole(value, least) or (most is not None and value > most):
        until = "up" if most is None else f"to {most:,}"
        raise error(f"{name} is a whole number from {least} {until}; got {shown(value)}")
    return int(value)


def number(name, value, least=0, error=GpusimError) -> float:
    """A number that is at least `least`, as a float.

    >>> number("rtol", 1e-4)
    0.0001
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not value >= least:
        raise error(f"{name} is a number from {least} up; got {shown(value)}")
    return float(value)


def one_of(name, value, known, error=LaunchError):
    """A value that is among the known ones.

    >>> one_of("bounds", "raise", ("raise", "report"))
    'raise'
    """
    if not isinstance(value, str) or value not in known:
        raise error(f"{name} is {' or '.join(map(repr, known))}; got {shown(value)}", hint=near(value, known))
    return value


def flag(name, value, error=LaunchError) -> bool:
    """True or False, NumPy's too, and nothing that only counts as one of them."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise error(f"{name} is True or False; got {shown(value)}")
    return bool(value)


def function(name, value, what, error=GpusimError):
    """Something that can be called; `what` says how.

    >>> function("where", 3, "where(**setting) says which settings to take")
    Traceback (most recent call last):
    gpusim.errors.GpusimError: where is a function: where(**setting) says which settings to take; got 3
    """
    if not callable(value):
        raise error(f"{name} is a function: {what}; got {shown(value)}")
    return value


def values_of(name, values, error=GpusimError) -> list:
    """The values of an axis, or the rows of a table: a list, tuple, range or array; a text is one value, not many."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise error(f"{name} is a list of its values; got {shown(values)}", hint=f"{name}=[{values!r}]")
    return list(values)


def run_of(value, what):
    """A run, for a function that shows or judges one."""
    if not hasattr(value, "kernel") or not hasattr(value, "grid"):
        raise GpusimError(f"{what} takes a run, which kernel[grid, block](...) returns; got {shown(value)}")
    return value


def kernel_of(value):
    """A kernel that can be launched; LaunchError says what to do with anything else."""
    if all(hasattr(type(value), method) for method in ("resolve", "place")):
        return value
    hint = "a kernel comes from gs.cuda(text).name, gs.load(name) or @gs.kernel"
    if hasattr(value, "unit") and hasattr(value, "skipped"):
        hint = f"a program holds kernels: program.{next(iter(value.kernels), 'name')}"
    elif inspect.isfunction(value):
        hint = f"write @gs.kernel above def {value.__name__}"
    elif isinstance(value, str) and "__global__" in value:
        hint = "gs.cuda(text) reads it: its kernels are attributes, gs.cuda(text).name"
    raise LaunchError(f"a launch needs a kernel; got {shown(value)}", hint=hint)


def nearest(name, known, likeness=0.6, any_case=False):
    """The known name that is most like `name`, or None.

    likeness : 0 to 1, the least;  any_case : capitals do not count

    >>> nearest("H20", ["H100", "H200"]), nearest("h20", ["T4", "H200"], 0.8), nearest("h20", ["H200"], 0.8, any_case=True)
    ('H200', None, 'H200')
    """
    spelled = {each.lower() if any_case else each: each for each in reversed(list(known))}
    close = get_close_matches(str(name).lower() if any_case else str(name), spelled, 1, likeness)
    return spelled[close[0]] if close else None


def near(value, known, any_case=False):
    """`did you mean ...?` where one of the known names is close, else None."""
    close = nearest(value, known, any_case=any_case)
    return f"did you mean {close!r}?" if close else None


def known_options(launching):
    """Make a function that launches a kernel refuse options that it does not have, by name."""
    known = [
        p.name for p in inspect.signature(launching).parameters.values() if p.kind is not p.VAR_POSITIONAL
    ]
    options = known[3:]  # behind kernel, grid and block

    @functools.wraps(launching)
    def checked(*arguments, **given):
        for name in given:
            if name not in known:
                _unknown(launching.__name__, name, arguments[0] if arguments else None, options)
        if len(arguments) + sum(name in given for name in known[:3]) < 3:
            raise LaunchError(
                f"a {launching.__name__} is gs.{launching.__name__}(kernel, grid, block, *arguments)"
            )
        return launching(*arguments, **given)

    return checked


def _unknown(what, name, kernel, options):
    """Refuse an option; a parameter of the kernel is not one."""
    parameters = [p.name for p in getattr(kernel, "parameters", ())]
    if name in parameters:
        raise LaunchError(
            f"a kernel takes its arguments by place: {name} is argument {parameters.index(name) + 1} "
            f"of ({', '.join(parameters)})"
        )
    raise LaunchError(
        f"a {what} has no option {name!r}; there are {', '.join(options)}", hint=near(name, options)
    )
