// The documentation's search, its copy buttons, and the fold of its contents. Nothing here is asked of another host: the
// index is a file of this one, fetched when somebody first searches.
import MiniSearch from "minisearch";

const RESULTS_MAX = 8;
const EXCERPT = { before: 40, length: 150 };
const NARROW = "(max-width: 860px)";
const HAN = /\p{Script=Han}+/gu;
// What says nothing of what is looked for.
const STOP = new Set(("a an and are as at be by coming do does for from how i if in is it its keep my of on or that the this to what " +
  "when where which why with you your").split(" "));

const search = document.querySelector("search");
const field = search.querySelector("input");
const found = document.getElementById("found");
let index = null; // a promise of it
let chosen = -1;
let asked = 0;

search.hidden = false;

/** Words; of Chinese, which has no spaces, each pair of characters. */
function words(text) {
  const plain = text.replace(HAN, " ").split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  const pairs = (text.match(HAN) ?? []).flatMap((run) =>
    run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)));
  return [...plain, ...pairs];
}

/** The index, made of the file of all headings. */
async function load() {
  const answer = await fetch(search.dataset.index);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const made = new MiniSearch({
    fields: ["page", "title", "text"],
    storeFields: ["address", "page", "title", "text"],
    tokenize: words,
    processTerm: (term) => (STOP.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: { boost: { page: 2, title: 3 }, prefix: (term) => term.length > 2, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
  });
  made.addAll(await answer.json());
  return made;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A piece of a section around the first word that was found, with the words marked. */
function excerpt(text, terms) {
  const plain = text.replace(/\s+/g, " ").trim();
  const lower = plain.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, plain.length) - EXCERPT.before);
  const from = places.length && start > 0 ? plain.indexOf(" ", start) + 1 : 0;
  const piece = plain.slice(from, from + EXCERPT.length);
  const span = element("span", from > 0 ? "… " : "");
  const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = escaped.length ? piece.split(new RegExp(`(${escaped.join("|")})`, "giu")) : [piece];
  for (const [at, part] of parts.entries()) span.append(at % 2 ? element("mark", part) : part);
  return span;
}

async function show() {
  const text = field.value.trim();
  const turn = ++asked;
  if (!text) return close();
  index ??= load();
  let made;
  try {
    made = await index;
  } catch {
    index = null; // the next key asks again
    return close();
  }
  if (turn !== asked) return;
  const results = made.search(text).slice(0, RESULTS_MAX);
  found.replaceChildren(...results.map((result, at) => {
    const link = element("a", "", { href: search.dataset.docs + (result.address || "./"), role: "option", id: `found-${at}`, "aria-selected": "false" });
    link.append(element("b", result.title));
    if (result.page !== result.title) link.append(element("small", result.page));
    link.append(excerpt(result.text, result.terms));
    return link;
  }));
  if (!results.length) found.append(element("p", search.dataset.nothing));
  found.hidden = false;
  field.setAttribute("aria-expanded", "true");
  choose(results.length ? 0 : -1);
}

function close() {
  found.hidden = true;
  field.setAttribute("aria-expanded", "false");
  choose(-1);
}

function choose(at) {
  const links = [...found.querySelectorAll("a")];
  links[chosen]?.setAttribute("aria-selected", "false");
  chosen = at;
  links[chosen]?.setAttribute("aria-selected", "true");
  links[chosen]?.scrollIntoView({ block: "nearest" });
  if (links[chosen]) field.setAttribute("aria-activedescendant", links[chosen].id);
  else field.removeAttribute("aria-activedescendant");
}

field.addEventListener("focus", () => (index ??= load()).catch(() => (index = null)), { once: true });
field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const count = found.querySelectorAll("a").length;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && count) choose((chosen + step + count) % count);
  else if (event.key === "Enter") found.querySelectorAll("a")[chosen]?.click();
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
});
document.addEventListener("pointerdown", ({ target }) => search.contains(target) || close());
document.addEventListener("keydown", (event) => {
  const isTyped = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
  if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

const fold = document.querySelector(".contents details");
const narrow = matchMedia(NARROW);
const follow = () => (fold.open = !narrow.matches);
narrow.addEventListener("change", follow);
follow();

for (const block of document.querySelectorAll("figure.code")) {
  const button = element("button", search.dataset.copy, { type: "button", class: "copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = search.dataset.copied;
    setTimeout(() => (button.textContent = search.dataset.copy), 1_500);
  });
  block.append(button);
}
