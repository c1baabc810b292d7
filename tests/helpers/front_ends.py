"""The two front ends that notebooks are tried in, and how each is driven: JupyterLab and the classic one."""

import dataclasses
import importlib.util

READY = """async () => {
    const context = window.jupyterapp?.shell.currentWidget?.context;
    if (!context?.isReady || !context.sessionContext.isReady) return false;
    const info = context.sessionContext.session?.kernel?.info;
    const soon = new Promise(resolve => setTimeout(() => resolve(null), 500));
    return Boolean(await Promise.race([info, soon]));
}"""


@dataclasses.dataclass(frozen=True)
class FrontEnd:
    """How to start a front end, open a notebook in it, know that its kernel answers, and run all cells."""

    name: str
    command: tuple
    notebook: str
    ready: str
    run: str
    handle: str


LAB = FrontEnd(
    "lab",
    ("jupyterlab", "--LabApp.expose_app_in_browser=True"),
    "lab/tree/{}",
    READY,
    "jupyterapp.commands.execute('notebook:run-all-cells')",
    ".noUi-handle",
)
CLASSIC = FrontEnd(
    "classic",
    ("nbclassic",),
    "notebooks/{}",
    "() => Boolean(window.Jupyter?.notebook?.kernel?.info_reply?.status)",
    "Jupyter.notebook.execute_all_cells()",
    ".ui-slider-handle",
)


def front_end():
    """The one that this environment has, or None."""
    return next((each for each in (LAB, CLASSIC) if importlib.util.find_spec(each.command[0])), None)
