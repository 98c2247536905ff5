//! The link to what is on screen, and the answer as Markdown.

use lanescope_share::{Length, encode};
use leptos::html::{Details, Input};
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::verdict_card::{figure, sentences};
use crate::address;
use crate::answer::metrics;
use crate::session::{Session, session};
use crate::words::Message;

/// A button that unfolds the link.
#[component]
pub(crate) fn ShareMenu() -> impl IntoView {
    let session = session();
    let words = session.words();
    let menu = NodeRef::<Details>::new();
    let field = NodeRef::<Input>::new();
    let is_open = RwSignal::new(false);
    let is_copied = RwSignal::new(false);
    let link = move || session.state.with(address::link);
    let length = move || session.state.with(|state| encode(state).len());
    let close = move || {
        if let Some(menu) = menu.get_untracked() {
            menu.set_open(false);
        }
    };
    let copy = move |text: String| {
        is_copied.set(copy_text(text));
        if let (false, Some(field)) = (is_copied.get_untracked(), field.get_untracked()) {
            field.select();
        }
        set_timeout(
            move || is_copied.set(false),
            std::time::Duration::from_secs(2),
        );
    };
    view! {
        <details
            class="menu"
            node_ref=menu
            on:toggle:target=move |event| is_open.set(event.target().open())
            on:keydown=move |event| if event.key() == "Escape" { close() }
        >
            <summary class="button primary" data-testid="share">{words.of(Message::Share)}</summary>
            <Show when=move || is_open.get()>
                <div class="sheet">
                    <div>
                        <label for="link">{words.of(Message::Link)}</label>
                        <input
                            id="link"
                            class="field"
                            data-testid="share-link"
                            readonly
                            node_ref=field
                            prop:value=link
                            on:focus:target=|event| event.target().select()
                        />
                    </div>
                    <span class=move || length_class(length())>
                        {move || words.say(length_message(length()))}
                    </span>
                    <div class="line">
                        <button
                            type="button"
                            class="button primary"
                            data-testid="copy-link"
                            on:click=move |_| copy(session.state.with_untracked(address::link))
                        >
                            {words.of(Message::CopyLink)}
                        </button>
                        <button
                            type="button"
                            class="button"
                            data-testid="copy-markdown"
                            on:click=move |_| copy(markdown(session))
                        >
                            {words.of(Message::CopyMarkdown)}
                        </button>
                        <span role="status" class="hint">
                            {move || is_copied.get().then(|| words.say(Message::Copied))}
                        </span>
                    </div>
                </div>
            </Show>
        </details>
    }
    .into_any()
}

fn length_message(bytes: usize) -> Message<'static> {
    match Length::of(bytes) {
        Length::Short => Message::LinkShort { bytes },
        Length::Long => Message::LinkLong { bytes },
        Length::VeryLong => Message::LinkVeryLong { bytes },
        Length::TooLong => Message::LinkTooLong { bytes },
    }
}

const fn length_class(bytes: usize) -> &'static str {
    match Length::of(bytes) {
        Length::Short => "hint",
        Length::Long | Length::VeryLong => "hint long",
        Length::TooLong => "hint toolong",
    }
}

/// Puts `text` into the clipboard; `false` where there is none, as on an insecure page.
fn copy_text(text: String) -> bool {
    let navigator = window().navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    let written = navigator.clipboard().write_text(&text);
    leptos::task::spawn_local(async move {
        // A refusal leaves the link selected in its field.
        let _ = JsFuture::from(written).await;
    });
    true
}

/// The answer as Markdown, with its source and its link.
fn markdown(session: Session) -> String {
    let words = session.words();
    let verdict = session.verdict.get_untracked();
    let answer = session.answer.get_untracked();
    let insides = session.insides.get_untracked();
    let headline = words.say(Message::Headline(&verdict.headline));
    let device = answer.device.as_ref().map_or("", |device| device.name());
    let rows = metrics(&answer)
        .iter()
        .map(|metric| {
            let label = words.say(Message::Amount {
                amount: &metric.amount,
                operation: metric.operation,
            });
            format!(
                "| {} | {label} | {} |\n",
                figure(&metric.amount),
                metric.name.unwrap_or_default()
            )
        })
        .collect::<String>();
    let [grid, block] = [answer.launch.grid, answer.launch.block].map(super::shape_field::spell);
    format!(
        "**{headline}**\n\n{}\n\n```cuda\n{}\n```\n\n| | | |\n| ---: | --- | --- |\n{rows}\n\
         {device} · block {block} · grid {grid} · [Lanescope]({})\n",
        sentences(&verdict, &answer, &insides, words),
        answer.source.trim(),
        session.state.with_untracked(address::link),
    )
}
