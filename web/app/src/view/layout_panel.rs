//! A layout: how lanes touch it, and what is found for it.

use std::sync::Arc;

use lanescope_layouts::parse;
use lanescope_locale::page::PageWords;
use lanescope_share::{Source, State};
use leptos::prelude::*;

use super::layout_find::LayoutFind;
use crate::page::Page;
use crate::session::Session;

/// Accesses to choose from, as the text spells them; the first is none.
const ACCESSES: [&str; 10] = [
    "",
    "load row",
    "load column",
    "store row",
    "load row bits 128",
    "ldmatrix.x1",
    "ldmatrix.x4",
    "ldmatrix.x4.trans",
    "stmatrix.x4",
    "cp.async 16",
];

/// The layout that the kind opens with.
const FIRST: &str = "type f16\nSwizzle<3,3,3> o (16,64):(64,1)";

/// The state that the kind opens with.
pub(crate) fn first() -> State {
    State {
        source: Source::Layout {
            layout: FIRST.to_owned(),
            access: "ldmatrix.x4".to_owned(),
        },
        ..State::default()
    }
}

/// What stands below the text of a layout.
#[component]
pub(crate) fn LayoutPanel(session: Session) -> impl IntoView {
    view! {
        <AccessChoice session />
        <LayoutFind session />
        <p class="hint">{session.word(|words| words.layout_hint)}</p>
    }
}

/// Makes `text` the layout; the access that was chosen goes where it is not meant for it.
pub(super) fn change(session: Session, text: String) {
    session.edit(|state| {
        if let Source::Layout { layout, access } = &mut state.source {
            if !keeps_access(layout, &text, access) {
                access.clear();
            }
            *layout = text;
        }
    });
}

/// Whether the access that was chosen for one text is meant for the next: not where that says itself how it is accessed,
/// is a tile of another size or type, or one that the access does not fit.
fn keeps_access(before: &str, after: &str, access: &str) -> bool {
    let tile = |text: &str| {
        let document = parse(text);
        let placement = document.placement.as_ref()?;
        let size = (
            placement.rows(),
            placement.columns(),
            placement.element_bytes(),
        );
        Some((size, document.is_accessed))
    };
    let Some((size, is_accessed)) = tile(after) else {
        return true;
    };
    let is_other = tile(before).is_some_and(|(before, _)| before != size);
    let fits = || !parse(&format!("{after}\n{access}")).requests.is_empty();
    !is_accessed && !is_other && fits()
}

/// How lanes touch the layout, besides what its text says.
#[component]
fn AccessChoice(session: Session) -> impl IntoView {
    let chosen = Memo::new(move |_| session.pages().with(access_of));
    let options = ACCESSES.map(|word| {
        let name = move || match word {
            "" => PageWords::of(session.language()).layout_as_written,
            spelt => spelt,
        };
        let is_chosen = move || chosen.with(|chosen| chosen.as_deref() == Some(word));
        view! {
            <option value=word prop:selected=is_chosen>
                {name}
            </option>
        }
    });
    let choose = move |event| {
        let word = event_target_value(&event);
        session.edit(|state| {
            if let Source::Layout { access, .. } = &mut state.source {
                *access = word;
            }
        });
    };
    view! {
        <div>
            <label for="layout-access">{session.word(|words| words.layout_access)}</label>
            <select id="layout-access" class="field" data-testid="layout-access" on:change=choose>
                {options.collect_view()}
            </select>
        </div>
    }
}

/// The access that the page adds to its layout; `None` beside another source.
fn access_of(page: &Arc<Page>) -> Option<String> {
    match &page.state.source {
        Source::Layout { access, .. } => Some(access.clone()),
        Source::Kernel(_) | Source::Trace(_) | Source::Expression { .. } => None,
    }
}
