//! Letting a text go: messages as `.eml` files and `mailto:` addresses. Nothing here sends.
