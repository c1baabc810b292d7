/* A kernel of the book as an editor: counts beside its lines, and the cell below that launches it follows. */
import { forget, keep, read } from "./kept.js";
import { button, output, panel } from "./panel.js";
import { ask, cells } from "./runtime.js";

const { indexOf } = window.gsLive;

/* The text between the quotes of a cell, without the empty line after them. */
export const textOf = (source) => (/r"""\n([\s\S]*?)"""/.exec(source) ?? ["", ""])[1];
export const cellAt = (index) => document.querySelector(`div.cell.gs-cell-${index}`);

export const begin = async ({ cell, input, bar, button: opener, said }) => {
  const index = indexOf(cell);
  const name = (/tag_kernel:(\S+)/.exec(cell.className) ?? [])[1];
  const book = textOf((await cells())[index].source);
  const outputs = new Map();

  const follow = ({ shown, html, error }) => {
    if (shown === undefined || shown === index || (error && error.line)) return;
    if (!outputs.has(shown)) outputs.set(shown, output(cellAt(shown)));
    outputs.get(shown).show(html);
  };
  const work = async (text) => {
    if (text === book) forget(name);
    else keep(name, text);
    const told = await ask({ kind: "kernel", index, text });
    follow(told);
    said.textContent = told.error ? `${told.error.line ? `Line ${told.error.line}: ` : ""}${told.error.message}` : summary(told);
    return told;
  };
  const summary = ({ marks, gutter }) =>
    `${gutter ? "Counted" : "Read"}${marks.length ? `; ${marks.length} report${marks.length > 1 ? "s" : ""}` : ", no reports"}.`;

  const { box, run, editor } = panel({ bar, said, text: read(name) ?? book, label: `CUDA C of ${name}`, work });
  const restore = button("As in the book", async () => {
    editor.put(book);
    forget(name);
    outputs.forEach((each) => each.restore());
    await run();
    outputs.forEach((each) => each.restore());
  }, { "data-gs-restore": "" });
  input.querySelector("div[class*=highlight-]").hidden = true;
  input.prepend(box);
  opener.textContent = "Run";
  opener.addEventListener("click", run);
  opener.after(restore);
  editor.focus();
  return run();
};
