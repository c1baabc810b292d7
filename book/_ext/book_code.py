"""CUDA text between a Python cell's quotes is coloured as CUDA; the text itself, and what is copied, stay as they are."""

import re

from docutils import nodes
from pygments.lexer import Lexer
from pygments.lexers import CudaLexer, PythonLexer
from pygments.token import String

NAME = "python-with-cuda"
TEXT = re.compile(r'(r""")(.*?)(""")', re.DOTALL)
SIGN = re.compile(r"\b__(?:global|device|constant)__\b")


class PythonWithCuda(Lexer):
    """Python, but for what stands between r\"\"\" and \"\"\".

    >>> text = 'k = gs.cuda(r\"\"\"__global__ void k() {}\"\"\")'
    >>> [str(kind) for at, kind, word in PythonWithCuda().get_tokens_unprocessed(text) if word in ("void", "gs")]
    ['Token.Name', 'Token.Keyword.Type']
    """

    name = NAME
    aliases = (NAME,)

    def get_tokens_unprocessed(self, text):
        at = 0
        for found in TEXT.finditer(text):
            yield from tokens(PythonLexer, text, at, found.start())
            yield found.start(1), String.Double, found[1]
            yield from tokens(CudaLexer, text, *found.span(2))
            yield found.start(3), String.Double, found[3]
            at = found.end()
        yield from tokens(PythonLexer, text, at, len(text))


def tokens(lexer, text, start, end):
    """(place, kind, word) of a part of a text, the places counted from its beginning."""
    for at, kind, word in lexer().get_tokens_unprocessed(text[start:end]):
        yield start + at, kind, word


def colour(app, doctree, here):
    """Choose this colouring for each code block that holds CUDA text."""
    for block in doctree.findall(nodes.literal_block):
        if any(SIGN.search(found[2]) for found in TEXT.finditer(block.astext())):
            block["language"] = NAME
            block["force"] = True  # colouring is no compiler: a letter that it does not know is no warning


def setup(app):
    app.add_lexer(NAME, PythonWithCuda)
    app.connect("doctree-resolved", colour)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
