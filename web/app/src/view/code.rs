//! The editor of the source: CodeMirror, in a file of its own (`web/editor/`), as the page sees it.

use js_sys::{Array, Function, Object, Reflect, Uint32Array};
use lanescope_frontend::Language as SourceLanguage;
use lanescope_locale::{Language, editor};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Element;

use crate::answer::Kind;
use crate::reader;

#[wasm_bindgen]
extern "C" {
    /// Has `heard` called with what opens an editor once its file has come; never where it cannot come.
    #[wasm_bindgen(js_name = lanescopeEditor)]
    fn load(heard: &JsValue);

    /// An open editor: what `open` of `web/editor/editor.js` returns. Offsets are UTF-16 units of the text with line
    /// feeds only.
    pub(crate) type Code;

    /// Shows another text, which cannot be undone in the editor.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn put(this: &Code, text: &str) -> Result<(), JsValue>;

    /// Changes the text as if it were typed.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn change(this: &Code, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn mark(this: &Code, places: &Uint32Array, messages: &Array) -> Result<(), JsValue>;

    /// Links places with what else on the page names their accesses: `[from, to, access, …]`.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn link(this: &Code, places: &Uint32Array) -> Result<(), JsValue>;

    /// Lights the places of an access; -1: of none.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn light(this: &Code, access: i32) -> Result<(), JsValue>;

    /// Chooses the grammar that colours the text, by a name of [`grammar`].
    #[wasm_bindgen(method, catch)]
    pub(crate) fn language(this: &Code, grammar: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn name(this: &Code, label: &str, phrases: &JsValue) -> Result<(), JsValue>;

    /// Says to those who cannot see it whether the text is wrong.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn invalid(this: &Code, is_invalid: bool) -> Result<(), JsValue>;

    /// Puts the focus into it and selects a stretch.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn select(this: &Code, from: u32, to: u32) -> Result<(), JsValue>;

    /// Pixels from the top of the first line to that of line `number`; lines that are not in view are estimated.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn top(this: &Code, number: u32) -> Result<f64, JsValue>;

    /// Gives it the focus.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn focus(this: &Code) -> Result<(), JsValue>;

    /// Ends it.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn close(this: &Code) -> Result<(), JsValue>;
}

/// What opens an editor.
#[derive(Clone)]
pub(crate) struct Opener(Function);

/// How an editor begins.
pub(crate) struct Start<'a> {
    pub(crate) text: &'a str,
    /// The selection's two ends.
    pub(crate) selection: [u32; 2],
    /// Pixels that it is scrolled to the right.
    pub(crate) left: i32,
    /// What was typed before, with its time in milliseconds, oldest first.
    pub(crate) typed: &'a [(f64, String)],
    pub(crate) label: &'a str,
    pub(crate) language: Language,
}

/// A stretch to mark, with what is said of it.
pub(crate) struct Mark<'a> {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) is_error: bool,
    pub(crate) message: &'a str,
}

/// The grammar that colours `text` in the field of that id, as `web/editor/language.js` names it.
pub(crate) fn grammar(id: &str, text: &str) -> &'static str {
    if id == Kind::Trace.name() {
        return "plain";
    }
    match reader::language(text) {
        SourceLanguage::Cuda => "cuda",
        SourceLanguage::Wgsl => "wgsl",
        SourceLanguage::Ptx | SourceLanguage::Sass => "compiled",
    }
}

/// Sends for the editor's file; `heard` is called once, when it has come.
pub(crate) fn send_for(heard: impl FnOnce(Opener) + 'static) {
    let heard = Closure::once_into_js(move |open: Function| heard(Opener(open)));
    load(&heard);
}

impl Opener {
    /// An editor in `host`, which is empty; `grammar_of` names what colours a text, each change goes to `changed`, the access under the pointer or the caret to
    /// `pointed` (-1: none). `None` where the browser refuses it.
    pub(crate) fn open(
        &self,
        host: &Element,
        start: &Start<'_>,
        grammar_of: impl FnMut(String) -> String + 'static,
        changed: impl FnMut(String) + 'static,
        pointed: impl FnMut(i32) + 'static,
    ) -> Option<Code> {
        let pointed: Box<dyn FnMut(i32)> = Box::new(pointed);
        let pointed = Closure::wrap(pointed).into_js_value();
        let grammar_of: Box<dyn FnMut(String) -> String> = Box::new(grammar_of);
        let grammar_of = Closure::wrap(grammar_of);
        let changed: Box<dyn FnMut(String)> = Box::new(changed);
        let changed = Closure::wrap(changed).into_js_value();
        let typed = Array::new();
        for (time, text) in start.typed {
            typed.push(&(*time).into());
            typed.push(&text.as_str().into());
        }
        let [anchor, head] = start.selection;
        let settings = object(&[
            ("text", start.text.into()),
            ("anchor", anchor.into()),
            ("head", head.into()),
            ("left", start.left.into()),
            ("typed", typed.into()),
            ("label", start.label.into()),
            ("phrases", phrases(start.language)),
            ("grammarOf", grammar_of.into_js_value()),
            ("changed", changed),
            ("pointed", pointed),
        ]);
        let code = self.0.call2(&JsValue::NULL, host, &settings);
        code.ok().map(JsValue::unchecked_into)
    }
}

impl Code {
    /// Marks `marks` and nothing else.
    pub(crate) fn mark_all<'a>(
        &self,
        marks: impl Iterator<Item = Mark<'a>>,
    ) -> Result<(), JsValue> {
        let (mut places, messages) = (Vec::new(), Array::new());
        for mark in marks {
            places.extend([mark.from, mark.to, u32::from(!mark.is_error)]);
            messages.push(&mark.message.into());
        }
        self.mark(&Uint32Array::from(places.as_slice()), &messages)
    }

    /// Calls it `label`; its own words are in `language`.
    pub(crate) fn name_in(&self, label: &str, language: Language) -> Result<(), JsValue> {
        self.name(label, &phrases(language))
    }
}

/// CodeMirror's own words, which are English, in `language`.
fn phrases(language: Language) -> JsValue {
    let pairs = editor::KEYS.into_iter().zip(editor::words(language));
    let pairs = pairs.filter(|(key, word)| key != word);
    let words: Vec<(&str, JsValue)> = pairs.map(|(key, word)| (key, word.into())).collect();
    object(&words)
}

fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // Refused only for objects that are sealed.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}
