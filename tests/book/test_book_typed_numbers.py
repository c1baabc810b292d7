"""No page of the back matter carries a number typed by hand that a run could produce."""

import ast
import re

import book_pages
import notebooks
import pytest
from needed import need

FOLDER = notebooks.BOOK / "08-back-matter"
PAGES = sorted([*FOLDER.glob("*.md"), *FOLDER.glob("*.ipynb")])
LARGE = "six seven eight nine ten eleven twelve dozens? twenty hundreds? thousands? millions?"
NUMBER = re.compile(rf"(?<![\w.])\d[\w.,%×]*|\b(?:{'|'.join(LARGE.split())}|per ?cent)\b", re.IGNORECASE)
GLOSSARY = re.compile(r"^```\{glossary\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```\S*\n.*?^```$", re.MULTILINE | re.DOTALL)
NOT_PROSE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\]\([^)]*\)", re.DOTALL)
SECTION = re.compile(r"\b[Ss]ections? \d+(?:,? (?:and|to) \d+)*")

# What may be typed, page by page ("" is every page), and why no run needs to produce it.
ALLOWED = {
    "the machine as it is defined": {
        "": ["32 banks", "32 bytes", "32-byte", "4 bytes", "128 bytes", "256 bytes", "32 lanes"],
        "glossary": ["32 places", "0 to 31", "32 threads", "of 64", "32 columns", "over 32"],
        "slips": ["32 active threads", "1 to 32 sectors", "1 KB"],
        "tuning": ["255 registers", "255 that it may have"],
        "your-own-kernel": ["4 are used"],
    },
    "names of cards, courses, licences and versions": {
        "": ["GTX 980"],
        "gpus": ["RTX 2050"],
        "sources": ["15-779", "2025", "lectures 3 and 4", "11-868", "lecture 4", "30-day", "day 3"],
        "status": ["CC BY 4.0"],
        "troubleshooting": ["before 2023", "before 5.3", "JupyterLab 3", "Python of 3.11"],
    },
    "a reader's minutes": {"tuning": ["15 minutes"], "your-own-kernel": ["15 minutes"]},
    "quoted as it is printed elsewhere": {
        "slips": ["eight floats", "268 MB at 600 GB/s take 409.6", "A 5 % case occurs in 79 %", "79 % is one", "32 KB",
                  "256 threads reach 88 %", "64 warps", "128 FP32 operations", "ten years", "33,554,432", "537 MB",
                  "against 0.25", "32 cores"],
    },
    "what a formula says, and the settings that a cell tries": {
        "simulated-and-measured": ["N=4096 block=32x32", "n=67108864 BLOCK=256", "measured − 1", "nine in ten within"],
        "slips": ["2s ways", "L/4", "256 threads, s = 1, 2, 4, ... 128"],
        "tuning": ["V = 1", "V = 16", "= 16 a thread", "= 2) with"],
    },
    "what the program promises; test_main asks for it": {
        "your-own-kernel": ["is 0 for", "1 if something", "2 for a wrong", "3 for a wrong", "--grid 8 --block 128",
                            "--arg float:1000x256 --arg float:1000 --arg 1000 --arg 256"],
    },
}  # fmt: skip


def prose(path):
    """The typed sentences of a page: its Markdown, and the words that its cells put around computed numbers."""
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")]
    found = []
    for cell in notebooks.read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            found.append(notebooks.source(cell))
        elif "setup" not in notebooks.tags(cell):
            found += sentences(book_pages.plain(notebooks.source(cell)))
    return found


def sentences(source):
    """The strings of a cell that hold words, but for kernels and docstrings."""
    tree = ast.parse(source)
    told = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and node not in told and "__global__" not in text:
            if re.search(r"[a-zA-Z]", text) and " " in text:
                yield text


def bare(text):
    """A text without code, formulas, addresses and the numbers of sections."""
    text = GLOSSARY.sub(r"\1", text)
    for pattern in (FENCE, NOT_PROSE, SECTION):
        text = pattern.sub(" ", text)
    return text


def allowed(page):
    return [phrase for pages in ALLOWED.values() for phrase in [*pages.get("", []), *pages.get(page, [])]]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_number_is_computed_or_on_the_list_with_a_reason(path):
    need("IPython")
    typed = []
    for text in map(bare, prose(path)):
        for phrase in sorted(allowed(path.stem), key=len, reverse=True):
            text = re.sub(rf"(?<![\w.]){re.escape(phrase)}(?!\w)", "", text)
        typed += [text[max(0, n.start() - 40) : n.end() + 20] for n in NUMBER.finditer(text)]
    assert typed == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_nothing_is_on_the_list_that_the_page_does_not_say(path):
    need("IPython")
    said = " ".join(map(bare, prose(path)))
    own = [phrase for pages in ALLOWED.values() for phrase in pages.get(path.stem, [])]
    assert [phrase for phrase in own if phrase not in said] == []


def test_typed_numbers_are_found_in_text_and_in_strings():
    cell = 'gs.table(rows, caption=f"{n} of 12 kernels")\nMarkdown("twice as fast on 3 cards")\n"""in 7 s"""'
    assert {*sentences(cell)} == {" of 12 kernels", "twice as fast on 3 cards"}
    text = bare("It took 12.5 s, `x[3]`, $n = 4$, [there](a7.md), sections 8 and 9; two hundred runs.")
    assert NUMBER.findall(text) == ["12.5", "hundred"]
