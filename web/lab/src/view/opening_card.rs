//! What the page is for, the form, and where the run stands.

use leptos::prelude::*;

use super::device_row::DeviceRow;
use super::experiment_row::ExperimentRow;
use super::kernel_row::KernelRow;
use super::run_buttons::RunButtons;
use super::shape_row::ShapeRow;
use super::size_row::SizeRow;
use super::standing::Standing;
use crate::session::Session;
use crate::settings::Experiment;

/// The card that the page opens with.
#[component]
pub(crate) fn OpeningCard() -> impl IntoView {
    let session = Session::here();
    view! {
        <section class="card lab-opening">
            <h1>{session.word(|words| words.title)}</h1>
            <p class="lab-note">{session.word(|words| words.lead)}</p>
            <Form />
            <RunButtons />
            <Standing />
        </section>
    }
}

/// What to run: experiment, sizes, kernels, block shapes, and the device of the predictions.
#[component]
fn Form() -> impl IntoView {
    let session = Session::here();
    let has_sizes = move || !session.experiment().sizes().is_empty();
    let has_shapes = move || session.experiment() == Experiment::Transpose;
    view! {
        <div class="lab-form">
            <ExperimentRow />
            <Show when=has_sizes>
                <SizeRow />
                <KernelRow />
            </Show>
            <Show when=has_shapes>
                <ShapeRow />
            </Show>
            <DeviceRow />
        </div>
    }
}
