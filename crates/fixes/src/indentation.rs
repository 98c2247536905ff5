//! How far a line is moved in.

/// The blanks that the line of the byte at `at` begins with.
pub(crate) fn indentation(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.chars()
        .take_while(|sign| sign.is_whitespace())
        .collect()
}
