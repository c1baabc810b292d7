/* What a link carries after its #: JSON, deflated, in the letters that an address may have. It is data, never code. */

const MOST = 200_000;     /* letters of a link, and characters of what is in it */

const through = async (bytes, stream) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    size += value.length;
    if (size > 2 * MOST) throw new Error("The link holds more than the page takes: nothing was taken from it.");
    parts.push(value);
  }
};

export const pack = async (thing) => {
  const bytes = new Uint8Array(await through(new TextEncoder().encode(JSON.stringify(thing)), new CompressionStream("deflate-raw")));
  let letters = "";
  bytes.forEach((byte) => { letters += String.fromCharCode(byte); });
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

export const unpack = async (text) => {
  if (text.length > MOST) throw new Error(`The link has ${text.length} letters, more than the page takes: nothing was taken from it.`);
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(error.message.startsWith("The link") ? error.message : "The link is damaged or incomplete: nothing was taken from it.");
  }
};
