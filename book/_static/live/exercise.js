/* An exercise solved in the page: the starter as an editor, the verdict below, a hint for each try that fails. */
import { forget, keep, read, solve } from "./kept.js";
import { cellAt, textOf } from "./kernel.js";
import { button, output, panel } from "./panel.js";
import { ask, cells } from "./runtime.js";

const { indexOf } = window.gsLive;

export const begin = async ({ cell, input, bar, button: opener, said }) => {
  const index = indexOf(cell);
  const name = cell.dataset.exercise;
  const book = textOf((await cells())[index].source);
  const key = `answer:${name}`;
  let verdict = null;

  const store = (text) => (text === book ? forget(key) : keep(key, text));
  const read_only = async (text) => { store(text); return ask({ kind: "compiles", text }); };
  const { box, run, editor, text } = panel({ bar, said, text: read(key) ?? book, label: `CUDA C, exercise ${name}`, work: read_only });

  const check = async () => {
    editor.settle();
    box.classList.add("working");
    try {
      const told = await ask({ kind: "check", index, text: text() });
      verdict ??= output(cellAt(told.shown) ?? cell);
      verdict.show(told.html);
      editor.mark(told.marks ?? []);
      said.textContent = told.title ?? told.error?.message ?? "";
      if (told.passed) solve(name);
      cell.classList.toggle("gs-passed", Boolean(told.passed));
    } catch (error) {
      said.textContent = error.message;
    }
    box.classList.remove("working");
  };
  const restore = button("As in the book", () => { editor.put(book); forget(key); verdict?.restore(); }, { "data-gs-restore": "" });
  input.querySelector("div[class*=highlight-]").hidden = true;
  input.prepend(box);
  opener.textContent = "Check";
  opener.addEventListener("click", check);
  opener.after(restore);
  editor.focus();
  return run();
};
