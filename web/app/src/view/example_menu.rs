//! The menu of examples, and of the states that were left last.

use lanescope_gallery::{COMPILED, PRESETS, SUBJECTS, Subject, compiled, preset};
use lanescope_locale::gallery;
use leptos::prelude::*;

use crate::recent;
use crate::session::Session;

/// The examples by subject; choosing one opens it.
#[component]
pub(crate) fn ExampleMenu(session: Session) -> impl IntoView {
    let left = RwSignal::new(names());
    let choose = move |event| {
        let menu: web_sys::HtmlSelectElement = event_target(&event);
        choose_example(session, &menu.value());
        menu.set_value("");
        left.set(names());
    };
    let groups = SUBJECTS
        .iter()
        .map(|subject| example_group(session, *subject));
    let recent = move || {
        let named = left.get().into_iter().enumerate();
        let option =
            |(index, name)| view! { <option value=format!("{RECENT}{index}")>{name}</option> };
        named.map(option).collect_view()
    };
    view! {
        <select
            class="field examples"
            data-testid="examples"
            aria-label=session.word(|words| words.examples)
            on:change=choose
        >
            <option value="" hidden selected>
                {session.word(|words| words.examples)}
            </option>
            {groups.collect_view()}
            <optgroup label=session.word(|words| words.recent) hidden=move || left.with(Vec::is_empty)>
                {recent}
                <option value=FORGET>{session.word(|words| words.forget_recent)}</option>
            </optgroup>
        </select>
    }
}

const RECENT: &str = "recent:";
const FORGET: &str = "forget";

/// The names of the states that were left last.
fn names() -> Vec<String> {
    recent::all().into_iter().map(|left| left.name).collect()
}

/// What an option of the menu stands for.
fn choose_example(session: Session, value: &str) {
    if let Some(preset) = preset(value) {
        return session.visit(preset.state());
    }
    if let Some(text) = compiled(value) {
        return session.visit(text.state());
    }
    if value == FORGET {
        return recent::forget();
    }
    let index = value
        .strip_prefix(RECENT)
        .and_then(|index| index.parse::<usize>().ok());
    if let Some(left) = index.and_then(|index| recent::all().into_iter().nth(index)) {
        session.visit(left.state);
    }
}

fn example_group(session: Session, subject: Subject) -> impl IntoView {
    let option = move |id: &'static str| {
        view! { <option value=id>{move || gallery::title(session.language(), id)}</option> }
    };
    let of_subject = PRESETS
        .iter()
        .filter(move |preset| preset.subject == subject);
    let options = of_subject.flat_map(move |preset| {
        let forms = COMPILED.iter().filter(move |text| text.of == preset.id);
        let forms = forms.map(move |text| option(text.id));
        std::iter::once(option(preset.id)).chain(forms)
    });
    view! {
        <optgroup label=move || subject.title(session.language())>{options.collect_view()}</optgroup>
    }
}
