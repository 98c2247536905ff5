//! Whose version of a kernel is counted, and what that compiler's model does to each access.

use lanescope_locale::Language;
use lanescope_locale::compiler::CompilerWords;
use lanescope_locale::compiler::remarks_title;
use lanescope_query::{AccessRemark, Compiler, unmeasured};
use lanescope_share as share;
use leptos::prelude::*;

use super::fold::is_open;
use crate::session::Session;
use crate::words::compiler as words;

/// The compilers to choose from.
const CHOICES: [Compiler; 2] = [Compiler::Nvcc13, Compiler::None];

/// The most remarks that are listed.
const MOST_REMARKS: usize = 256;

/// "As written" or "as nvcc 13". Hidden beside what is no kernel.
#[component]
pub(crate) fn CompilerChoice(session: Session) -> impl IntoView {
    let reason = Memo::new(move |_| session.pages().with(|page| unmeasured(&page.state)));
    let chosen = Memo::new(move |_| session.pages().with(|page| Compiler::of(&page.state)));
    let is_kernel = session.of_page(|page| matches!(page.state.source, share::Source::Kernel(_)));
    let options = CHOICES.map(|choice| {
        view! {
            <option value=choice.key() prop:selected=move || chosen.get() == choice>
                {session.word(words::choice(choice))}
            </option>
        }
    });
    let choose = move |event| {
        let next = named(&event_target_value(&event));
        session.edit(|state| state.compiler = next);
    };
    let why = move || {
        reason
            .get()
            .map(|why| session.word(words::unmeasured(why))())
    };
    view! {
        <div class="compiler-choice" hidden=move || !is_kernel()>
            <label for="compiler">{session.word(|words| words.compiler.counted)}</label>
            <select
                id="compiler"
                class="field"
                data-testid="compiler"
                disabled=move || reason.get().is_some()
                on:change=choose
            >
                {options.collect_view()}
            </select>
            <span class="hint" data-testid="compiler-why">
                {why}
            </span>
        </div>
    }
}

/// What a choice writes into the link: nothing where it is what holds without.
fn named(key: &str) -> Option<share::Compiler> {
    (key == Compiler::None.key()).then_some(share::Compiler::None)
}

/// The remarks, folded; they are worked out while it is open.
#[component]
pub(super) fn Remarks(session: Session) -> impl IntoView {
    let opened = RwSignal::new(false);
    let is_compiled = session.of_late_page(|page| Compiler::of(&page.state) != Compiler::None);
    let remarks = Memo::new(move |_| {
        let remarks = || session.late_pages().with(|page| page.answer.remarks());
        opened.get().then(remarks)
    });
    let title = move || match remarks.with(|all| all.as_ref().map(Vec::len)) {
        Some(count) => remarks_title(session.language(), count),
        None => CompilerWords::of(session.language())
            .remarks_head
            .to_owned(),
    };
    let items = move || {
        let language = session.language();
        remarks.with(|all| {
            let all = all.iter().flatten().take(MOST_REMARKS);
            all.map(|one| item(one, language)).collect_view()
        })
    };
    view! {
        <details
            class="remarks"
            data-testid="remarks"
            hidden=move || !is_compiled()
            on:toggle=move |event| opened.set(is_open(&event))
        >
            <summary>{title}</summary>
            <ul>{items}</ul>
        </details>
    }
}

fn item(remark: &AccessRemark, language: Language) -> impl IntoView + use<> {
    view! {
        <li>
            <span class="number">{format!("{} ", remark.access.place)}</span>
            <code>{remark.access.text.clone()}</code>
            {format!(": {}", remark.text(language))}
        </li>
    }
}
