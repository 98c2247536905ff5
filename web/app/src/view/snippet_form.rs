//! The text that is pasted into an article: for which host, how high, in which theme, what its reader may change.

use std::time::Duration;

use lanescope_draw::Theme;
use lanescope_locale::page::PageWords;
use leptos::html::Textarea;
use leptos::prelude::*;

use super::clipboard::copy_text;
use super::share_forms::{EMBED_HEIGHT, markdown, snippet};
use super::share_menu::Shown;
use crate::session::Session;
use crate::snippet::{Editable, Host, text};
use crate::words::share as words;

/// The heights that an embed may be given.
const HEIGHTS: [i32; 2] = [80, 4_000];

/// How long it is said that the text was copied.
const SAID: Duration = Duration::from_secs(2);

#[component]
pub(super) fn SnippetForm(session: Session, page: Memo<Shown>) -> impl IntoView {
    let host = RwSignal::new(Host::Element);
    let height = RwSignal::new(EMBED_HEIGHT);
    let theme: RwSignal<Option<Theme>> = RwSignal::new(None);
    let editable = RwSignal::new(Editable::default());
    let has_picture = RwSignal::new(false);
    let copied = RwSignal::new(false);
    let area: NodeRef<Textarea> = NodeRef::new();
    let pasted = Memo::new(move |_| {
        page.with(|page| {
            let page = page.as_ref()?;
            let snippet = snippet(
                page,
                height.get(),
                theme.get(),
                editable.get(),
                has_picture.get(),
            );
            Some(text(host.get(), &snippet, &markdown(page)))
        })
    });
    let pasted = move || pasted.get().unwrap_or_default();
    let copy = move |_| {
        if copy_text(&untrack(pasted)) {
            copied.set(true);
            set_timeout(move || copied.set(false), SAID);
        } else if let Some(area) = area.get_untracked() {
            area.select();
        }
    };
    view! {
        <div class="line snippet-form">
            <div>
                <label for="snippet-host">{session.word(|words| words.share.host)}</label>
                <select
                    id="snippet-host"
                    class="field"
                    data-testid="snippet-host"
                    on:change:target=move |event| {
                        host.set(Host::of_key(&event.target().value()).unwrap_or(Host::Element));
                    }
                >
                    {Host::ALL
                        .iter()
                        .map(|host| view! { <option value=host.key()>{host.name()}</option> })
                        .collect_view()}
                </select>
            </div>
            <FrameFields session host height theme editable />
        </div>
        <label class="hint with-picture" hidden=move || host.get() != Host::Element>
            <input
                type="checkbox"
                data-testid="snippet-picture"
                on:change:target=move |event| has_picture.set(event.target().checked())
            />
            {session.word(|words| words.share.with_picture)}
        </label>
        <textarea
            class="field preview"
            data-testid="share-preview"
            readonly
            rows="4"
            node_ref=area
            aria-label=session.word(|words| words.preview)
            prop:value=pasted
        ></textarea>
        <p class="hint" data-testid="snippet-note">
            {move || session.word(words::note(host.get()))()}
        </p>
        <div class="line">
            <button type="button" class="button" data-testid="copy-snippet" on:click=copy>
                {session.word(|words| words.share.copy_snippet)}
            </button>
            <span class="hint" role="status">
                {move || copied.get().then(|| PageWords::of(session.language()).copied)}
            </span>
        </div>
    }
}

/// How a live embed looks: how high, in which theme, what its reader may change.
#[component]
fn FrameFields(
    session: Session,
    host: RwSignal<Host>,
    height: RwSignal<i32>,
    theme: RwSignal<Option<Theme>>,
    editable: RwSignal<Editable>,
) -> impl IntoView {
    view! {
        <div hidden=move || !host.get().is_live()>
            <label for="snippet-height">{session.word(|words| words.share.height)}</label>
            <input
                id="snippet-height"
                class="field"
                data-testid="snippet-height"
                type="number"
                min=HEIGHTS[0]
                max=HEIGHTS[1]
                step="10"
                prop:value=move || height.get().to_string()
                on:change:target=move |event| {
                    let wanted: i32 = event.target().value().parse().unwrap_or(EMBED_HEIGHT);
                    height.set(wanted.clamp(HEIGHTS[0], HEIGHTS[1]));
                }
            />
        </div>
        <div hidden=move || !host.get().is_live()>
            <label for="snippet-theme">{session.word(|words| words.share.theme)}</label>
            <select
                id="snippet-theme"
                class="field"
                data-testid="snippet-theme"
                on:change:target=move |event| theme.set(theme_of(&event.target().value()))
            >
                <option value="">{session.word(|words| words.share.theme_of_article)}</option>
                <option value="light">{session.word(|words| words.share.light)}</option>
                <option value="dark">{session.word(|words| words.share.dark)}</option>
            </select>
        </div>
        <div hidden=move || !host.get().is_live()>
            <label for="snippet-editable">{session.word(|words| words.share.editable)}</label>
            <select
                id="snippet-editable"
                class="field"
                data-testid="snippet-editable"
                prop:value=move || editable.get().option()
                on:change:target=move |event| editable.set(editable_of(&event.target().value()))
            >
                {Editable::ALL
                    .iter()
                    .map(|one| {
                        view! {
                            <option value=one.option()>
                                {session.word(words::editable(*one))}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </div>
    }
}

fn theme_of(key: &str) -> Option<Theme> {
    match key {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

fn editable_of(option: &str) -> Editable {
    let mut all = Editable::ALL.iter().copied();
    all.find(|one| one.option() == option).unwrap_or_default()
}
