//! The mends, each proved on the changed source.

use std::sync::Arc;
use std::time::Duration;

use lanescope_advisor::{Advice, Note, Suggestion};
use lanescope_draw::Tone;
use lanescope_share::State;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use crate::answer::{Question, mends, with_mend};
use crate::session::{Session, session};
use crate::words::{Message, Words};

/// How long the source rests before its mends are searched.
const REST: Duration = Duration::from_millis(180);

/// What the last search found; `None` while the next one waits.
type Found = RwSignal<Option<Arc<Advice>>>;

/// The card with the mends.
#[component]
pub(crate) fn MendCard() -> impl IntoView {
    let session = session();
    let words = session.words();
    let found: Found = RwSignal::new(None);
    let undo = RwSignal::new(None::<State>);
    search_at_rest(session, found);
    let is_shown =
        Memo::new(move |_| found.with(|found| found.as_deref().is_some_and(is_worth_saying)));
    let about = move || found.with(|found| Some(about(found.as_deref()?, words)));
    let cards = move || found.with(|found| Some(cards(session, found.as_ref()?, undo, words)));
    let notes = move || found.with(|found| Some(notes(found.as_deref()?, words)));
    let take_back = move |_| {
        if let Some(state) = undo.get_untracked() {
            undo.set(None);
            session.visit(state);
        }
    };
    view! {
        <section
            class="card mends"
            data-testid="mends"
            hidden=move || !is_shown.get() && undo.with(Option::is_none)
        >
            <div class="head">
                <h2>{words.of(Message::Mend)}</h2>
                <span class="about">{about}</span>
                <div class="tools">
                    <Show when=move || undo.with(Option::is_some)>
                        <button type="button" class="button small" data-testid="undo" on:click=take_back>
                            {words.of(Message::Undo)}
                        </button>
                    </Show>
                </div>
            </div>
            <div class="mend-list">{cards}</div>
            <div class="mend-notes">{notes}</div>
        </section>
    }
    .into_any()
}

/// Searches when the question has not changed for a moment.
fn search_at_rest(session: Session, found: Found) {
    let question = Memo::new(move |_| session.state.with(Question::of));
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let forget = move || {
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move || {
        question.track();
        forget();
        let search = move || {
            let advice = question.try_with_untracked(mends).flatten();
            let _ = found.try_set(advice.map(Arc::new));
        };
        waiting.set_value(set_timeout_with_handle(search, REST).ok());
    });
    on_cleanup(forget);
}

fn is_worth_saying(advice: &Advice) -> bool {
    let silent =
        |note: &Note| matches!(note, Note::NothingToMend | Note::Errors | Note::Unknown(_));
    !advice.suggestions.is_empty() || advice.notes.iter().any(|note| !silent(note))
}

fn about(advice: &Advice, words: Words) -> String {
    let names: Vec<_> = advice
        .arrays
        .iter()
        .map(|array| array.name.as_str())
        .collect();
    words.say(Message::MendAbout {
        arrays: &names.join(", "),
        blocks: advice.blocks,
    })
}

fn cards(
    session: Session,
    advice: &Arc<Advice>,
    undo: RwSignal<Option<State>>,
    words: Words,
) -> AnyView {
    let card = |(index, suggestion): (usize, &Suggestion)| {
        let advice = Arc::clone(advice);
        let apply = move |_| {
            let Some(suggestion) = advice.suggestions.get(index) else {
                return;
            };
            let before = session.state.get_untracked();
            let after = with_mend(&before, suggestion);
            session.visit(after);
            undo.set(Some(before));
        };
        view! {
            <article class="mend" data-testid="mend">
                <h3>{words.say(Message::MendKind(&suggestion.kind))}</h3>
                <code>{suggestion.snippet.clone()}</code>
                {loads(suggestion, words)}
                <p class="effect">{words.say(Message::MendEffect(suggestion))}</p>
                <p>{words.say(Message::MendPrice(suggestion))}</p>
                <p class="hint">{words.say(Message::MendProof(suggestion.proof))}</p>
                <button
                    type="button"
                    class=if index == 0 { "button primary small" } else { "button small" }
                    data-testid="apply-mend"
                    on:click=apply
                >
                    {words.say(Message::ApplyMend)}
                </button>
            </article>
        }
        .into_any()
    };
    advice
        .suggestions
        .iter()
        .enumerate()
        .map(card)
        .collect_view()
        .into_any()
}

/// A strip of banks before and one after, as high in colour as each bank's wavefronts.
fn loads(suggestion: &Suggestion, words: Words) -> Option<AnyView> {
    let [before, after] = &suggestion.banks;
    if before.is_empty() || after.is_empty() {
        return None;
    }
    let strip = |load: &[u32]| {
        let cell = |wavefronts: &u32| {
            let class = match *wavefronts {
                0 => "w0",
                ways => Tone::of_ways(ways).class(),
            };
            view! { <i class=class></i> }
        };
        load.iter().map(cell).collect_view()
    };
    let (before, after) = (strip(before), strip(after));
    Some(
        view! {
            <div class="loads" aria-hidden="true">
                <span>{words.say(Message::Before)}</span><div class="strip">{before}</div>
                <span>{words.say(Message::After)}</span><div class="strip">{after}</div>
            </div>
        }
        .into_any(),
    )
}

fn notes(advice: &Advice, words: Words) -> AnyView {
    let note = |note: &Note| view! { <p>{words.say(Message::MendNote(note))}</p> };
    advice.notes.iter().map(note).collect_view().into_any()
}
