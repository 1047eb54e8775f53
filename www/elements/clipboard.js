// What a copied selection puts on the clipboard: the exact source as `text/markdown`, and beside it what every other
// program expects of a copy, the shown text as `text/plain` and `text/html`.

/** Elements that stand on lines of their own. */
const LINES = /^(P|H[1-6]|LI|UL|OL|DIV|PRE|BLOCKQUOTE|TABLE|TR|HR|SECTION)$/;
/** What the component adds to a text. */
const ADDED = ".controls, button, [data-back]";

/** @param {ClipboardEvent} event @param {string} markdown @param {(Node | number)[]} ends four to each range: start, offset, end, offset */
export function fillClipboard(event, markdown, ends) {
  const clipboard = event.clipboardData;
  if (!clipboard) return;
  const box = document.createElement("div");
  for (let at = 0; at < ends.length; at += 4) {
    const [start, from, end, to] = /** @type {[Node, number, Node, number]} */ (ends.slice(at, at + 4));
    const range = document.createRange();
    range.setStart(start, from);
    range.setEnd(end, to);
    box.append(framed(range));
  }
  for (const added of box.querySelectorAll(ADDED)) added.remove();
  for (const element of box.querySelectorAll("*")) for (const name of element.getAttributeNames()) if (name === "tabindex" || name.startsWith("data-") || name === "part") element.removeAttribute(name);
  clipboard.setData("text/plain", plain(box));
  clipboard.setData("text/html", box.innerHTML);
  try {
    clipboard.setData("text/markdown", markdown);
  } catch {
    // An engine that takes no such type: the other two are there.
  }
  event.preventDefault();
}

/** What a range holds, in the elements that it lies in: half of a bold word is bold. @param {Range} range @returns {Node} */
function framed(range) {
  /** @type {Node} */
  let held = range.cloneContents();
  let around = range.commonAncestorContainer;
  for (let up = around instanceof Element ? around : around.parentElement; up && up.localName !== "article"; up = up.parentElement) {
    const frame = /** @type {Element} */ (up.cloneNode(false));
    frame.append(held);
    held = frame;
  }
  return held;
}

/** The text as it is read: a line for each block, a tab between cells. @param {Element} box */
function plain(box) {
  let text = "";
  const line = () => {
    if (text && !text.endsWith("\n")) text += "\n";
  };
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  /** Elements that are open, whose end is a line's. @type {Element[]} */
  const open = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    while (open.length > 0 && !open[open.length - 1].contains(node)) {
      open.pop();
      line();
    }
    if (node instanceof Element) {
      if (node.localName === "br") text += "\n";
      else if (node.localName === "img") text += node.getAttribute("alt") ?? "";
      else if (/^t[dh]$/.test(node.localName) && node.previousElementSibling) text += "\t";
      else if (LINES.test(node.tagName)) {
        line();
        open.push(node);
      }
    } else {
      const { data, parentElement } = /** @type {Text} */ (node);
      text += parentElement?.closest("pre") ? data : data.replace(/[ \t\r\n]+/g, " ");
    }
  }
  return text.replace(/\n+$/, "");
}
