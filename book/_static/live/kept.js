/* What a reader has written and solved, kept in this browser alone. */
import { PAGE } from "./runtime.js";

const store = (act) => { try { return act(window.localStorage); } catch { return null; } };

export const read = (name) => store((kept) => kept.getItem(`gs:${PAGE}:${name}`));
export const keep = (name, text) => store((kept) => kept.setItem(`gs:${PAGE}:${name}`, text));
export const forget = (name) => store((kept) => kept.removeItem(`gs:${PAGE}:${name}`));

const SOLVED = "gs:solved";
export const solved = () => store((kept) => JSON.parse(kept.getItem(SOLVED) ?? "{}")) ?? {};
export const solve = (exercise) => {
  const all = solved();
  all[PAGE] = [...new Set([...(all[PAGE] ?? []), exercise])];
  store((kept) => kept.setItem(SOLVED, JSON.stringify(all)));
};
