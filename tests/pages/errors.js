// Collects what goes wrong in a page, in every engine; `Session::errors` reads it. The first script of each test page.
globalThis.__errors = [];
{
  const heard = (/** @type {unknown} */ what) => globalThis.__errors.push(String(what));
  addEventListener("error", (event) => heard(event.error?.stack ? `${event.error}\n${event.error.stack}` : event.message ?? `cannot load ${event.target?.src ?? event.target?.href}`), true);
  addEventListener("unhandledrejection", (event) => heard(`unhandled: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) => heard(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  const said = console.error;
  console.error = (...words) => {
    heard(words.map(String).join(" "));
    said.apply(console, words);
  };
}
