//! What is wrong with the launch, and the field to set it right in.

use crate::answer::too_many_threads;
use crate::page::Page;
use crate::session::UnreadShape;
use lanescope_locale::finding;
use lanescope_locale::label::LabelWords;

/// A mistake in the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaunchFault {
    /// The id of the field.
    pub(super) field: &'static str,
    pub(super) text: String,
}

/// What is wrong with the launch of `page`, one of whose fields may be `unread`.
pub(super) fn fault(page: &Page, unread: Option<&UnreadShape>) -> Option<LaunchFault> {
    if let Some(UnreadShape { field, typed }) = unread {
        let labels = LabelWords::of(page.language);
        let label = match *field {
            "grid" => labels.grid,
            _ => labels.block,
        };
        return Some(LaunchFault {
            field,
            text: finding::not_a_shape(page.language, label, typed),
        });
    }
    let found = too_many_threads(&page.answer)?;
    Some(LaunchFault {
        field: "block",
        text: found.kind.text(page.language),
    })
}
