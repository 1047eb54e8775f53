// A page that has what a driver must master: a shadow root, text in several nodes, a file input.
customElements.define("test-box", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const [button, input, output] = ["button", "input", "output"].map((name) => document.createElement(name));
    button.textContent = "Click here";
    input.setAttribute("aria-label", "Words");
    let clicks = 0;
    button.addEventListener("pointerup", (event) => (output.textContent = event.pointerType));
    button.addEventListener("click", (event) => (output.textContent = `clicked ${++clicks} by ${event.pointerType || output.textContent}`));
    for (const child of [button, input, output]) {
      const line = document.createElement("p");
      line.append(child);
      root.append(line);
    }
  }
});
document.querySelector("#file").addEventListener("change", (event) => {
  document.querySelector("#read").textContent = event.target.files[0].name;
});
setTimeout(() => document.querySelector("#fleeting").remove(), 200);
