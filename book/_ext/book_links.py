"""Links that no page writes: each term of the glossary at its first use, and every "section 12".

Both are made when all pages are known, in running text only: never inside another link, in code or formulas, in
headings and captions. What a cell shows as HTML gets its sections linked, but no terms.
"""

import hashlib
import html
import json
import pathlib
import re

from docutils import nodes

GLOSSARY = "book/08-back-matter/glossary"
# How the text writes a term, where that is more than the term and its plural.
FORMS = {
    "arithmetic intensity": r"(?:arithmetic )?intensit(?:y|ies)",
    "atomic": r"atomics?|atomically",
    "atomics": r"atomics(?=, block life| binds?\b)|(?<=turns of )atomics",  # the bound; elsewhere the operation
    "block": r"(?<!\d × \d )blocks?",  # of threads, not of a matrix
    "block starts": r"(?<!a )(?<!each )(?<!ing )(?<!new )block starts",  # the noun
    "bound": r"(?<!out of )bounds?(?! of the array)",
    "coalesced": r"coalesc(?:ed|es?|ing)",
    "compute": r"compute(?= (?:is|binds|does)\b)",  # the bound, neither the verb nor a tool's name
    "counted": r"counted(?! along)",
    "divergence": r"diverg(?:ences?|e|es|ed|ent|ing)",
    "estimate": r"estimate[sd]?",
    "guard": r"guard(?:s|ed)?",
    "in flight": r"in[ -]flight",
    "issue": r"issue[sd]?(?! \d)|issuing",
    "latency": r"latenc(?:y|ies)",
    "mask": r"mask(?:s|ed)?",
    "padding": r"pad(?:s|ded|ding)?",
    "race": r"race[sd]?",
    "spilling": r"spill(?:s|ed|ing)?",
    "stride": r"stride[sd]?",
    "swizzle": r"swizzl(?:e[sd]?|ing)",
    "wavefront": r"(?<!AMD: )wavefronts?",
}
SECTIONS = re.compile(r"\b[Ss]ections?\s+\d+(?!\.?\d)(?:(?:,| to| and|, and| or)\s+\d+\b(?!\.\d))*")
NUMBER = re.compile(r"\d+")
PIECES = re.compile(r"(<[^>]*>)")
NAME = re.compile(r"<(/?)(\w+)")
JUDGEMENT = re.compile(r'(class="gs-data">)(\{[^<]*"why":[^<]*\})(</script>)')
NOT_PROSE = (nodes.reference, nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.title,
             nodes.subtitle, nodes.caption, nodes.raw, nodes.thead, nodes.term, nodes.comment, nodes.rubric,
             nodes.image)  # fmt: skip
NOT_PROSE_IN_HTML = {"a", "button", "code", "h1", "h2", "h3", "h4", "label", "legend", "pre", "script", "style",
                     "summary", "svg"}  # fmt: skip


def form(term):
    """A regular expression for a term in running text; a capital may begin it, abbreviations stand as they are.

    >>> re.findall(form("warp"), "Warps of one block; a warp's lanes; warpless")
    ['Warps', 'warp']
    >>> re.findall(form("SM"), "an SM, two SMs, sm_90"), re.findall(form("divergence"), "lanes that diverge")
    (['SM', 'SMs'], ['diverge'])
    """
    written = FORMS.get(term, re.escape(term).replace("\\ ", " ") + "s?").replace(" ", r"\s")
    spelled = f"(?i:{written})" if term[1:2].islower() else written
    return rf"\b(?:{spelled})\b"


def uses(text, known):
    """(term, start, end) of each use of a term in a text; where two would begin, the longer is meant.

    >>> list(uses("a bank conflict of bank 3", ["bank", "bank conflict"]))
    [('bank conflict', 2, 15), ('bank', 19, 23)]
    """
    order = sorted(known, key=len, reverse=True)
    pattern = "|".join(f"({form(term)})" for term in order)
    for found in re.finditer(pattern, text) if order else ():
        yield order[found.lastindex - 1], *found.span()


def sections_in(text):
    """(start, end, number) of what names a section: "section 7" as a whole, of several each number.

    >>> [("sections 7 and 16 or section 9, 4"[a:b], n) for a, b, n in sections_in("sections 7 and 16 or section 9, 4")]
    [('7', 7), ('16', 16), ('9', 9), ('4', 4)]
    >>> list(sections_in("section 6.3 of the book"))
    []
    """
    for found in SECTIONS.finditer(text):
        numbers = [
            (found.start() + n.start(), found.start() + n.end(), int(n[0])) for n in NUMBER.finditer(found[0])
        ]
        if len(numbers) == 1:
            numbers = [(found.start(), found.end(), numbers[0][2])]
        yield from numbers


# ---- where the links lead ----


def pages(env):
    """{number of a section: its document}."""
    names = ((name, name.rsplit("/", 1)[-1].partition("-")[0]) for name in env.all_docs)
    return {int(number): name for name, number in names if number.isdigit()}


def glossary(env):
    """{term: (id of its entry, the first sentence of its definition)}."""
    found = {}
    if GLOSSARY not in env.all_docs:
        return found
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        meaning = " ".join(next(item.findall(nodes.definition)).astext().split())
        sentence = re.match(r".*?[.](?=\s|$)", meaning)
        for term in item.findall(nodes.term):
            found[name_of(term)] = term["ids"][0], sentence[0] if sentence else meaning
    return found


def name_of(term):
    """A term without the entry that Sphinx hangs on it for the index."""
    return "".join(child.astext() for child in term.children if isinstance(child, nodes.Text))


class Links:
    """The links of one page: what it has met so far, and where links from it lead."""

    def __init__(self, app, here):
        self.here, self.builder, self.titles = here, app.builder, app.env.titles
        self.pages, self.terms, self.met = pages(app.env), app.env.gs_glossary, set()

    def spots(self, text, own=frozenset()):
        """(start, end, address, title, class) of each link in a text, in order; own : terms that it defines."""
        return sorted([*self.sections(text), *self.first_uses(text, own)])

    def sections(self, text):
        """The sections that a text names, but for the page's own."""
        for start, end, number in sections_in(text):
            page = self.pages.get(number, self.here)
            if page != self.here:
                yield start, end, self.address(page), self.titles[page].astext(), "gs-section"

    def first_uses(self, text, own):
        """The terms that the page meets here for the first time."""
        for term, start, end in uses(text, self.terms):
            if term not in self.met and term not in own:
                self.met.add(term)
                anchor, sentence = self.terms[term]
                yield start, end, self.address(GLOSSARY, anchor), sentence, "gs-term"

    def address(self, document, anchor=""):
        page = "" if document == self.here else self.builder.get_relative_uri(self.here, document)
        return page + (anchor and f"#{anchor}")


# ---- the links put in ----


def link(app, doctree, here):
    """Put the links into one page, in the order of reading."""
    links = Links(app, here)
    for parent in {id(text.parent): text.parent for text in doctree.findall(nodes.Text)}.values():
        join_texts(parent)
    for node in list(doctree.findall(lambda node: isinstance(node, nodes.Text | nodes.raw))):
        if isinstance(node, nodes.raw):
            if node.get("format") == "html" and SECTIONS.search(node.astext()):
                rewrite(node, in_html(node.astext(), links))
        elif not any(isinstance(above, NOT_PROSE) for above in ancestors(node)):
            replace(node, list(in_text(node, links)))


def join_texts(parent):
    """Make one node of neighbouring pieces of text: the source's line ends part them, and with them a term."""
    joined = []
    for child in parent.children:
        if isinstance(child, nodes.Text) and joined and isinstance(joined[-1], nodes.Text):
            joined[-1] = nodes.Text(joined[-1] + child)
        else:
            joined.append(child)
    parent.children = []
    parent.extend(joined)


def ancestors(node):
    while node.parent is not None:
        node = node.parent
        yield node


def rewrite(raw, text):
    """Give a raw node another text; its box stays."""
    raw.clear()
    raw += nodes.Text(text)


def replace(node, others):
    node.parent.replace(node, others)


def in_text(node, links):
    """The nodes for a piece of text: as it is between the links."""
    text, at = node.astext(), 0
    items = (above for above in ancestors(node) if isinstance(above, nodes.definition_list_item))
    own = {name_of(term) for item in items for term in item.findall(nodes.term)}
    for start, end, address, title, kind in links.spots(text, own):
        yield nodes.Text(text[at:start])
        reference = nodes.reference("", text[start:end], refuri=address, internal=True, classes=[kind])
        reference["reftitle"] = title
        yield reference
        at = end
    yield nodes.Text(text[at:])


def in_html(text, links):
    """A cell's HTML with its sections linked: between tags, and in what a question says after an answer."""
    text = JUDGEMENT.sub(lambda found: found[1] + in_judgement(found[2], links) + found[3], text)
    parts, inside = [], []
    for piece in PIECES.split(text):
        if piece.startswith("<"):
            follow(piece, inside)
        elif not inside:
            piece = anchored(piece, links)
        parts.append(piece)
    return "".join(parts)


def in_judgement(data, links):
    """The data of a question (`gpusim/show/question.py`), its sentences linked."""
    said = json.loads(data)
    said["why"] = in_html(said["why"], links)
    said["remarks"] = said["remarks"] and [in_html(remark, links) for remark in said["remarks"]]
    return json.dumps(said, ensure_ascii=False).replace("<", "\\u003c")


def anchored(piece, links):
    """A piece of HTML without tags, its sections linked."""
    parts, at = [], 0
    for start, end, address, title, kind in links.sections(piece):
        anchor = f'<a class="{kind}" href="{address}" title="{html.escape(title)}">{piece[start:end]}</a>'
        parts += [piece[at:start], anchor]
        at = end
    return "".join([*parts, piece[at:]])


def follow(tag, inside):
    """Keep the names of the open elements whose text is no prose, the innermost last."""
    closes, name = NAME.match(tag).groups() if NAME.match(tag) else ("", "")
    if closes and inside and inside[-1] == name:
        inside.pop()
    elif not closes and (name in NOT_PROSE_IN_HTML or "gs-meta" in tag):
        inside.append(name)


# ---- kept right when the glossary or this file changes ----


def learn(app, env):
    """Read the glossary; all pages are written again if it is another than last time."""
    known, before = glossary(env), getattr(env, "gs_glossary", None)
    env.gs_glossary = known
    return list(env.all_docs) if known != before else []


def setup(app):
    state = hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()
    app.add_config_value("book_links_state", state, "html")
    app.connect("env-updated", learn)
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
