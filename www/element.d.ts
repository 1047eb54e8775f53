// `countersign/element`: the element classes. Importing it defines nothing; `countersign` does.
export { CountersignDocument, CountersignQuotes, CountersignReview, setLabels } from "./index.js";
