/* Any other cell of the notebook: run as it stands, then its code as an editor. */
import { button, output, panel } from "./panel.js";
import { ask, cells } from "./runtime.js";

const { indexOf } = window.gsLive;

export const begin = async ({ cell, input, bar, button: opener, said }) => {
  const index = indexOf(cell);
  const book = (await cells())[index].source;
  const explorer = cell.querySelector(".gs-explore");
  const shown = explorer ? null : output(cell);

  const work = async (code) => {
    const told = await ask({ kind: "cell", index, code: code === book ? null : code });
    if (shown) shown.show(told.html);
    else said.textContent = told.error?.message ?? "Its sliders now draw with this code, between the frames.";
    return told;
  };
  const { box, run, editor } = panel({ bar, said, text: book, label: "Python of this cell", plain: true, work });
  input.querySelector("div[class*=highlight-]").hidden = true;
  input.prepend(box);
  opener.textContent = "Run";
  opener.addEventListener("click", run);
  opener.after(button("As in the book", () => { editor.put(book); shown?.restore(); ask({ kind: "cell", index }); }, { "data-gs-restore": "" }));
  return run();
};
