"""The built pages as a reader meets them: three screens, no network, nothing to complain of."""

import urllib.parse

import book_pages
import pytest
from needed import need

OURS = ".gs-explorer, .gs-ask, .gs-figure, .gs-src, .gs-table, .gs-plot"
DARK, LIGHT = "rgb(206, 214, 221)", "rgb(34, 40, 50)"
pytestmark = pytest.mark.browser


def test_a_page_is_quiet_and_asks_nobody_outside(look):
    assert look.complaints == []
    assert look.outside == []
    assert look.page.evaluate("[...document.fonts].some(font => font.status === 'loaded')")


TWINS = """() => {
    const met = new Set();
    for (const span of document.querySelectorAll('pre span:not(:has(*))')) {
        const clear = e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)';
        let behind = span;
        while (behind.parentElement && clear(behind)) behind = behind.parentElement;
        const style = getComputedStyle(span), ground = getComputedStyle(behind).backgroundColor;
        const look = [style.color, style.fontSize, style.fontWeight, style.opacity, ground].join();
        span.toggleAttribute('data-twin', met.has(look));
        met.add(look);
    }
}"""


def test_axe_finds_nothing_in_what_gpusim_shows_and_nothing_serious_in_the_page(look):
    """Thousands of words of code have nine looks: axe sees one of each.  In the dark only colours are others."""
    need("axe_playwright_python")
    from axe_playwright_python.sync_playwright import Axe

    look.page.evaluate(TWINS)
    hidden = look.page.add_style_tag(content="[data-twin] { visibility: hidden !important }")
    dark = look.page.evaluate("document.documentElement.dataset.theme") == "dark"
    options = {"resultTypes": ["violations"]}
    if dark:
        options["runOnly"] = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
    context = {"exclude": [[".gs-plot svg > *"]]}
    found = Axe().run(look.page, context=context, options=options).response["violations"]
    hidden.evaluate("e => e.remove()")
    inside = "([target, ours]) => Boolean(document.querySelector(target)?.closest(ours))"
    marks = [(rule, node) for rule in found for node in rule["nodes"]]
    ours = [
        (rule["id"], node["html"])
        for rule, node in marks
        if look.page.evaluate(inside, [node["target"][0], OURS])
    ]
    assert ours == []
    assert [node["html"] for rule, node in marks if rule["impact"] in ("serious", "critical")] == []


def test_figures_take_the_theme_and_the_width_of_the_screen(look):
    screen = look.page.viewport_size["width"]
    dark = look.page.evaluate("document.documentElement.dataset.theme") == "dark"
    for picture in look.page.locator(".gs-plot svg").all():
        assert picture.evaluate("e => getComputedStyle(e).fill") == (DARK if dark else LIGHT)
        assert picture.bounding_box()["width"] >= (374 if screen == 390 else 480)


def test_a_page_never_scrolls_sideways(look):
    look.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    beyond = "e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('pre, .gs-src, .gs-scroll, svg')"
    wide = look.page.evaluate(
        f"[...document.querySelectorAll('.bd-article *')].filter(e => {beyond})"
        ".map(e => e.outerHTML.slice(0, 120))"
    )
    assert look.page.evaluate("document.documentElement.scrollWidth") <= look.page.viewport_size["width"], (
        wide
    )


def test_the_map_leads_to_every_page(visit):
    opened = visit("book/index.html")
    doors = opened.page.locator(".gs-map a").evaluate_all("all => all.map(e => e.href)")
    pages = {opened.site + book_pages.page_of(path) for path in book_pages.listed() if path.stem != "index"}
    assert pages <= set(doors)
    opened.close()


SOUGHT = {
    "occupancy": "15-",
    "tensor core": "28-",
    "divergence": "05-",
    "coalescing": "07-",
    "bank conflict": "10-",
    "run my own kernel": "your-own-kernel",
    "race": "09-",
    "transpose": "11-",
    "roofline": "18-",
    "atomics": "26-",
    "gs.explore": "api",
}


@pytest.fixture
def search(visit):
    """A function: what the search page finds for a query, [(address, title, excerpt)], the best first."""

    def found(query):
        opened = visit(f"search.html?q={urllib.parse.quote(query)}")
        opened.page.wait_for_selector("ul.search li p.context")
        assert opened.complaints == []
        items = opened.page.locator("ul.search li").evaluate_all(
            "all => all.map(e => [e.querySelector('a').href, e.querySelector('a').textContent, e.innerText])"
        )
        opened.close()
        return items

    return found


@pytest.mark.parametrize("query", SOUGHT)
def test_the_page_that_treats_a_word_is_among_the_first_three_found(search, query):
    first = [address.rsplit("/", 1)[1] for address, *_ in search(query)[:3]]
    assert any(page.startswith(SOUGHT[query]) for page in first), first


def test_an_excerpt_is_running_text_around_the_word(search):
    (*_, text), *_ = (item for item in search("resident") if "#term-resident" in item[0])
    assert "A block or warp that has its registers" in text and "residentA" not in text


@pytest.mark.parametrize(
    "word", ["sectors", "wavefront", "global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
)
def test_search_finds_terms_and_both_names_of_a_counter(visit, word):
    opened = visit(f"search.html?q={word}")
    opened.page.wait_for_selector("ul.search li a")
    assert opened.page.locator("ul.search li a").count() >= 1
    opened.close()


COALESCING = "book/02-memory-access/07-coalescing.html"
CHARACTERS = """() => {
  const code = document.querySelector("div.cell_input pre"), style = getComputedStyle(code);
  const ruler = code.appendChild(document.createElement("span"));
  ruler.textContent = "0".repeat(10);
  const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return 10 * room / ruler.getBoundingClientRect().width;
}"""


def test_80_characters_of_code_fit_at_1280_pixels(visit):
    opened = visit(COALESCING)
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    assert opened.page.evaluate(CHARACTERS) >= 80
    opened.close()


def test_cuda_text_has_colours_of_its_own_and_is_copied_as_it_stands(visit):
    opened = visit(COALESCING)
    kernel = opened.page.locator("div.highlight-python-with-cuda").first
    kernel.hover()
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert kernel.locator("span.kt", has_text="void").count() == 1
    kernel.locator("button.copybtn").click()
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == kernel.locator("pre").text_content().strip() and "__global__ void" in copied
    opened.close()


def test_a_phone_shows_requests_and_sectors_of_each_line(visit):
    opened = visit(COALESCING, "phone")
    shown = opened.page.locator(".gs-src").first
    assert shown.locator("th", has_text="requests").is_visible()
    assert shown.locator("th", has_text="sectors").is_visible()
    opened.close()


def test_every_name_of_the_package_is_a_heading_of_the_api_page(visit):
    import gpusim as gs

    opened = visit("book/08-back-matter/api.html")
    headings = set(opened.page.locator("article section > :is(h2, h3) code").all_inner_texts())
    listed = set(opened.page.locator(".bd-toc-nav a, .page-toc a").all_inner_texts())
    cards = {name for name in gs.__all__ if isinstance(getattr(gs, name), gs.Gpu)} | {"GPUS"}
    names = {f"gs.{name}" for name in {*gs.__all__} - cards}
    names |= {f"gs.plot.{name}" for name in gs.plot.__all__ if callable(getattr(gs.plot, name))}
    assert names <= headings
    assert {name for name in names if not any(name in text for text in listed)} == set()
    opened.close()
