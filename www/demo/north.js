// North, as a script: what a model would do with a message and its quotes, without a model. It reads the words for a few
// instructions, and everything it wants goes through the same proposal as a real model's.

/** @typedef {import("../index.d.ts").Quote} Quote */
/** @typedef {import("../index.d.ts").Edit} Edit */

/** What North says to a message that it cannot act on. */
export const manners =
  "I am a script, so I know few words. Select a sentence, press “Ask about this”, and write for instance: replace with …, delete this, make it bold, or what should be noted there.";

/**
 * The edit that a message asks for about one quote, and why; null where there is nothing to do.
 * @param {string} message @param {Quote} quote @param {string} text the text that the quote is of
 * @returns {{ edit: Edit, summary: string } | null}
 */
export function editFor(message, quote, text) {
  const words = message.trim();
  const { text: exact } = quote.exact;
  const wish = wished(words, exact);
  if (!wish || wish.text === exact) return null;
  // The anchor occurs once; only the words that were selected change inside of it.
  const at = quote.exact.start - text.indexOf(quote.anchor);
  const replace = quote.anchor.slice(0, at) + wish.text + quote.anchor.slice(at + exact.length);
  return { edit: { find: quote.anchor, replace }, summary: wish.summary };
}

/** @param {string} words @param {string} exact */
function wished(words, exact) {
  const replacement = /\b(?:replace (?:it |this )?(?:with|by)|say|change (?:it |this )?to|rename (?:it |this )?(?:to|as))\b[:\s]*[“"']?([^]*?)[”"']?$/i.exec(words)?.[1];
  if (replacement) return { text: heading(exact) + replacement, summary: "New wording, as you asked" };
  if (/\b(delete|remove|drop|cut)\b/i.test(words)) return { text: "", summary: "Removed, as you asked" };
  if (/\bbold\b/i.test(words)) return { text: `**${exact}**`, summary: "Set in bold" };
  if (!words) return null;
  return { text: `${exact.trimEnd()} (${words.replace(/[.\s]+$/, "")})${/\s*$/.exec(exact)?.[0] ?? ""}`, summary: "Your words, noted where they belong" };
}

/** A heading stays a heading. @param {string} exact */
function heading(exact) {
  return /^#{1,6} +/.exec(exact)?.[0] ?? "";
}
