// Diagnostics at their places: underlined, with their words under the pointer.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip } from "@codemirror/view";

const CLASSES = ["error", "warning", "note"];

/** Takes the place of all marks. */
export const putMarks = StateEffect.define();

/** The marks, which move with the text until others come. */
export const marks = StateField.define({
  create: () => Decoration.none,
  update(held, transaction) {
    const put = transaction.effects.find((effect) => effect.is(putMarks));
    return put ? put.value : held.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** `[from, to, kind, …]` with a message each, in a text of `length` units. */
export function marksOf(places, messages, length) {
  const found = messages.map((message, index) => {
    const [from, to, kind] = places.slice(3 * index, 3 * index + 3);
    const mark = Decoration.mark({ class: `squiggle ${CLASSES[kind]}`, message });
    return { from, to: Math.min(to, length), mark };
  });
  const shown = found.filter(({ from, to }) => from < to);
  return Decoration.set(shown.map(({ from, to, mark }) => mark.range(from, to)), true);
}

/** What is said of the place under the pointer. */
export const tooltip = hoverTooltip((view, at, side) => {
  const found = [];
  view.state.field(marks).between(at, at, (from, to, { spec }) => {
    if ((from < at || side > 0) && (to > at || side < 0)) found.push({ from, to, message: spec.message });
  });
  if (found.length === 0) return null;
  const messages = new Set(found.map(({ message }) => message));
  return { pos: found[0].from, end: found[0].to, create: () => ({ dom: list(messages) }) };
});

function list(messages) {
  const dom = document.createElement("div");
  dom.className = "said";
  for (const message of messages) {
    const line = document.createElement("p");
    line.textContent = message;
    dom.append(line);
  }
  return dom;
}
