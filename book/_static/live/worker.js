/* Python in a worker: it loads once, then answers messages one after the other. Ending the worker is what stops it. */
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const RUNTIME = new URL("../vendor/pyodide/", import.meta.url).href;
const SIMULATOR = new URL("gpusim.zip", import.meta.url).href;
const ROOM = 64 * 2 ** 20;     /* bytes that an array of a kernel may take */
const COMPILED = "gs-compiled";

const say = (told) => self.postMessage(told);

const archive = async () => {
  const answer = await fetch(SIMULATOR, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${SIMULATOR}: ${answer.status}`);
  return answer.arrayBuffer();
};

/* Compiled code of an earlier page, kept under the hash of the archive that it was compiled from. */
const hashed = async (bytes) => {
  if (!self.crypto?.subtle) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
};
const keptCode = async (key) => {
  if (!key || !self.caches) return null;
  const found = await (await caches.open(COMPILED)).match(`/${key}`);
  return found ? found.arrayBuffer() : null;
};
const keepCode = async (key, python) => {
  if (!key || !self.caches) return;
  const packed = python.runPython("import _living; _living.compiled()").toJs();
  await caches.delete(COMPILED);
  await (await caches.open(COMPILED)).put(`/${key}`, new Response(packed));
};

const BEGIN = `
import os, sys, pathlib, types
os.environ.update(GPUSIM_STATIC="1", GPUSIM_MEMORY="${ROOM}")
sys.path.insert(0, "/book")

def same_time(folder):
    """Files of one time: then code compiled on an earlier page fits them."""
    for path in pathlib.Path(folder).rglob("*.py"):
        os.utime(path, (1577836800, 1577836800))

def compiled():
    """All compiled code as one archive."""
    import io, zipfile
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for root in ("/book/gpusim", os.path.dirname(__import__("numpy").__file__)):
            for path in pathlib.Path(root).rglob("*.pyc"):
                archive.write(path)
    return packed.getvalue()

_living = types.ModuleType("_living")
_living.compiled = compiled
sys.modules["_living"] = _living
same_time("/book")
`;

const begun = (async () => {
  say({ stage: "Python, NumPy and the simulator, 17 MB" });
  const zip = archive();
  zip.catch(() => {});
  const python = await loadPyodide({ indexURL: RUNTIME, packages: ["numpy"] });
  const packed = await zip;
  const key = await hashed(packed);
  python.unpackArchive(packed, "zip", { extractDir: "/book" });
  python.runPython(BEGIN);
  const code = await keptCode(key).catch(() => null);
  python.runPython(`same_time(__import__("importlib.util").util.find_spec("numpy").submodule_search_locations[0])`);
  if (code) python.unpackArchive(code, "zip", { extractDir: "/" });
  python.runPython("from gpusim.show.living.messages import answer");
  if (!code) setTimeout(() => keepCode(key, python).catch(() => {}), 4000);
  say({ stage: "" });
  return python;
})();
begun.catch((error) => say({ failed: String(error.message ?? error) }));

let turn = begun;
self.onmessage = ({ data: { id, message } }) => {
  turn = turn.then(() => respond(id, message), () => respond(id, message));
};

const respond = async (id, message) => {
  try {
    const python = await begun;
    const ask = python.globals.get("answer");
    let told = JSON.parse(ask(JSON.stringify(message)));
    if (told.needs) {
      say({ stage: `${told.needs}, 10 MB` });
      await python.loadPackage(told.needs, { messageCallback: () => {} });
      say({ stage: "" });
      told = JSON.parse(ask(JSON.stringify(message)));
    }
    say({ id, told });
  } catch (error) {
    const lines = String(error.message ?? error).trim().split("\n");
    say({ id, told: { error: { kind: "Error", message: lines.at(-1) }, html: "", broken: true } });
  }
};
