//! The kernels to choose from.

use lanescope_kernels::Kernel;
use leptos::prelude::*;

use super::choice_row::ChoiceRow;
use super::toggle::Toggle;
use crate::session::Session;
use crate::settings::flip;

/// A toggle for all kernels of the experiment, and one for each.
#[component]
pub(crate) fn KernelRow() -> impl IntoView {
    let session = Session::here();
    let kernels = move || Kernel::family(session.experiment().family()).collect::<Vec<_>>();
    let toggle = move |kernel: &'static Kernel| {
        let name = kernel.name();
        view! {
            <Toggle
                id=format!("lab-kernel-{name}")
                label=short(name)
                title=Signal::derive(move || session.language().shows(kernel.id))
                is_on=Signal::derive(move || {
                    session.of_settings(|settings| settings.kernels.iter().any(|kernel| kernel == name))
                })
                press=move || session.choose(|settings| flip(&mut settings.kernels, name))
            />
        }
    };
    view! {
        <ChoiceRow label=|words| words.kernels testid="lab-kernel">
            <Toggle
                id="lab-kernel-all".to_owned()
                label=Signal::derive(move || session.language().words().all.to_owned())
                is_on=Signal::derive(move || {
                    session.of_settings(|settings| settings.kernels.is_empty())
                })
                press=move || session.choose(|settings| settings.kernels.clear())
            />
            <For each=kernels key=|kernel| kernel.name() children=toggle />
        </ChoiceRow>
    }
}

/// The name without the experiment's.
fn short(name: &str) -> String {
    name.trim_start_matches("transpose_")
        .trim_start_matches("reduce_")
        .to_owned()
}
