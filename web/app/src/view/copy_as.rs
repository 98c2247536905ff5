//! The kernel in another language, copied: what translates comes when a button is pressed.

use std::time::Duration;

use lanescope_frontend::Language;
use lanescope_locale::page::PageWords;
use lanescope_locale::run_card::RunWords;
use lanescope_locale::share::ShareWords;
use lanescope_share::{Source, encode};
use leptos::prelude::*;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};

use super::clipboard::copy_text;
use super::share_menu::Shown;
use crate::page::Page;
use crate::reader;
use crate::session::Session;

#[wasm_bindgen]
extern "C" {
    /// Has the kernel of a link written in a language, with what is to be said in the reader's; `heard` takes the text, or
    /// nothing, and what is said of it; both are empty where what translates did not come.
    #[wasm_bindgen(js_name = lanescopeTranslate)]
    fn translate(
        fragment: &str,
        key: &str,
        language: &str,
        heard: &Closure<dyn FnMut(String, String)>,
    );
}

/// How long it is said that a text was copied.
const SAID: Duration = Duration::from_secs(2);

/// The languages: what the run module calls each, its name, and whether a text in WGSL can be had in it.
const TARGETS: [(&str, &str, bool); 5] = [
    ("cuda", "CUDA", false),
    ("hip", "HIP", false),
    ("wgsl", "WGSL", true),
    ("msl", "Metal", true),
    ("glsl", "GLSL", true),
];

/// What came of the last press.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Translation {
    Nothing,
    Waiting,
    /// The text, perhaps none, and what is said of it.
    Come(String, String),
    Failed,
}

/// A button for each language, and the text that the last one brought.
#[component]
pub(super) fn CopyAs(session: Session, page: Memo<Shown>) -> impl IntoView {
    let translation = RwSignal::new(Translation::Nothing);
    let is_copied = RwSignal::new(false);
    let come = move |text: String, said: String| {
        if text.is_empty() && said.is_empty() {
            return translation.set(Translation::Failed);
        }
        if !text.is_empty() && copy_text(&text) {
            is_copied.set(true);
            set_timeout(move || is_copied.set(false), SAID);
        }
        translation.set(Translation::Come(text, said));
    };
    let heard = StoredValue::new_local(Closure::<dyn FnMut(String, String)>::new(come));
    let press = move |key: &'static str| {
        translation.set(Translation::Waiting);
        let fragment = encode(&session.page().state);
        let language = session.language().bcp47();
        heard.with_value(|heard| translate(&fragment, key, language, heard));
    };
    let language = Memo::new(move |_| page.with(|page| language_of(page.as_deref()?)));
    let button = move |(key, name, is_of_wgsl): (&'static str, &'static str, bool)| {
        view! {
            <button
                type="button"
                class="button small"
                data-testid=format!("copy-as-{key}")
                hidden=move || language.get() == Some(Language::Wgsl) && !is_of_wgsl
                disabled=move || translation.with(|translation| *translation == Translation::Waiting)
                on:click=move |_| press(key)
            >
                {name}
            </button>
        }
    };
    let text = move || {
        translation.with(|translation| match translation {
            Translation::Come(text, _) => text.clone(),
            Translation::Nothing | Translation::Waiting | Translation::Failed => String::new(),
        })
    };
    let said = move || {
        translation.with(|translation| match translation {
            Translation::Nothing => String::new(),
            Translation::Waiting => ShareWords::of(session.language()).translating.to_owned(),
            Translation::Failed => RunWords::of(session.language()).failed.to_owned(),
            Translation::Come(_, said) => said.clone(),
        })
    };
    let copied = move || {
        is_copied
            .get()
            .then(|| PageWords::of(session.language()).copied)
    };
    view! {
        <div hidden=move || language.get().is_none() data-testid="copy-as">
            <span class="hint">{session.word(|words| words.share.copy_kernel_as)}</span>
            <div class="line">
                {TARGETS.map(button)}
                <span class="hint" role="status">{copied}</span>
            </div>
            <textarea
                class="field preview"
                data-testid="copied-kernel"
                readonly
                rows="4"
                hidden=move || text().is_empty()
                aria-label=session.word(|words| words.share.copy_kernel_as)
                prop:value=text
            ></textarea>
            <p class="hint" data-testid="copy-as-said" hidden=move || said().is_empty()>{said}</p>
        </div>
    }
}

/// The language of a page's kernel, where it can be had in another.
fn language_of(page: &Page) -> Option<Language> {
    let Source::Kernel(text) = &page.state.source else {
        return None;
    };
    Some(reader::language(text)).filter(|language| !language.is_compiled())
}
