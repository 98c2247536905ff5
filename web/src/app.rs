//! The root of the page.

use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::session::Session;
use crate::view::{
    AccessTable, DeviceTable, FactsCard, Header, InsideCards, LaunchCard, MendCard, Notices,
    SourceCard, VerdictCard, follow,
};
use crate::words::Message;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let session = Session::start();
    provide_context(session);
    follow(session);
    keep_address(session);
    let words = session.words();
    view! {
        <Header/>
        <main>
            <Notices/>
            <div class="column">
                <SourceCard/>
                <LaunchCard/>
                <DeviceTable/>
                <FactsCard/>
            </div>
            <div class="column">
                <VerdictCard/>
                <MendCard/>
                <AccessTable/>
                <InsideCards/>
            </div>
        </main>
        <footer class="foot">{words.of(Message::Trust)}</footer>
    }
}

/// Keeps the state and the address the same.
fn keep_address(session: Session) {
    Effect::new(move || session.state.with(address::replace));
    let reopen = move || {
        if !address::is_own() {
            session.reopen();
        }
    };
    let changed = window_event_listener(ev::hashchange, move |_| reopen());
    let back = window_event_listener(ev::popstate, move |_| reopen());
    let leaving = window_event_listener(ev::pagehide, move |_| address::flush());
    on_cleanup(move || {
        changed.remove();
        back.remove();
        leaving.remove();
    });
}
