//! Whole numbers as they are written: `32`, `32u`, `1'024`.

/// A whole number and how its text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal<'a> {
    pub(crate) value: u64,
    /// `u`, `UL` and the like.
    suffix: &'a str,
}

impl<'a> Literal<'a> {
    /// The decimal number that a text is.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let end = text
            .find(|sign: char| !(sign.is_ascii_digit() || sign == '\''))
            .unwrap_or(text.len());
        let (digits, suffix) = text.split_at_checked(end)?;
        let is_suffix = suffix.len() <= 3 && suffix.chars().all(|sign| "uUlLi".contains(sign));
        let plain = digits.replace('\'', "");
        let value = plain.parse().ok().filter(|_| is_suffix)?;
        Some(Self { value, suffix })
    }

    /// Another number of the same type.
    pub(crate) fn with(self, value: u64) -> String {
        format!("{value}{}", self.suffix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_type() {
        for (text, value, more) in [
            ("32", 32, "33"),
            ("32u", 32, "33u"),
            ("1'024", 1024, "1025"),
            (" 8UL ", 8, "9UL"),
        ] {
            let literal = Literal::of(text).unwrap();
            assert_eq!(literal.value, value, "{text}");
            assert_eq!(literal.with(value + 1), more, "{text}");
        }
        for text in ["", "x", "32x", "0x20", "3.0f", "'"] {
            assert_eq!(Literal::of(text), None, "{text}");
        }
    }
}
