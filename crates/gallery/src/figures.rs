//! Figures that a text names between braces.

use std::fmt;

/// A text names a figure that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFigure {
    /// What stands between the braces.
    pub figure: String,
}

impl fmt::Display for UnknownFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no figure `{}`", self.figure)
    }
}

impl std::error::Error for UnknownFigure {}

/// `text` with each `{figure}` replaced by what `compute` says it is. Code between backticks stays as it is.
///
/// # Errors
/// When `compute` knows no such figure.
pub fn fill(
    text: &str,
    compute: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<String, UnknownFigure> {
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(part);
        } else {
            fill_prose(&mut out, part, compute)?;
        }
    }
    Ok(out)
}

fn fill_prose(
    out: &mut String,
    text: &str,
    compute: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<(), UnknownFigure> {
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once('{') {
        let (figure, after) = opened.split_once('}').unwrap_or((opened, ""));
        let computed = compute(figure).ok_or_else(|| UnknownFigure {
            figure: figure.to_owned(),
        })?;
        out.push_str(before);
        out.push_str(&computed);
        rest = after;
    }
    out.push_str(rest);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_left_alone_and_unknown_figures_are_named() {
        let mut one = |figure: &str| (figure == "a").then(|| "1".to_owned());
        assert_eq!(fill("{a} `{b}` {a}", &mut one).unwrap(), "1 `{b}` 1");
        let unknown = fill("x {b}", &mut one).unwrap_err();
        assert_eq!(unknown.to_string(), "no figure `b`");
        assert!(fill("{", &mut one).is_err());
    }
}
