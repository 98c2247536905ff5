//! Expressions of WGSL with their types.

use crate::kinds::Scalar;

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A `bool`.
    Flag,
    /// A word.
    Word(Scalar),
    /// 64 bits as two words.
    Pair,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    pub(crate) text: String,
    pub(crate) form: Form,
}

impl Expr {
    pub(crate) fn flag(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            form: Form::Flag,
        }
    }

    pub(crate) fn word(scalar: Scalar, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            form: Form::Word(scalar),
        }
    }

    pub(crate) fn u32(text: impl Into<String>) -> Self {
        Self::word(Scalar::U32, text)
    }

    pub(crate) fn pair(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            form: Form::Pair,
        }
    }

    /// As an operand of an operator: in parentheses where it has operators of its own.
    pub(crate) fn inner(&self) -> String {
        enclosed(&self.text)
    }

    /// The low word as `scalar`.
    pub(crate) fn as_word(&self, scalar: Scalar) -> String {
        match self.form {
            Form::Word(own) if own == scalar => self.text.clone(),
            Form::Word(_) => format!("bitcast<{}>({})", scalar.name(), self.text),
            Form::Flag if scalar == Scalar::I32 => format!("select(0i, 1i, {})", self.text),
            Form::Flag => {
                let word = format!("select(0u, 1u, {})", self.text);
                Self::u32(word).as_word(scalar)
            }
            Form::Pair => Self::u32(format!("{}.x", self.inner())).as_word(scalar),
        }
    }

    /// [`Self::as_word`] as an operand of an operator.
    pub(crate) fn inner_word(&self, scalar: Scalar) -> String {
        enclosed(&self.as_word(scalar))
    }

    /// 64 bits, the high word of zeros.
    pub(crate) fn zero_extended(&self) -> Self {
        match self.form {
            Form::Pair => self.clone(),
            Form::Word(_) | Form::Flag => {
                Self::pair(format!("vec2<u32>({}, 0u)", self.as_word(Scalar::U32)))
            }
        }
    }
}

/// A text in parentheses, unless it is one name, number, call or member.
pub(crate) fn enclosed(text: &str) -> String {
    if is_primary(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Whether a text is a primary expression: no operator outside of parentheses.
fn is_primary(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut is_outside = true;
    for letter in text.chars() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        let is_name = letter.is_alphanumeric() || "_.()[]<>".contains(letter);
        is_outside &= depth > 0 || is_name;
    }
    is_outside && depth == 0
}

/// The bits of a constant as a literal of `scalar`; none of floats that have no literal which every compiler takes.
pub(crate) fn literal(scalar: Scalar, bits: u32) -> Option<String> {
    match scalar {
        Scalar::U32 => Some(format!("{bits}u")),
        Scalar::I32 => match bits.cast_signed() {
            i32::MIN => Some("bitcast<i32>(2147483648u)".to_owned()),
            value => Some(format!("{value}i")),
        },
        Scalar::F32 => {
            let value = f32::from_bits(bits);
            let is_plain = value.is_normal() || bits == 0;
            is_plain.then(|| format!("{value:?}f"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{enclosed, literal};
    use crate::kinds::Scalar;

    #[test]
    fn operators_are_enclosed_and_calls_are_not() {
        assert_eq!(enclosed("a + b"), "(a + b)");
        assert_eq!(enclosed("a[b + 1u].x"), "a[b + 1u].x");
        assert_eq!(enclosed("min(a, b) + 1u"), "(min(a, b) + 1u)");
        assert_eq!(enclosed("vec2<u32>(a, 0u)"), "vec2<u32>(a, 0u)");
        assert_eq!(enclosed("-5i"), "(-5i)");
        assert_eq!(enclosed("a >> 1u"), "(a >> 1u)");
        assert_eq!(enclosed("a < b"), "(a < b)");
    }

    #[test]
    fn floats_without_a_literal_have_none() {
        assert_eq!(literal(Scalar::F32, 1.5_f32.to_bits()), Some("1.5f".into()));
        assert_eq!(
            literal(Scalar::F32, 1e38_f32.to_bits()),
            Some("1e38f".into())
        );
        for bits in [f32::INFINITY.to_bits(), f32::NAN.to_bits(), 1, 0x8000_0000] {
            assert_eq!(literal(Scalar::F32, bits), None);
        }
        assert_eq!(literal(Scalar::I32, u32::MAX), Some("-1i".into()));
    }
}
