//! A field for each override of a kernel in WGSL, its workgroup's size among them.

use lanescope_share::State;
use leptos::prelude::*;

use super::kernel_form::MOST_FIELDS;
use crate::session::Session;

/// The fields; nothing where the text has no overrides.
#[component]
pub(super) fn OverrideFields(session: Session) -> impl IntoView {
    let overrides = Memo::new(move |_| {
        session.pages().with(|page| {
            let all = &page.answer.program.overrides;
            all[..all.len().min(MOST_FIELDS)].to_vec()
        })
    });
    view! {
        <div class="row" hidden=move || overrides.with(Vec::is_empty)>
            <For
                each=move || overrides.get().into_iter().map(|(name, _)| name)
                key=Clone::clone
                children=move |name| view! { <OverrideField session overrides name /> }
            />
        </div>
    }
}

#[component]
fn OverrideField(
    session: Session,
    overrides: Memo<Vec<(String, String)>>,
    name: String,
) -> impl IntoView {
    let id = format!("override-{name}");
    let of = name.clone();
    let held = Memo::new(move |_| {
        session
            .pages()
            .with(|page| given(&page.state, &of).unwrap_or_default().to_owned())
    });
    let of = name.clone();
    let value = move || {
        overrides.with(|all| {
            let own = all.iter().find(|(name, _)| *name == of);
            own.map(|(_, value)| value.clone())
        })
    };
    let of = name.clone();
    let typed = move |event| {
        let value = event_target_value(&event);
        session.edit(|state| give(state, &of, value));
    };
    view! {
        <div>
            <label for=id.clone()>{format!("override {name}")}</label>
            <input
                id=id.clone()
                class="field"
                data-testid=id
                autocomplete="off"
                spellcheck="false"
                placeholder=value
                prop:value=move || held.get()
                on:input=typed
            />
        </div>
    }
}

/// The value that the launch gives an override.
fn given<'s>(state: &'s State, name: &str) -> Option<&'s str> {
    let mut all = state.launch.defines.iter().rev();
    all.find(|(of, _)| of == name)
        .map(|(_, value)| value.as_str())
}

/// Gives an override a value; an empty one takes it away.
fn give(state: &mut State, name: &str, value: String) {
    let defines = &mut state.launch.defines;
    defines.retain(|(of, _)| of != name);
    if !value.trim().is_empty() {
        defines.push((name.to_owned(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_is_given_a_value_and_loses_it() {
        let mut state = State::default();
        give(&mut state, "SIDE", "16".to_owned());
        give(&mut state, "SIDE", "32".to_owned());
        assert_eq!(given(&state, "SIDE"), Some("32"));
        give(&mut state, "SIDE", " ".to_owned());
        assert_eq!(given(&state, "SIDE"), None);
    }
}
