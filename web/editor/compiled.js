// Colours PTX and SASS. Neither has anything that goes on beyond a line, so that only the lines in view are read: a listing
// of any length costs what a screenful does, where a grammar's parser would read all of it first.
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, ViewPlugin } from "@codemirror/view";

const COMMENT = /\/\*.*?(?:\*\/|$)|\/\/.*/y;
const NUMBER = /\d[\w.]*/y;
const SPECIAL = /SR_[\w.]+|%(?:n?tid|n?ctaid|laneid|n?warpid|clock(?:64)?)\b(?:\.[xyz])?/y;
const WORD = /[@!%.$]*[\w$][\w$.]*/y;
const SPACE = /\s+/y;

/** A line longer than that is coloured no further. */
const MOST_UNITS = 2_000;

const [COMMENT_LOOK, NUMBER_LOOK, BUILTIN_LOOK, KEYWORD_LOOK] = ["comment", "number", "builtin", "keyword"].map((name) =>
  Decoration.mark({ class: name }),
);

/** Calls `add(from, to, look)` for each coloured stretch of a line's text. */
function colour(text, add) {
  let at = 0;
  let isStart = true; // of an instruction or a directive
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length && at < MOST_UNITS) {
    const from = at;
    if (take(SPACE)) continue;
    if (take(COMMENT)) add(from, at, COMMENT_LOOK);
    else if (take(SPECIAL)) add(from, at, BUILTIN_LOOK);
    else if (take(NUMBER)) add(from, at, NUMBER_LOOK);
    else {
      const word = take(WORD);
      const isLabel = word && text[at] === ":";
      const isOpcode = isStart && word && !word.startsWith("@") && !isLabel;
      if (isOpcode) add(from, at, KEYWORD_LOOK);
      // A predicate stands before the instruction, and so does a label.
      if (isOpcode) isStart = false;
      if (!word) isStart = /[;{}]/.test(text[at]) || (isStart && text[at] === ":");
      if (!word) at += 1;
    }
  }
}

function coloured({ state, visibleRanges }) {
  const found = new RangeSetBuilder();
  let done = 0; // ranges of one line must not read it twice
  for (const { from, to } of visibleRanges) {
    let at = Math.max(from, done);
    while (at <= to && at <= state.doc.length) {
      const line = state.doc.lineAt(at);
      colour(line.text, (start, end, look) => found.add(line.from + start, line.from + end, look));
      at = done = line.to + 1;
    }
  }
  return found.finish();
}

/** The extension. */
export const COMPILED = ViewPlugin.define(
  (view) => ({
    found: coloured(view),
    update({ docChanged, viewportChanged, view: now }) {
      if (docChanged || viewportChanged) this.found = coloured(now);
    },
  }),
  { decorations: (plugin) => plugin.found },
);
