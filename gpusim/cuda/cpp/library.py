"""Names of CUDA's and C++'s libraries that are no functions of the text: each is read by a rule of its own.

`@helper(name)` enters the rule that reads what follows the name, `@member(name)` the one that makes a call of a group's
member function.
"""

from __future__ import annotations

HELPERS = {}  # {name: rule(p, token)}: this_thread_block, tiled_partition, is_same, load_matrix_sync ...
MEMBERS = {}  # {name: rule(p, group, arguments, token)}: sync, shfl_down, thread_rank ...


def helper(*names):
    """Enter the rule below for these names.

    >>> @helper("nothing_at_all")
    ... def nothing(p, token): return None
    >>> HELPERS.pop("nothing_at_all") is nothing
    True
    """
    return _entering(HELPERS, names)


def member(*names):
    """Enter the rule below for these members of a group."""
    return _entering(MEMBERS, names)


def _entering(table, names):
    def enter(function):
        table.update(dict.fromkeys(names, function))
        return function

    return enter
