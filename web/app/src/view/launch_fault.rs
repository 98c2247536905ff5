//! What is wrong with the launch, and the field to set it right in.

use crate::answer::too_many_threads;
use crate::page::Page;
use crate::session::UnreadShape;
use crate::words::{FindingWord, Message};

/// A mistake in the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaunchFault {
    /// The id of the field.
    pub(super) field: &'static str,
    pub(super) text: String,
}

/// What is wrong with the launch of `page`, one of whose fields may be `unread`.
pub(super) fn fault(page: &Page, unread: Option<&UnreadShape>) -> Option<LaunchFault> {
    let say = |word: FindingWord<'_>| page.language.say(&Message::Finding(word));
    if let Some(UnreadShape { field, typed }) = unread {
        let label = match *field {
            "grid" => Message::Grid,
            _ => Message::Block,
        };
        let label = page.language.say(&label);
        return Some(LaunchFault {
            field,
            text: say(FindingWord::NotAShape {
                label: &label,
                typed,
            }),
        });
    }
    let found = too_many_threads(&page.answer)?;
    Some(LaunchFault {
        field: "block",
        text: page.language.diagnostic(found),
    })
}
