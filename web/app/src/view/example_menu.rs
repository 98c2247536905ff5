//! The menu of examples, and of the states that were left last.

use lanescope_gallery::{COMPILED, PRESETS, SUBJECTS, Subject, compiled, preset};
use leptos::prelude::*;

use crate::recent;
use crate::session::Session;
use crate::words::Message;

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
            aria-label=session.text(Message::Examples)
            on:change=choose
        >
            <option value="" hidden selected>
                {session.text(Message::Examples)}
            </option>
            {groups.collect_view()}
            <optgroup label=session.text(Message::Recent) hidden=move || left.with(Vec::is_empty)>
                {recent}
                <option value=FORGET>{session.text(Message::ForgetRecent)}</option>
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
    let option = move |id: &'static str, name: Message<'static>| {
        view! { <option value=id>{session.text(name)}</option> }
    };
    let of_subject = PRESETS
        .iter()
        .filter(move |preset| preset.subject == subject);
    let options = of_subject.flat_map(move |preset| {
        let forms = COMPILED.iter().filter(move |text| text.of == preset.id);
        let forms = forms.map(move |text| option(text.id, Message::CompiledPreset(text)));
        std::iter::once(option(preset.id, Message::Preset(preset))).chain(forms)
    });
    view! {
        <optgroup label=session.text(Message::Subject(subject))>{options.collect_view()}</optgroup>
    }
}
