"""Rules of the grammar that a page needs before the page that writes them down: expressions stand in the brackets of
types, types in casts; C meets the names, calls and declarations of C++ at these places alone.

`@rule` above a function enters it here under its name; `rules.name(p, ...)` reads by it.  cpp/__init__.py fills in
the rules of C++; parse/ imports nothing from there.
"""

from __future__ import annotations


class Rules:
    """One attribute for each rule that was entered."""


rules = Rules()


def rule(function):
    """Enter a function; a name stands for one rule.

    >>> @rule
    ... def nothing(p): return None
    >>> rules.nothing(None) is None
    True
    """
    if hasattr(rules, function.__name__):
        raise ValueError(f"two rules are called {function.__name__}")
    setattr(rules, function.__name__, function)
    return function
