//! The source: kinds of source as tabs, and the fields of the one that is open.

use lanescope_frontend::SiteId;
use lanescope_share::{Source, State};
use leptos::prelude::*;

use super::example_menu::ExampleMenu;
use super::expression_panel::ExpressionPanel;
use super::kernel_panel::KernelPanel;
use super::launch_card::LaunchCard;
use super::layout_panel::{self, LayoutPanel};
use super::trace_panel::{self, TracePanel};
use crate::answer::{selecting, worst_request};
use crate::examples::{first, first_kernel};
use crate::session::Session;
use crate::words::{Message, TraceWord};
use lanescope_ui::element::by_id;

/// A kind of source, by its tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Expression,
    Kernel,
    Layout,
    Trace,
}

impl Kind {
    /// In the order of the tabs.
    const ALL: [Self; 4] = [Self::Expression, Self::Kernel, Self::Layout, Self::Trace];

    const fn of(state: &State) -> Self {
        match state.source {
            Source::Expression { .. } => Self::Expression,
            Source::Kernel(_) => Self::Kernel,
            Source::Layout { .. } => Self::Layout,
            Source::Trace(_) => Self::Trace,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Expression => "expression",
            Self::Kernel => "kernel",
            Self::Layout => "layout",
            Self::Trace => "trace",
        }
    }

    const fn label(self) -> Message<'static> {
        match self {
            Self::Expression => Message::Expression,
            Self::Kernel => Message::Kernel,
            Self::Layout => Message::Layout,
            Self::Trace => Message::Trace(TraceWord::Tab),
        }
    }

    /// The state that the tab opens with.
    fn first(self) -> State {
        match self {
            Self::Expression => first(),
            Self::Kernel => first_kernel(),
            Self::Layout => layout_panel::first(),
            Self::Trace => trace_panel::first(),
        }
    }

    /// The tab beside this one, on the right or on the left.
    fn beside(self, is_right: bool) -> Self {
        let at = Self::ALL.iter().position(|kind| *kind == self).unwrap_or(0);
        let step = if is_right { 1 } else { Self::ALL.len() - 1 };
        Self::ALL[(at + step) % Self::ALL.len()]
    }
}

/// The tabs, and each one's state as it was left. A handle: copies are the same tabs.
#[derive(Clone, Copy)]
struct Tabs {
    session: Session,
    open: Memo<Kind>,
    last: StoredValue<[Option<State>; 4], LocalStorage>,
}

impl Tabs {
    fn of(session: Session) -> Self {
        let tabs = Self {
            session,
            open: Memo::new(move |_| session.pages().with(|page| Kind::of(&page.state))),
            last: StoredValue::new_local([const { None }; 4]),
        };
        session.follow(move |page, _| {
            let (left, kind) = (page.state.clone(), Kind::of(&page.state));
            tabs.last
                .update_value(|last| last[kind as usize] = Some(left));
        });
        tabs
    }

    /// Opens a tab as it was left, or its first example.
    fn open(self, kind: Kind) {
        if self.open.get_untracked() == kind {
            return;
        }
        let left = self.last.with_value(|last| last[kind as usize].clone());
        self.session.visit(left.unwrap_or_else(|| kind.first()));
    }
}

/// The card with the source; in the page itself with the launch bar above it.
#[component]
pub(crate) fn SourceCard(session: Session, has_launch: bool) -> impl IntoView {
    let tabs = Tabs::of(session);
    view! {
        <section class="card source-card" id="source">
            <div class="tabs">
                <div role="tablist" aria-label=session.text(Message::SourceKinds)>
                    {Kind::ALL.map(|kind| view! { <Tab tabs kind /> }).collect_view()}
                </div>
                <div class="tools">
                    <ExampleMenu session />
                </div>
            </div>
            {has_launch.then(|| view! { <LaunchCard session /> })}
            <div>
                <Panel tabs kind=Kind::Expression>
                    <ExpressionPanel session />
                </Panel>
                <Panel tabs kind=Kind::Kernel>
                    <KernelPanel session has_launch />
                </Panel>
                <Panel tabs kind=Kind::Layout>
                    <LayoutPanel session />
                </Panel>
                <Panel tabs kind=Kind::Trace>
                    <TracePanel session />
                </Panel>
            </div>
        </section>
    }
}

/// A tab; the arrow keys go to the other ones.
#[component]
fn Tab(tabs: Tabs, kind: Kind) -> impl IntoView {
    let is_open = move || tabs.open.get() == kind;
    let step = move |event: leptos::ev::KeyboardEvent| {
        let next = match event.key().as_str() {
            "ArrowRight" => kind.beside(true),
            "ArrowLeft" => kind.beside(false),
            _ => return,
        };
        tabs.open(next);
        by_id(&format!("tab-{}", next.name())).focus();
    };
    let id = format!("tab-{}", kind.name());
    view! {
        <button
            type="button"
            role="tab"
            id=id.clone()
            data-testid=id
            aria-controls=format!("panel-{}", kind.name())
            aria-selected=move || is_open().to_string()
            tabindex=move || if is_open() { "0" } else { "-1" }
            on:click=move |_| tabs.open(kind)
            on:keydown=step
        >
            {tabs.session.text(kind.label())}
        </button>
    }
}

/// What stands under a tab while it is open.
#[component]
fn Panel(tabs: Tabs, kind: Kind, children: Children) -> impl IntoView {
    view! {
        <div
            role="tabpanel"
            id=format!("panel-{}", kind.name())
            aria-labelledby=format!("tab-{}", kind.name())
            hidden=move || tabs.open.get() != kind
        >
            {children()}
        </div>
    }
}

/// Looks into the site with index `site`: of a kernel, into its worst request.
pub(crate) fn choose(session: Session, site: usize) {
    let Ok(site) = u32::try_from(site) else {
        return;
    };
    let (answer, site) = (&session.page().answer, SiteId(site));
    let (named, worst) = (selecting(answer, site), worst_request(answer, site));
    session.edit(|state| {
        let selection = &mut state.selection;
        selection.site = Some(named);
        if let Some(worst) = worst {
            selection.block = worst.block;
            selection.warp = worst.warp;
            selection.iteration = worst.occurrence;
        }
    });
}
