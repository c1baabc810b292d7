// What the living page needs of CodeMirror 6, as one file; bundled by the command in README.md.
export { EditorState, StateEffect, StateField, RangeSet, RangeSetBuilder, Compartment, Prec } from "@codemirror/state";
export { EditorView, Decoration, GutterMarker, gutter, keymap, lineNumbers, drawSelection, highlightActiveLine, highlightSpecialChars } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { cpp } from "@codemirror/lang-cpp";
export { lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export { tags } from "@lezer/highlight";
