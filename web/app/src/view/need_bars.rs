//! How much of what a kernel takes is needed, as a bar for each memory: what is needed, then what is wasted.

use lanescope_locale::finding;
use lanescope_model::Unit;
use leptos::prelude::*;

use crate::answer::Need;
use crate::session::Session;
use crate::words::Word;

/// The least part of a bar, in basis points, that has room for its name.
const NAMED: u128 = 3_000;
/// All of a bar.
const WHOLE: u128 = 10_000;

/// One memory's bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bar {
    /// Of global memory; `None` of shared.
    unit: Option<Unit>,
    needed: u64,
    wasted: u64,
}

impl Bar {
    /// Those of `need`, shared memory first: a bar for each memory that is asked.
    fn all(need: &Need) -> Vec<Self> {
        let shared = Self {
            unit: None,
            needed: need.wavefronts.saturating_sub(need.wasted_wavefronts()),
            wasted: need.wasted_wavefronts(),
        };
        let global = need.unit.map(|unit| Self {
            unit: Some(unit),
            needed: need.units.saturating_sub(need.wasted_units()),
            wasted: need.wasted_units(),
        });
        let shared = (need.wavefronts > 0).then_some(shared);
        shared.into_iter().chain(global).collect()
    }

    const fn all_of_it(&self) -> u64 {
        self.needed.saturating_add(self.wasted)
    }

    /// Basis points that are wasted; what is wasted at all is seen.
    fn wasted_share(&self) -> u128 {
        let all = u128::from(self.all_of_it().max(1));
        u128::from(self.wasted) * WHOLE / all
    }

    /// Less than a tenth is wasted: nothing to shout about.
    const fn is_calm(&self) -> bool {
        self.wasted < self.all_of_it() / 10 || self.wasted == 0
    }

    fn view(self, session: Session) -> impl IntoView {
        let counts = [self.needed, self.wasted];
        let about = move || finding::needed_and_wasted(session.language(), self.unit, counts);
        let wasted = self.wasted_share();
        let part = move |class: &'static str, share: u128, name: Word| {
            let name = (share >= NAMED).then(|| session.word(name));
            (share > 0 || class == "rest" && self.wasted > 0).then(|| {
                view! {
                    <i class=class style:flex-grow=share.to_string()>
                        {name}
                    </i>
                }
            })
        };
        view! {
            <div
                class="need"
                class:calm=self.is_calm()
                class:global=self.unit.is_some()
                data-testid="need-bar"
                data-wasted=self.wasted.to_string()
                role="img"
                aria-label=about
                title=about
            >
                <span class="parts">
                    {part("met", WHOLE - wasted, |words| words.finding.needed_part)}
                    {part("rest", wasted, |words| words.finding.rest_part)}
                </span>
                <span class="of">
                    {move || finding::wasted_part(session.language(), self.unit, [self.wasted, self.all_of_it()])}
                </span>
            </div>
        }
    }
}

/// The bars of `need`; nothing where nothing was counted.
#[component]
pub(super) fn NeedBars(
    session: Session,
    #[prop(into)] need: Signal<Option<Need>>,
) -> impl IntoView {
    let bars = Memo::new(move |_| need.with(|need| need.as_ref().map_or_else(Vec::new, Bar::all)));
    view! {
        <div class="needs" hidden=move || bars.with(Vec::is_empty)>
            <For each=move || bars.get() key=Clone::clone children=move |bar| bar.view(session) />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::Bar;
    use crate::answer::Need;

    #[test]
    fn a_bar_for_each_memory_that_is_asked() {
        let need = Need {
            wavefronts: 100,
            ideal_wavefronts: 91,
            ..Need::default()
        };
        let [bar] = Bar::all(&need)[..] else {
            panic!("one bar")
        };
        assert_eq!((bar.needed, bar.wasted, bar.wasted_share()), (91, 9, 900));
        assert!(bar.is_calm());
        assert!(Bar::all(&Need::default()).is_empty());
    }

    #[test]
    fn a_tenth_of_waste_is_no_longer_calm() {
        let calm = |needed, wasted| {
            let bar = Bar {
                unit: None,
                needed,
                wasted,
            };
            bar.is_calm()
        };
        assert!(calm(91, 9) && calm(5, 0));
        assert!(!calm(90, 10) && !calm(4, 1));
    }
}
