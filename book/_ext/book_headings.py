"""Headings that a cell writes as Markdown become sections, so that the page's Contents and the search know them.

MyST-NB makes a rubric of such a heading, which looks like one and is none. All of one output are taken as one level
below the section that the cell stands in.
"""

from docutils import nodes

ORDER = 400  # before Sphinx collects titles and Contents, at 500


def promote(app, doctree):
    """Put what a cell writes in place of the cell, wherever it has headings."""
    for cell in list(doctree.findall(is_cell)):
        written = next((out for out in cell.findall(is_markdown) if any(map(is_rubric, out.children))), None)
        if written is not None:
            cell.parent.replace(cell, list(sections(written.children)))


def is_cell(node):
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def is_markdown(node):
    return isinstance(node, nodes.container) and node.get("mime_type") == "text/markdown"


def is_rubric(node):
    return isinstance(node, nodes.rubric)


def sections(written):
    """Each heading with what follows it as a section; what stands before the first as it is.

    >>> made = list(sections([nodes.rubric("", "gs.ask", ids=["gs-ask"]), nodes.paragraph("", "A question.")]))
    >>> made[0]["ids"], made[0].astext().split()
    (['gs-ask'], ['gs.ask', 'A', 'question.'])
    """
    section = None
    for node in written:
        if is_rubric(node):
            if section is not None:
                yield section
            section = nodes.section(
                "", nodes.title("", "", *node.children), ids=node["ids"], names=node["names"]
            )
        elif section is None:
            yield node
        else:
            section += node
    if section is not None:
        yield section


def setup(app):
    app.connect("doctree-read", promote, priority=ORDER)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
