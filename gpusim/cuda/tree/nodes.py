"""The tree of a CUDA C text after name lookup and type checking: what the parser makes and the emitter reads.

Every implicit conversion of C stands in it as a `Cast`, so both sides of an arithmetic `Binary` have its
operands' common type, and an `Assign` has a value of its target's type.  Templates and device functions are
already specialised.
"""

from __future__ import annotations

from dataclasses import dataclass

from .types import Type


@dataclass(frozen=True)
class At:
    """A place in the text: line and column count from 1, length in characters; macro : its name, or None."""

    line: int
    column: int
    length: int = 1
    macro: str | None = None


@dataclass(eq=False)
class Symbol:
    """A declared variable.

    storage : "local", "parameter", "shared" (static), "dynamic" (extern __shared__), or at file scope
        "constant" or "device"
    number : tells two variables of one name apart; reference : a C++ reference (an alias of its initialiser)
    data : set by the analysis, True when a loaded value may reach it
    """

    name: str
    type: Type
    storage: str
    at: At
    number: int
    reference: bool = False
    volatile: bool = False
    const: bool = False
    address_taken: bool = False
    data: bool = False


# Expressions.  `type` is the C type of the value.


@dataclass(eq=False)
class Expression:
    at: At
    type: Type


@dataclass(eq=False)
class Literal(Expression):
    """A constant: a Python bool, int or float (already rounded to `type`)."""

    value: object


@dataclass(eq=False)
class Name(Expression):
    symbol: Symbol


@dataclass(eq=False)
class Special(Expression):
    """A built-in variable's component: "threadIdx.x" ... "gridDim.z", type unsigned int."""

    name: str


@dataclass(eq=False)
class Unary(Expression):
    """op : - ~ ! (unary + vanishes; ! has type bool)"""

    op: str
    operand: Expression


@dataclass(eq=False)
class Binary(Expression):
    """op : + - * / % << >> & | ^ (common type), < <= > >= == != && || (type bool).

    The right side of a shift has its own promoted type.  Pointer + integer, pointer - integer
    (in elements; the pointer is on the left), pointer - pointer and comparisons of pointers appear here too.
    """

    op: str
    left: Expression
    right: Expression


@dataclass(eq=False)
class Comma(Expression):
    left: Expression
    right: Expression


@dataclass(eq=False)
class Assign(Expression):
    """target = value, or target = (type of target)((common)target op value) when op is not None.

    For a pointer target, common is the pointer's type and value an integer; for << and >>, common is
    the target's promoted type and value has its own.
    """

    target: Expression
    value: Expression
    op: str | None = None
    common: Type | None = None


@dataclass(eq=False)
class Increment(Expression):
    """++ and --; op : "+" or "-"; prefix : the new value is the result."""

    target: Expression
    op: str
    prefix: bool


@dataclass(eq=False)
class Select(Expression):
    """condition ? then : other"""

    condition: Expression
    then: Expression
    other: Expression


@dataclass(eq=False)
class Call(Expression):
    """A call: `target` is a Function (device, specialised) or the name of a built-in (see builtins.py)."""

    target: object
    arguments: list


@dataclass(eq=False)
class Index(Expression):
    """base[index]; base has pointer or array type, index an integer type."""

    base: Expression
    index: Expression


@dataclass(eq=False)
class Member(Expression):
    """base.field of a struct (p->field is Member of Deref)."""

    base: Expression
    field: str


@dataclass(eq=False)
class Deref(Expression):
    pointer: Expression


@dataclass(eq=False)
class Address(Expression):
    """&operand, or an array used as a pointer to its first element."""

    operand: Expression


@dataclass(eq=False)
class Cast(Expression):
    operand: Expression
    explicit: bool = False


@dataclass(eq=False)
class Construct(Expression):
    """A struct's or array's value from its parts: make_float4(...), {a, b}; missing parts are zero."""

    parts: list


# Statements.


@dataclass(eq=False)
class Statement:
    at: At


@dataclass(eq=False)
class Declare(Statement):
    """A local variable, a __shared__ array or a reference, with its initialiser or None."""

    symbol: Symbol
    value: Expression | None


@dataclass(eq=False)
class Evaluate(Statement):
    expression: Expression


@dataclass(eq=False)
class Block(Statement):
    body: list


@dataclass(eq=False)
class If(Statement):
    condition: Expression
    then: Statement
    other: Statement | None


@dataclass(eq=False)
class For(Statement):
    """`unroll` is the number of a #pragma unroll (0 without a number), or None."""

    start: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    unroll: int | None = None


@dataclass(eq=False)
class While(Statement):
    condition: Expression
    body: Statement


@dataclass(eq=False)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@dataclass(eq=False)
class Switch(Statement):
    """cases : [(labels, statements)], labels a list of ints with None for default; control falls through."""

    value: Expression
    cases: list


@dataclass(eq=False)
class Break(Statement):
    pass


@dataclass(eq=False)
class Continue(Statement):
    pass


@dataclass(eq=False)
class Return(Statement):
    value: Expression | None


# The text as a whole.


@dataclass(eq=False)
class Function:
    """kind : "kernel" (__global__) or "device"; launch_bounds : (threads, blocks) or None

    template : ((parameter, text of its argument), ...) of a kernel; launched : the line of host code that gave some
    of those arguments, or None
    itself : a method that returns *this, as a reference: a call of it stands for the object
    """

    name: str
    kind: str
    result: Type
    parameters: list
    body: Block
    at: At
    launch_bounds: tuple | None = None
    template: tuple = ()
    launched: int | None = None
    itself: bool = False
