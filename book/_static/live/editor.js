/* The editor of a kernel: CodeMirror with CUDA C, the counts in its gutter, marks where something is wrong. */
import * as cm from "../vendor/codemirror/codemirror.mjs";

const PAUSE = 350;     /* ms without a key: then the text is run again */

const colour = (name) => ({ color: `var(--gs-${name})` });
const colours = cm.HighlightStyle.define([
  { tag: [cm.tags.keyword, cm.tags.modifier, cm.tags.controlKeyword], ...colour("hbm") },
  { tag: [cm.tags.typeName, cm.tags.standard(cm.tags.typeName)], ...colour("link") },
  { tag: [cm.tags.comment, cm.tags.lineComment, cm.tags.blockComment], ...colour("muted"), fontStyle: "italic" },
  { tag: [cm.tags.number, cm.tags.bool], ...colour("code-number") },
  { tag: [cm.tags.string, cm.tags.character], ...colour("shared") },
  { tag: [cm.tags.processingInstruction, cm.tags.meta], ...colour("issue") },
]);

/* ---- counts beside the lines ---- */
const setCounts = cm.StateEffect.define();
const counts = cm.StateField.define({
  create: () => null,
  update: (value, change) => change.effects.reduce((kept, effect) => (effect.is(setCounts) ? effect.value : kept), value),
});

class Beside extends cm.GutterMarker {
  constructor(cells, hot) { super(); Object.assign(this, { cells, hot }); }
  eq(other) { return this.hot === other.hot && this.cells.join() === other.cells.join(); }
  toDOM() {
    const line = document.createElement("span");
    line.className = this.hot ? "gs-beside hot" : "gs-beside";
    this.cells.forEach((text) => {
      const cell = document.createElement("i");
      cell.textContent = text;
      line.append(cell);
    });
    return line;
  }
}

const beside = cm.gutter({
  class: "gs-counts",
  lineMarker: (view, block) => {
    const told = view.state.field(counts);
    if (!told) return null;
    const line = view.state.doc.lineAt(block.from).number;
    return new Beside(told.columns.map(([key]) => told.lines[line]?.[key] ?? ""), told.hot === line);
  },
  lineMarkerChange: (update) => update.docChanged || update.startState.field(counts) !== update.state.field(counts),
});

/* ---- one editor ---- */
export const editor = ({ parent, text, label, paused = () => {}, plain = false }) => {
  let timer = 0;
  const view = new cm.EditorView({
    parent,
    state: cm.EditorState.create({
      doc: text,
      extensions: [
        plain ? [] : [counts, beside, cm.cpp(), cm.lintGutter()],
        cm.lineNumbers(),
        cm.history(),
        cm.drawSelection(),
        cm.bracketMatching(),
        cm.indentOnInput(),
        cm.indentUnit.of("    "),
        cm.syntaxHighlighting(colours),
        cm.keymap.of([
          { key: "F8", run: cm.nextDiagnostic },
          cm.indentWithTab,
          ...cm.defaultKeymap,
          ...cm.historyKeymap,
        ]),
        cm.EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": "gs-keys", spellcheck: "false", tabindex: "0" }),
        cm.EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          clearTimeout(timer);
          timer = setTimeout(() => paused(view.state.doc.toString()), PAUSE);
        }),
      ],
    }),
  });
  const place = ({ line, column, length }) => {
    const row = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    const from = Math.min(row.from + column - 1, row.to);
    return { from, to: Math.max(from, Math.min(from + length, row.to)) };
  };
  return {
    view,
    text: () => view.state.doc.toString(),
    put: (given) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: given } }),
    count: (told) => view.dispatch({ effects: setCounts.of(told ?? null) }),
    mark: (marks) => view.dispatch(cm.setDiagnostics(view.state, marks.map((each) => ({ ...place(each), severity: each.severity, message: each.message })))),
    go: (mark) => { const at = place(mark); view.dispatch({ selection: { anchor: at.from }, scrollIntoView: true }); view.focus(); },
    focus: () => view.focus(),
    settle: () => clearTimeout(timer),
  };
};
