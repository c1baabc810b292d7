"""The built book behind a server of its own, and Chromium with the network watched."""

import functools
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import book_pages
import pytest
from needed import ALL, need
from places import ROOT
from screens import SCREENS

HTML = ROOT / "_build" / "html"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STARTED = "[...document.querySelectorAll('.gs-explore, .gs-ask')].every(e => e.dataset.gs === 'ready')"
HARMLESS = ("[PST]", "[togglebutton]")  # the theme tells its console that it started


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Tests print what matters themselves."""


@pytest.fixture(scope="session")
def html():
    """The folder of the built book; built now unless `make test` has just done it."""
    if not ALL:
        need("jupyter_book")
        subprocess.run([sys.executable, str(ROOT / "tools" / "build.py")], check=True)
    return HTML


@pytest.fixture(scope="session")
def site(html):
    """The address of a server of the built book."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(html)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")  # not longer: its event loop would stand in the way of other tests
def chromium():
    """A running Chromium."""
    need("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_path(), args=ARGUMENTS)
        yield browser
        browser.close()


def _path():
    import chromium

    path = chromium.find()
    if path is None and not ALL:
        pytest.skip("no Chromium")
    assert path, chromium.ADVICE
    return path


class Visit:
    """One open page with what its console said and what it asked the network for."""

    def __init__(self, context, site):
        self.context, self.site, self.said, self.asked = context, site, [], []
        context.set_default_timeout(20_000)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on(
            "response", lambda answer: answer.status >= 400 and self.said.append(f"error: {answer.url}")
        )

    def open(self, path):
        self.page.goto(self.site + path)
        self.page.wait_for_function(STARTED)
        self.page.evaluate("document.fonts.ready.then(() => null)")
        return self

    def close(self):
        self.context.close()

    @property
    def outside(self):
        """Requests that left the server."""
        return [url for url in self.asked if not url.startswith((self.site, "data:", "blob:"))]

    @property
    def complaints(self):
        """Warnings and errors of the console."""
        return [line for line in self.said if not any(word in line for word in HARMLESS)]


@pytest.fixture(scope="module")
def visit(chromium, site):
    """A function that opens a page of the book on a screen: visit("book/index.html", "dark")."""
    return lambda path, screen="light": Visit(chromium.new_context(**SCREENS[screen]), site).open(path)


@pytest.fixture(
    scope="module",
    params=[(path, screen) for path in book_pages.listed() for screen in SCREENS],
    ids=lambda pair: f"{pair[0].stem}-{pair[1]}",
)
def look(request, visit):
    """Every page on every screen, opened once for all tests that only look at it."""
    path, screen = request.param
    opened = visit(book_pages.page_of(path), screen)
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=book_pages.listed(), ids=lambda path: path.stem)
def play(request, visit):
    """(page, path of its notebook): every page once, for the tests that move its controls."""
    opened = visit(book_pages.page_of(request.param))
    yield opened, request.param
    opened.close()
