//! Whole numbers as they are written: `32`, `32u`, `1'024`, `0x20`.

/// A whole number and how its text is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal<'a> {
    pub(crate) value: u64,
    base: Base<'a>,
    /// `u`, `UL` and the like.
    suffix: &'a str,
}

/// What digits count in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base<'a> {
    Ten,
    /// Behind `0x` or `0X`, and whether its letters are small.
    Sixteen(&'a str, bool),
}

impl<'a> Literal<'a> {
    /// The number that a text is, decimal or hexadecimal.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let prefix = text.get(..2).filter(|two| ["0x", "0X"].contains(two));
        let radix = if prefix.is_some() { 16 } else { 10 };
        let body = text.get(prefix.map_or(0, str::len)..)?;
        let end = body
            .find(|sign: char| !(sign.is_digit(radix) || sign == '\''))
            .unwrap_or(body.len());
        let (digits, suffix) = body.split_at_checked(end)?;
        let is_suffix = suffix.len() <= 3 && suffix.chars().all(|sign| "uUlLi".contains(sign));
        let is_octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
        let plain = digits.replace('\'', "");
        let value = u64::from_str_radix(&plain, radix).ok();
        let value = value.filter(|_| is_suffix && !is_octal)?;
        let is_small = !digits.contains(|sign: char| sign.is_ascii_uppercase());
        let base = prefix.map_or(Base::Ten, |prefix| Base::Sixteen(prefix, is_small));
        Some(Self {
            value,
            base,
            suffix,
        })
    }

    /// Another number of the same type, spelled alike.
    pub(crate) fn with(self, value: u64) -> String {
        let digits = match self.base {
            Base::Ten => value.to_string(),
            Base::Sixteen(prefix, true) => format!("{prefix}{value:x}"),
            Base::Sixteen(prefix, false) => format!("{prefix}{value:X}"),
        };
        format!("{digits}{}", self.suffix)
    }
}

/// A size that is a number, with rows of `pitch` that many elements longer.
pub(crate) fn grown(size: &str, pitch: &str, elements: u64) -> Option<String> {
    let (size, pitch) = (Literal::of(size)?, Literal::of(pitch)?);
    let rows = size.value.div_ceil(pitch.value.max(1));
    Some(size.with(rows.saturating_mul(pitch.value + elements)))
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
            ("0x20", 32, "0x21"),
            ("0X1Fu", 31, "0X20u"),
            ("0x1b", 27, "0x1c"),
            ("0xA9", 169, "0xAA"),
            ("0", 0, "1"),
        ] {
            let literal = Literal::of(text).unwrap();
            assert_eq!(literal.value, value, "{text}");
            assert_eq!(literal.with(value + 1), more, "{text}");
        }
        for text in ["", "x", "32x", "0x", "0xg", "040", "3.0f", "'"] {
            assert_eq!(Literal::of(text), None, "{text}");
        }
    }
}
