"""The table of runs (`{nb-exec-table}`): the page by its title and the seconds it took, nothing else."""

from docutils import nodes

KEPT = ("Document", "Run Time (s)")
HEADS = {"Document": "page", "Run Time (s)": "seconds"}


def shorten(app, doctree, here):
    """Take the columns that say the same in each row out of the table, and write titles for names of files."""
    for table in doctree.findall(nodes.table):
        rows = list(table.findall(nodes.row))
        heads = [entry.astext() for entry in rows[0].children]
        if not set(KEPT) <= set(heads):
            continue
        keep = [heads.index(name) for name in KEPT]
        only(next(table.findall(nodes.tgroup)), nodes.colspec, keep)
        for row in rows:
            only(row, nodes.entry, keep)
        for text in list(table.findall(nodes.Text)):
            title = app.env.titles.get(str(text))
            text.parent.replace(
                text, nodes.Text(title.astext() if title else HEADS.get(str(text), str(text)))
            )


def only(parent, kind, places):
    """Keep those children of a kind that stand at these places among their kind; all others stay."""
    kept = [child for child in parent.children if isinstance(child, kind)]
    for place, child in enumerate(kept):
        if place not in places:
            parent.remove(child)
    if kind is nodes.colspec:
        parent["cols"] = len(places)


def setup(app):
    app.connect("doctree-resolved", shorten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
