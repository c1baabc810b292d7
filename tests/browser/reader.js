/* A reader of the living page, for the tests: opens editors, writes, waits, reads what the page says. */
({
  async view(box) {
    const { EditorView } = await import(new URL("vendor/codemirror/codemirror.mjs", this.base));
    return EditorView.findFromDOM(box.querySelector(".cm-editor"));
  },
  base: [...document.scripts].find((script) => script.src.includes("live/start.js")).src.replace(/live\/start\.js.*/, ""),
  async until(check, what, patience = 120_000) {
    for (const end = Date.now() + patience; Date.now() < end;) {
      const found = check();
      if (found) return found;
      await new Promise((go) => setTimeout(go, 50));
    }
    throw new Error(`not within ${patience} ms: ${what}; the page says: ${[...document.querySelectorAll(".gs-said")].map((e) => e.textContent).filter(Boolean)}`);
  },
  async open(button) {
    button.click();
    const cell = button.closest("div.cell");
    const box = await this.until(() => cell.querySelector(".gs-editor"), "an editor");
    await this.rest(box);
    return box;
  },
  /* Until what was written has been run. */
  async rest(box) {
    await new Promise((go) => setTimeout(go, 450));
    return this.until(() => !box.classList.contains("working"), "an end of the work");
  },
  async write(box, change) {
    const view = await this.view(box);
    const before = view.state.doc.toString();
    view.dispatch({ changes: { from: 0, to: before.length, insert: change(before) } });
    await this.rest(box);
  },
  marks: (box) => [...box.querySelectorAll(".gs-marks li")].map((item) => [item.className, item.textContent]),
  counts: (box) => [...box.querySelectorAll(".gs-counts .gs-beside")].map((line) => line.innerText.replace(/\s+/g, " ")).join("|"),

  /* The kernel of the page: as it stands, with a typo, as in the book again. */
  async kernel() {
    const box = await this.open(document.querySelector("[data-gs-edit]"));
    const book = (await this.view(box)).state.doc.toString();
    const first = { counts: this.counts(box), marks: this.marks(box) };
    await this.write(box, (text) => text.replace(/;(?=[^;]*\}[^}]*$)/, ""));
    const typo = { counts: this.counts(box), marks: this.marks(box) };
    box.closest(".cell").querySelector("[data-gs-restore]").click();
    await this.rest(box);
    const restored = { counts: this.counts(box), marks: this.marks(box), same: (await this.view(box)).state.doc.toString() === book };
    return { first, typo, restored };
  },

  /* The exercise: the starter, a wrong text, the right one; what the page says each time. */
  async exercise(texts) {
    const button = document.querySelector("[data-gs-check]");
    const box = await this.open(button);
    const said = [];
    for (const text of texts) {
      if (text !== null) await this.write(box, () => text);
      document.querySelectorAll(".gs-fresh .gs-judged").forEach((old) => old.remove());
      button.click();
      said.push((await this.until(() => document.querySelector(".gs-fresh .gs-judged"), "a verdict")).innerText);
    }
    return { said, solved: JSON.parse(localStorage.getItem("gs:solved") ?? "{}") };
  },

  /* The first explorer that has numbers between its frames, set to one of them. */
  async between() {
    await window.gsLive.start();
    const typed = document.querySelector(".gs-typed-value");
    if (!typed) return null;
    const root = typed.closest(".gs-explore");
    const slider = root.querySelector("[data-free]");
    const values = JSON.parse(slider.dataset.values).map((label) => +label.replaceAll("\u202f", ""));
    const gap = values.findIndex((value, place) => values[place + 1] - value > 1);
    const plot = root.querySelector(".gs-plot");
    typed.value = values[gap] + 1;
    typed.dispatchEvent(new Event("change"));
    await this.until(() => root.dataset.drawn, "a picture between two frames");
    return { value: slider.getAttribute("aria-valuetext"), failed: plot.querySelector("pre[role=alert]")?.textContent ?? "", counts: root.querySelector(".gs-readout").innerText };
  },
})
