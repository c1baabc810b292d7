"""C++ over C: each page enters its rules into the tables of parse/ when it is imported, as here."""

from . import (
    calls,
    collectives,
    copies,
    groups,
    lambdas,
    lanes,
    members,
    methods,
    namespaces,
    standard,
    structs,
    templates,
    wmma,
)

__all__ = [
    "calls",
    "collectives",
    "copies",
    "groups",
    "lambdas",
    "lanes",
    "members",
    "methods",
    "namespaces",
    "standard",
    "structs",
    "templates",
    "wmma",
]
