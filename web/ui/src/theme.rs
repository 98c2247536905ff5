//! Light or dark: as the link says, as chosen before, as the system wishes.

use lanescope_share::Theme;

use crate::storage;
use crate::window::window;

const REMEMBERED: &str = "lanescope.theme";

const fn name(theme: Theme) -> &'static str {
    match theme {
        Theme::Dark => "dark",
        Theme::Light => "light",
    }
}

/// The theme that a link names or that was chosen before; `None`: the system's.
#[must_use]
pub fn wanted(linked: Option<Theme>) -> Option<&'static str> {
    linked
        .map(name)
        .or_else(|| match storage::recall(REMEMBERED).as_deref() {
            Some("dark") => Some("dark"),
            Some("light") => Some("light"),
            _ => None,
        })
}

/// Whether the page is dark now.
#[must_use]
pub fn is_dark(linked: Option<Theme>) -> bool {
    wanted(linked).map_or_else(system_is_dark, |theme| theme == "dark")
}

/// The theme that the page has not now, which is remembered.
#[must_use]
pub fn other(linked: Option<Theme>) -> Theme {
    let next = if is_dark(linked) {
        Theme::Light
    } else {
        Theme::Dark
    };
    storage::remember(REMEMBERED, name(next));
    next
}

fn system_is_dark() -> bool {
    let query = window().and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok());
    query.flatten().is_some_and(|query| query.matches())
}
