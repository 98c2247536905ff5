//! The panel of requests: it stands in the open row of the ranked list, else in a place of its own.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use web_sys::{Element, Node};

use super::inside_card::InsideCard;
use crate::answer::Strip;
use crate::beside::Beside;
use crate::session::Session;

/// Where the panel is and where it can be. A handle: copies are the same panel.
#[derive(Clone, Copy)]
pub(crate) struct Requests {
    panel: NodeRef<html::Div>,
    home: NodeRef<html::Div>,
}

impl Requests {
    /// A panel that is still to come; the page's views find it in their context.
    pub(crate) fn provide() {
        provide_context(Self {
            panel: NodeRef::new(),
            home: NodeRef::new(),
        });
    }

    /// The page's panel; none in an embed.
    pub(super) fn of_page() -> Option<Self> {
        use_context()
    }

    /// Has the panel stand in `place`, once both are there.
    pub(super) fn put_into(self, place: &Element) {
        if let Some(panel) = self.panel.get() {
            put(&panel, place);
        }
    }

    /// Has the panel stand in its own place.
    pub(super) fn put_home(self) {
        if let (Some(panel), Some(home)) = (self.panel.get(), self.home.get()) {
            put(&panel, &home);
        }
    }
}

fn put(panel: &Node, place: &Node) {
    let is_there = panel
        .parent_node()
        .is_some_and(|parent| parent.is_same_node(Some(place)));
    if !is_there {
        let _ = place.append_child(panel);
    }
}

/// The panel in its own place.
#[component]
pub(crate) fn RequestsPanel(
    session: Session,
    strip: RwSignal<Option<Arc<Strip>>>,
    beside: Beside,
) -> impl IntoView {
    let requests = Requests::of_page();
    let panel = requests.map_or_else(NodeRef::new, |requests| requests.panel);
    let home = requests.map_or_else(NodeRef::new, |requests| requests.home);
    view! {
        <div class="requests-home" node_ref=home>
            <div class="requests" data-testid="requests" node_ref=panel>
                <InsideCard session index=0 strip beside is_alone=true />
                <InsideCard session index=1 strip beside is_alone=true />
            </div>
        </div>
    }
}
