"""The living page as a reader meets it: in Chromium on every section, in Firefox on some, all by the same steps."""

import json
import os
import pathlib

import book_pages
import firefox
import notebooks
import pytest
from needed import need

pytestmark = pytest.mark.browser

READER = (pathlib.Path(__file__).parent / "reader.js").read_text(encoding="utf-8").strip()
SECTIONS = [path for path in book_pages.listed() if path.stem[:2].isdigit()]
SOME = ("02-host-and-device", "10-bank-conflicts", "20-matmul-tiled")
PATIENCE = 240_000


class Chromium:
    """The steps in Chromium: opens a page in a context of its own and runs scripts in it."""

    def __init__(self, browser, site):
        self.site, self.asked, self.said = site, [], []
        self.context = browser.new_context(viewport=dict(width=1360, height=900))
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def open(self, path):
        self.page.goto(self.site + path, wait_until="load")

    def run(self, script):
        return self.page.evaluate(f"async () => await ({script})")

    def close(self):
        self.context.close()

    @property
    def outside(self):
        return [url for url in self.asked if not url.startswith((self.site, "data:", "blob:"))]


class Fox(firefox.Firefox):
    """The same in Firefox."""

    outside = ()
    said = ()

    def __init__(self, path, site):
        super().__init__(path)
        self.site = site

    def open(self, path):
        super().open(self.site + path)


@pytest.fixture(scope="module")  # one reader: what a page has loaded, the next one has from the cache
def chrome(chromium, site):
    opened = Chromium(chromium, site)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def fox(site):
    need("playwright")
    path = firefox.find()
    if path is None:
        pytest.skip("no Firefox: apt-get install firefox-esr")
    opened = Fox(path, site)
    yield opened
    opened.close()


def step(browser, call):
    """One step of the reader in the page."""
    return browser.run(f"({READER}).{call}")


def exercise_of(path):
    """The name of a section's first exercise."""
    sources = "\n".join(notebooks.source(cell) for cell in notebooks.read(path)["cells"])
    return sources.partition('gs.check(answer, "')[2].partition('"')[0]


def read_a_section(browser, path):
    """Edit the kernel, solve the exercise through a wrong try, move an explorer between its frames."""
    from gpusim.show.exercises.exercise import load_exercise

    page = book_pages.page_of(path)
    browser.open(page)
    seen = (
        step(browser, "kernel()")
        if browser.run("Boolean(document.querySelector('[data-gs-edit]'))")
        else None
    )
    if seen:
        assert not any(kind == "error" for kind, _ in seen["first"]["marks"])
        assert [kind for kind, _ in seen["typo"]["marks"]] == ["error"] and "line " in seen["typo"]["marks"][
            0
        ][1]
        assert seen["restored"]["same"] and seen["restored"]["marks"] == seen["first"]["marks"]
        lines = zip(seen["first"]["counts"].split("|"), seen["restored"]["counts"].split("|"))
        assert all(before == after for before, after in lines)  # of the lines in view, which may be fewer
    exercise = load_exercise(exercise_of(path))
    texts = [None, exercise.variant(next(iter(exercise.zoo))), exercise.solution]
    verdicts = step(browser, f"exercise({json.dumps(texts)})")
    starter, tried, right = verdicts["said"]
    assert "still the starter" in starter and "Not yet" in tried and "Right: all" in right
    assert exercise.name in verdicts["solved"][page.removesuffix(".html")]
    between = step(browser, "between()")
    assert between is None or between["failed"] == "", between
    assert list(browser.outside) == [] and list(browser.said) == []


@pytest.mark.parametrize("path", SECTIONS, ids=lambda path: path.stem)
def test_a_section_is_read_in_chromium(chrome, path):
    read_a_section(chrome, path)


@pytest.mark.parametrize(
    "path",
    [path for path in SECTIONS if path.stem in SOME or os.environ.get("GPUSIM_EVERY_PAGE")],
    ids=lambda path: path.stem,
)
def test_a_section_is_read_in_firefox(fox, path):
    read_a_section(fox, path)
