//! Changes of a source text.

use lanescope_frontend::Span;

/// One stretch of text and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text to replace; empty to insert.
    pub span: Span,
    /// What to put there.
    pub replacement: String,
}

impl Edit {
    pub(crate) fn new(start: usize, end: usize, replacement: impl Into<String>) -> Self {
        Self {
            span: Span::new(start, end),
            replacement: replacement.into(),
        }
    }
}

/// `text` with all edits made; all else stays as it is. `None` when two edits overlap or one
/// lies outside the text.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<_> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut result = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for edit in sorted {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        result.push_str(text.get(done..start)?);
        text.get(start..end)?;
        result.push_str(&edit.replacement);
        done = end;
    }
    result.push_str(text.get(done..)?);
    Some(result)
}

/// The edits in the order of the text; `None` where two overlap.
pub(crate) fn apart(mut edits: Vec<Edit>) -> Option<Vec<Edit>> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let is_apart = |pair: &[Edit]| pair[0].span.end <= pair[1].span.start;
    edits.windows(2).all(is_apart).then_some(edits)
}
