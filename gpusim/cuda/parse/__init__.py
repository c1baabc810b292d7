"""C alone: from tokens to a typed tree, by recursive descent; what C++ adds enters at `rules`."""

from . import (  # their rules are wanted by pages that come before them
    expressions,
    loops,
    names,
    postfix,
    switch,
)

__all__ = ["expressions", "loops", "names", "postfix", "switch"]
