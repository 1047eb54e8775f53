// `countersign/element`: the element classes. Importing this defines nothing; `countersign` does.

export { CountersignDocument } from "./elements/document.js";
export { CountersignQuotes } from "./elements/quotes.js";
export { CountersignReview } from "./elements/review.js";
export { setLabels } from "./elements/base.js";
