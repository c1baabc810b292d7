"""The living page as a reader meets it: in Chromium on every section, in Firefox on some, all by the same steps."""

import json
import os
import pathlib

import book_pages
import firefox
import notebooks
import pytest
from needed import need
from screens import SCREENS

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


# ---- one page at a time: what is loaded, what is equal, what stops, what is refused ----

SECTION = "book/02-memory-access/10-bank-conflicts.html"
BENCH = "book/08-back-matter/bench.html"
ENDLESS = """__global__ void k(float *a, int n) { int t = threadIdx.x + blockIdx.x * blockDim.x;
    for (int i = 0; i < n; i++) a[t] += a[(t * i) % 9999] * i; }"""
HOSTILE = """// </textarea><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>
__global__ void k(float *a) { printf("<img src=x onerror='window.hacked=1'>%d", 1); a[threadIdx.x] = 1; }
// ' + window.hacked=1 + ' ${window.hacked=1}
"""


def test_before_a_click_only_the_buttons_are_loaded(chrome):
    chrome.asked.clear()
    chrome.open(SECTION)
    ours = {url.partition("?")[0].rsplit("/", 1)[1] for url in chrome.asked if "/_static/live/" in url}
    assert ours == {"start.js", "live.css"}
    assert not any("pyodide" in url or "codemirror" in url for url in chrome.asked)


def test_every_kernel_of_the_book_counts_in_the_page_as_it_does_natively(chrome):
    from gpusim.errors import GpusimError
    from gpusim.library import folder
    from gpusim.show.living import bench

    names = ("kernel", "grid", "block", "args", "shared", "dataless")
    asked, native = [], []
    for path in sorted(folder("kernels").glob("*.cu")):
        text = path.read_text(encoding="utf-8")
        try:
            launch = {name: bench.kernels(text)[0][name] for name in names}
            native.append({"name": path.stem, "error": None, **bench.counted(text, bench.Launch(**launch))})
        except (GpusimError, KeyError):
            continue  # a launch that words cannot say, or an error natively
        asked.append([text, launch])
    assert len(asked) > 60
    chrome.open(SECTION)
    told = chrome.run(
        f"(async () => {{ const all = []; for (const [text, launch] of {json.dumps(asked)})"
        " all.push(await window.gsLive.run(text, launch)); return all; })()"
    )
    for ours, theirs in zip(native, told, strict=True):
        name = ours.pop("name")
        assert json.loads(json.dumps(ours, default=int)) == theirs, name


def test_stop_ends_a_long_kernel_at_once_and_the_next_run_works(chrome):
    chrome.open(SECTION)
    step(chrome, "open(document.querySelector('[data-gs-edit]')).then(() => true)")
    launch = json.dumps({"grid": 4000, "block": 256, "args": ["float:1024000", "100000"]})
    stopped = chrome.run(
        f"""(async () => {{
            const run = window.gsLive.run({json.dumps(ENDLESS)}, {launch});
            await new Promise((go) => setTimeout(go, 2000));
            const stop = [...document.querySelectorAll("[data-gs-stop]")].find((each) => !each.hidden);
            const start = performance.now();
            stop.click();
            return {{ message: (await run).error.message, ms: performance.now() - start }};
        }})()"""
    )
    assert stopped["message"].startswith("Stopped") and stopped["ms"] < 1000
    small = json.dumps({"grid": 1, "block": 32, "args": ["float:32"]})
    text = json.dumps("__global__ void k(float *a) { a[threadIdx.x] = 1; }")
    told = chrome.run(f"window.gsLive.run({text}, {small})")
    assert told["error"] is None
    assert told["counts"]["global_store_sectors"] == 4


@pytest.mark.parametrize(
    "text, args, said",
    [
        (
            "'__global__ void k(float *a) { a[threadIdx.x] = 1; }'",
            ["float:256000000"],
            "arrays may take here",
        ),
        ("'//' + 'x'.repeat(1e6)", [], "at most 200,000"),
    ],
)
def test_what_is_too_large_is_refused_in_words(chrome, text, args, said):
    chrome.open(SECTION)
    launch = json.dumps({"grid": 1, "block": 32, "args": args})
    assert said in chrome.run(f"window.gsLive.run({text}, {launch})")["error"]["message"]


def packed(chrome, thing):
    """The part of a link after its #."""
    call = (
        f"import(new URL('live/links.js', ({READER}).base)).then((links) => links.pack({json.dumps(thing)}))"
    )
    return chrome.run(call)


def test_a_hostile_link_is_shown_as_text(chrome):
    chrome.open(BENCH)
    launch = {"kernel": "<img src=x onerror=window.hacked=1>", "args": "float:32", "grid": "1", "block": "32"}
    link = packed(
        chrome, [{"text": HOSTILE, "launch": {**launch, "kernel": "k"}}, {"text": HOSTILE, "launch": launch}]
    )
    chrome.asked.clear()
    chrome.open("book/index.html")
    chrome.open(f"{BENCH}#{link}")
    shown = chrome.run(
        f"""(async () => {{ const reader = {READER};
            await reader.until(() => document.querySelector("[data-gs-run-both]"), "the bench");
            document.querySelector("[data-gs-run-both]").click();
            await reader.until(() => document.querySelectorAll(".gs-out")[1]?.textContent, "an answer");
            return [...document.querySelectorAll(".gs-out")].map((each) => each.textContent); }})()"""
    )
    assert "<img src=x" in shown[0] and "no kernel" in shown[1]
    assert chrome.run(
        "Promise.resolve(window.hacked === undefined && !document.querySelector('.gs-bench img'))"
    )
    assert chrome.outside == []


@pytest.mark.parametrize(
    "spoil", [lambda link: link[: len(link) // 2], lambda link: "A" * 250_000, lambda link: "%%%"]
)
def test_a_damaged_link_is_refused_and_the_bench_works(chrome, spoil):
    chrome.open(BENCH)
    link = spoil(packed(chrome, [{"text": HOSTILE, "launch": {}}] * 2))
    chrome.open("book/index.html")
    chrome.open(f"{BENCH}#{link}")
    said = chrome.run(
        f"""(async () => {{ const reader = {READER};
            await reader.until(() => document.querySelector("[data-gs-run-both]"), "the bench");
            return document.querySelector(".gs-bench .gs-said").textContent; }})()"""
    )
    assert "nothing was taken from it" in said


@pytest.mark.parametrize("screen", SCREENS)
def test_editors_are_open_to_everyone(visit, screen):
    from axe_playwright_python.sync_playwright import Axe

    opened = visit(SECTION, screen)
    opened.page.set_default_timeout(PATIENCE)
    opened.page.evaluate(f"async () => {{ await ({READER}).kernel(); }}")
    found = Axe().run(opened.page, context=".gs-editor, .gs-bar").response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    opened.page.locator(".cm-content").first.focus()
    opened.page.keyboard.press("Escape")
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("!document.activeElement.closest('.cm-editor')")
    opened.close()
