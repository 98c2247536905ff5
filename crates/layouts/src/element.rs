//! The element types that layouts are of, as the many languages name them.

/// The name and the bytes of an element type.
const TYPES: &[(&str, u64)] = &[
    ("b8", 1),
    ("u8", 1),
    ("i8", 1),
    ("i1", 1),
    ("f8", 1),
    ("e4m3", 1),
    ("e5m2", 1),
    ("char", 1),
    ("int8", 1),
    ("uint8", 1),
    ("float_e4m3", 1),
    ("float_e5m2", 1),
    ("float_ue8m0", 1),
    ("b16", 2),
    ("u16", 2),
    ("i16", 2),
    ("f16", 2),
    ("fp16", 2),
    ("bf16", 2),
    ("half", 2),
    ("bfloat16", 2),
    ("float16", 2),
    ("__half", 2),
    ("__nv_bfloat16", 2),
    ("short", 2),
    ("int16", 2),
    ("uint16", 2),
    ("b32", 4),
    ("u32", 4),
    ("i32", 4),
    ("f32", 4),
    ("fp32", 4),
    ("tf32", 4),
    ("tfloat32", 4),
    ("float32", 4),
    ("float", 4),
    ("int", 4),
    ("int32", 4),
    ("uint32", 4),
    ("unsigned", 4),
    ("__half2", 4),
    ("half2", 4),
    ("b64", 8),
    ("u64", 8),
    ("i64", 8),
    ("f64", 8),
    ("fp64", 8),
    ("float64", 8),
    ("double", 8),
    ("int64", 8),
    ("uint64", 8),
    ("float2", 8),
    ("b128", 16),
    ("float4", 16),
    ("int4", 16),
    ("uint128", 16),
];

/// An element type: its name as given, and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) bytes: u64,
}

impl Element {
    /// The type of this name, with or without C++'s `_t`, in any case, or MLIR's `f8E4M3FN`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain = name.strip_suffix("_t").unwrap_or(name).to_lowercase();
        let known = |wanted: &str| TYPES.iter().find(|(known, _)| *known == wanted);
        let found = known(&plain).or_else(|| plain.starts_with("f8e").then(|| known("f8"))?)?;
        Some(Self {
            name: name.to_owned(),
            bytes: found.1,
        })
    }

    /// The type of so many bits, where no more is known of it.
    pub(super) fn of_bits(bits: u64) -> Option<Self> {
        Self::named(&format!("b{bits}"))
    }
}
