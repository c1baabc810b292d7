/* The player of the built page: explorers step through drawn frames, questions are answered. No kernel, no network. */
(() => {
  /* ---- explorers: a frame is a list of numbers into a table of distinct pieces of markup, runs written "3-7" ---- */
  const frameData = async (root) => {
    const packed = Uint8Array.from(atob(root.querySelector(".gs-data").textContent), (letter) => letter.charCodeAt(0));
    const open = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(open).json();
  };

  const unpack = (listed) => listed.split(" ").flatMap((run) => {
    const [first, last = first] = run.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });

  /* Where a slider stands: at the value of a frame, or, once Python runs in the page, at a number between two. */
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const placed = (input, values) => {
    const low = Math.floor(+input.value), part = +input.value - low;
    if (!part) return { at: low };
    const [from, to] = [values[low], values[low + 1]].map((label) => +label.replaceAll("\u202f", ""));
    const value = Math.round(from + part * (to - from));
    return value === from ? { at: low } : value === to ? { at: low + 1 } : { value };
  };

  const slider = (input, changed) => {
    const values = JSON.parse(input.dataset.values);
    const place = () => placed(input, values);
    const show = () => {
      const { at, value } = place();
      const label = at === undefined ? grouped(value) : values[at];
      input.previousElementSibling.textContent = label;
      input.setAttribute("aria-valuetext", label);
    };
    input.addEventListener("input", () => { show(); changed(); });
    show();
    return { size: values.length, place };
  };

  const choice = (group, changed) => {
    const buttons = [...group.querySelectorAll("button")];
    const press = (chosen) => buttons.forEach((button) => button.setAttribute("aria-pressed", button === chosen));
    buttons.forEach((button) => button.addEventListener("click", () => { press(button); changed(); }));
    const at = () => buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
    return { size: buttons.length, place: () => ({ at: at() }) };
  };

  const explorer = async (root) => {
    const { pieces, frames } = await frameData(root);
    const plot = root.querySelector(".gs-plot");
    const counts = [...root.querySelectorAll(".gs-readout b")];
    const rows = root.querySelectorAll(".gs-all tbody tr");
    const draw = () => {
      const places = axes.map((axis) => axis.place());
      if (places.some(({ at }) => at === undefined)) {     /* no frame was drawn: who runs Python draws it */
        root.dispatchEvent(new CustomEvent("gs-between", { detail: places }));
        return;
      }
      const at = axes.reduce((index, axis, place) => index * axis.size + places[place].at, 0);
      plot.innerHTML = unpack(frames[at]).map((piece) => pieces[piece]).join("");
      const cells = rows[at].cells;
      counts.forEach((count, place) => { count.textContent = cells[axes.length + place].textContent; });
    };
    const axes = [...root.querySelector(".gs-controls").children].map((control) =>
      control.matches(".gs-choice") ? choice(control, draw) : slider(control.querySelector("input"), draw));
    draw();     /* a browser may have kept the controls' positions over a reload */
  };

  /* ---- questions: choose or type, then read why ---- */
  const typed = (text) => Number(text.replace(/[\s\u202f,]/g, "").replace(/%$/, "") || NaN);

  const question = (root) => {
    const { answer, tolerance, wrong, remarks, why, right } = JSON.parse(root.querySelector(".gs-data").textContent);
    const form = root.querySelector("form");
    const verdict = root.querySelector(".gs-verdict");
    const near = (given, number) => Math.abs(given - number) <= tolerance * Math.abs(number);
    const judge = (given) => {
      if (given === "") return ["", "Choose or type an answer first."];
      if (wrong && Number.isNaN(typed(given))) return ["", "Type a number."];
      if (wrong ? near(typed(given), answer) : +given === answer) return ["right", `Right: ${right}. ${why}`];
      const remark = remarks[wrong ? wrong.findIndex((number) => near(typed(given), number)) : +given] ?? "";
      return ["wrong", `Not yet. ${remark}`.trim()];
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(form).get("answer") ?? "";
      const [kind, text] = judge(String(given).trim());
      verdict.className = `gs-verdict ${kind}`;
      verdict.innerHTML = text;
    });
  };

  /* ---- start each once, also those that a notebook adds later ---- */
  const start = (selector, begin) => document.querySelectorAll(`${selector}:not([data-gs])`).forEach(async (root) => {
    if (!root.querySelector(".gs-data")) return;
    root.dataset.gs = "starting";
    await begin(root);
    root.dataset.gs = "ready";
  });
  const all = () => { start(".gs-explore", explorer); start(".gs-ask", question); };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
})();
