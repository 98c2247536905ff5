//! Linked highlighting: an access lights up in the source, its margin, the table and the picture at once.

use lanescope_frontend::SiteId;
use leptos::html;
use leptos::prelude::*;
use web_sys::Event;

use crate::session::Session;
use lanescope_ui::element::{El, around, number_around};

/// What names an access by its number: the stretches of plain fields and the chips of margins, the rows of the table.
const NAMES: [&str; 2] = ["data-site", "data-pick"];

/// The fields of source text say themselves what is pointed at in them.
const FIELDS: &str = ".editor .whole, .editor .scroll";

/// Marks whatever names the access that lights up, anywhere in `main`.
pub(crate) fn mark(session: Session, main: NodeRef<html::Main>) {
    Effect::new(move || {
        session.redrawn.track();
        let access = session.lit_access();
        let Some(main) = main.get() else { return };
        let main = El::of(main.into());
        while let Some(left) = main.find("[data-linked]") {
            left.put_option("data-linked", None);
        }
        let Some(SiteId(number)) = access else { return };
        for name in NAMES {
            let unmarked = format!("[{name}='{number}']:not([data-linked])");
            while let Some(found) = main.find(&unmarked) {
                found.put("data-linked", "");
            }
        }
    });
}

/// Points at the access that pointer or focus came to.
pub(crate) fn point(session: Session, event: &Event) {
    if around(event, FIELDS).is_none() {
        session.point_at(access(event));
    }
}

fn access(event: &Event) -> Option<SiteId> {
    let mut numbers = NAMES.into_iter().map(|name| number_around(event, name));
    let number = numbers.find_map(|number| number)?;
    u32::try_from(number).ok().map(SiteId)
}
