"""C++ over C: each page enters its rules into the tables of parse/ when it is imported, as here."""

from . import (
    calls,
    collectives,
    groups,
    lambdas,
    lanes,
    members,
    methods,
    namespaces,
    structs,
    templates,
    wmma,
)

__all__ = [
    "calls",
    "collectives",
    "groups",
    "lambdas",
    "lanes",
    "members",
    "methods",
    "namespaces",
    "structs",
    "templates",
    "wmma",
]
