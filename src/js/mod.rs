//! The JavaScript API over the core: the only place that knows `JsValue` and serde.
