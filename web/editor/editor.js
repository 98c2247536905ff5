// The editor of the source: CodeMirror, bundled by the build, loaded when its plain field is open and never before. It stands in a
// shadow root, so that its styles are constructed sheets, which the page's policy allows, rather than elements.
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, keymap, tooltips } from "@codemirror/view";
import { languageOf } from "./language.js";
import { links, linksOf, pointing, putLinks, putLit } from "./links.js";
import { marks, marksOf, putMarks, tooltip } from "./marks.js";
import { look } from "./look.js";

const LINE_BREAKS = /\r\n?/g;

/** So many UTF-16 units that come at once may be another text, and take long. */
const MUCH = 4_096;

/** So many units of a text tell its grammar until the page has looked at all of it. */
const BEGINNING = 8_192;

/** What begins whatever else the user does with the text. */
const DOINGS = ["keydown", "beforeinput", "compositionstart", "mousedown", "touchstart", "cut", "paste", "drop", "blur"];

/**
 * What is typed over a selection is put there by CodeMirror: the browser would carry styles over from what it replaces,
 * which the page's policy refuses.
 */
function typeOver(event, view) {
  const { inputType, data, isComposing } = event;
  const { from, to } = selected(view);
  if (inputType !== "insertText" || !data || isComposing || from === to) return false;
  event.preventDefault();
  const insert = view.state.toText(data);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.type",
    scrollIntoView: true,
  });
  return true;
}

/** What is selected on the screen, where the browser says so: CodeMirror learns of it a moment later. */
function selected(view) {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = view.root.getSelection?.() ?? {};
  if (!view.contentDOM.contains(anchorNode ?? null) || !view.contentDOM.contains(focusNode)) return view.state.selection.main;
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

/** The length of the longest stretch that changes put in. */
function insertedMost(changes) {
  let most = 0;
  changes.iterChangedRanges((_fromA, _toA, from, to) => (most = Math.max(most, to - from)));
  return most;
}

/**
 * Opens an editor in `host`, which is empty. `start` has
 * - `text`, and `anchor`, `head`, `left`: the selection, in UTF-16 units, and how far it is scrolled;
 * - `typed`: `[time, text, time, text, …]`, what was typed before, oldest first, to be undone;
 * - `label`, `phrases`: as `name` takes them;
 * - `grammarOf(text)`: the name of the grammar that colours a text, as `language` takes it;
 * - `changed(text)`: called after each change that the user makes;
 * - `pointed(access)`: called with the access under the pointer or at the caret, -1 for none.
 */
export function open(host, { text, anchor, head, left, typed, label, phrases, grammarOf, changed, pointed }) {
  const [language, words] = [new Compartment(), new Compartment()];
  let isOutside = false; // what changes the text is not the user

  const named = (name, translated) => [
    EditorView.contentAttributes.of({ "aria-label": name }),
    EditorState.phrases.of(translated),
  ];
  let saying = named(label, phrases);

  // Where much is pasted, what follows comes one thing after another, in tasks of their own: a frame may follow within the task
  // of the key. It is done before the user does anything else, and before the page goes.
  let due = null; // what comes next
  let timer = 0;
  const later = (act) => {
    due = act;
    timer = setTimeout(next);
  };
  const drop = () => {
    clearTimeout(timer);
    due = null;
  };
  const next = () => {
    const act = due;
    drop();
    act();
  };
  const catchUp = () => {
    while (due) next();
  };
  // Not `pagehide`: Chromium calls a window's listeners in the order in which they came, and the page's came before.
  addEventListener("lanescope:leaving", catchUp);

  const paste = (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length < MUCH) return false;
    event.preventDefault();
    later(() => {
      const { state } = view;
      view.dispatch(state.replaceSelection(state.toText(pasted)), { userEvent: "input.paste", scrollIntoView: true });
    });
    return true;
  };

  let lit = -1; // the access that lights up
  let known = text; // what the page was told
  const tellNow = () => changed((known = view.state.doc.toString()));

  // What throws in `changed` is the page's, which comes back by itself.
  const tell = (update) => {
    if (!update.docChanged || isOutside || due) return;
    if (insertedMost(update.changes) >= MUCH) return later(tellNow);
    const now = (known = update.state.doc.toString());
    queueMicrotask(() => changed(now));
  };

  // What is pasted may be of another language: its grammar comes with it, before the former one reads all of it. Should its
  // beginning tell another than the page then finds, `language` puts that right.
  const regrammar = EditorState.transactionExtender.of(({ changes, newDoc, startState }) => {
    if (insertedMost(changes) < MUCH) return null;
    const wanted = languageOf(grammarOf(newDoc.sliceString(0, BEGINNING)));
    return language.get(startState) === wanted ? null : { effects: language.reconfigure(wanted) };
  });

  const state = (doc, selection) =>
    EditorState.create({
      doc,
      selection,
      extensions: [
        history(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        indentOnInput(),
        bracketMatching(),
        search(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]), // Tab goes on, as in any field
        language.of(languageOf(grammarOf(doc))),
        regrammar,
        words.of(saying),
        EditorView.contentAttributes.of(() => ({ "data-testid": host.dataset.field, autocapitalize: "off", tabindex: "0" })),
        EditorView.scrollMargins.of(() => ({ top: 64 })), // the page's header
        EditorView.updateListener.of(tell),
        EditorView.domEventObservers(Object.fromEntries(DOINGS.map((type) => [type, catchUp]))),
        EditorView.domEventHandlers({ beforeinput: typeOver, paste }),
        tooltips({ position: "absolute", tooltipSpace: () => host.closest(".card").getBoundingClientRect() }),
        marks,
        links,
        pointing(pointed),
        tooltip,
        look,
      ],
    });

  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  const [first = text] = typed.filter((_, index) => index % 2);
  const view = new EditorView({ state: state(first), root, parent: root });
  replay();
  view.dispatch({ selection: { anchor: within(anchor), head: within(head) } });
  view.scrollDOM.scrollLeft = left;
  Object.defineProperty(host, "value", { get: () => view.state.doc.toString() }); // as a field has it
  // Whether what is pasted now takes the place of everything.
  Object.defineProperty(host, "replacesAll", {
    get: () => {
      const { from, to } = selected(view);
      return to - from === view.state.doc.length;
    },
  });

  /** Types again what was typed before this editor stood, at the times when it was. */
  function replay() {
    isOutside = true;
    for (let index = 2; index < typed.length; index += 2) {
      const annotations = [Transaction.time.of(typed[index]), Transaction.userEvent.of("input.type")];
      view.dispatch({ changes: difference(typed[index + 1]), annotations });
    }
    view.dispatch({ changes: difference(text) });
    isOutside = false;
  }

  /** The one change that makes the text `wanted`; none where it is that already. */
  function difference(wanted) {
    const [now, next] = [view.state.doc.toString(), wanted.replace(LINE_BREAKS, "\n")];
    if (now === next) return [];
    const most = Math.min(now.length, next.length);
    let from = 0;
    while (from < most && now[from] === next[from]) from += 1;
    let same = 0;
    while (same < most - from && now.at(-1 - same) === next.at(-1 - same)) same += 1;
    return { from, to: now.length - same, insert: next.slice(from, next.length - same) };
  }

  function within(offset) {
    return Math.min(offset, view.state.doc.length);
  }

  return {
    /** Shows another text, which is not the user's doing: it cannot be undone here. */
    put(wanted) {
      if (due && wanted === known) return;
      drop();
      known = wanted;
      if (difference(wanted).from === undefined) return;
      const { anchor, head } = view.state.selection.main;
      const length = wanted.replace(LINE_BREAKS, "\n").length;
      // What takes the place of all of a text that is selected is not selected itself.
      const isAll = view.state.doc.length > 0 && Math.abs(anchor - head) === view.state.doc.length;
      const kept = isAll ? { anchor: length } : { anchor: Math.min(anchor, length), head: Math.min(head, length) };
      view.setState(state(wanted, kept));
    },

    /** Changes the text as if it were typed. */
    change(wanted) {
      catchUp();
      const annotations = [isolateHistory.of("full"), Transaction.userEvent.of("input.fix")];
      view.dispatch({ changes: difference(wanted), annotations });
    },

    /** Marks places: `[from, to, kind, …]` in UTF-16 units, with what is said of each. */
    mark(places, messages) {
      view.dispatch({ effects: putMarks.of(marksOf(places, messages, view.state.doc.length)) });
    },

    /** Links places with what else names their accesses: `[from, to, access, …]` in UTF-16 units. */
    link(places) {
      view.dispatch({ effects: [putLinks.of(linksOf(places, view.state.doc.length)), putLit.of(lit)] });
    },

    /** Lights the places of an access; -1: of none. */
    light(access) {
      if (lit === access) return;
      lit = access;
      view.dispatch({ effects: putLit.of(access) });
    },

    /** Which grammar it is coloured by: `cuda`, `wgsl`, `compiled` or `plain`. */
    language(grammar) {
      const wanted = languageOf(grammar);
      if (language.get(view.state) !== wanted) view.dispatch({ effects: language.reconfigure(wanted) });
    },

    /** What it is called, and its own words, in the page's language. */
    name(name, translated) {
      saying = named(name, translated);
      view.dispatch({ effects: words.reconfigure(saying) });
    },

    /** Whether what is in it is wrong. */
    invalid(isInvalid) {
      view.contentDOM.setAttribute("aria-invalid", String(isInvalid));
    },

    /** Puts the focus into it and selects a stretch, in UTF-16 units. */
    select(from, to) {
      view.focus();
      view.dispatch({ selection: { anchor: within(from), head: within(to) }, scrollIntoView: true });
    },

    /** How far below the top of the first line that of line `number` is, or of what follows the last, in pixels. */
    top(number) {
      const { doc } = view.state;
      if (number > doc.lines) return view.lineBlockAt(doc.length).bottom;
      return view.lineBlockAt(doc.line(number).from).top;
    },

    focus: () => view.focus(),
    close() {
      catchUp();
      removeEventListener("lanescope:leaving", catchUp);
      view.destroy();
    },
  };
}
