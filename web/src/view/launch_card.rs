//! The launch shape and the device.

use leptos::prelude::*;

use super::device_picker::DevicePicker;
use super::shape_field::ShapeField;
use crate::session::session;
use crate::words::Message;

/// Grid, block, device.
#[component]
pub(crate) fn LaunchCard() -> impl IntoView {
    let session = session();
    let words = session.words();
    let grid = Memo::new(move |_| session.state.with(|state| state.launch.grid));
    let block = Memo::new(move |_| session.state.with(|state| state.launch.block));
    view! {
        <section class="card launch" aria-label=words.of(Message::Launch)>
            <div class="row">
                <ShapeField
                    name="block"
                    label=Message::Block
                    words
                    value=block.into()
                    change=Callback::new(move |shape| session.edit(|state| state.launch.block = shape))
                />
                <ShapeField
                    name="grid"
                    label=Message::Grid
                    words
                    value=grid.into()
                    change=Callback::new(move |shape| session.edit(|state| state.launch.grid = shape))
                />
            </div>
            <DevicePicker/>
        </section>
    }
    .into_any()
}
