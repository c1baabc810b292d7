"""C alone: from tokens to a typed tree, by recursive descent; what C++ adds enters at `rules`."""

from . import expressions, names, postfix, switch  # their rules are wanted by pages that come before them

__all__ = ["expressions", "names", "postfix", "switch"]
