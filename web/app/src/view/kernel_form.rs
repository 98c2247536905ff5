//! What a kernel's launch needs besides grid and block: which kernel, defines, dynamic shared memory, arguments.

use lanescope_frontend::{Program, SourceParameter};
use lanescope_locale::parameter_role::ParameterRole;
use lanescope_locale::{Language, page};
use lanescope_share::State;
use leptos::html;
use leptos::prelude::*;

use super::compiler_choice::Remarks;
use super::override_fields::OverrideFields;
use super::reasons::guess;
use super::typed::keep;
use crate::answer::Status;
use crate::page::Page;
use crate::session::Session;

/// The most parameters that have a field; the others keep what the link says.
pub(super) const MOST_FIELDS: usize = 128;

/// The same behind a chip on the row of the launch, which opens where a value is missing or guessed, and stays open when
/// it was given: whoever types goes on.
#[component]
pub(crate) fn MoreFields(session: Session) -> impl IntoView {
    let is_kernel = session.of_page(|page| page.is_kernel());
    let is_wanting = Memo::new(move |_| session.late_pages().with(|page| is_wanting(page)));
    let is_open = RwSignal::new(false);
    Effect::new(move |_| {
        if is_wanting.get() {
            is_open.set(true);
        }
    });
    view! {
        <details class="more" id="more-fields" data-testid="more-fields" hidden=move || !is_kernel() prop:open=move || is_open.get()>
            <summary class="button small" aria-label=session.word(|words| words.launch)>
                "…"
            </summary>
            <KernelForm session />
            <Remarks session />
        </details>
    }
}

/// Whether a field of the form has a value that is missing or guessed, or there is a kernel to choose.
fn is_wanting(page: &Page) -> bool {
    let is_guessed = match page.answer.standing().status {
        Status::Assumed | Status::Partial => true,
        Status::Counted | Status::Predicted => false,
    };
    is_guessed || page.answer.program.kernels().len() > 1
}

/// Kernel, defines, dynamic shared memory, arguments.
#[component]
pub(crate) fn KernelForm(session: Session) -> impl IntoView {
    view! {
        <div class="arguments">
            <div class="row launch-form">
                <KernelChoice session />
                <Defines session />
                <DynamicShared session />
            </div>
            <OverrideFields session />
            <Arguments session />
        </div>
    }
}

/// Which kernel, where the source has several.
#[component]
fn KernelChoice(session: Session) -> impl IntoView {
    let kernels = Memo::new(move |_| {
        session
            .pages()
            .with(|page| page.answer.program.kernels().to_vec())
    });
    let chosen = Memo::new(move |_| {
        session
            .pages()
            .with(|page| page.answer.program.name().to_owned())
    });
    let option = move |name: String| {
        let own = name.clone();
        let is_chosen = move || chosen.with(|chosen| *chosen == own);
        let value = name.clone();
        view! {
            <option value=value prop:selected=is_chosen>
                {name}
            </option>
        }
    };
    let choose = move |event| {
        let name = event_target_value(&event);
        session.edit(|state| state.launch.kernel = Some(name));
    };
    view! {
        <div hidden=move || kernels.with(|kernels| kernels.len() <= 1)>
            <label for="kernel-name">{session.word(|words| words.kernel_name)}</label>
            <select id="kernel-name" class="field" data-testid="kernel-name" on:change=choose>
                <For each=move || kernels.get() key=Clone::clone children=option />
            </select>
        </div>
    }
}

/// `NAME=VALUE; …` for macros and template parameters.
#[component]
fn Defines(session: Session) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let held = Memo::new(move |_| {
        session
            .pages()
            .with(|page| page.state.launch.defines.clone())
    });
    keep(
        field,
        move || held.get(),
        |text| Some(read_pairs(text)),
        |pairs| spell_pairs(pairs),
    );
    let typed = move |event| {
        let pairs = read_pairs(&event_target_value(&event));
        session.edit(|state| state.launch.defines = pairs);
    };
    let guess = guess("defines");
    let (guessed, hint) = (guess.clone(), session.word(|words| words.defines_hint));
    view! {
        <div>
            <label for="defines">{session.word(|words| words.defines)}</label>
            <input
                id="defines"
                class="field"
                data-testid="defines"
                autocomplete="off"
                spellcheck="false"
                node_ref=field
                placeholder=session.word(|words| words.defines_hint)
                data-guess=guess
                title=move || guessed().unwrap_or_else(|| hint().to_owned())
                on:input=typed
            />
        </div>
    }
}

fn read_pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(';').filter_map(|pair| pair.split_once('='));
    let trimmed = pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    trimmed.filter(|(name, _)| !name.is_empty()).collect()
}

fn spell_pairs(pairs: &[(String, String)]) -> String {
    let spelt: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    spelt.join("; ")
}

#[component]
fn DynamicShared(session: Session) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let is_wrong = RwSignal::new(false);
    let held = Memo::new(move |_| {
        session
            .pages()
            .with(|page| page.state.launch.dynamic_shared_bytes)
    });
    keep(field, move || held.get(), bytes, ToString::to_string);
    let typed = move |event| {
        let bytes = bytes(&event_target_value(&event));
        is_wrong.set(bytes.is_none());
        if let Some(bytes) = bytes {
            session.edit(|state| state.launch.dynamic_shared_bytes = bytes);
        }
    };
    let guess = guess("dynamic-shared");
    view! {
        <div>
            <label for="dynamic-shared">{session.word(|words| words.dynamic_shared)}</label>
            <input
                id="dynamic-shared"
                class="field"
                data-testid="dynamic-shared"
                autocomplete="off"
                spellcheck="false"
                inputmode="numeric"
                node_ref=field
                data-guess=guess.clone()
                title=guess
                aria-invalid=move || is_wrong.get().to_string()
                on:input=typed
            />
        </div>
    }
}

/// Bytes; nothing is none.
fn bytes(text: &str) -> Option<u32> {
    match text.trim() {
        "" => Some(0),
        number => number.parse().ok(),
    }
}

/// A field for each parameter of the kernel.
#[component]
fn Arguments(session: Session) -> impl IntoView {
    let parameters = Memo::new(move |_| {
        session.pages().with(|page| {
            let program = &page.answer.program;
            let parameters = program.parameters().iter();
            let all: Vec<Shown> = parameters
                .map(|parameter| Shown::of(program, parameter))
                .collect();
            if page.answer.is_expression {
                Vec::new()
            } else {
                all
            }
        })
    });
    let shown = move || parameters.with(|all| all[..all.len().min(MOST_FIELDS)].to_vec());
    let left = move || parameters.with(|all| all.len().saturating_sub(MOST_FIELDS));
    let more = move || {
        let said = |left| page::more_in_link(session.language(), left as u64);
        (left() > 0).then(|| view! { <p class="hint">{said(left())}</p> })
    };
    view! {
        <div class="row">
            <For
                each=shown
                key=Clone::clone
                children=move |shown| view! { <ArgumentField session shown /> }
            />
            {more}
        </div>
    }
}

/// What a field says of its parameter.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shown {
    name: String,
    short: String,
    ty: String,
    role: Option<ParameterRole>,
}

impl Shown {
    fn of(program: &Program, parameter: &SourceParameter) -> Self {
        Self {
            name: parameter.name.clone(),
            short: program.short_name(parameter).to_owned(),
            ty: parameter.ty.clone(),
            role: parameter.role,
        }
    }

    /// The parameter's name, and what it stands for, or else its type, if there is one.
    fn label(&self, language: Language) -> String {
        let of = match self.role {
            Some(role) => role.text(language),
            None => self.ty.clone(),
        };
        match of.is_empty() {
            true => self.short.clone(),
            false => format!("{}: {of}", self.short),
        }
    }
}

#[component]
fn ArgumentField(session: Session, shown: Shown) -> impl IntoView {
    let name = shown.name.clone();
    let label = move || shown.label(session.language());
    let id = format!("argument-{name}");
    let held = {
        let name = name.clone();
        Memo::new(move |_| {
            session
                .pages()
                .with(|page| argument_of(&page.state, &name).to_owned())
        })
    };
    let typed = {
        let name = name.clone();
        move |event| {
            let value = event_target_value(&event);
            session.edit(|state| set_argument(state, &name, value));
        }
    };
    let guess = guess(&id);
    let (guessed, hint) = (guess.clone(), session.word(|words| words.argument_hint));
    view! {
        <div>
            <label for=id.clone()>{label}</label>
            <input
                id=id.clone()
                class="field"
                data-testid=id
                data-argument=name
                autocomplete="off"
                spellcheck="false"
                data-guess=guess
                title=move || guessed().unwrap_or_else(|| hint().to_owned())
                prop:value=move || held.get()
                on:input=typed
            />
        </div>
    }
}

pub(super) fn argument_of<'a>(state: &'a State, name: &str) -> &'a str {
    let held = state
        .launch
        .arguments
        .iter()
        .find(|(other, _)| other == name);
    held.map_or("", |(_, value)| value)
}

/// Gives a parameter a value; an empty one takes it away.
pub(super) fn set_argument(state: &mut State, name: &str, value: String) {
    let arguments = &mut state.launch.arguments;
    arguments.retain(|(other, _)| *other != name);
    if !value.is_empty() {
        arguments.push((name.to_owned(), value));
    }
}
