"""What a cell needs of the cells above it: the statements that make the names it reads, and no others.

A page draws figures and launches kernels all the way down; a reader who edits one kernel waits for that one
alone. A statement is needed if it binds or changes a name that is read below it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from . import names

MODULES = {"gs", "np"}  # never changed


@dataclass(frozen=True)
class Statement:
    """One statement of a page with its names.

    late : what functions in it read when they are called, not here;  shows : a cell's last line, which only shows
    """

    node: ast.stmt
    binds: frozenset
    changes: frozenset
    reads: frozenset
    late: frozenset
    arrays: frozenset
    given: frozenset
    shows: bool


def statements(tree: ast.Module) -> list:
    """The statements of a cell.

    >>> one, two = statements(ast.parse("x = f(y)\\nfor i in x: rows.append(i)"))
    >>> sorted(one.binds), sorted(one.reads), sorted(two.changes), sorted(two.binds)
    (['x'], ['f', 'y'], ['i', 'rows'], [])
    """
    return [_statement(node, node is tree.body[-1] and isinstance(node, ast.Expr)) for node in tree.body]


def _statement(node, shows) -> Statement:
    functions = [each for each in ast.walk(node) if isinstance(each, names.FUNCTIONS)]
    found = (
        names.binds(node),
        names.changes(node) - MODULES,
        names.reads(node),
        set().union(*map(names.reads, functions)),
        names.made_arrays(node),
        names.launched_with(node),
    )
    return Statement(node, *map(frozenset, found), shows)


def needed(above, target) -> list:
    """The statements of `above`, in order, that `target` needs; both lists of Statement.

    >>> page = statements(ast.parse("x = 1\\ny = []\\ny.append(x)\\nz = 2\\nprint(z)\\nx = 3"))
    >>> [ast.unparse(each.node) for each in needed(page, statements(ast.parse("y")))]
    ['x = 1', 'y = []', 'y.append(x)']
    """
    arrays = frozenset().union(*(each.arrays for each in above))
    called = frozenset()  # what functions read when they are called: known only once they are found
    while True:
        kept = _backwards(above, target, arrays, called)
        late = frozenset().union(*(each.late for each in kept))
        if late <= called:
            return kept
        called |= late


def _backwards(above, target, arrays, called):
    wanted, kept = set(called), []
    for each in reversed(target):
        wanted = (wanted - each.binds) | each.reads | called
    for each in reversed(above):
        changes = frozenset() if each.shows else each.changes | (each.given & arrays)
        if wanted.isdisjoint(each.binds | changes):
            continue
        kept.append(each)
        wanted = (wanted - each.binds) | each.reads | called | changes
    return kept[::-1]
