"""Every integer of the simulator names its width: NumPy's default has 32 bits in a browser, and sums overflow in silence."""

import ast

import pytest
from places import ROOT

MODULES = sorted(
    path
    for path in (ROOT / "gpusim").rglob("*.py")
    if "plot" not in path.parts and "models" not in path.parts
)
COUNTING = {"arange", "cumsum", "indices"}  # give the default integer unless told


def named(call):
    return any(keyword.arg == "dtype" for keyword in call.keywords)


def unnamed(tree):
    """Lines with a call that leaves the width of its integers to the machine."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        called = call.func
        of_numpy = isinstance(called, ast.Attribute) and getattr(called.value, "id", "") == "np"
        name = getattr(called, "attr", "")
        if of_numpy and name in COUNTING and not named(call):
            yield call.lineno, f"np.{name}"
        if of_numpy and name == "prod" and not named(call):
            yield call.lineno, "np.prod, where math.prod has no width"
        if (of_numpy or name == "astype") and any(getattr(arg, "id", "") == "int" for arg in call.args):
            yield call.lineno, "int as a dtype"


@pytest.mark.parametrize("text", ["np.arange(3)", "np.cumsum(x)", "x.astype(int)", "np.zeros(3, int)"])
def test_an_integer_without_a_width_is_found(text):
    assert list(unnamed(ast.parse(text)))


def test_each_names_its_width():
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in MODULES
        for line, what in unnamed(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not wrong
