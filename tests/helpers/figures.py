"""The figures that the lectures print, by id, and whether a computed value agrees with one."""

import json
from functools import cache
from math import isclose

from places import DATA


@cache
def measured(name):
    """The JSON extract tests/data/NAME.json."""
    return json.loads((DATA / f"{name}.json").read_text())


@cache
def figures():
    """Every printed figure: id -> record with notebook, kind, setup, quantity, value, unit, tolerance."""
    return {record["id"]: record for record in measured("seed_figures")}


def agrees(figure, computed):
    """Whether `computed` is the printed value of this figure, within its tolerance; fails if not."""
    record = figures()[figure]
    assert record["value"] is not None, f"{figure}: the printed value is lost; compute it and check the prose"
    same = _close(record["value"], computed, record["tolerance"])
    what = f"{figure} ({record['setup']}; {record['quantity']})"
    assert same, f"{what}: printed {record['value']}, computed {computed}"
    return True


def _close(printed, computed, tolerance):
    if isinstance(printed, list):
        computed = list(computed)
        return len(printed) == len(computed) and all(
            _close(p, c, tolerance) for p, c in zip(printed, computed, strict=True)
        )
    if isinstance(printed, (int, float)) and not isinstance(printed, bool):
        return isclose(printed, computed, rel_tol=max(tolerance, 1e-9))
    return printed == computed
