/* The living page begins with a few buttons; what they need is loaded when one of them is pressed, not before. */
(() => {
  const base = new URL(".", document.currentScript.src);
  const fromDisk = location.protocol === "file:";
  const able = "WebAssembly" in window && "Worker" in window && "DecompressionStream" in window;
  const UNABLE = fromDisk
    ? "A page opened as a file may not run Python. Serve the folder of the book, python3 -m http.server, and open http://localhost:8000."
    : "This browser cannot run Python in a page; a current Firefox, Chrome or Safari can. The page stays as it is, and the notebook does the same.";

  const load = (name) => import(new URL(name, base));
  const make = (kind, attributes, text = "") => {
    const made = document.createElement(kind);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.textContent = text;
    return made;
  };

  /* A button in a room of the page; pressed, it hands what it stands for to a module. */
  const offer = (room, attribute, text, module, things) => {
    if (!room) return;
    const bar = make("div", { class: "gs-bar" });
    const button = make("button", { type: "button", [attribute]: "" }, text);
    const said = make("span", { class: "gs-said", role: "status" });
    const press = async () => {
      if (fromDisk || !able) { said.textContent = UNABLE; return; }
      button.removeEventListener("click", press);
      said.textContent = "Loading …";
      const [begun] = await Promise.all([load(module), load("explorers.js")]);
      begun.begin({ ...things, bar, button, said });
    };
    button.addEventListener("click", press);
    bar.append(button, said);
    room.append(bar);
  };

  const indexOf = (cell) => +(/gs-cell-(\d+)/.exec(cell.className) ?? [0, -1])[1];
  const cells = () => [...document.querySelectorAll("div.cell[class*=gs-cell-]")];
  const kernelOf = (cell) => (/tag_kernel:(\S+)/.exec(cell.className) ?? [])[1];
  const exerciseOf = (cell) => (/gs\.check\(answer, "(\w+)"/.exec(cell?.querySelector(".cell_input")?.textContent) ?? [])[1];

  const remembers = () => { try { return "gs:solved" in localStorage; } catch { return false; } };

  /* What a cell offers: its kernel, its exercise, or itself. */
  const offers = (cell, next) => {
    const input = cell.querySelector(".cell_input");
    const things = { cell, input };
    const exercise = exerciseOf(next);
    if (cell.classList.contains("tag_setup") || exerciseOf(cell)) return;
    if (kernelOf(cell)) offer(input, "data-gs-edit", "Edit and run in the page", "kernel.js", things);
    else if (exercise) {
      cell.dataset.exercise = exercise;
      offer(input, "data-gs-check", "Solve it in the page", "exercise.js", things);
    } else offer(input, "data-gs-run", "Run in the page", "cell.js", things);
  };
  const between = ({ dataset }) => {
    const [first, last, length] = ((values) => [values[0], values.at(-1), values.length])(JSON.parse(dataset.values).map(Number));
    return last - first >= length;
  };

  const begin = () => {
    const all = cells();
    all.forEach((cell, place) => offers(cell, all[place + 1]));
    document.querySelectorAll(".cell .gs-explore").forEach((root) => {
      if (![...root.querySelectorAll("input[type=range]")].some(between)) return;
      offer(root, "data-gs-explore", "Every value between", "explorers.js", { root });
    });
    if (document.querySelector(".gs-map") && remembers()) load("solved.js").then((solved) => solved.show(), () => {});
    if (document.querySelector("#gs-bench") && !fromDisk && able) load("bench.js").then((bench) => bench.begin());
    else document.querySelector("#gs-bench .gs-said")?.append(UNABLE);
  };

  window.gsLive = {
    start: async () => { await load("explorers.js"); return (await load("runtime.js")).start(); },
    run: async (text, launch) => (await load("runtime.js")).run(text, launch),
    indexOf,
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
