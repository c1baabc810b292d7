/* The page's side of its Python: one worker for all, promises for its answers, Stop, and a limit of time. */

const WORKER = new URL("worker.js", import.meta.url);
const LIMIT = 60;     /* seconds that one message may take */

export const PAGE = typeof DOCUMENTATION_OPTIONS === "undefined" ? "" : DOCUMENTATION_OPTIONS.pagename;
const ROOT = document.documentElement.dataset.content_root ?? "./";

let worker = null, ready = null, settle = null, count = 0;
const waiting = new Map(), listeners = new Set(), texts = new Map();

/* Tell what happens: {stage}, {busy}, {ready}; a listener that a page removes is forgotten. */
export const listen = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };
const tell = (news) => listeners.forEach((listener) => listener(news));

const end = (message) => {
  if (worker) {
    worker.onmessage = worker.onerror = null;     /* what it still says as it ends is not about the next one */
    worker.terminate();
  }
  worker = ready = null;
  settle?.reject(new Error(message));
  waiting.forEach(({ reject, timer }) => { clearTimeout(timer); reject(new Error(message)); });
  waiting.clear();
  tell({ stage: "", busy: false });
};

export const stop = () => end("Stopped. Python starts again with the next run.");

const heard = ({ data }) => {
  if ("stage" in data) tell({ stage: data.stage });
  if (data.stage === "") settle.resolve();
  if (data.failed) end(`Python could not be loaded: ${data.failed}`);
  const asked = waiting.get(data.id);
  if (!asked) return;
  waiting.delete(data.id);
  clearTimeout(asked.timer);
  asked.resolve(data.told);
  tell({ busy: waiting.size > 0 });
  if (data.told.broken) end(`Python ended: ${data.told.error.message}. It starts again with the next run.`);
};

/* The notebook of this page, which Sphinx copies beside it; a page without one has no cells. */
let notebook = null;
export const cells = () => (notebook ??= (async () => {
  const answer = await fetch(new URL(`${ROOT}_sources/${PAGE}.ipynb`, location.href)).catch(() => null);
  if (!answer?.ok) return [];
  const { cells } = await answer.json();
  return cells.map((cell) => cell.cell_type === "code"
    ? { source: [].concat(cell.source).join(""), tags: cell.metadata.tags ?? [] } : null);
})());

export const start = () => (ready ??= (async () => {
  worker = new Worker(WORKER, { type: "module" });
  worker.onmessage = heard;
  worker.onerror = (event) => end(`Python could not be loaded: ${event.message ?? "the worker failed"}`);
  tell({ stage: "Python" });
  const loaded = new Promise((resolve, reject) => { settle = { resolve, reject }; });
  const page = await cells();
  await loaded;
  await send({ kind: "open", cells: page, texts: [...texts] });
  tell({ ready: true });
})());

const send = (message) => new Promise((resolve, reject) => {
  const id = ++count;
  const timer = setTimeout(() => end(`Stopped after ${LIMIT} seconds: the page takes no more for one run. Fewer threads or steps fit.`), LIMIT * 1000);
  waiting.set(id, { resolve, reject, timer });
  tell({ busy: true });
  worker.postMessage({ id, message });
});

/* Ask Python something. The readers' texts of cells are remembered, for a Python that starts again. */
export const ask = async (message) => {
  await start();
  if (message.kind === "restore") texts.delete(message.index);
  else if ("index" in message && "text" in message) texts.set(message.index, message.text);
  return send(message);
};

/* One launch of any text; what goes wrong is part of the answer. */
export const run = async (text, launch) => {
  const asked = { kind: "run", text: String(text), launch: { ...launch, args: launch?.args ?? [] } };
  const told = await ask(asked).catch((error) => ({ error: { kind: "Error", message: error.message } }));
  return { counts: told.counts ?? null, reports: told.reports ?? [], error: told.error ?? null };
};
