//! The one thing to try, beside the first example as long as it stands as it was.

use lanescope_share::Source;
use leptos::prelude::*;

use crate::examples;
use crate::session::Session;

/// Says what to change; a click changes it.
#[component]
pub(crate) fn TryThis(session: Session) -> impl IntoView {
    let first = examples::first().source;
    let is_first = Memo::new(move |_| session.pages().with(|page| page.state.source == first));
    view! {
        <Show when=move || is_first.get()>
            <button
                type="button"
                class="button small try"
                data-testid="try-this"
                on:click=move |_| session.edit(|state| pad(&mut state.source))
            >
                {session.word(|words| words.try_this)}
            </button>
        </Show>
    }
}

/// Pads the rows of the first example's tile.
fn pad(source: &mut Source) {
    if let Source::Expression { declarations, .. } = source {
        *declarations = declarations.replacen("[32][32]", "[32][33]", 1);
    }
}
