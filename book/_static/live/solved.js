/* Marks on the map of the book for the sections whose exercise is solved. */
import { solved } from "./kept.js";

export const show = () => {
  const all = solved();
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href).pathname;
  document.querySelectorAll(".gs-map a").forEach((door) => {
    const page = decodeURIComponent(new URL(door.href).pathname).replace(root, "").replace(/\.html$/, "");
    if (!Array.isArray(all[page]) || !all[page].length) return;
    const mark = document.createElement("span");
    mark.className = "gs-solved";
    mark.textContent = "✓ solved";
    door.append(mark);
  });
};
