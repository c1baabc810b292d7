"""A second opinion: tree-sitter's CUDA grammar finds as many loops, branches and subscripts in the corpus."""

from collections import Counter

import pytest
from needed import need
from places import DATA

from gpusim.cuda.front import parse
from gpusim.cuda.text.preprocess import preprocess
from gpusim.cuda.tree import nodes as t

tree_sitter = need("tree_sitter")
tree_sitter_cuda = need("tree_sitter_cuda")

CORPUS = sorted((DATA / "corpus").glob("*.cu"))
KINDS = {
    "for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
    "if_statement": "if",
    "switch_statement": "switch",
    "return_statement": "return",
    "subscript_expression": "subscript",
}
CLASSES = {
    t.For: "for",
    t.While: "while",
    t.DoWhile: "do",
    t.If: "if",
    t.Switch: "switch",
    t.Return: "return",
    t.Index: "subscript",
}
# if constexpr drops a side, operators [] become functions, *(p + i) and __ldcs(p + i) become p[i].
OTHERWISE = {
    "axpy_any",
    "lambdas",
    "vectors",
    "gelu_forward_kernel2",
    "k",
    "Fan1",
    "layernorm_forward_kernel3",
    "softmax_forward_kernel5",
}


def plain(text):
    """The text after the preprocessor, without #pragma unroll."""
    words, tokens, i = [], preprocess(text).tokens, 0
    while i < len(tokens):
        if tokens[i].kind != "pragma":
            words.append(("\n" if tokens[i].before == "\n" else " ") + tokens[i].text)
        elif tokens[i + 1].text == "(":
            i = next(k for k in range(i, len(tokens)) if tokens[k].text == ")")
        i += 1
    return "".join(words)


def walk(node):
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += node.children


def theirs(text):
    """{kernel: Counter} as tree-sitter reads it."""
    root = (
        tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language())).parse(text.encode()).root_node
    )
    found = {}
    for function in walk(root):
        if (
            function.type == "function_definition"
            and b"__global__" in function.text.split(b"(")[0] + function.text[:60]
        ):
            declarator = next(node for node in walk(function) if node.type == "function_declarator")
            name = declarator.child_by_field_name("declarator").text.decode()
            found[name] = Counter(
                KINDS[node.type] for node in walk(function.child_by_field_name("body")) if node.type in KINDS
            )
    return found


def ours(kernel):
    counts, todo = Counter(), [kernel.body]
    while todo:
        node = todo.pop()
        if isinstance(node, (list, tuple)):
            todo += node
        elif isinstance(node, (t.Statement, t.Expression)):
            if type(node) in CLASSES:
                counts[CLASSES[type(node)]] += 1
            todo += [value for name, value in vars(node).items() if name not in ("type", "at")]
    return counts


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_both_parsers_count_the_same(path):
    text = path.read_text(encoding="utf-8")
    expected, unit = theirs(plain(text)), parse(text)
    compared = set(expected) & set(unit.kernels) - OTHERWISE
    assert {name: ours(unit.kernels[name]) for name in compared} == {
        name: expected[name] for name in compared
    }
    assert len(compared) >= len(set(unit.kernels) - OTHERWISE) - 1
