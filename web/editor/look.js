// The editor in the page's own colours, which its custom properties carry into the shadow root, dark and light.
import { EditorView } from "@codemirror/view";

const SELECTION = "light-dark(#0a62b840,#6fb3ff55)";

/** Lines have the height of those of the gutter beside them. */
export const look = EditorView.theme({
  "&": { background: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", lineHeight: "inherit", overflowY: "hidden" },
  ".cm-content": { padding: "8px 12px 8px 10px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  "& ::selection, & .cm-line::selection": { background: SELECTION },
  ".keyword, .keyword *": { color: "var(--keyword)" },
  ".builtin, .builtin *": { color: "var(--builtin)" },
  ".number": { color: "var(--number)" },
  ".comment": { color: "var(--faint)", fontStyle: "italic" },
  ".squiggle": {
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".squiggle.warning": { textDecorationColor: "var(--warn)" },
  ".squiggle.note": { textDecoration: "underline dotted var(--muted) 1px" },
  ".linked": { background: "var(--tint)", outline: "1px solid var(--accent)", borderRadius: "3px" },
  "&.cm-focused .cm-matchingBracket": { background: "none", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "none", outline: "1px dashed var(--bad)" },
  ".cm-searchMatch": { background: "none", outline: "1px solid var(--accent)" },
  ".cm-searchMatch-selected": { background: SELECTION },
  ".cm-panels": { background: "var(--surface)", color: "var(--ink)", zIndex: "1" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { font: "13px/1.5 var(--sans)", padding: "6px 28px 6px 8px" },
  ".cm-textfield": { background: "var(--bg)", border: "1px solid var(--line)", color: "var(--ink)", borderRadius: "6px" },
  ".cm-button": {
    background: "var(--surface)",
    border: "1px solid var(--line)",
    color: "var(--ink)",
    borderRadius: "6px",
    "&:active": { background: "var(--empty)" },
  },
  ".cm-panel.cm-search [name=close], .cm-dialog-close": { color: "var(--muted)", fontSize: "18px" },
  ".cm-panels :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-tooltip": { background: "var(--surface)", border: "1px solid var(--edge)", borderRadius: "8px" },
  ".said": { font: "12.5px/1.5 var(--sans)", padding: "6px 10px", maxWidth: "min(60ch, 80vw)", overflowWrap: "anywhere" },
  ".said p": { margin: "0" },
});
