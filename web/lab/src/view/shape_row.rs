//! The block shapes to choose from.

use leptos::prelude::*;

use super::choice_row::ChoiceRow;
use super::toggle::Toggle;
use crate::session::Session;
use crate::settings::{SHAPES, Settings, flip};

/// A toggle for each kernel's own shape, and one for each of the sweep.
#[component]
pub(crate) fn ShapeRow() -> impl IntoView {
    let session = Session::here();
    let toggles = SHAPES.map(|shape| {
        view! {
            <Toggle
                id=format!("lab-shape-{shape}")
                label=shape.replace('x', " × ")
                is_on=Signal::derive(move || {
                    session.of_settings(|settings| settings.shapes.iter().any(|one| one == shape))
                })
                press=move || session.choose(|settings| flip(&mut settings.shapes, shape))
            />
        }
    });
    view! {
        <ChoiceRow
            label=|words| words.block_shapes
            testid="lab-shape"
            is_idle=Signal::derive(move || !session.of_settings(Settings::takes_shapes))
        >
            <Toggle
                id="lab-shape-own".to_owned()
                label=Signal::derive(move || session.language().words().own_shape.to_owned())
                is_on=Signal::derive(move || {
                    session.of_settings(|settings| settings.shapes.is_empty())
                })
                press=move || session.choose(|settings| settings.shapes.clear())
            />
            {toggles.collect_view()}
        </ChoiceRow>
    }
}
