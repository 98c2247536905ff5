// The figures of the stories as elements: `<lane-flow>`, `<lane-film>`, `<lane-drag>`, `<lane-ask>`, `<lane-goal>`, `<lane-score>`,
// `<lane-card>`, `<lane-run>`. The build has told every state; this shows the one that the reader chooses. Without it a figure
// shows its first state, and answers open by themselves. docs/STORIES.md tells how other pages take them.

const HERE = new URL(".", import.meta.url); // the folder that the page is published in
const SHEET = "lane-story.css";
const NEAR = "300px"; // how far from the window a figure of another page begins to load
const LIVE_PX = 330; // of a live picture at first: in less it leaves its drawing out
const ABOVE_PX = 16; // under the last card of the lab in a frame

const PLAY_MS = 1_400;
const DRAG_PX = 14; // for one more or one less

/** A number and all that follows from it. */
class Scene {
  #box;
  #input;
  #timer = 0;

  constructor(box) {
    this.#box = box;
    this.#input = box.querySelector(".hand input");
    this.#input.addEventListener("input", () => this.#user(this.#input.valueAsNumber));
    box.addEventListener("click", (event) => this.#click(event));
    for (const knob of box.querySelectorAll(".knob")) this.#holds(knob);
    this.show(Number(this.#input.defaultValue));
  }

  get #at() {
    return this.#input.valueAsNumber;
  }

  #user(value) {
    this.#ends();
    this.show(value);
  }

  /** Shows what the build told for `value`, as near as there is. */
  show(value) {
    this.#input.value = String(value);
    const at = String(this.#at);
    for (const state of this.#box.querySelectorAll(".states > [data-at]")) state.hidden = state.dataset.at !== at;
    for (const choice of this.#box.querySelectorAll("[data-go]")) choice.setAttribute("aria-pressed", choice.dataset.go === at);
    this.#box.querySelector("output").textContent = at;
  }

  #click({ target }) {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.by) this.#user(this.#at + Number(button.dataset.by));
    else if (button.dataset.go) this.#user(Number(button.dataset.go));
    else if (button.matches(".play")) this.#plays(button);
  }

  #plays(button) {
    if (this.#timer) {
      this.#ends();
      return;
    }
    const [play, stop] = [button.textContent, button.dataset.stop];
    button.textContent = stop;
    button.dataset.stop = play;
    const last = Number(this.#input.max);
    this.show(this.#at < last ? this.#at : Number(this.#input.min));
    this.#timer = setInterval(() => {
      this.show(this.#at + 1);
      if (this.#at >= last) this.#ends();
    }, PLAY_MS);
  }

  #ends() {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    const button = this.#box.querySelector(".play");
    const [stop, play] = [button.textContent, button.dataset.stop];
    button.textContent = play;
    button.dataset.stop = stop;
  }

  /** A number in the text is dragged sideways; the range beside it does the same from the keyboard. */
  #holds(knob) {
    let from = null;
    const box = this.#box;
    const moves = ({ clientX }) => this.#user(from.at + Math.round((clientX - from.x) / DRAG_PX));
    const lets = () => {
      from = null;
      box.removeEventListener("pointermove", moves);
    };
    knob.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      from = { x: event.clientX, at: this.#at };
      box.setPointerCapture(event.pointerId);
      box.addEventListener("pointermove", moves);
      box.addEventListener("lostpointercapture", lets, { once: true });
    });
  }
}

/** A question: the first answer chosen shows what is right, and why. */
function asks(box) {
  const buttons = [...box.querySelectorAll(".answers button")];
  const details = box.querySelector("details");
  const ends = (chosen) => {
    for (const button of buttons) {
      const isRight = "right" in button.dataset;
      if (isRight) button.classList.add("right");
      else if (button === chosen) button.classList.add("wrong");
      button.setAttribute("aria-pressed", button === chosen);
    }
    details.open = true;
  };
  for (const button of buttons) button.addEventListener("click", () => ends(button));
}

/** A kernel to complete: the verdict of what is chosen. */
function judges(box) {
  const shows = () => {
    const chosen = [...box.querySelectorAll("input:checked")].map((input) => input.value).join(" ");
    for (const state of box.querySelectorAll("[data-choice]")) state.hidden = state.dataset.choice !== chosen;
  };
  box.addEventListener("change", shows);
  shows();
}

/** What runs kernels, at a press: the lab in a frame. It runs in pages of its own origin alone; elsewhere its link opens it. */
function runs(box) {
  const button = box.querySelector(".start");
  button.hidden = location.origin !== HERE.origin;
  button.addEventListener("click", () => {
    button.disabled = true;
    const frame = document.createElement("iframe");
    frame.title = button.textContent;
    frame.className = "bench";
    frame.src = box.querySelector("a").href;
    frame.addEventListener("load", () => presses(frame));
    box.append(frame);
  });
}

/** Keeps the frame as high as the lab in it, and presses its button once it is there. */
function presses(frame) {
  const { body } = frame.contentDocument;
  const fits = () => {
    const main = body.querySelector("main");
    if (main) frame.style.height = `${Math.ceil(main.getBoundingClientRect().bottom + frame.contentWindow.scrollY) + ABOVE_PX}px`;
  };
  new ResizeObserver(fits).observe(body);
  const waits = new MutationObserver(() => {
    const button = body.querySelector("#lab-run");
    if (!button) return;
    waits.disconnect();
    fits();
    button.click();
  });
  waits.observe(body, { childList: true, subtree: true });
}

/** Shows what the link before `button` opens, live under the figure; pressed again, it goes. */
async function shows(button) {
  const foot = button.closest(".foot");
  const isOpen = button.getAttribute("aria-expanded") === "true";
  foot.querySelectorAll(".shows").forEach((one) => one.setAttribute("aria-expanded", "false"));
  foot.querySelector("lane-scope")?.remove();
  if (isOpen) return;
  button.setAttribute("aria-expanded", "true");
  await import(new URL("lane-scope.js", HERE).href);
  const scope = document.createElement("lane-scope");
  scope.setAttribute("src", button.previousElementSibling.href);
  scope.setAttribute("height", String(LIVE_PX));
  foot.append(scope);
}

const PARTS = [[".scene", (box) => new Scene(box)], [".ask", asks], [".goal", judges], [".card:has(> .foot > .start)", runs]];

/** Makes the figure `box` answer. */
function begins(box) {
  for (const [selector, begin] of PARTS) if (box.matches(selector)) begin(box);
}

const pages = new Map(); // documents by their address
let near; // one observer for all figures of the page

async function documentOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function observer() {
  near ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) target.load();
  }, { rootMargin: NEAR });
  return near;
}

/** Whether the rules of the figures hold where `element` stands: in a story, and within another figure. */
function isDressed(element) {
  return element.getRootNode() !== document || document.querySelector(`link[rel=stylesheet][href$="${SHEET}"]`) !== null;
}

/** A figure. `src` names one of a published story, `stories/NAME/#ID`; without it, what stands between the tags is the figure. */
class Figure extends HTMLElement {
  #isBegun = false;

  connectedCallback() {
    if (this.#isBegun) return;
    if (this.hasAttribute("src")) observer().observe(this);
    else this.#begin();
  }

  disconnectedCallback() {
    near?.unobserve(this);
  }

  /** Takes the figure that `src` names, near the window or not; where it cannot be had, what is between the tags stays. */
  async load() {
    observer().unobserve(this);
    if (this.#isBegun) return;
    this.#isBegun = true;
    try {
      const url = new URL(this.getAttribute("src"), HERE);
      // The script's own host is trusted already, and no other.
      if (url.origin !== HERE.origin) throw new Error(`${url.origin} is not where lane-story.js comes from`);
      const address = url.href.split("#")[0];
      if (!pages.has(address)) pages.set(address, documentOf(address));
      const page = await pages.get(address);
      const found = page.getElementById(url.hash.slice(1));
      if (found?.localName !== this.localName) throw new Error(`${address} has no ${this.localName} ${url.hash}`);
      this.#stand(found, page, address);
      this.dispatchEvent(new Event("load"));
    } catch (failure) {
      this.dispatchEvent(new ErrorEvent("error", { error: failure, message: String(failure) }));
    }
  }

  #begin() {
    this.#isBegun = true;
    if (isDressed(this)) begins(this);
    else this.#stand(this, null, document.baseURI);
  }

  /** Puts `figure`, of another page a copy, into a shadow root, with the rules of the stories, its links and its terms. */
  #stand(figure, page, address) {
    const box = document.createElement("div");
    for (const { name, value } of figure.attributes) if (name !== "src" && name !== "id") box.setAttribute(name, value);
    const nodes = [...figure.childNodes];
    box.append(...(figure === this ? nodes : nodes.map((node) => document.importNode(node, true))));
    for (const link of box.querySelectorAll("[href]")) link.href = new URL(link.getAttribute("href"), address).href;
    for (const image of box.querySelectorAll("img[src]")) image.src = new URL(image.getAttribute("src"), address).href;
    if (figure === this) for (const name of ["class", "role", "aria-labelledby"]) this.removeAttribute(name);
    const terms = [...box.querySelectorAll("[popovertarget]")].map((term) => term.getAttribute("popovertarget"));
    const said = [...new Set(terms)].map((id) => page?.getElementById(id)).filter(Boolean);
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL(SHEET, HERE).href;
    const root = this.attachShadow({ mode: "open" });
    this.style.colorScheme = this.#scheme();
    root.append(sheet, box, ...said.map((one) => document.importNode(one, true)));
    begins(box);
  }

  /** The colours that go with the page's text: light text stands on a dark ground. */
  #scheme() {
    const asked = this.getAttribute("theme");
    if (asked) return asked;
    const [red, green, blue] = getComputedStyle(this).color.match(/[\d.]+/g).map(Number);
    return red + green + blue > 382 ? "dark" : "light";
  }
}

addEventListener("click", (event) => {
  const button = event.composedPath().find((one) => one instanceof Element && one.matches("button.shows"));
  if (button) shows(button);
});

for (const name of ["ask", "card", "drag", "film", "flow", "goal", "run", "score"]) {
  if (!customElements.get(`lane-${name}`)) customElements.define(`lane-${name}`, class extends Figure {});
}
