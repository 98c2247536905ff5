//! The source: one box for whatever is pasted, the chip that says what it was recognised as, and the fields of that.

use leptos::prelude::*;

use super::example_menu::ExampleMenu;
use super::expression_panel::ExpressionPanel;
use super::kernel_form::KernelForm;
use super::kernel_panel::KernelPanel;
use super::kind_menu::KindMenu;
use super::launch_card::LaunchCard;
use super::layout_panel::LayoutPanel;
use super::source_editor::{SourceEditor, SourceText};
use super::trace_panel::TracePanel;
use crate::answer::Kind;
use crate::session::Session;

/// The card with the source; in the page itself with the launch bar above it.
#[component]
pub(crate) fn SourceCard(session: Session, has_launch: bool) -> impl IntoView {
    let open = Memo::new(move |_| session.pages().with(|page| Kind::of(&page.state.source)));
    let text = StoredValue::new_local(SourceText::new(session));
    let is_other = move |kind: Kind| open.get() != kind;
    view! {
        <section class="card source-card" id="source">
            <div class="kinds">
                <KindMenu session open />
                <div class="tools">
                    <ExampleMenu session />
                </div>
            </div>
            {has_launch.then(|| view! { <LaunchCard session /> })}
            <div class="panel" id=move || format!("panel-{}", open.get().name())>
                {(!has_launch)
                    .then(|| {
                        view! {
                            <div hidden=move || is_other(Kind::Kernel)>
                                <KernelForm session />
                            </div>
                        }
                    })}
                <SourceEditor text=text.get_value() open />
                <div hidden=move || is_other(Kind::Expression)>
                    <ExpressionPanel session />
                </div>
                <div hidden=move || is_other(Kind::Kernel)>
                    <KernelPanel session editor=text.get_value().editor />
                </div>
                <div hidden=move || is_other(Kind::Layout)>
                    <LayoutPanel session />
                </div>
                <div hidden=move || is_other(Kind::Trace)>
                    <TracePanel session />
                </div>
            </div>
            {has_launch
                .then(|| {
                    view! {
                        <p class="hint paste-hint" data-testid="paste-hint">
                            {session.word(|words| words.paste_anything)}
                        </p>
                    }
                })}
        </section>
    }
}
