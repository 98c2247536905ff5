// The accesses at their places: one that is pointed at here, or anywhere else on the page, lights up in all of it.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const NONE = -1;

/** Takes the place of all links. */
export const putLinks = StateEffect.define();

/** Lights the places of one access, and of no other. */
export const putLit = StateEffect.define();

/** All links, which move with the text until others come, and those that are lit. */
export const links = StateField.define({
  create: () => ({ all: Decoration.none, lit: NONE, shown: Decoration.none }),
  update(held, transaction) {
    if (!transaction.docChanged && transaction.effects.length === 0) return held;
    let { all, lit } = held;
    all = all.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(putLinks)) all = effect.value;
      if (effect.is(putLit)) lit = effect.value;
    }
    return { all, lit, shown: all.update({ filter: (_from, _to, { spec }) => spec.access === lit }) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

/** `[from, to, access, …]` in a text of `length` units. */
export function linksOf(places, length) {
  const ranges = [];
  for (let index = 0; index < places.length; index += 3) {
    const [from, to, access] = places.slice(index, index + 3);
    const end = Math.min(to, length);
    if (from < end) ranges.push(Decoration.mark({ class: "linked", access }).range(from, end));
  }
  return Decoration.set(ranges, true);
}

/** Calls `pointed` with the access under the pointer, or at the caret when that moves; with -1 where there is none. */
export function pointing(pointed) {
  let last = NONE;
  const tell = (access) => {
    if (access === last) return;
    last = access;
    queueMicrotask(() => pointed(access));
  };
  return [
    EditorView.domEventHandlers({
      pointermove: (event, view) => tell(accessAt(view, view.posAtCoords(event))),
      pointerleave: () => tell(NONE),
      blur: () => tell(NONE),
    }),
    EditorView.updateListener.of(({ selectionSet, docChanged, view }) => {
      if (selectionSet && !docChanged && view.hasFocus) tell(accessAt(view, view.state.selection.main.head));
    }),
  ];
}

/** The innermost access at a place of the text. */
function accessAt(view, at) {
  let [found, least] = [NONE, Infinity];
  if (at === null) return found;
  view.state.field(links).all.between(at, at, (from, to, { spec }) => {
    if (to - from < least) [found, least] = [spec.access, to - from];
  });
  return found;
}
