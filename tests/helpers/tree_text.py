"""Trees of gpusim.cuda as short texts, so that a test is one line."""

from gpusim.cuda.front import parse
from gpusim.cuda.tree import nodes as t

TEXTS = {
    t.Name: lambda n: n.symbol.name,
    t.Special: lambda n: n.name,
    t.Unary: lambda n: f"({n.op}{show(n.operand)})",
    t.Binary: lambda n: f"({show(n.left)} {n.op} {show(n.right)})",
    t.Comma: lambda n: f"({show(n.left)}, {show(n.right)})",
    t.Increment: lambda n: f"{n.op * 2}{show(n.target)}" if n.prefix else f"{show(n.target)}{n.op * 2}",
    t.Select: lambda n: f"({show(n.condition)} ? {show(n.then)} : {show(n.other)})",
    t.Index: lambda n: f"{show(n.base)}[{show(n.index)}]",
    t.Member: lambda n: f"{show(n.base)}.{n.field}",
    t.Deref: lambda n: f"*{show(n.pointer)}",
    t.Address: lambda n: f"&{show(n.operand)}",
    t.Cast: lambda n: f"<{n.type}>{show(n.operand)}",
    t.Construct: lambda n: f"{n.type}{{{', '.join(map(show, n.parts))}}}",
    t.Evaluate: lambda n: show(n.expression),
    t.Block: lambda n: "{" + "; ".join(map(show, n.body)) + "}",
    t.While: lambda n: f"while {show(n.condition)} {show(n.body)}",
    t.DoWhile: lambda n: f"do {show(n.body)} while {show(n.condition)}",
    t.Break: lambda n: "break",
    t.Continue: lambda n: "continue",
    t.Return: lambda n: "return" + (f" {show(n.value)}" if n.value else ""),
}


def show(node):
    """One text for a tree: literals with a letter for their type (1, 1u, 1f, 1d), casts as <type>operand."""
    if node is None:
        return ""
    if isinstance(node, t.Literal):
        letter = {
            "unsigned int": "u",
            "float": "f",
            "double": "d",
            "long long": "l",
            "unsigned long long": "ul",
            "half": "h",
            "char": "c",
        }.get(str(node.type), "")
        return f"{node.value}{letter}"
    if isinstance(node, t.Assign):
        common = f"<{node.common}>" if node.common is not None and node.common != node.type else ""
        return f"{show(node.target)} {node.op or ''}={common} {show(node.value)}"
    if isinstance(node, t.Call):
        name = node.target if isinstance(node.target, str) else node.target.name
        return f"{name}({', '.join(map(show, node.arguments))})"
    if isinstance(node, t.Declare):
        symbol = node.symbol
        storage = "" if symbol.storage == "local" else f"{symbol.storage} "
        value = f" = {show(node.value)}" if node.value is not None else ""
        return f"{storage}{symbol.type}{'&' if symbol.reference else ''} {symbol.name}{value}"
    if isinstance(node, t.If):
        return f"if {show(node.condition)} {show(node.then)}" + (
            f" else {show(node.other)}" if node.other else ""
        )
    if isinstance(node, t.For):
        unroll = "" if node.unroll is None else f"unroll {node.unroll} "
        return (
            f"{unroll}for ({show(node.start)}; {show(node.condition)}; {show(node.step)}) {show(node.body)}"
        )
    if isinstance(node, t.Switch):
        return f"switch {show(node.value)} " + " ".join(
            f"{labels}:{list(map(show, body))}" for labels, body in node.cases
        )
    return TEXTS[type(node)](node)


PARAMETERS = (
    "int i, unsigned u, float f, double d, long long l, unsigned char c, bool b, short s, half h, "
    "float* p, const int* q, float4* v"
)


def body(statements, before=""):
    """The statements of a kernel with the parameters i u f d l c b s h p q v."""
    unit = parse(f"{before}\n__global__ void k({PARAMETERS}) {{\n{statements}\n}}")
    return "; ".join(map(show, unit.kernels["k"].body.body))


def expression(text, before=""):
    """One expression of such a kernel."""
    return body(text + ";", before)


def nodes(root):
    """All nodes below a tree, lists and functions called included, each once."""
    todo, seen = [root], set()
    while todo:
        node = todo.pop()
        if isinstance(node, (list, tuple)):
            todo += node
        elif isinstance(node, (t.Expression, t.Statement, t.Function)) and id(node) not in seen:
            seen.add(id(node))
            yield node
            todo += [value for name, value in vars(node).items() if name not in ("type", "at")]
