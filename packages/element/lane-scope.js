// <lane-scope>: a live picture of a warp's memory accesses inside another page.
// What stands between its tags is shown until the live one answers, wherever scripts or frames do not run, and in print.

const VERSION = 1;
const HEIGHTS = { least: 80, most: 4000, reserved: 560, drawn: 326 }; // in less than `drawn` an embed leaves out what its drawing needs
// What a live picture has around the drawing: more lines of words where it is narrow. The drawing scrolls below its least width.
const AROUND = { wide: 399, narrow: 534, from: 700, to: 360 };
const DRAWING_LEAST = 560; // its width
const STATE_BYTES_MAX = 16 * 1024;
const PAUSE_MS = 100;
const THEME_MS = 400; // as long as a page's colours fade
const NEAR = "300px"; // how far from the window a frame begins to load

/** Keys of a link by the attributes that set them. */
const KEYS = [["index", "e"], ["decl", "d"], ["op", "o"], ["grid", "g"], ["block", "b"], ["device", "gpu"]];
/** How an embed shows it. */
const SHOWN = [["lang", "lang"], ["theme", "theme"], ["options", "embed"]];

const STYLE = `
:host { display: block; position: relative; contain: layout style; }
:host([hidden]) { display: none; }
.box { display: grid; }
.box > * { grid-area: 1 / 1; min-width: 0; }
slot { display: block; }
iframe { border: 0; width: 100%; display: block; color-scheme: normal; visibility: hidden; }
.live > iframe { visibility: visible; }
.live > slot { display: none; }
@media print { .box > iframe { display: none; } .box.live > slot { display: block; } }
`;

let near; // one observer for all elements of the page
let isWatching = false;
const elements = new Map(); // by the window of their frame

/** The frames that come near the window are loaded, no others. */
function observer() {
  near ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) target.load();
  }, { rootMargin: NEAR });
  return near;
}

globalThis.addEventListener?.("message", ({ source, data }) => elements.get(source)?.hear(data));

// Where there is no document (a static generator, a server) the module loads all the same and defines nothing.
const Base = globalThis.HTMLElement ?? class {};

/** The element. See README.md for its attributes. */
export class LaneScope extends Base {
  /** The folder that the page is published in; the folder of this script, unless set. */
  static base = new URL(".", import.meta.url).href;

  static observedAttributes = ["src", "base", ...[...KEYS, ...SHOWN].map(([attribute]) => attribute)];

  #box = document.createElement("div");
  #frame = null;
  #told = 0; // when the frame was last told something
  #waiting = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#box.className = "box";
    this.#box.append(document.createElement("slot"));
    root.append(this.#box);
  }

  /** What changes the colours of the page around it may change the theme of what is inside; colours may take a while. */
  static #watch() {
    const follow = () => setTimeout(() => elements.forEach((one) => one.#tellSoon()), THEME_MS);
    const changes = new MutationObserver(follow);
    for (const part of [document.documentElement, document.body]) changes.observe(part, { attributes: true });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow);
  }

  connectedCallback() {
    this.#box.style.minHeight = `${this.#reserved()}px`;
    observer().observe(this);
  }

  disconnectedCallback() {
    observer().unobserve(this);
    this.#drop();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#frame || before === after) return;
    if (name === "src" || name === "base") {
      this.#drop();
      this.load();
    } else {
      this.#tellSoon();
    }
  }

  /** The link of what is shown, in the page itself; `null` where the attributes make none. */
  get link() {
    const url = this.#address();
    return url && url.replace(/embed\.html(?=[?#]|$)/, "");
  }

  /** Loads the live picture now, near the window or not. */
  load() {
    const address = this.#address();
    if (this.#frame || !address) return;
    observer().unobserve(this);
    const frame = document.createElement("iframe");
    frame.title = this.getAttribute("title") || "Lanescope";
    frame.referrerPolicy = "no-referrer";
    frame.allow = "clipboard-write; fullscreen";
    if (this.hasAttribute("sandboxed")) frame.sandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
    if (globalThis.crossOriginIsolated) frame.setAttribute("credentialless", "");
    frame.style.height = `${this.#reserved()}px`;
    frame.src = address;
    this.#frame = frame;
    this.#box.append(frame);
    if (!isWatching) LaneScope.#watch();
    isWatching = true;
    elements.set(frame.contentWindow, this);
  }

  /** Takes a message of the frame: its height, nothing else. */
  hear(data) {
    if (typeof data !== "object" || data === null || data.type !== "lanescope" || data.v !== VERSION) return;
    const { height } = data;
    if (typeof height !== "number" || !Number.isFinite(height)) return;
    // A frame that shrank while its drawing was still to come would leave no room for it.
    const least = this.#reserved() < HEIGHTS.drawn ? HEIGHTS.least : HEIGHTS.drawn;
    const held = Math.ceil(Math.min(Math.max(height, least), HEIGHTS.most));
    this.#frame.style.height = `${held}px`; // the box keeps what it reserved: what follows does not move up
    if (this.#box.classList.contains("live")) return;
    this.#box.classList.add("live");
    this.dispatchEvent(new Event("load"));
  }

  #drop() {
    clearTimeout(this.#waiting);
    this.#waiting = 0;
    if (!this.#frame) return;
    elements.delete(this.#frame.contentWindow);
    this.#frame.remove();
    this.#frame = null;
    this.#box.classList.remove("live");
  }

  /** What the attribute says, or what a drawing of the proportions of the picture between the tags needs. */
  #reserved() {
    const height = Number(this.getAttribute("height"));
    if (height >= HEIGHTS.least && height <= HEIGHTS.most) return height;
    const picture = this.querySelector("img[width][height]");
    const ratio = Number(picture?.getAttribute("height")) / Number(picture?.getAttribute("width"));
    const width = this.getBoundingClientRect().width;
    if (!(ratio > 0 && ratio < 8) || !width) return HEIGHTS.reserved;
    const narrow = Math.min(Math.max((AROUND.from - width) / (AROUND.from - AROUND.to), 0), 1);
    const around = AROUND.wide + narrow * (AROUND.narrow - AROUND.wide);
    const drawn = Math.max(picture.getBoundingClientRect().height, DRAWING_LEAST * ratio);
    return Math.min(Math.ceil(around + drawn), HEIGHTS.most);
  }

  /** The address of the embed; only of the web. */
  #address() {
    try {
      const base = new URL(this.getAttribute("base") || LaneScope.base, document.baseURI);
      const url = new URL(this.getAttribute("src") || "", base);
      if (!/^https?:$/.test(url.protocol)) return null;
      const link = this.#fragment(url.hash || url.search);
      if (link.length > STATE_BYTES_MAX) return null;
      url.search = "";
      url.pathname = url.pathname.replace(/[^/]*$/, "embed.html");
      url.hash = link;
      return url.href;
    } catch {
      return null;
    }
  }

  /** The link's keys: those of `src`, and the attributes after them. */
  #fragment(link) {
    const set = (pairs) => pairs.filter(([attribute]) => this.hasAttribute(attribute));
    const pair = ([attribute, key]) => `${key}=${encodeURIComponent(this.getAttribute(attribute))}`;
    const own = this.hasAttribute("src") ? [] : ["v=1", ...set(KEYS).map(pair)];
    const shown = set(SHOWN);
    const stays = (part) => part && !shown.some(([, key]) => part.startsWith(`${key}=`));
    const linked = link.replace(/^[#?]/, "").split("&").filter(stays);
    const all = [...linked, ...own, ...shown.map(pair)];
    return [...all, ...(all.some((part) => part.startsWith("theme=")) ? [] : this.#theme())].join("&");
  }

  /** The theme that goes with the page's text: light text stands on a dark ground. */
  #theme() {
    const rgb = getComputedStyle(this).color.match(/^rgba?\((\d+), (\d+), (\d+)/);
    return rgb ? [`theme=${Number(rgb[1]) + Number(rgb[2]) + Number(rgb[3]) > 382 ? "dark" : "light"}`] : [];
  }

  /** Tells the frame the state that the attributes make, at most ten times a second. */
  #tellSoon() {
    if (this.#waiting) return;
    const pause = Math.max(0, this.#told + PAUSE_MS - performance.now());
    this.#waiting = setTimeout(() => {
      this.#waiting = 0;
      this.#told = performance.now();
      const state = new URL(this.#address() ?? "about:blank").hash.slice(1);
      this.#frame?.contentWindow?.postMessage({ type: "lanescope", v: VERSION, state }, "*");
    }, pause);
  }
}

if (globalThis.customElements && !customElements.get("lane-scope")) customElements.define("lane-scope", LaneScope);
