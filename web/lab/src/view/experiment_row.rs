//! The experiments to choose from.

use leptos::prelude::*;

use super::choice_row::ChoiceRow;
use super::toggle::Toggle;
use crate::session::Session;
use crate::settings::{Experiment, Settings};
use crate::words::name_of;

/// A toggle for each experiment, one of which is on.
#[component]
pub(crate) fn ExperimentRow() -> impl IntoView {
    let session = Session::here();
    let toggles = Experiment::ALL.iter().copied().map(move |experiment| {
        let choose = move || session.choose_anew(|settings| *settings = Settings::of(experiment));
        view! {
            <Toggle
                id=format!("lab-experiment-{}", experiment.id())
                label=Signal::derive(move || {
                    session.language().word(name_of(experiment)).to_owned()
                })
                is_on=Signal::derive(move || session.experiment() == experiment)
                press=choose
            />
        }
    });
    view! {
        <ChoiceRow label=|words| words.experiment testid="lab-experiment">
            {toggles.collect_view()}
        </ChoiceRow>
    }
}
