//! Opcodes: a base and its modifiers, and the types among them.

use lanescope_ir::ScalarType;

/// An opcode taken apart, as in `ld` with `global`, `v4`, `f32`.
#[derive(Clone, Debug)]
pub(crate) struct Opcode<'t> {
    /// As written.
    pub(crate) text: &'t str,
    /// What stands before the first point.
    pub(crate) base: &'t str,
    /// What follows, in order.
    pub(crate) modifiers: Vec<&'t str>,
}

impl<'t> Opcode<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let mut parts = text.split('.');
        let base = parts.next().unwrap_or("");
        Self {
            text,
            base,
            modifiers: parts.collect(),
        }
    }

    /// Whether a modifier is there.
    pub(crate) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The first of `choices` that is there.
    pub(crate) fn first_of(&self, choices: &[&'static str]) -> Option<&'static str> {
        choices.iter().copied().find(|choice| self.has(choice))
    }

    /// The types among the modifiers, in order.
    pub(crate) fn types(&self) -> Vec<Type> {
        self.modifiers
            .iter()
            .filter_map(|modifier| Type::named(modifier))
            .collect()
    }

    /// The last type.
    pub(crate) fn last_type(&self) -> Option<Type> {
        self.modifiers
            .iter()
            .rev()
            .find_map(|modifier| Type::named(modifier))
    }

    /// Elements of a vector: 1 without a modifier.
    pub(crate) fn vector(&self) -> usize {
        match self.first_of(&["v2", "v4", "v8"]) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some("v8") => 8,
            _ => 1,
        }
    }
}

/// A type of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// One that a register holds whole.
    Scalar(ScalarType),
    /// Two in one register of twice their width.
    Packed(ScalarType),
    /// 128 bits.
    Wide,
    /// One whose values are not followed: `tf32`, `e4m3x2` and the like.
    Opaque,
}

impl Type {
    pub(crate) fn named(name: &str) -> Option<Self> {
        use ScalarType as S;
        Some(match name {
            "pred" => Self::Scalar(S::Bool),
            "b8" | "u8" => Self::Scalar(S::U8),
            "s8" => Self::Scalar(S::I8),
            "b16" | "u16" => Self::Scalar(S::U16),
            "s16" => Self::Scalar(S::I16),
            "b32" | "u32" => Self::Scalar(S::U32),
            "s32" => Self::Scalar(S::I32),
            "b64" | "u64" => Self::Scalar(S::U64),
            "s64" => Self::Scalar(S::I64),
            "f16" => Self::Scalar(S::F16),
            "bf16" => Self::Scalar(S::BF16),
            "f32" => Self::Scalar(S::F32),
            "f64" => Self::Scalar(S::F64),
            "f16x2" => Self::Packed(S::F16),
            "bf16x2" => Self::Packed(S::BF16),
            "u16x2" => Self::Packed(S::U16),
            "s16x2" => Self::Packed(S::I16),
            "f32x2" => Self::Packed(S::F32),
            "b128" => Self::Wide,
            "tf32" | "e4m3" | "e5m2" | "e4m3x2" | "e5m2x2" | "e4m3x4" | "e5m2x4" | "e2m3x2"
            | "e3m2x2" | "e2m1x2" | "e2m3x4" | "e3m2x4" | "e2m1x4" | "ue8m0x2" | "b4" | "u4"
            | "s4" | "b1" | "b6x16_p32" | "b4x16_p64" | "b8x16" => Self::Opaque,
            _ => return None,
        })
    }

    /// The type of a register or of an element in memory: packed pairs are one word.
    pub(crate) const fn storage(self) -> Option<ScalarType> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            Self::Packed(part) => Some(unsigned(2 * part.bits())),
            Self::Wide | Self::Opaque => None,
        }
    }
}

/// The unsigned integer of so many bits.
pub(crate) const fn unsigned(bits: u32) -> ScalarType {
    match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        32 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The signed integer of so many bits.
pub(crate) const fn signed(bits: u32) -> ScalarType {
    match bits {
        8 => ScalarType::I8,
        16 => ScalarType::I16,
        32 => ScalarType::I32,
        _ => ScalarType::I64,
    }
}
