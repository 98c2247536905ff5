//! The piece of a changed source that says most.

use lanescope_frontend::Language;

use crate::change::Change;
use crate::lexical::{Lexical, word_byte};
use crate::{FixKind, Place, Source};

/// A changed line is shown if it is no longer than so many characters.
const SHORT: usize = 64;

/// The changed piece that says most: a use of the array where indices change, else its
/// declaration; of a change of the whole source, the first new line that is short.
pub(crate) fn headline(change: &Change<'_>, old: &str, source: &Source) -> String {
    let text = source.text();
    let Some(array) = change.array else {
        return new_line(old, &text);
    };
    if let FixKind::Widen { .. } | FixKind::AlignStructure { .. } = change.kind {
        return new_line(old, &text);
    }
    let code = Lexical::of(&text);
    let name = match change.kind {
        FixKind::SplitShared | FixKind::SplitGlobal => change
            .edits
            .iter()
            .find(|edit| is_field(&edit.replacement))
            .map_or_else(
                || new_name(&text, &format!("{}_", array.name)),
                |edit| format!("{}{}", array.name, edit.replacement),
            ),
        _ => array.name.clone(),
    };
    let words = code.words(&name, 0..code.len());
    let declaration = matches!(
        change.kind,
        FixKind::Place(Place::Pad { .. } | Place::Transposed) | FixKind::Pitch { .. }
    );
    let at = if declaration {
        let is_typed = |at: &&usize| code.byte(code.skip_blanks(*at + name.len())) == b':';
        let typed = words.iter().find(is_typed);
        let of_array = words.iter().find(|at| **at >= array.span.start as usize);
        match source.language() {
            Language::Wgsl => typed,
            Language::Cuda | Language::Ptx | Language::Sass => of_array,
        }
    } else {
        words.get(1)
    };
    let Some(at) = at.or(words.first()) else {
        return String::new();
    };
    let after = at + name.len();
    let type_end = (code.byte(code.skip_blanks(after)) == b':')
        .then(|| code.next(after, b';'))
        .flatten();
    let brackets = code.brackets(after);
    let end = brackets.last().map(|last| last.end + 1).or(type_end);
    text.get(*at..end.unwrap_or(after)).unwrap_or("").to_owned()
}

fn new_line(old: &str, new: &str) -> String {
    let is_new = |line: &&str| {
        line.chars().count() <= SHORT && old.lines().all(|other| other.trim() != *line)
    };
    let mut lines = new.lines().map(str::trim);
    lines.find(is_new).unwrap_or("").to_owned()
}

/// The last name in the text that begins so: of a parameter that was split, one that is used.
fn new_name(text: &str, start: &str) -> String {
    let code = Lexical::of(text);
    let words = (0..text.len()).rev().filter(|at| {
        text.get(*at..).is_some_and(|rest| rest.starts_with(start))
            && at
                .checked_sub(1)
                .is_none_or(|before| !word_byte(code.byte(before)))
    });
    let name = |at: usize| -> String {
        let rest = text.get(at..).unwrap_or("").chars();
        rest.take_while(|sign| sign.is_alphanumeric() || *sign == '_')
            .collect()
    };
    words.map(name).next().unwrap_or_default()
}

/// Whether an inserted text is `_x`, the ending of a field's own array.
fn is_field(text: &str) -> bool {
    text.starts_with('_') && !text.starts_with("__") && !text.contains(' ')
}
