// A file of the person's own, as text: only what can be kept byte for byte is opened.

/** The most that a document holds. */
const MOST = 10 * 1024 * 1024;

/** @param {File} file @returns {Promise<{ ok: true, text: string } | { ok: false, message: string }>} */
export async function readMarkdown(file) {
  if (file.size === 0) return { ok: false, message: `${file.name} is empty: there is nothing to open.` };
  if (file.size > MOST) return { ok: false, message: `${file.name} has ${megabytes(file.size)} MiB: a document holds at most 10 MiB.` };
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return { ok: false, message: `${file.name} could not be read.` };
  }
  try {
    // A byte order mark is part of the text.
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { ok: false, message: `${file.name} is not UTF-8 text: save it as UTF-8 and open it again.` };
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(1);

/** A title from a file's name: 1 to 200 characters on one line. @param {string} name */
export function titleOf(name) {
  const title = name.replace(/\.(md|markdown|txt)$/i, "").replace(/\s+/g, " ").trim();
  return [...title].slice(0, 190).join("") || "Untitled";
}
