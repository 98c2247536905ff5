//! Light or dark: as the link says, as chosen before, as the system wishes. The same choice as
//! the playground's.

use lanescope_share::Theme;

use crate::element::root;
use crate::storage;

const REMEMBERED: &str = "lanescope.theme";

const fn name(theme: Theme) -> &'static str {
    match theme {
        Theme::Dark => "dark",
        Theme::Light => "light",
    }
}

fn wanted(linked: Option<Theme>) -> Option<Theme> {
    linked.or_else(|| match storage::recall(REMEMBERED).as_deref() {
        Some("dark") => Some(Theme::Dark),
        Some("light") => Some(Theme::Light),
        _ => None,
    })
}

/// Puts the theme on the page.
pub(crate) fn put(linked: Option<Theme>) {
    if let Some(theme) = wanted(linked) {
        root().put("data-theme", name(theme));
    }
}

/// The theme that the page has not now; remembered.
pub(crate) fn other(linked: Option<Theme>) -> Theme {
    let now = wanted(linked).unwrap_or_else(system);
    let next = match now {
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::Dark,
    };
    storage::remember(REMEMBERED, name(next));
    next
}

fn system() -> Theme {
    let query = web_sys::window()
        .and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok());
    if query.flatten().is_some_and(|query| query.matches()) {
        Theme::Dark
    } else {
        Theme::Light
    }
}
