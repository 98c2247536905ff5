//! The launch bar on top of the source: its shape and the device.

use leptos::prelude::*;

use super::compiler_choice::CompilerChoice;
use super::device_picker::DevicePicker;
use super::facts_card::FactsCard;
use super::kernel_form::MoreFields;
use super::next_step::is_without_kernel;
use super::shape_field::ShapeField;
use crate::session::Session;
use crate::workgroup_size;

/// Block, grid, device, compiler; hidden where nothing is launched.
#[component]
pub(crate) fn LaunchCard(session: Session) -> impl IntoView {
    let is_hidden = is_without_kernel(session);
    view! {
        <div class="launch" hidden=is_hidden role="group" aria-label=session.word(|words| words.launch)>
            <div class="row">
                <ShapeField
                    session
                    name="block"
                    label=|words| words.label.block
                    shape=|launch| (&mut launch.block, &mut launch.guessed.block)
                    own=|page| page.answer.program.block()
                    rewritten=workgroup_size::rewritten
                />
                <ShapeField
                    session
                    name="grid"
                    label=|words| words.label.grid
                    shape=|launch| (&mut launch.grid, &mut launch.guessed.grid)
                    own=|_| None
                    rewritten=|_, _, _| None
                />
            </div>
            <DevicePicker session />
            <FactsCard session />
            <CompilerChoice session />
            <MoreFields session />
        </div>
    }
}
