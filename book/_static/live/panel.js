/* What stands around an editor: the heads of its counts, its buttons, what is wrong, and what Python is doing. */
import { editor } from "./editor.js";
import { listen, stop } from "./runtime.js";

export const make = (kind, attributes = {}, text = "") => {
  const made = document.createElement(kind);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (text) made.textContent = text;
  return made;
};

export const button = (text, pressed, attributes = {}) => {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", pressed);
  return made;
};

const KEYS = "Tab indents; Escape, then Tab leaves the editor. F8 goes to the next mark.";

const keys = () => {
  if (!document.getElementById("gs-keys")) {
    document.body.append(make("p", { id: "gs-keys", class: "gs-hidden" }, KEYS));
  }
};

/* A Stop that is there while Python works, and a line that says what it does. */
export const activity = (said, bar) => {
  const halt = button("Stop", stop, { "data-gs-stop": "", hidden: "" });
  bar.append(halt);
  let timer = 0;
  return listen(({ stage, busy }) => {
    if (stage !== undefined) said.textContent = stage ? `Loading ${stage}; once, then the browser keeps it …` : "";
    if (stage) halt.hidden = false;
    if (busy !== undefined) {
      clearTimeout(timer);
      if (busy) timer = setTimeout(() => { halt.hidden = false; }, 400);
      else halt.hidden = true;
    }
  });
};

/* An editor with all of that; `work(text)` runs it and resolves to {gutter, marks} for it. */
export const panel = ({ bar, said, text, label, plain = false, work }) => {
  keys();
  const box = make("div", { class: plain ? "gs-editor plain" : "gs-editor" });
  const head = make("div", { class: "gs-editor-head", "aria-hidden": "true" });
  const room = make("div", { class: "gs-editor-text" });
  const wrong = make("ul", { class: "gs-marks", role: "status", "aria-label": "What is wrong" });
  const help = make("p", { class: "gs-keys", "aria-hidden": "true" }, KEYS);
  box.append(head, room, wrong, help);
  activity(said, bar);

  let latest = 0;
  const run = async () => {
    const turn = ++latest;
    made.settle();
    box.classList.add("working");
    try {
      const told = await work(made.text());
      if (turn === latest) show(told);
      return told;
    } catch (error) {
      if (turn === latest) said.textContent = error.message;
      return { error: { message: error.message } };
    } finally {
      if (turn === latest) box.classList.remove("working");
    }
  };
  const made = editor({ parent: room, text, label, plain, paused: run });

  const show = ({ gutter, marks = [] }) => {
    if (gutter !== undefined || marks.some((mark) => mark.severity === "error")) made.count(gutter);
    head.replaceChildren(...(gutter ? heads(gutter) : []));
    box.style.setProperty("--gs-columns", gutter?.columns.length ?? 0);
    made.mark(marks);
    wrong.replaceChildren(...marks.map((mark) => {
      const item = make("li", { class: mark.severity });
      item.append(button(`line ${mark.line}`, () => made.go(mark)), " ", mark.message.split("\n")[0]);
      return item;
    }));
  };
  return { box, run, editor: made, text: made.text };
};

const heads = ({ columns, title }) => {
  const row = make("span", { class: "gs-beside" });
  columns.forEach(([, first, second]) => row.append(make("i", {}, second ? `${first} ${second}` : first)));
  return [row, make("span", { class: "gs-title" }, title)];
};

/* What a cell showed, in place of the book's own output; `restore` brings that back. */
export const output = (cell) => {
  let room = cell?.querySelector(".cell_output");
  if (!room) {
    room = make("div", { class: "cell_output docutils container" });
    cell?.append(room);
  }
  const before = [...room.childNodes];
  return {
    show: (html) => {
      const box = make("div", { class: "output text_html gs-fresh" });
      box.innerHTML = html;
      room.replaceChildren(box);
      room.closest("details:not([open])")?.setAttribute("open", "");
    },
    restore: () => room.replaceChildren(...before),
  };
};
