//! What the cards of the page offer to take along: the Share sheet has all of it in one list.

use leptos::prelude::*;

use crate::export::{Table, save_table, save_text};
use crate::session::Session;

/// One thing to take along, and its forms.
#[derive(Clone)]
pub(super) struct Offer {
    /// What stories call it.
    name: &'static str,
    label: Signal<&'static str>,
    is_there: Signal<bool>,
    forms: Vec<Form>,
}

/// A form that it can be had in.
#[derive(Clone)]
struct Form {
    name: &'static str,
    label: Signal<&'static str>,
    take: Callback<()>,
}

/// The list. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub(crate) struct Exports(RwSignal<Vec<Offer>>);

impl Exports {
    /// An empty list; the page's views find it in their context.
    pub(crate) fn provide() {
        provide_context(Self(RwSignal::new(Vec::new())));
    }
}

impl Offer {
    /// Something that is on screen whenever `is_there` says so, in no form yet.
    pub(super) fn new(
        name: &'static str,
        label: impl Fn() -> &'static str + Send + Sync + 'static,
        is_there: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            label: Signal::derive(label),
            is_there: Signal::derive(is_there),
            forms: Vec::new(),
        }
    }

    /// A form more, which `take` takes along.
    pub(super) fn form(
        mut self,
        name: &'static str,
        label: impl Fn() -> &'static str + Send + Sync + 'static,
        take: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        self.forms.push(Form {
            name,
            label: Signal::derive(label),
            take: Callback::new(move |()| take()),
        });
        self
    }

    /// As a table: CSV and JSON, in files of the name `stem`.
    pub(super) fn table(
        self,
        stem: &'static str,
        table: impl Fn() -> Table + Copy + Send + Sync + 'static,
    ) -> Self {
        self.form("csv", || "CSV", move || save_table(&table(), stem, false))
            .form("json", || "JSON", move || save_table(&table(), stem, true))
    }

    /// As an SVG, in a file of the name `stem`.
    pub(super) fn svg(
        self,
        stem: &'static str,
        svg: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let save = move || {
            if let Some(svg) = svg() {
                save_text(&svg, "image/svg+xml", &format!("{stem}.svg"));
            }
        };
        self.form("svg", || "SVG", save)
    }

    /// Puts it into the page's list, in the order of their names; an embed has none.
    pub(super) fn make(self) {
        if let Some(Exports(all)) = use_context() {
            all.update(|all| {
                let at = all.partition_point(|other: &Self| other.name < self.name);
                all.insert(at, self);
            });
        }
    }
}

/// What there is to take along beside the picture.
#[component]
pub(super) fn ExportList(session: Session) -> impl IntoView {
    let all = move || use_context().map_or_else(Vec::new, |Exports(all)| all.get());
    view! {
        <ul class="exports" data-testid="exports" aria-label=session.word(|words| words.files)>
            <For each=all key=|offer| offer.name let:offer>
                <OfferRow offer />
            </For>
        </ul>
    }
}

#[component]
fn OfferRow(offer: Offer) -> impl IntoView {
    let Offer {
        name: of,
        label,
        is_there,
        forms,
    } = offer;
    let button = move |Form { name, label, take }: Form| {
        view! {
            <button
                type="button"
                class="button small"
                data-testid=format!("save-{of}-{name}")
                on:click=move |_| take.run(())
            >
                {label}
            </button>
        }
    };
    view! {
        <li hidden=move || !is_there.get()>
            <span>{label}</span>
            {forms.into_iter().map(button).collect_view()}
        </li>
    }
}
