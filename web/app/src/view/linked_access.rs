//! Linked highlighting: an access lights up in the source, its margin, the table and the picture at once.

use lanescope_cuda::source::SiteId;
use leptos::prelude::*;
use web_sys::Event;

use crate::element::{El, around, number_around};
use crate::session::Session;

/// What names an access by its number: the stretches of plain fields and the chips of margins, the rows of the table.
const NAMES: [&str; 2] = ["data-site", "data-pick"];

/// The fields of source text say themselves what is pointed at in them.
const FIELDS: &str = ".editor .whole, .editor .scroll";

/// Follows pointer and focus in `main`, and marks whatever there names the access that lights up.
pub(crate) fn follow(session: Session, main: El) -> El {
    let marked = main.clone();
    Effect::new(move || {
        let access = session.lit_access();
        while let Some(left) = marked.find("[data-linked]") {
            left.put_option("data-linked", None);
        }
        let Some(SiteId(number)) = access else { return };
        for name in NAMES {
            let unmarked = format!("[{name}='{number}']:not([data-linked])");
            while let Some(found) = marked.find(&unmarked) {
                found.put("data-linked", "");
            }
        }
    });
    let point = move |event: Event| {
        if around(&event, FIELDS).is_none() {
            session.point_at(access(&event));
        }
    };
    main.on("pointerover", point)
        .on("focusin", point)
        .on("pointerleave", move |_| session.point_at(None))
}

fn access(event: &Event) -> Option<SiteId> {
    let mut numbers = NAMES.into_iter().map(|name| number_around(event, name));
    let number = numbers.find_map(|number| number)?;
    u32::try_from(number).ok().map(SiteId)
}
