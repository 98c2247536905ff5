//! The piece of a changed source that says most.

use crate::change::Change;
use crate::lexical::Lexical;
use crate::{MendKind, Place, Source};

pub(crate) fn headline(change: &Change<'_>, source: &Source) -> String {
    let text = source.text();
    let Some(array) = change.array else {
        return String::new();
    };
    let code = Lexical::of(&text);
    let name = match change.kind {
        MendKind::SplitShared | MendKind::SplitGlobal => change
            .edits
            .iter()
            .find(|edit| edit.replacement.starts_with('_'))
            .map_or_else(
                || array.name.clone(),
                |edit| format!("{}{}", array.name, edit.replacement),
            ),
        _ => array.name.clone(),
    };
    let words = code.words(&name, 0..code.len());
    let declaration = matches!(
        change.kind,
        MendKind::Place(Place::Pad { .. } | Place::Transposed)
    );
    let at = if declaration {
        words.first()
    } else {
        words.get(1)
    };
    let Some(at) = at.or(words.first()) else {
        return String::new();
    };
    let end = code
        .brackets(at + name.len())
        .last()
        .map_or(at + name.len(), |last| last.end + 1);
    text.get(*at..end).unwrap_or("").to_owned()
}
