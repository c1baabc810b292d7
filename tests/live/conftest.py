"""A notebook server of this environment's own kind: JupyterLab, or the classic front end."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from front_ends import front_end
from needed import ALL, need
from places import ROOT

TOKEN = "tests"
ALL_IN_THE_PAGE = {"windowingMode": "none"}  # Lab keeps cells out of sight out of the document otherwise


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """(front end, address, folder of its notebooks): a notebook server whose kernels find gpusim."""
    kind = front_end()
    if kind is None:
        need("jupyterlab")
    folder, settings = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("settings")
    tracker = settings / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    tracker.parent.mkdir(parents=True)
    tracker.write_text(json.dumps(ALL_IN_THE_PAGE))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTERLAB_SETTINGS_DIR": str(settings)}
    environment.pop("GPUSIM_STATIC", None)
    port = _free_port()
    options = ["--no-browser", "--allow-root", f"--port={port}", f"--ServerApp.token={TOKEN}"]
    command = [sys.executable, "-m", *kind.command, *options, f"--ServerApp.root_dir={folder}"]
    with open(folder / "server.log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
    try:
        address = f"http://127.0.0.1:{port}/"
        _wait(address, process, folder / "server.log")
        yield kind, address, folder
    finally:
        process.terminate()
        process.wait(30)


def _until(true, seconds=60):
    """Ask until the answer is yes; each answer may be a promise of the page."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the notebook's kernel never answered"
        time.sleep(0.1)


def _free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(address, process, log):
    """Until the server answers; its log where it ends instead."""
    for _ in range(300):
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}api?token={TOKEN}", timeout=5)
            return
        time.sleep(0.2)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")  # not longer: its event loop would stand in the way of other tests
def browser():
    """A running Chromium."""
    need("playwright")
    import chromium
    from playwright.sync_api import sync_playwright

    path = chromium.find()
    if path is None and not ALL:
        pytest.skip("no Chromium")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def run_notebook(server, browser):
    """A function that opens a notebook, runs all its cells and returns the page: run_notebook(path)."""
    kind, address, folder = server
    contexts = []

    def run(path):
        if path.parent != folder:
            shutil.copy(path, folder)
        contexts.append(browser.new_context(viewport=dict(width=1400, height=1000)))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{address}{kind.notebook.format(path.name)}?token={TOKEN}")
        _until(lambda: page.evaluate(kind.ready))
        page.evaluate(kind.run)
        return page

    yield run
    for context in contexts:
        context.close()
