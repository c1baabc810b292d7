"""The names of a piece of Python: which it reads from outside, binds for certain, and may change."""

from __future__ import annotations

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAKERS = {"asarray", "zeros", "empty", "full"}  # of gpusim: their arrays are written by launches
LAUNCHERS = {"launch", "verify", "run"}


def reads(node) -> set:
    """The names that a statement or an expression looks up outside itself.

    >>> sorted(reads(ast.parse("for i in x: y = f(i); z.append(y)").body[0]))
    ['f', 'x', 'z']
    >>> sorted(reads(ast.parse("[a * b for a in c]").body[0])), sorted(reads(ast.parse("def f(p): q = p + r").body[0]))
    (['b', 'c'], ['r'])
    """
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    if isinstance(node, COMPREHENSIONS):
        inner = set().union(*map(reads, ast.iter_child_nodes(node)))
        return inner - set().union(*(stored(each.target) for each in node.generators))
    if isinstance(node, FUNCTIONS):
        body = node.body if isinstance(node.body, list) else [node.body]
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        own |= set().union(*(stored(each) for each in body))
        outer = set().union(*map(reads, [*getattr(node, "decorator_list", []), *_defaults(node)]))
        return outer | (set().union(*map(reads, body)) - own)
    if isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
        return _reads_block(node)
    return set().union(*map(reads, ast.iter_child_nodes(node)))


def _defaults(function):
    return [*function.args.defaults, *filter(None, function.args.kw_defaults)]


def _reads_block(node):
    """Of a compound statement: what its head reads, and its bodies before they bind it themselves."""
    bodies = [getattr(node, part, []) for part in ("body", "orelse", "finalbody", "handlers")]
    inside = {id(each) for body in bodies for each in body}
    head = [each for each in ast.iter_child_nodes(node) if id(each) not in inside]
    found = set().union(*map(reads, head))
    bound = set().union(*(stored(each) for each in head))
    for body in bodies:
        have = set(bound)
        for each in body:
            found |= reads(each) - have
            have |= binds(each)
    return found


def stored(node) -> set:
    """All names that are bound anywhere in a piece of code, but not inside comprehensions and functions."""
    if isinstance(node, COMPREHENSIONS):
        return set()
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return {node.name} if hasattr(node, "name") else set()
    own = {node.id} if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) else set()
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        own = {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return own.union(*map(stored, ast.iter_child_nodes(node)))


def binds(node) -> set:
    """The names that a statement binds whatever happens."""
    certain = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom, *FUNCTIONS, ast.ClassDef, ast.Expr)
    return stored(node) if isinstance(node, certain) else set()


def changes(node) -> set:
    """Names that a statement may bind, and names of objects that it may write into by an assignment or a method.

    >>> sorted(changes(ast.parse("for i in x:\\n    rows.append(i)\\n    table[i] = 2").body[0]))
    ['i', 'rows', 'table']
    """
    found = stored(node) - binds(node)
    for each in ast.walk(node):
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.ctx, ast.Store):
            found.add(_root(each))
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            found.add(_root(each.value.func))
    return found - {""}


def made_arrays(node) -> set:
    """The names that a statement binds to arrays of gpusim."""
    called = {getattr(each.func, "attr", "") for each in ast.walk(node) if isinstance(each, ast.Call)}
    return binds(node) if isinstance(node, ast.Assign) and called & MAKERS else set()


def launched_with(node) -> set:
    """The names given to launches: those of them that are arrays may be written."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    launches = [
        each
        for each in calls
        if isinstance(each.func, ast.Subscript) or getattr(each.func, "attr", "") in LAUNCHERS
    ]
    return {arg.id for each in launches for arg in each.args if isinstance(arg, ast.Name)}


def _root(node) -> str:
    """The name that an attribute, an element or a call hangs on."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
