"""The floors of gpusim: a module uses the floors above its own, never those below."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from places import ROOT

PACKAGE = ROOT / "gpusim"
FLOORS = ["facts", "rules", "cuda", "machine", "models", "hardware", "show"]
DOORS = {"__init__", "__main__", "command"}  # the package's own doors stand outside
MODULES = sorted(p for p in PACKAGE.rglob("*.py"))


def floor_of(path):
    parts = path.relative_to(PACKAGE).parts
    if len(parts) > 1:
        return parts[0]
    return "door" if path.stem in DOORS else "facts"


def imports_of(path):
    """The floors that a module's imports within the package reach."""
    here = ("gpusim", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            target = here[: len(here) - node.level + 1] + tuple(
                (node.module or "").split(".") if node.module else ()
            )
            names = [target] if len(target) > 1 else [(*target, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gpusim":
            names = [tuple(node.module.split("."))]
        elif isinstance(node, ast.Import):
            names = [tuple(a.name.split(".")) for a in node.names if a.name.split(".")[0] == "gpusim"]
        else:
            continue
        for name in names:
            if len(name) > 1:
                yield name[1] if (PACKAGE / name[1]).is_dir() else "facts"


def test_imports_go_downward_only():
    wrong = [
        f"{path.relative_to(PACKAGE)} must not use {floor}"
        for path in MODULES
        if (own := floor_of(path)) != "door"
        for floor in imports_of(path)
        if FLOORS.index(floor) > FLOORS.index(own)
    ]
    assert not wrong


def modules_used(path):
    """The modules of the package that a module imports, also inside its functions."""
    here = ("gpusim", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            target = (*here[: len(here) - node.level + 1], *(node.module or "").split("."))
            yield PACKAGE.parent.joinpath(*target).with_suffix(".py")
            yield from (PACKAGE.parent.joinpath(*target, f"{alias.name}.py") for alias in node.names)


def test_no_modules_import_each_other_in_a_circle():
    left = {path: {used for used in modules_used(path) if used.exists()} for path in MODULES}
    while free := [path for path, used in left.items() if not used & left.keys()]:
        for path in free:
            del left[path]
    assert not left, sorted(str(path.relative_to(PACKAGE)) for path in left)


ROOMS = {  # of a floor, in order; (): its other modules
    "show": [("written", "page"), ("plot",), ("pages",), (), ("exercises",), ("living",)],
    "cuda": [("tree",), ("text",), ("typing",), ("analysis",), ("parse",), ("cpp",), ("emit",), ()],
    "machine": [("values",), ("memory",), ("account",), ("check",), ("lanes",), ("count",), ()],
}


def room_of(path, floor):
    """The number of a module's room on its floor."""
    name = path.relative_to(PACKAGE / floor).parts[0].removesuffix(".py")
    rooms = ROOMS[floor]
    return next((number for number, names in enumerate(rooms) if name in names), rooms.index(()))


@pytest.mark.parametrize("floor", ROOMS)
def test_the_rooms_of_a_floor_use_those_before_them(floor):
    here = [path for path in MODULES if floor_of(path) == floor and path.name != "__init__.py"]
    wrong = [
        f"{path.relative_to(PACKAGE)} must not use {used.relative_to(PACKAGE)}"
        for path in here
        for used in modules_used(path)
        if used in here and room_of(used, floor) > room_of(path, floor)
    ]
    assert not wrong


def classes_of(path):
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]


def methods_called(cls):
    """Names of the methods that a class calls through `self`."""
    for node in ast.walk(cls):
        read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        if read and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


def methods_of(cls):
    return {part.name for part in cls.body if isinstance(part, ast.FunctionDef)}


def test_no_class_is_spread_over_files():
    """No class calls a method through `self` that a base in another file defines: what is needed is imported."""
    known = {cls.name: (path, cls) for path in MODULES for cls in classes_of(path)}
    spread = []
    for path, cls in known.values():
        for base in cls.bases:
            home, parent = known.get(getattr(base, "id", ""), (path, cls))
            if home == path:
                continue
            called = set(methods_called(cls)) & methods_of(parent) - methods_of(cls)
            spread += [f"{path.relative_to(PACKAGE)}: {cls.name} calls {name}" for name in sorted(called)]
            mixed = set(methods_called(parent)) & methods_of(cls) - methods_of(parent)
            spread += [f"{home.relative_to(PACKAGE)}: {parent.name} calls {name}" for name in sorted(mixed)]
    assert not spread


def test_importing_gpusim_needs_numpy_only():
    code = (
        "import sys, gpusim; heavy = {'matplotlib', 'ipywidgets', 'IPython', 'cupy', 'scipy', 'joblib'} & set(sys.modules); "
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_module_is_longer_than_a_page_or_two():
    long = {str(p.relative_to(PACKAGE)): n for p in MODULES if (n := len(p.read_text().splitlines())) > 300}
    assert not long


def test_names_of_test_files_are_unique_in_all_folders():
    """pytest imports them by name alone."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert [name for name in sorted({*names}) if names.count(name) > 1] == []
