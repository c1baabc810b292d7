"""Times one step of every control of the built book in Chromium: new picture, new counts, layout.

python tools/bench_pages.py          after make html; prints the mean of each explorer
"""

import sys
from pathlib import Path

import chromium
from playwright.sync_api import sync_playwright

HTML = Path(__file__).resolve().parents[1] / "_build" / "html"
STARTED = "[...document.querySelectorAll('.gs-explore')].every(e => e.dataset.gs === 'ready')"
STEPS = """async root => {
  const shown = () => new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)));
  let steps = 0;
  root.scrollIntoView();
  await shown();
  for (const input of root.querySelectorAll('input'))
    for (const at of [...Array(+input.max + 1).keys(), +input.value]) {
      input.value = at;
      input.dispatchEvent(new Event('input'));
      await shown();
      steps++;
    }
  for (const button of root.querySelectorAll('.gs-controls button')) {
    button.click();
    await shown();
    steps++;
  }
  return steps;
}"""


def busy(session):
    """Seconds that the page's main thread has worked: scripts, style, layout and paint."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def main(only=""):
    pages = [path for path in sorted(HTML.glob("book/*/*.html")) if only in path.stem]
    if not pages:
        sys.exit("no built pages: run make html first")
    print("ms of a step of a control, built page")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        page = browser.new_page()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        for path in pages:
            page.goto(path.as_uri())
            page.wait_for_function(STARTED)
            for explorer in page.query_selector_all(".gs-explore"):
                start = busy(session)
                steps = explorer.evaluate(STEPS)
                label = explorer.get_attribute("aria-label")
                print(f"{1e3 * (busy(session) - start) / steps:8.1f}  {path.stem}: {label}", flush=True)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
