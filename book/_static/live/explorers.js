/* Explorers beyond their frames: with Python on, every whole number between the values of a slider. */
import { ask, listen, start } from "./runtime.js";

const whole = (label) => (/^-?[\d\u202f]+$/.test(label) ? +label.replaceAll("\u202f", "") : NaN);
const rising = (numbers) => numbers.every((number, place) => !place || number > numbers[place - 1]);

/* Where a number lies on a slider over a list of values: 2.5 is half way from the third to the fourth. */
export const placeOf = (values, number) => {
  const low = Math.max(0, values.findLastIndex((value) => value <= number));
  if (low === values.length - 1) return low;
  return Math.max(0, low + (number - values[low]) / (values[low + 1] - values[low]));
};

const freed = new WeakSet();

/* Let an explorer's sliders stop anywhere; what has no frame is drawn by Python, the last position first. */
export const free = (root, index) => {
  if (freed.has(root)) return;
  const plot = root.querySelector(".gs-plot");
  const readout = root.querySelector(".gs-readout");
  let wanted = null, busy = false;

  const draw = async () => {
    if (busy || !wanted) return;
    const values = wanted;
    wanted = null;
    busy = true;
    try {
      const { picture, counts, error, html } = await ask({ kind: "frame", index, values });
      plot.innerHTML = error ? html : picture;
      root.dataset.drawn = JSON.stringify(values);
      readout.querySelectorAll("span").forEach((pair) => {
        const name = pair.firstChild.textContent.trim();
        pair.querySelector("b").textContent = counts?.[name] ?? "–";
      });
    } catch (error) {
      plot.textContent = error.message;
    }
    busy = false;
    draw();
  };
  root.addEventListener("gs-between", ({ detail }) => { wanted = detail; draw(); });
  root.querySelectorAll("input[type=range]").forEach(loosen);
  freed.add(root);
};

const loosen = (input) => {
  const values = JSON.parse(input.dataset.values).map(whole);
  if (values.some(Number.isNaN) || !rising(values) || values.at(-1) - values[0] < values.length) return;
  input.step = "any";
  input.dataset.free = "";
  const typed = document.createElement("input");
  Object.assign(typed, { type: "number", min: values[0], max: values.at(-1), step: 1, className: "gs-typed-value" });
  typed.setAttribute("aria-label", `${input.closest("label").querySelector(".gs-name").textContent}, any whole number from ${values[0]} to ${values.at(-1)}`);
  const shown = input.previousElementSibling;
  const told = () => { typed.value = whole(shown.textContent); };
  const go = (number) => {
    const held = Math.min(values.at(-1), Math.max(values[0], Math.round(number)));
    input.value = placeOf(values, held);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  typed.addEventListener("change", () => typed.value !== "" && go(+typed.value));
  input.addEventListener("input", told);
  input.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(whole(shown.textContent) + by);
  });
  shown.hidden = true;
  input.closest("label").append(typed);
  told();
};

/* All explorers of the page, once Python is there. */
const all = () => {
  document.querySelectorAll(".gs-explore").forEach((root) => {
    const cell = root.closest("div.cell[class*=gs-cell-]");
    if (cell) free(root, window.gsLive.indexOf(cell));
  });
};
listen(({ ready }) => ready && all());

/* Pressed below an explorer: start Python for it. */
export const begin = async ({ button, said }) => {
  button.hidden = true;
  const quiet = listen(({ stage }) => { if (stage !== undefined) said.textContent = stage ? `Loading ${stage} …` : ""; });
  try {
    await start();
    said.textContent = "Sliders now stop at every whole number; type one, or drag.";
  } catch (error) {
    said.textContent = error.message;
    button.hidden = false;
  }
  quiet();
};
