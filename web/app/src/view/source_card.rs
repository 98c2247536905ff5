//! The source: one box for whatever is pasted, the chip that says what it was recognised as, and the fields of that.

use lanescope_frontend::SiteId;
use leptos::prelude::*;

use super::example_menu::ExampleMenu;
use super::expression_panel::ExpressionPanel;
use super::kernel_panel::KernelPanel;
use super::kind_menu::KindMenu;
use super::launch_card::LaunchCard;
use super::layout_panel::LayoutPanel;
use super::trace_panel::TracePanel;
use crate::answer::{Kind, selecting, worst_request};
use crate::session::Session;

/// The card with the source; in the page itself with the launch bar above it.
#[component]
pub(crate) fn SourceCard(session: Session, has_launch: bool) -> impl IntoView {
    let open = Memo::new(move |_| session.pages().with(|page| Kind::of(&page.state.source)));
    view! {
        <section class="card source-card" id="source">
            <div class="kinds">
                <KindMenu session open />
                <div class="tools">
                    <ExampleMenu session />
                </div>
            </div>
            {has_launch.then(|| view! { <LaunchCard session /> })}
            <div>
                <Panel open kind=Kind::Expression>
                    <ExpressionPanel session />
                </Panel>
                <Panel open kind=Kind::Kernel>
                    <KernelPanel session has_launch />
                </Panel>
                <Panel open kind=Kind::Layout>
                    <LayoutPanel session />
                </Panel>
                <Panel open kind=Kind::Trace>
                    <TracePanel session />
                </Panel>
            </div>
        </section>
    }
}

/// The fields of a kind of source, while that is open.
#[component]
fn Panel(open: Memo<Kind>, kind: Kind, children: Children) -> impl IntoView {
    view! {
        <div class="panel" id=format!("panel-{}", kind.name()) hidden=move || open.get() != kind>
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
