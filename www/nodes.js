// The loop that makes nodes of rendering instructions: the one place where a document becomes DOM. No text passes through
// an HTML parser here; elements and attributes are made one by one, from the module's closed lists of names.
//
// The format is described in `src/document/render/mod.rs`. Offsets count UTF-16 units.

/** Names by number, as the module gives them. @typedef {{ ops: string[], tags: string[], attributes: string[], labels: string[], frames: string[] }} Vocabulary */
/**
 * What the loop asks of the element around it.
 * @typedef {object} Surroundings
 * @property {(label: string, gap: number) => string} label one of the host's labels, its gap filled
 * @property {(url: string) => boolean} imageAllowed whether an image may be requested
 * @property {(frame: string, language: string) => Node[]} controls the controls above a framed element
 * @property {(image: HTMLImageElement, host: string, load: () => void) => Node} placeholder what stands for an image until it may be requested
 */
/** A block as it is shown. `code` are its instructions. @typedef {{ row: number, footnote: boolean, code: Uint32Array, element: HTMLElement | null }} Row */

/** A node's instruction, as a place in its row's code. */
const AT = Symbol("instruction");
/** A row's element knows its row. */
const ROW = Symbol("row");

/** Words of the plan for one row; see `patch`. */
const PLANNED = 6;
const NEW = 0xffffffff;

export class BlockNodes {
  #content;
  #surroundings;
  #names;
  /** @type {Row[]} */
  #rows = [];
  /** @type {HTMLOListElement | null} */
  #footnotes = null;

  /** @param {HTMLElement} content @param {Vocabulary} names @param {Surroundings} surroundings */
  constructor(content, names, surroundings) {
    this.#content = content;
    this.#names = names;
    this.#surroundings = surroundings;
    this.#op = Object.fromEntries(names.ops.map((name, number) => [name, number]));
    this.#ariaLabel = names.attributes.indexOf("aria-label");
    this.#src = names.attributes.indexOf("src");
    this.#image = names.attributes.indexOf("data-image");
  }
  /** @type {Record<string, number>} */
  #op;
  #ariaLabel;
  #src;
  #image;

  /**
   * Shows the rows of `plan`, in order. A kept row keeps its nodes, and one that stays in place is not touched at all.
   * Per row: the kept row's old place or NEW, 1 where a kept row changes its place among the kept, 1 for a footnote,
   * then for new rows the end of its instructions in `code`, the start of its slice of `strings`, and 0.
   * @param {Uint32Array} plan @param {Uint32Array} code @param {string} strings
   */
  patch(plan, code, strings) {
    // The module's memory moves: what is kept is copied.
    const kept = code.slice();
    const old = this.#rows;
    /** @type {Row[]} */
    const rows = [];
    const reused = new Uint8Array(old.length);
    for (let at = 0, from = 0; at < plan.length; at += PLANNED) {
      const [place, moves, footnote, end, base] = plan.subarray(at, at + PLANNED);
      const number = rows.length;
      if (place === NEW) {
        const row = { row: number, footnote: footnote === 1, code: kept.subarray(from, end), element: null };
        this.#build(row, strings, base);
        from = end;
        rows.push(row);
      } else {
        const row = old[place];
        reused[place] = 1;
        row.row = number;
        if (moves) row.element?.remove();
        rows.push(row);
      }
    }
    old.forEach((row, place) => {
      if (!reused[place]) row.element?.remove();
    });
    this.#rows = rows;
    this.#arrange(this.#content, rows.filter((row) => !row.footnote));
    const notes = rows.filter((row) => row.footnote);
    this.#arrangeFootnotes(notes);
  }

  /** The element of the row at `row`, if it shows anything. @param {number} row */
  element(row) {
    return this.#rows[row]?.element ?? undefined;
  }

  /** The row that a node is in. @param {Node} node */
  row(node) {
    for (let up = /** @type {any} */ (node); up && up !== this.#content; up = up.parentNode) if (up[ROW] !== undefined) return up[ROW].row;
    return undefined;
  }

  /**
   * The run that a node belongs to: `[row, start, end, verbatim]`, the source counted from the block's start; undefined
   * for what has no source. @param {Node} node @returns {Uint32Array | undefined}
   */
  run(node) {
    let at = -1;
    /** @type {Row | undefined} */
    let row;
    for (let up = /** @type {any} */ (node); up && up !== this.#content; up = up.parentNode) {
      // An element that stands for its source as a whole speaks for all that is in it.
      if (up[AT] !== undefined) at = up[AT];
      if (up[ROW] !== undefined) {
        row = up[ROW];
        break;
      }
    }
    if (at < 0 || !row) return undefined;
    const { code } = row;
    if (code[at] === this.#op.text) return Uint32Array.of(row.row, code[at + 3], code[at + 3] + code[at + 2], 1);
    if (code[at] === this.#op.atom) return Uint32Array.of(row.row, code[at + 3], code[at + 4], 0);
    return Uint32Array.of(row.row, code[at + 1], code[at + 2], 0);
  }

  /** Brings `parent`'s children into the order of `rows`, touching only what is not yet in place. @param {Element} parent @param {Row[]} rows */
  #arrange(parent, rows) {
    let next = parent.firstChild;
    for (const { element } of rows) {
      if (!element) continue;
      if (element === next) next = next.nextSibling;
      else parent.insertBefore(element, next);
    }
  }

  /** @param {Row[]} notes */
  #arrangeFootnotes(notes) {
    if (notes.length === 0) {
      this.#footnotes?.parentElement?.remove();
      this.#footnotes = null;
      return;
    }
    if (!this.#footnotes) {
      const section = document.createElement("section");
      section.setAttribute("data-footnotes", "");
      section.setAttribute("aria-label", this.#surroundings.label("footnotes", 0));
      this.#footnotes = document.createElement("ol");
      section.append(this.#footnotes);
      this.#content.append(section);
    }
    this.#arrange(this.#footnotes, notes);
  }

  /** @param {Row} row @param {string} strings @param {number} base */
  #build(row, strings, base) {
    const { open, close, text, atom, plain, label, source, frame } = this.#op;
    const { tags, labels, frames } = this.#names;
    const { code } = row;
    const top = document.createDocumentFragment();
    /** @type {Node} */
    let parent = top;
    /** Where each open element's `close` leads; a frame's leads out of two. @type {Node[]} */
    const outer = [];
    for (let at = 0; at < code.length; ) {
      const op = code[at];
      if (op === text) {
        const from = base + code[at + 1];
        const node = document.createTextNode(strings.slice(from, from + code[at + 2]));
        /** @type {any} */ (node)[AT] = at;
        parent.appendChild(node);
        at += 4;
      } else if (op === open) {
        const count = code[at + 2];
        const element = document.createElement(tags[code[at + 1]]);
        const shown = this.#attributes(element, code.subarray(at + 3, at + 3 + 3 * count), strings, base);
        parent.appendChild(shown);
        outer.push(parent);
        parent = element;
        at += 3 + 3 * count;
      } else if (op === close) {
        parent = outer.pop() ?? top;
        at += 1;
      } else if (op === atom) {
        const from = base + code[at + 1];
        const node = document.createTextNode(strings.slice(from, from + code[at + 2]));
        /** @type {any} */ (node)[AT] = at;
        parent.appendChild(node);
        at += 5;
      } else if (op === plain) {
        const from = base + code[at + 1];
        parent.appendChild(document.createTextNode(strings.slice(from, from + code[at + 2])));
        at += 3;
      } else if (op === label) {
        parent.appendChild(document.createTextNode(this.#surroundings.label(labels[code[at + 1]], code[at + 2])));
        at += 3;
      } else if (op === source) {
        /** @type {any} */ (parent)[AT] = at;
        // A placeholder around an image stands for it.
        if (parent instanceof HTMLImageElement && parent.parentNode instanceof HTMLElement && parent.parentNode.hasAttribute("data-placeholder")) {
          /** @type {any} */ (parent.parentNode)[AT] = at;
        }
        at += 3;
      } else if (op === frame) {
        const name = frames[code[at + 1]];
        const from = base + code[at + 2];
        const box = document.createElement("div");
        box.setAttribute("data-frame", name);
        const scroll = document.createElement("div");
        scroll.setAttribute("data-scroll", "");
        box.append(...this.#surroundings.controls(name, strings.slice(from, from + code[at + 3])), scroll);
        parent.appendChild(box);
        outer.push(parent);
        parent = scroll;
        at += 4;
      } else {
        throw new Error(`no such instruction: ${op}`);
      }
    }
    row.element = single(top);
    if (row.element) /** @type {any} */ (row.element)[ROW] = row;
  }

  /**
   * Sets an element's attributes. An image's address waits for the host's policy. Gives what is to be appended.
   * @param {HTMLElement} element @param {Uint32Array} given @param {string} strings @param {number} base @returns {Node}
   */
  #attributes(element, given, strings, base) {
    const { attributes, labels } = this.#names;
    /** @type {string | null} */
    let src = null;
    let host = "";
    for (let at = 0; at < given.length; at += 3) {
      const attribute = given[at];
      if (attribute === this.#ariaLabel) {
        element.setAttribute("aria-label", this.#surroundings.label(labels[given[at + 1]], given[at + 2]));
        continue;
      }
      const from = base + given[at + 1];
      const value = strings.slice(from, from + given[at + 2]);
      if (attribute === this.#src) {
        src = value;
        continue;
      }
      if (attribute === this.#image) host = value;
      element.setAttribute(attributes[attribute], value);
    }
    if (src === null || !(element instanceof HTMLImageElement)) return element;
    const address = src;
    element.loading = "lazy";
    element.decoding = "async";
    element.referrerPolicy = "no-referrer";
    if (this.#surroundings.imageAllowed(address)) {
      element.src = address;
      return element;
    }
    return this.#surroundings.placeholder(element, host, () => (element.src = address));
  }
}

/** A row's one element: the fragment's own, or a box around its children. @param {DocumentFragment} top @returns {HTMLElement | null} */
function single(top) {
  if (top.childNodes.length === 0) return null;
  const first = top.firstChild;
  if (top.childNodes.length === 1 && first instanceof HTMLElement) return first;
  const box = document.createElement("div");
  box.append(top);
  return box;
}
