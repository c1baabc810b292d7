/* The bench: two kernels of one's own side by side, and a link that carries them in its part after the #. */
import { keep, read } from "./kept.js";
import { pack, unpack } from "./links.js";
import { button, make, panel } from "./panel.js";
import { ask } from "./runtime.js";

const FIELDS = [     /* key, what the reader sees, what stands there first, how wide */
  ["kernel", "kernel", "", ""], ["grid", "grid", "", ""], ["block", "block", "", ""], ["shared", "shared bytes", "0", ""],
  ["args", "arguments: numbers, float:1000, int:64:range …", "", "wide"], ["defines", "macros: TILE=16 …", "", "wide"],
];
const START = `__global__ void twice(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i];
}
`;
const OTHER = START.replace("in[i];", "in[(i * 8) % n];");

const words = (text) => text.trim().split(/[\s,]+(?![^<]*>)/).filter(Boolean);
const sizes = (text) => text.trim().split(/[x,\s]+/).map(Number);

/* One side: an editor, a form with the launch, and what came out. */
const side = (name, text, asked, changed) => {
  const root = make("section", { class: "gs-side", "aria-label": `Kernel ${name}` });
  const bar = make("div", { class: "gs-bar" });
  const said = make("span", { class: "gs-said", role: "status" });
  const form = make("div", { class: "gs-launch" });
  const out = make("div", { class: "gs-out" });
  const inputs = Object.fromEntries(FIELDS.map(([key, label, first, wide]) => {
    const row = make("label", wide ? { class: wide } : {}, label);
    const input = make("input", { type: "text", spellcheck: "false", autocomplete: "off" });
    input.value = asked?.[key] ?? first;
    row.append(input);
    form.append(row);
    return [key, input];
  }));
  const only = make("label", {}, "count only");
  const dataless = make("input", { type: "checkbox" });
  dataless.checked = Boolean(asked?.dataless);
  only.append(dataless);
  form.append(only);

  const launch = () => ({
    kernel: inputs.kernel.value.trim() || null, grid: sizes(inputs.grid.value), block: sizes(inputs.block.value),
    args: words(inputs.args.value), defines: words(inputs.defines.value), shared: +inputs.shared.value || 0, dataless: dataless.checked,
  });
  /* A launch that the text's own host code makes, or one to begin with; the page says which. */
  const guess = async (source) => {
    const { kernels, error, html, marks } = await ask({ kind: "kernels", text: source, defines: words(inputs.defines.value) });
    if (error) return { error, html, marks };
    const first = kernels.find(({ kernel }) => kernel === inputs.kernel.value.trim()) ?? kernels[0];
    if (!first) return { error: { message: "The text has no kernel: a function that begins with __global__ void." }, html: "" };
    inputs.kernel.value = first.kernel;
    if (!first.grid) return { error: { message: `${first.kernel}: ${first.origin}` }, html: "" };
    inputs.grid.value = first.grid.join("x");
    inputs.block.value = first.block.join("x");
    inputs.args.value = first.args.join(" ");
    inputs.shared.value = first.shared;
    dataless.checked = first.dataless;
    return { origin: first.origin.startsWith("as line") ? `Launch ${first.origin.replace(":", "")} of the text.` : "Launch guessed; change it as you like." };
  };

  let told = null;
  const work = async (source) => {
    keep(`bench:${name}`, JSON.stringify({ text: source, launch: state().launch }));
    let origin = "";
    if (!inputs.grid.value || !inputs.block.value) {
      const found = await guess(source);
      if (found.error) { out.innerHTML = found.html; said.textContent = found.error.message; return found; }
      origin = found.origin;
    }
    told = await ask({ kind: "bench", text: source, launch: launch() });
    out.innerHTML = told.html ?? "";
    said.textContent = told.error ? told.error.message : `Counted. ${origin}`;
    changed();
    return told;
  };
  const made = panel({ bar, said, text, label: `CUDA C, kernel ${name}`, work });
  const state = () => ({ text: made.text(), launch: { ...Object.fromEntries(FIELDS.map(([key]) => [key, inputs[key].value])), dataless: dataless.checked } });
  const anew = button("Guess the launch", () => { inputs.grid.value = ""; made.run(); });
  bar.prepend(button("Run", made.run, { "data-gs-run": "" }), anew);
  bar.append(said);
  root.append(make("h2", {}, `Kernel ${name}`), made.box, form, bar, out);
  return { root, run: made.run, state, counts: () => (told?.error ? null : told?.counts) };
};

/* The two sides count by count; less is marked, more is marked, equal is not. */
const compare = (table, sides) => {
  const [a, b] = sides.map((each) => each.counts());
  table.replaceChildren();
  if (!a || !b) return;
  const head = make("tr");
  ["count", "A", "B", "B / A"].forEach((text) => head.append(make("th", { scope: "col" }, text)));
  table.append(make("caption", {}, "Both kernels, count by count"), head);
  Object.keys(a).filter((name) => a[name] || b[name]).forEach((name) => {
    const row = make("tr");
    row.append(make("th", { scope: "row" }, name.replaceAll("_", " ")));
    const kind = b[name] < a[name] ? "less" : b[name] > a[name] ? "more" : "";
    row.append(make("td", {}, a[name].toLocaleString("en")), make("td", { class: kind }, b[name].toLocaleString("en")));
    row.append(make("td", {}, a[name] ? (b[name] / a[name]).toPrecision(3) : "–"));
    table.append(row);
  });
};

const kept = (name) => { try { return JSON.parse(read(`bench:${name}`)); } catch { return null; } };
const isSide = (given) => typeof given?.text === "string" && typeof (given.launch ?? {}) === "object";

export const begin = async () => {
  const root = document.getElementById("gs-bench");
  const said = make("p", { class: "gs-said", role: "status" });
  let linked = null;
  if (location.hash.length > 1) {
    linked = await unpack(location.hash.slice(1)).catch((error) => { said.textContent = error.message; return null; });
    if (linked && !(Array.isArray(linked) && linked.length === 2 && linked.every(isSide))) {
      said.textContent = "The link does not hold two kernels: nothing was taken from it.";
      linked = null;
    }
  }
  const texts = { A: START, B: OTHER };
  const table = make("table", { class: "gs-table gs-compare" });
  const sides = Object.keys(texts).map((name, place) => {
    const from = linked?.[place] ?? kept(name) ?? { text: texts[name] };
    return side(name, from.text, from.launch, () => compare(table, sides));
  });
  const room = make("div", { class: "gs-sides" });
  room.append(...sides.map((each) => each.root));
  const bar = make("div", { class: "gs-bar" });
  bar.append(
    button("Run both", () => sides.reduce((before, each) => before.then(each.run), Promise.resolve()), { "data-gs-run-both": "" }),
    button("Copy link", async () => {
      const address = `${location.href.split("#")[0]}#${await pack(sides.map((each) => each.state()))}`;
      history.replaceState(null, "", address);
      const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
      said.textContent = copied ? "The link is in the clipboard; both texts and launches are in it." : "The link stands in the address line; both texts and launches are in it.";
    }, { "data-gs-copy": "" }),
    said,
  );
  root.classList.add("gs-bench");
  root.replaceChildren(bar, table, room);
};
