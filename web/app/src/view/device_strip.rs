//! What the source costs on every device, as bars of one height scale.

use lanescope_draw::Tone;
use lanescope_share as share;
use leptos::prelude::*;

use crate::session::Session;
use lanescope_ui::element::around;

/// Units across for each bar, and of these for the bar itself.
const PITCH: usize = 10;
const WIDTH: usize = 8;
/// The height of the costliest.
const HEIGHT: u64 = 44;

/// One device's bar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bar {
    pub(crate) id: &'static str,
    pub(crate) title: String,
    /// Wavefronts, or what a request moves; `None` where it is not known.
    pub(crate) cost: Option<u64>,
    pub(crate) ways: u32,
    pub(crate) is_chosen: bool,
}

/// A bar for each device. For the pointer alone: the menu of devices and the table below say the same.
#[component]
pub(crate) fn DeviceStrip(session: Session, bars: Memo<Vec<Bar>>) -> impl IntoView {
    let view_box = move || format!("0 0 {} {HEIGHT}", bars.with(Vec::len) * PITCH);
    let placed = move || {
        let bars = bars.get();
        let most = bars
            .iter()
            .filter_map(|bar| bar.cost)
            .max()
            .unwrap_or(1)
            .max(1);
        let placed = bars.into_iter().enumerate();
        placed
            .map(|(index, bar)| (index, height(bar.cost, most), bar))
            .collect::<Vec<_>>()
    };
    view! {
        <svg
            class="picture device-bars"
            viewBox=view_box
            preserveAspectRatio="none"
            aria-hidden="true"
            on:click=move |event| {
                event.prevent_default();
                let bar = around(&event, "[data-device]");
                if let Some(id) = bar.and_then(|bar| bar.get_attribute("data-device")) {
                    session.edit(|state| state.device = share::Device::Known(id));
                }
            }
        >
            <For each=placed key=Clone::clone let((index, height, bar))>
                <g data-device=bar.id class:me=bar.is_chosen>
                    <title>{bar.title.clone()}</title>
                    <rect
                        class="ground"
                        x=(index * PITCH).to_string()
                        y="0"
                        width=PITCH.to_string()
                        height=HEIGHT.to_string()
                    />
                    <rect
                        class=Tone::of_ways(bar.ways).class()
                        class:unmoved=bar.cost.is_none()
                        x=(index * PITCH + 1).to_string()
                        y=(HEIGHT - height).to_string()
                        width=WIDTH.to_string()
                        height=height.to_string()
                    />
                </g>
            </For>
        </svg>
    }
}

/// As high as its part of the most, but never out of sight.
fn height(cost: Option<u64>, most: u64) -> u64 {
    cost.map_or(HEIGHT / 4, |cost| {
        let part = u128::from(cost) * u128::from(HEIGHT) / u128::from(most.max(1));
        u64::try_from(part).unwrap_or(HEIGHT).clamp(3, HEIGHT)
    })
}

#[cfg(test)]
mod tests {
    use super::{HEIGHT, height};

    #[test]
    fn bars_keep_proportion_and_stay_in_sight() {
        assert_eq!(height(Some(32), 32), HEIGHT);
        assert_eq!(height(Some(16), 32), HEIGHT / 2);
        assert_eq!(height(Some(1), 1_000_000), 3);
        assert_eq!(height(Some(u64::MAX), u64::MAX), HEIGHT);
        assert_eq!(height(Some(7), 0), HEIGHT);
    }
}
