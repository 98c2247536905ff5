//! Plays a request to shared memory wavefront by wavefront.

use std::cell::Cell;
use std::time::Duration;

use lanescope_locale::page::{self, PageWords};
use lanescope_model::{LaneMask, PhaseReport, Space};
use leptos::leptos_dom::helpers::IntervalHandle;
use leptos::prelude::*;

use crate::answer::Picture;
use crate::session::{Pointed, Session};

/// Between two wavefronts.
const TICK: Duration = Duration::from_millis(180);

/// The button; once pressed it lights what each wavefront serves, one after the other.
#[component]
pub(crate) fn Play(session: Session) -> impl IntoView {
    let running: RwSignal<Option<IntervalHandle>> = RwSignal::new(None);
    let stop = move || {
        if let Some(handle) = running.get_untracked() {
            handle.clear();
            running.set(None);
            session.pointed.set(None);
        }
    };
    // Another request is another film.
    Effect::new(move |_| {
        session.pages().track();
        stop();
    });
    let start = move || {
        let steps = steps(session);
        let of = steps.len();
        let served = Cell::new(0);
        let handle = set_interval_with_handle(
            move || {
                let Some(lanes) = steps.get(served.get()) else {
                    return stop();
                };
                let at = served.get() + 1;
                served.set(at);
                let label = page::wavefront_of(session.language_now(), at, of);
                session.pointed.set(Some(Pointed {
                    lanes: *lanes,
                    label,
                    picture: 0,
                }));
            },
            TICK,
        );
        running.set(handle.ok());
    };
    let is_running = move || running.with(Option::is_some);
    view! {
        <button
            type="button"
            class="button small bare"
            data-testid="play"
            aria-pressed=move || is_running().to_string()
            on:click=move |_| if running.with_untracked(Option::is_some) { stop() } else { start() }
        >
            {move || {
                let words = PageWords::of(session.language());
                if is_running() { words.stop } else { words.play }
            }}
        </button>
    }
}

/// The lanes that each wavefront serves, of the phases of the request that are on screen.
pub(super) fn steps(session: Session) -> Vec<LaneMask> {
    let page = session.page();
    if let Some(folded) = page.folded() {
        return served(folded.shown());
    }
    let inside = page.inside(Space::Shared);
    match inside.map(|inside| &inside.picture) {
        Some(Ok(Picture::Banks(report))) => served(&report.phases),
        _ => Vec::new(),
    }
}

/// `[wavefront]`: the lanes it serves, when each bank gives its words in their order.
fn served(phases: &[PhaseReport]) -> Vec<LaneMask> {
    let mut all = Vec::new();
    for phase in phases {
        for wavefront in 0..phase.wavefronts {
            let lanes = phase.banks.iter().filter_map(|bank| {
                let words = u64::try_from(bank.words.len()).ok()?;
                let of = u64::from(bank.wavefronts.max(1));
                let word = u64::from(wavefront) * words / of;
                let is_asked = wavefront < bank.wavefronts;
                let word = bank.words.get(usize::try_from(word).ok()?);
                word.filter(|_| is_asked).map(|word| word.lanes.0)
            });
            all.push(LaneMask(lanes.fold(0, |all, lanes| all | lanes)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::served;
    use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

    #[test]
    fn every_lane_is_served_once() {
        let device = Device::by_id("cc9.0").unwrap();
        for stride in [1, 2, 32, 33] {
            let addresses: Vec<u64> = (0..32).map(|lane| 4 * stride * lane).collect();
            let request = Request {
                space: Space::Shared,
                operation: Operation::Load,
                width: Width::Bytes4,
                active: LaneMask::first(32),
                addresses: &addresses,
            };
            let report = device.shared_report(&request).unwrap();
            let served = served(&report.phases);
            let wavefronts: u32 = report.phases.iter().map(|phase| phase.wavefronts).sum();
            assert_eq!(served.len(), usize::try_from(wavefronts).unwrap());
            let lanes: u32 = served.iter().map(|lanes| lanes.count()).sum();
            assert_eq!(lanes, 32, "stride {stride}");
        }
    }
}
