//! The chip that says what the source was recognised as, and the menu that overrules it.

use std::time::Duration;

use lanescope_frontend::{Language as SourceLanguage, is_amp};
use lanescope_locale::page::PageWords;
use lanescope_share::{Source, State};
use leptos::prelude::*;

use super::{layout_panel, paste_anywhere, trace_panel};
use crate::answer::{Kind, Unread, next_step};
use crate::examples::{first, first_kernel};
use crate::page::Page;
use crate::reader;
use crate::session::Session;
use crate::words::Word;
use lanescope_ui::element::by_id;

/// Ids of the chip and its menu.
const CHIP: &str = "kind";
const MENU: &str = "kind-menu";

/// What the menu goes by. A handle: copies are the same menu.
#[derive(Clone, Copy)]
struct Menu {
    session: Session,
    open: Memo<Kind>,
    is_open: RwSignal<bool>,
    /// Each kind's state as it was left.
    last: StoredValue<[Option<State>; 4], LocalStorage>,
}

/// A menu button: the kind of the source on screen, of which `open` is told, and the others.
#[component]
pub(crate) fn KindMenu(session: Session, open: Memo<Kind>) -> impl IntoView {
    let menu = Menu {
        session,
        open,
        is_open: RwSignal::new(false),
        last: StoredValue::new_local([const { None }; 4]),
    };
    session.follow(move |page, _| {
        let (left, kind) = (page.state.clone(), Kind::of(&page.state.source));
        menu.last
            .update_value(|last| last[kind as usize] = Some(left));
    });
    let recognised = Memo::new(move |_| {
        let export = session.records().get();
        session
            .late_pages()
            .with(|page| name(page, export.as_deref()))
    });
    let item = |kind: &Kind| view! { <Item menu kind=*kind /> };
    let items = Kind::ALL.iter().map(item).collect_view();
    view! {
        <div class="kind" on:keydown=move |event| menu.press(&event) on:focusout=move |event| menu.leave(&event)>
            <button
                type="button"
                class="button"
                id=CHIP
                data-testid=CHIP
                aria-haspopup="menu"
                aria-controls=MENU
                aria-expanded=move || menu.is_open.get().to_string()
                title=session.word(|words| words.source_kind.read_as)
                on:click=move |_| menu.toggle()
            >
                {recognised}
            </button>
            <div
                role="menu"
                id=MENU
                aria-label=session.word(|words| words.source_kind.read_as)
                hidden=move || !menu.is_open.get()
            >
                {items.collect_view()}
            </div>
        </div>
    }
}

#[component]
fn Item(menu: Menu, kind: Kind) -> impl IntoView {
    let id = item_id(kind);
    let choose = move |_| {
        menu.close();
        menu.read_as(kind);
    };
    view! {
        <button
            type="button"
            role="menuitemradio"
            id=id.clone()
            data-testid=id
            tabindex="-1"
            aria-checked=move || (menu.open.get() == kind).to_string()
            on:click=choose
        >
            {menu.session.word(label(kind))}
        </button>
    }
}

fn item_id(kind: Kind) -> String {
    format!("kind-{}", kind.name())
}

const fn label(kind: Kind) -> Word {
    match kind {
        Kind::Expression => |words| words.label.expression,
        Kind::Kernel => |words| words.kernel,
        Kind::Layout => |words| words.layout,
        Kind::Trace => |words| words.trace.tab,
    }
}

impl Menu {
    fn toggle(self) {
        if self.is_open.get_untracked() {
            return self.is_open.set(false);
        }
        self.is_open.set(true);
        // Once it is shown.
        let focus = move || by_id(&item_id(self.open.get_untracked())).focus();
        set_timeout(focus, Duration::ZERO);
    }

    /// Closes it, with the focus back on the chip.
    fn close(self) {
        self.is_open.set(false);
        by_id(CHIP).focus();
    }

    /// The keys of a menu: the arrows, Home, End, Escape.
    fn press(self, event: &leptos::ev::KeyboardEvent) {
        let is_open = self.is_open.get_untracked();
        let count = Kind::ALL.len();
        let focused = event_target::<web_sys::Element>(event).id();
        let at = Kind::ALL.iter().position(|kind| item_id(*kind) == focused);
        let next = match (event.key().as_str(), is_open) {
            ("ArrowDown", false) => return self.toggle(),
            ("Escape", true) => return self.close(),
            ("ArrowDown", true) => at.map_or(0, |at| (at + 1) % count),
            ("ArrowUp", true) => at.map_or(count - 1, |at| (at + count - 1) % count),
            ("Home", true) => 0,
            ("End", true) => count - 1,
            _ => return,
        };
        event.prevent_default();
        by_id(&item_id(Kind::ALL[next])).focus();
    }

    /// Closes it when the focus goes elsewhere.
    fn leave(self, event: &leptos::ev::FocusEvent) {
        use wasm_bindgen::JsCast as _;
        let next = event.related_target();
        let next = next.and_then(|next| next.dyn_into::<web_sys::Element>().ok());
        let is_inside = next.is_some_and(|next| next.closest(".kind").ok().flatten().is_some());
        if !is_inside {
            self.is_open.set(false);
        }
    }

    /// Reads a text that came as a whole as another kind; else opens the kind as it was left, or its first example.
    fn read_as(self, kind: Kind) {
        let session = self.session;
        if self.open.get_untracked() == kind {
            return;
        }
        if let Some(text) = session.taken() {
            return paste_anywhere::open_as(session, kind, text.to_string());
        }
        let left = self.last.with_value(|last| last[kind as usize].clone());
        session.visit(left.unwrap_or_else(|| first_of(kind)));
    }
}

/// The first example of a kind.
fn first_of(kind: Kind) -> State {
    match kind {
        Kind::Expression => first(),
        Kind::Kernel => first_kernel(),
        Kind::Layout => layout_panel::first(),
        Kind::Trace => trace_panel::first(),
    }
}

/// What the source was recognised as; a trace may stand in `export`, beside the state.
fn name(page: &Page, export: Option<&str>) -> String {
    let words = PageWords::of(page.language);
    match &page.state.source {
        Source::Kernel(text) => of_kernel(page, text, words),
        Source::Trace(text) => {
            let text = export.filter(|_| text.is_empty()).unwrap_or(text);
            match lanescope_trace::is_export(text) {
                true => words.source_kind.export.to_owned(),
                false => label(Kind::Trace)(words).to_owned(),
            }
        }
        source @ (Source::Expression { .. } | Source::Layout { .. }) => {
            label(Kind::of(source))(words).to_owned()
        }
    }
}

fn of_kernel(page: &Page, text: &str, words: &PageWords) -> String {
    let unread = next_step(&page.state.source, &page.answer).map(|step| step.unread);
    let kind = match unread {
        Some(Unread::Language(name)) => return name,
        Some(Unread::Prose | Unread::NoKernel) => {
            return words.source_kind.unknown.to_owned();
        }
        None if text.trim().is_empty() => return words.kernel.to_owned(),
        None => kernel_language(text),
    };
    match page.answer.program.name() {
        "" => kind.to_owned(),
        name => format!("{kind} · {name}"),
    }
}

/// The language of a kernel, as its makers write it.
pub(super) fn kernel_language(text: &str) -> &'static str {
    match reader::language(text) {
        SourceLanguage::Cuda if is_amp(text) => "C++ AMP",
        language => language.name(),
    }
}
