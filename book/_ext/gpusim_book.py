"""The Sphinx side of the book: the kernels' environment and a cache that knows what the outputs depend on.

jupyter-cache compares code cells only, so a change in gpusim would leave stale outputs in the pages. The
cache's folder therefore carries a hash of all that a cell can read: the simulator, the kernels, the records.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import time

from docutils import nodes

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("kernels", "measured", "computed", "exercises")
READ_BY_CELLS = ("gpusim/**/*.py", *(f"book/{folder}/**/*" for folder in FOLDERS))
WHY = re.compile(
    r'<a class="gs-why" href="(?P<address>[^"]*)"(?P<title> title="[^"]*")?[^>]*>(?P<text>.*?)</a>'
)
KEEP = 3  # caches of earlier states; going back to one of them costs nothing


def found(pattern):
    """The files of a pattern in order, without what an editor keeps in hidden folders, such as checkpoints."""
    every = sorted(path for path in ROOT.glob(pattern) if path.is_file())
    return [path for path in every if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)]


def digest():
    """A short hash of all files that a cell's output may depend on."""
    content = hashlib.sha256()
    for pattern in READ_BY_CELLS:
        for path in found(pattern):
            content.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    for path in found("book/**/*.ipynb"):  # counts link to the pages that there are
        content.update(str(path.relative_to(ROOT)).encode())
    return content.hexdigest()[:12]


def text_of_pages():
    """A hash of the cells of all notebooks, for the pages that collect something from the others."""
    content = hashlib.sha256()
    for path in found("book/**/*.ipynb"):
        for cell in cells_of(path):
            content.update(repr((cell["source"], cell["metadata"].get("tags"))).encode())
    return content.hexdigest()


def cells_of(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["cells"]


def reads_pages(path):
    """True for a notebook whose own code opens notebooks."""
    return any(cell["cell_type"] == "code" and ".ipynb" in "".join(cell["source"]) for cell in cells_of(path))


def cache_folder(build, state):
    """The cache of the present state, made the newest; the oldest ones go."""
    folder = build / f".jupyter_cache-{state}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(build.glob(".jupyter_cache-*"), key=lambda path: path.stat().st_mtime)
    for old in others[:-KEEP]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def prepare(app, config):
    """Tell the kernels, which inherit this environment, that they write for a page, and where gpusim is."""
    build, state = ROOT / "_build", digest()
    os.environ["GPUSIM_STATIC"] = "1"
    os.environ["GPUSIM_FRAMES"] = str(build / "frames")
    os.environ["GPUSIM_DIGEST"] = state
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    config.nb_execution_cache_path = str(cache_folder(build, state))


def outdated(app, env, added, changed, removed):
    """The pages that collect from the others, if any of those has changed since they ran."""
    known = pathlib.Path(app.config.nb_execution_cache_path, "pages")
    if known.exists() and known.read_text() == text_of_pages():
        return []
    notebooks = [name for name in env.found_docs if env.doc2path(name).endswith(".ipynb")]
    return [name for name in notebooks if reads_pages(env.doc2path(name))]


def execute_ahead(app, env, docnames):
    """Run what the cache lacks, one notebook a processor; one that fails is left to Sphinx, which says why.

    Sphinx would execute page by page. Its own parallel reading gets in jupyter-cache's way; here only the
    kernels run side by side, and this process alone writes into the cache.
    """
    from jupyter_cache import get_cache

    cache = get_cache(app.config.nb_execution_cache_path)
    files = [env.doc2path(name) for name in docnames if env.doc2path(name).endswith(".ipynb")]
    uris = [cache.add_nb_to_project(path).uri for path in files]
    known = pathlib.Path(app.config.nb_execution_cache_path, "pages")
    if not known.exists() or known.read_text() != text_of_pages():
        _forget(cache, filter(reads_pages, files))
    lacking = [cache.get_project_notebook(record.pk) for record in cache.list_unexecuted(filter_uris=uris)]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(_execute, each, app.config.nb_execution_timeout): each for each in lacking}
        for count, done in enumerate(concurrent.futures.as_completed(running), 1):
            line = _keep(cache, running[done], done.result(), f"{count} of {len(lacking)}")
            left = (time.monotonic() - start) / count * (len(lacking) - count)
            print(f"{line}; about {left:.0f} s left, then a minute for the pages", flush=True)
    known.write_text(text_of_pages())


def _forget(cache, paths):
    """Take runs out of the cache: it compares code only, and would return what other pages once said."""
    for path in paths:
        record = cache.get_cached_project_nb(path)
        if record:
            cache.remove_cache(record.pk)


def _execute(notebook, timeout):
    from jupyter_cache.executors.utils import single_nb_execution

    return single_nb_execution(notebook.nb, str(pathlib.Path(notebook.uri).parent), timeout, False)


def _keep(cache, notebook, result, place):
    """Put a run into the cache; return a line that tells how far the build is."""
    from jupyter_cache.executors.utils import create_cache_bundle

    name = pathlib.Path(notebook.uri).relative_to(ROOT)
    if result.err:
        return f"executed {place}: {name} FAILED"
    bundle = create_cache_bundle(notebook, result.cwd, None, result.time, result.exc_string)
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    return f"executed {place}: {name} in {result.time:.1f} s"


def link_to_repository(app, config):
    """Show the repository's button and Colab's once an address is set, and nothing before."""
    sys.path.insert(0, str(ROOT / "tools"))
    from address import address

    url = address()
    if url:
        options = {
            "repository_url": url,
            "use_repository_button": True,
            "path_to_docs": "",
            "repository_branch": "main",
            "launch_buttons": {"colab_url": "https://colab.research.google.com"},
        }
        config.html_theme_options = {**config.html_theme_options, **options}


def link_to_pages(app, doctree, here):
    """Turn links to notebooks in computed Markdown into links to their pages; in a notebook they are right."""
    for link in doctree.findall(nodes.reference):
        path, dot, anchor = link.get("refuri", "").partition(".ipynb")
        if dot and "://" not in path:
            link["refuri"] = f"{path}.html{anchor}"


def unlink_own_counts(app, doctree, here):
    """Take the link from counts that this very page explains: it would lead where the reader is already."""
    page = here.rsplit("/", 1)[1] + ".html"
    for raw in doctree.findall(nodes.raw):
        if "gs-why" in raw.astext():
            text = WHY.sub(lambda link: unlinked(link, page), raw.astext())
            raw.clear()
            raw += nodes.Text(text)


def unlinked(link, page):
    """A count's link as a plain word with its meaning, if it leads to this page; else as it is.

    >>> unlinked(WHY.match('<a class="gs-why" href="07-a.html#why" title="rounds" tabindex="-1">3</a>'), "07-a.html")
    '<span class="gs-why" title="rounds">3</span>'
    """
    target = link["address"].partition("#")[0]
    return f'<span class="gs-why"{link["title"] or ""}>{link["text"]}</span>' if target == page else link[0]


def setup(app):
    files = sorted(pathlib.Path(__file__).parent.glob("*.*"))
    state = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    app.add_config_value("book_extensions_state", state, "env")  # Sphinx would not see that one has changed
    app.connect("config-inited", prepare, priority=1)
    app.connect("config-inited", link_to_repository, priority=1)
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", execute_ahead)
    app.connect("doctree-resolved", link_to_pages)
    app.connect("doctree-resolved", unlink_own_counts)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
