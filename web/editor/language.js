// What text is coloured by: CodeMirror's C++ grammar with the words of CUDA and HIP, WGSL's words, and compiled code's.
import { cpp } from "@codemirror/lang-cpp";
import { HighlightStyle, StreamLanguage, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { COMPILED } from "./compiled.js";

const STYLE = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.processingInstruction, tags.meta], color: "var(--keyword)" },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--type)" },
    { tag: [tags.number, tags.bool, tags.string, tags.character], color: "var(--number)" },
    { tag: tags.standard(tags.name), color: "var(--builtin)" },
    { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  ]),
);

const CUDA = cpp();
const CUDA_KEYWORD = Decoration.mark({ class: "keyword" });
const CUDA_BUILTIN = Decoration.mark({ class: "builtin" });
const CUDA_WORDS = new MatchDecorator({
  regexp: /\b(?:(__(?:shared|global|device|host|constant|restrict|launch_bounds|align|forceinline)__|tile_static)|(threadIdx|blockIdx|blockDim|gridDim|warpSize|hip(?:Thread|Block)(?:Idx|Dim)_[xyz]|__sync(?:threads|warp)|__shfl\w*|atomic[A-Z]\w*))\b/g,
  decorate(add, from, to, [, keyword], view) {
    const { name } = syntaxTree(view.state).resolveInner(from, 1);
    if (!/Comment|String/.test(name)) add(from, to, keyword ? CUDA_KEYWORD : CUDA_BUILTIN);
  },
});
const CUDA_LOOK = ViewPlugin.define(
  (view) => ({
    found: CUDA_WORDS.createDeco(view),
    update(update) {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      this.found = isParsed ? CUDA_WORDS.createDeco(update.view) : CUDA_WORDS.updateDeco(update, this.found);
    },
  }),
  { decorations: (plugin) => plugin.found },
);

const WGSL_WORDS = {
  keyword: /^(?:alias|break|case|const|const_assert|continue|continuing|default|diagnostic|discard|else|enable|fn|for|if|let|loop|override|requires|return|struct|switch|var|while)$/,
  typeName: /^(?:array|atomic|bool|f16|f32|i32|u32|ptr|vec[234][fhiu]?|mat[234]x[234][fh]?|function|private|workgroup|uniform|storage|read|write|read_write)$/,
  bool: /^(?:true|false)$/,
  "variableName.standard": /^(?:workgroupBarrier|storageBarrier|workgroupUniformLoad|atomic[A-Z]\w*|subgroup[A-Z]\w*|min|max|select|arrayLength)$/,
};
const WGSL = StreamLanguage.define({
  name: "wgsl",
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0 || stream.match("/*")) return inComment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^@\w+/)) return "meta";
    if (stream.match(/^\d[\w.]*/)) return "number";
    const [word] = stream.match(/^[\p{XID_Start}_]\p{XID_Continue}*/u) || [];
    if (!word) stream.next();
    const [kind] = Object.entries(WGSL_WORDS).find(([, words]) => word && words.test(word)) ?? [null];
    return kind;
  },
});

/** Comments of WGSL nest. */
function inComment(stream, state) {
  if (state.depth === 0) state.depth = 1;
  while (state.depth > 0 && !stream.eol()) {
    if (stream.match("*/")) state.depth -= 1;
    else if (stream.match("/*")) state.depth += 1;
    else stream.next();
  }
  return "comment";
}

const LANGUAGES = { cuda: [CUDA, CUDA_LOOK, STYLE], wgsl: [WGSL, STYLE], compiled: COMPILED, plain: [] };

/** The extension that colours what `grammar` names: the same one each time. */
export function languageOf(grammar) {
  return LANGUAGES[grammar];
}
