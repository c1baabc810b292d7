"""Pictures drawn once: frames kept on disk under a hash of the code that draws them and of their data.

The hash follows a figure function through all that it uses: its byte code, its defaults, what it closes
over, and every global that it names, down to arrays and numbers. gpusim itself enters through one hash of its
files, which the build passes in GPUSIM_DIGEST, beside the folder in GPUSIM_FRAMES. What cannot be followed is
not cached: a stale picture is worse than a slow build.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import sys
import types

PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), range)


class Unreadable(Exception):
    """Something whose content cannot be read off, so that no hash would stand for it."""


def kept(things, make):
    """The result of `make()`, a JSON value: read from disk where it was made before from the same things.

    things : whatever the result depends on, functions included
    make : callable without arguments
    """
    folder = os.environ.get("GPUSIM_FRAMES")
    key = fingerprint(things) if folder and "GPUSIM_DIGEST" in os.environ else None
    if key is None:
        return make()
    path = pathlib.Path(folder) / f"{key}.json.gz"
    if path.exists():
        path.touch()
        return json.loads(gzip.decompress(path.read_bytes()))
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_bytes(gzip.compress(json.dumps(made).encode(), mtime=0))
    partial.replace(path)
    return made


def fingerprint(things) -> str | None:
    """A hash of the content of `things`, or None where some of it cannot be read off.

    >>> scale = 2
    >>> fingerprint(lambda lane: scale * lane) == fingerprint(lambda lane: scale * lane)
    True
    >>> fingerprint(iter("a stream")) is None
    True
    """
    walk = _Walk()
    try:
        walk.add(things)
        walk.add(_surroundings())
    except Unreadable:
        return None
    return walk.digest.hexdigest()[:32]


def _surroundings():
    """What every picture depends on: this version of gpusim and of the libraries that draw."""
    libraries = ("numpy", "matplotlib")
    versions = [importlib.util.find_spec(name) and importlib.metadata.version(name) for name in libraries]
    pictures = os.environ.get("GPUSIM_PICTURES", "")
    return [os.environ.get("GPUSIM_DIGEST", ""), sys.version_info[:2], versions, pictures]


class _Walk:
    """Feeds a hash with the content of a graph of objects, each of them once."""

    def __init__(self):
        self.digest = hashlib.sha256()
        self.met = {}

    def word(self, *parts):
        self.digest.update(("\0".join(map(str, parts)) + "\1").encode())

    def add(self, thing):
        if isinstance(thing, PLAIN):
            return self.word(type(thing).__name__, repr(thing))
        if id(thing) in self.met:  # a cycle, or met before: its number stands for it
            return self.word("again", self.met[id(thing)][0])
        self.met[id(thing)] = (len(self.met), thing)  # holding it keeps its id from being used twice
        self.word("new", type(thing).__module__, type(thing).__qualname__)
        for kind, add in ADDERS:
            if isinstance(thing, kind):
                return add(self, thing)
        return self._object(thing)

    def _series(self, things):
        self.word(len(things))
        for thing in things:
            self.add(thing)

    def _mapping(self, mapping):
        self._series([part for pair in mapping.items() for part in pair])

    def _set(self, things):
        self._series(sorted(things, key=repr))

    def _code(self, code):
        self.word(code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars)
        self._series(code.co_consts)

    def _function(self, function):
        if (
            function.__module__ != "__main__" and not function.__closure__
        ):  # a library's: its version stands for it
            return self._named(function)
        self.add(function.__code__)
        self.add([function.__defaults__, function.__kwdefaults__])
        self._series([cell.cell_contents for cell in function.__closure__ or ()])
        names = sorted(names_in(function.__code__) & function.__globals__.keys())
        self._series([part for name in names for part in (name, function.__globals__[name])])

    def _method(self, method):
        self._series([method.__func__, method.__self__])

    def _named(self, function):
        self.word(function.__module__, function.__qualname__)

    def _module(self, module):
        self.word(module.__name__, getattr(module, "__version__", ""))

    def _class(self, kind):
        self.word(kind.__module__, kind.__qualname__)
        if kind.__module__ == "__main__":
            self._mapping({name: part for name, part in vars(kind).items() if not name.startswith("__")})

    def _object(self, thing):
        """An array by its bytes; an object of Python by its attributes; nothing else."""
        if (
            hasattr(thing, "dtype")
            and hasattr(thing, "tobytes")
            and not getattr(thing.dtype, "hasobject", True)
        ):
            self.word(thing.dtype.descr, thing.shape)
            return self.digest.update(thing.tobytes())
        if hasattr(thing, "descr") and hasattr(thing, "itemsize"):
            return self.word(thing.descr)
        if type(thing).__reduce_ex__ is not object.__reduce_ex__:  # its content is not in its attributes
            raise Unreadable(thing)
        self.add(type(thing))
        self._mapping(attributes(thing))


ADDERS = (  # what is followed, and how; the first that fits
    ((list, tuple), _Walk._series),
    (dict, _Walk._mapping),
    ((set, frozenset), _Walk._set),
    (types.CodeType, _Walk._code),
    (types.FunctionType, _Walk._function),
    (types.BuiltinFunctionType, _Walk._named),
    (types.MethodType, _Walk._method),
    (types.ModuleType, _Walk._module),
    (type, _Walk._class),
)


def attributes(thing) -> dict:
    """What an object of Python holds, in a dictionary or in slots."""
    if hasattr(thing, "__dict__"):
        return vars(thing)
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    if not slots:
        raise Unreadable(thing)
    return {name: getattr(thing, name) for name in slots if hasattr(thing, name)}


def names_in(code) -> set:
    """All global names that a piece of code and the functions inside it may look up."""
    inner = [names_in(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*inner)
