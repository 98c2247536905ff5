use std::borrow::Cow;

/// What a kernel's arrays hold; both take four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// 32-bit floats.
    F32,
    /// 32-bit unsigned integers, whose sums wrap.
    U32,
}

/// Bytes of one element.
pub(crate) const ELEMENT_BYTES: u64 = 4;

const FLOAT_ALIAS: &str = "alias Element = f32;";
const INTEGER_ALIAS: &str = "alias Element = u32;";

impl Element {
    /// The WGSL and CUDA names: `f32`, `u32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::U32 => "u32",
        }
    }

    /// `source` with its `Element` alias set to this type; WGSL has no
    /// override for types. A text without the alias comes back as it is.
    pub(crate) fn apply(self, source: &'static str) -> Cow<'static, str> {
        match self {
            Self::F32 => Cow::Borrowed(source),
            Self::U32 => Cow::Owned(source.replacen(FLOAT_ALIAS, INTEGER_ALIAS, 1)),
        }
    }
}
