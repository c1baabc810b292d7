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
    """A link with the section's number and its topic before the question; the back matter has no numbers."""
    address = app.builder.get_relative_uri(here, document)
    topic, colon, question = app.env.titles[document].astext().partition(": ")
    title = html.escape(topic) if not colon else f"<b>{html.escape(topic)}:</b> {html.escape(question)}"
    number = document.rsplit("/", 1)[1].partition("-")[0]
    sign = f'<i aria-hidden="true">{int(number)}</i>' if number.isdigit() else ""
    return f'<li><a href="{address}">{sign}<span>{title}</span></a></li>'


def setup(app):
    app.add_node(bookmap)
    app.add_directive("bookmap", BookMap)
    app.connect("doctree-resolved", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
