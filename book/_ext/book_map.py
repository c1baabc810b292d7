"""The map of the book: a part is a room, a section a numbered door; `{bookmap}` places it."""

import html
import pathlib

import yaml
from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = pathlib.Path(__file__).resolve().parents[2]


class bookmap(nodes.General, nodes.Element):
    """Holds the map's place until every page's title is known."""


class BookMap(Directive):
    """`{bookmap}`: the map of the whole book; it takes no argument."""

    def run(self):
        return [bookmap()]


def parts():
    """[(caption, [document names])] of the table of contents."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [(part["caption"], [page["file"] for page in part["chapters"]]) for part in toc.get("parts", [])]


def draw(app, doctree, here):
    """Replace each placeholder by the map, its links seen from the page `here`."""
    for place in doctree.findall(bookmap):
        rooms = "".join(_room(app, here, *part) for part in parts())
        drawn = f'<nav class="gs-map" aria-label="Map of the book">{rooms}</nav>'
        place.replace_self(nodes.raw("", drawn, format="html"))


def _room(app, here, caption, documents):
    doors = "".join(_door(app, here, document) for document in documents if document in app.env.titles)
    return f"<section><p>{html.escape(caption)}</p><ul>{doors}</ul></section>"


def _door(app, here, document):
    address = app.builder.get_relative_uri(here, document)
    title = html.escape(app.env.titles[document].astext())
    number = document.rsplit("/", 1)[1].partition("-")[0]
    sign = int(number) if number.isdigit() else title[0]
    return f'<li><a href="{address}"><b aria-hidden="true">{sign}</b><span>{title}</span></a></li>'


def setup(app):
    app.add_node(bookmap)
    app.add_directive("bookmap", BookMap)
    app.connect("doctree-resolved", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
