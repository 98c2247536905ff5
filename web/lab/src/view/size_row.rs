//! The sizes to choose from.

use leptos::prelude::*;

use super::choice_row::ChoiceRow;
use super::toggle::Toggle;
use crate::session::Session;
use crate::settings::Settings;
use crate::words::size_name;

/// A toggle for each size that is offered or that a link names.
#[component]
pub(crate) fn SizeRow() -> impl IntoView {
    let session = Session::here();
    let sizes = move || session.of_settings(Settings::known_sizes);
    let toggle = move |size: String| {
        let [named, known, pressed] = [(); 3].map(|()| size.clone());
        view! {
            <Toggle
                id=format!("lab-size-{size}")
                label=Signal::derive(move || size_name(session.experiment(), &named))
                is_on=Signal::derive(move || {
                    session.of_settings(|settings| settings.sizes.contains(&known))
                })
                press=move || session.choose(|settings| settings.flip_size(&pressed))
            />
        }
    };
    view! {
        <ChoiceRow label=|words| words.size testid="lab-size">
            <For each=sizes key=Clone::clone children=toggle />
        </ChoiceRow>
    }
}
