//! The piece of a changed source that says most.

use lanescope_frontend::Language;
use lanescope_syntax::Span;
use lanescope_syntax::token::Token;
use lanescope_syntax::{Sink, lexer};

use crate::change::Change;
use crate::uses::Uses;
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
    let is_declaration = matches!(
        change.kind,
        FixKind::Place(Place::Pad { .. } | Place::Transposed) | FixKind::Pitch { .. }
    );
    let Some(uses) = uses(source, &text, &name, array.span.start) else {
        return String::new();
    };
    let (start, brackets) = match uses.indices.first().filter(|_| !is_declaration) {
        Some(first) => (first.start, &first.brackets),
        None => (uses.declared.start, &uses.extents),
    };
    let end = match source.language() {
        // The sizes of an array's type stand inside it, the outermost last.
        Language::Wgsl if is_declaration => brackets.first(),
        Language::Wgsl | Language::Cuda | Language::Ptx | Language::Sass => brackets.last(),
    };
    let end = end.map_or(uses.declared.end, |last| last.end + 1);
    text.get(start..end).unwrap_or("").to_owned()
}

/// Where the changed text declares and uses an array that was declared at `at`: the first of its name from there on.
fn uses(source: &Source, text: &str, name: &str, at: u32) -> Option<Uses> {
    let names = names(text, |token| token.is_name(name));
    let from = names.iter().filter(|span| span.start >= at);
    let mut places = from.chain(&names);
    match source.language() {
        Language::Wgsl => places.find_map(|span| {
            let uses = Uses::of_wgsl(text, name, *span)?;
            let is_array = !uses.extents.is_empty() || is_open_array(text, uses.declared.end);
            is_array.then_some(uses)
        }),
        Language::Cuda | Language::Ptx | Language::Sass => {
            let code = source.code(text);
            places.find_map(|span| Uses::of(&code, name, *span))
        }
    }
}

/// Whether a name that ends at `at` is declared as an array of any size.
fn is_open_array(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start();
    let ty = rest.strip_prefix(':').map(str::trim_start);
    ty.is_some_and(|ty| ty.starts_with("array<"))
}

/// The places of these names in a text.
fn names(text: &str, is_wanted: impl Fn(&Token) -> bool) -> Vec<Span> {
    let tokens = lexer::lex(text, &mut Sink::deaf());
    let wanted = tokens.iter().filter(|token| is_wanted(token));
    wanted.map(|token| token.span).collect()
}

/// The first line of a changed text that is new and short.
pub(crate) fn new_line(old: &str, new: &str) -> String {
    let is_new = |line: &&str| {
        line.chars().count() <= SHORT && old.lines().all(|other| other.trim() != *line)
    };
    let mut lines = new.lines().map(str::trim);
    lines.find(is_new).unwrap_or("").to_owned()
}

/// The last name in the text that begins so: of a parameter that was split, one that is used.
fn new_name(text: &str, start: &str) -> String {
    let names = names(text, |token| token.spelling().starts_with(start));
    names
        .last()
        .map_or_else(String::new, |span| span.text(text).to_owned())
}

/// Whether an inserted text is `_x`, the ending of a field's own array.
fn is_field(text: &str) -> bool {
    text.starts_with('_') && !text.starts_with("__") && !text.contains(' ')
}
