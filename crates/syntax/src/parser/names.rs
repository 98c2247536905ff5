//! Names that the language brings with it.

use crate::scalar::Scalar;
use crate::tree::Name;
use std::collections::BTreeSet;

/// Names of scalar types that are one word.
pub(super) const SCALARS: [(&str, Scalar); 43] = [
    ("cudaError_t", Scalar::I32),
    ("cudaEvent_t", Scalar::U64),
    ("cudaStream_t", Scalar::U64),
    ("cudaSurfaceObject_t", Scalar::U64),
    ("cudaTextureObject_t", Scalar::U64),
    ("hipError_t", Scalar::I32),
    ("hipStream_t", Scalar::U64),
    ("nv_half", Scalar::F16),
    ("bool", Scalar::Bool),
    ("half", Scalar::F16),
    ("__half", Scalar::F16),
    ("__nv_bfloat16", Scalar::F16),
    ("__hip_bfloat16", Scalar::F16),
    ("hip_bfloat16", Scalar::F16),
    ("nv_bfloat16", Scalar::F16),
    ("float", Scalar::F32),
    ("double", Scalar::F64),
    ("uchar", Scalar::U8),
    ("ushort", Scalar::U16),
    ("uint", Scalar::U32),
    ("ulong", Scalar::U64),
    ("int8_t", Scalar::SignedChar),
    ("uint8_t", Scalar::U8),
    ("int16_t", Scalar::I16),
    ("uint16_t", Scalar::U16),
    ("int32_t", Scalar::I32),
    ("uint32_t", Scalar::U32),
    ("int64_t", Scalar::I64),
    ("uint64_t", Scalar::U64),
    ("size_t", Scalar::U64),
    ("ptrdiff_t", Scalar::I64),
    ("intptr_t", Scalar::I64),
    ("uintptr_t", Scalar::U64),
    ("clock_t", Scalar::I64),
    ("__int64", Scalar::I64),
    ("wchar_t", Scalar::I32),
    ("u8", Scalar::U8),
    ("u32", Scalar::U32),
    ("i32", Scalar::I32),
    ("f32", Scalar::F32),
    ("f64", Scalar::F64),
    ("u64", Scalar::U64),
    ("i64", Scalar::I64),
];

/// Vector types: the name before the number of fields, and their scalar.
pub const VECTORS: [(&str, Scalar); 12] = [
    ("char", Scalar::SignedChar),
    ("uchar", Scalar::U8),
    ("short", Scalar::I16),
    ("ushort", Scalar::U16),
    ("int", Scalar::I32),
    ("uint", Scalar::U32),
    ("long", Scalar::I64),
    ("ulong", Scalar::U64),
    ("longlong", Scalar::I64),
    ("ulonglong", Scalar::U64),
    ("float", Scalar::F32),
    ("double", Scalar::F64),
];

/// Words that make up the integer types.
pub(super) const WORDS: [&str; 6] = ["unsigned", "signed", "int", "char", "short", "long"];

/// The names of scalar types that the language brings with it, as they may be suggested where a type is not known.
pub fn type_names<'n>() -> impl Iterator<Item = &'n str> {
    SCALARS.iter().map(|(name, _)| *name).chain(WORDS)
}

/// Cooperative groups.
pub(super) const GROUPS: [&str; 6] = [
    "thread_group",
    "thread_block",
    "thread_block_tile",
    "grid_group",
    "cluster_group",
    "coalesced_group",
];

/// Templates and type names that need no declaration.
pub(super) fn known() -> (BTreeSet<Name>, BTreeSet<Name>) {
    let mut types: BTreeSet<Name> = VECTORS
        .iter()
        .flat_map(|(base, _)| (1..=4).map(move |n| Name::from(format!("{base}{n}"))))
        .collect();
    types.extend(
        [
            "half2",
            "__half2",
            "nv_half2",
            "__nv_bfloat162",
            "nv_bfloat162",
            "__hip_bfloat162",
            "dim3",
        ]
        .map(Name::from),
    );
    for group in GROUPS {
        let spaces = ["", "cg::", "cooperative_groups::"];
        types.extend(spaces.map(|space| Name::from(format!("{space}{group}"))));
    }
    for space in ["cg", "cooperative_groups"] {
        let operations = ["plus", "less", "greater", "bit_and", "bit_or", "bit_xor"];
        types.extend(operations.map(|name| Name::from(format!("{space}::{name}"))));
    }
    types.extend(["tiled_index", "concurrency::tiled_index"].map(Name::from));
    let templates = [
        "static_cast",
        "reinterpret_cast",
        "const_cast",
        "is_same",
        "is_same_v",
        "is_integral",
        "is_integral_v",
        "is_floating_point",
        "is_floating_point_v",
        "is_arithmetic",
        "is_arithmetic_v",
        "is_pointer",
        "is_pointer_v",
        "is_signed",
        "is_signed_v",
        "is_unsigned",
        "is_unsigned_v",
        "is_class",
        "is_class_v",
        "is_scalar",
        "is_scalar_v",
        "is_void",
        "is_void_v",
        "is_array",
        "is_array_v",
        "tiled_partition",
        "cg::tiled_partition",
        "cooperative_groups::tiled_partition",
    ];
    let mut all: BTreeSet<Name> = templates.map(Name::from).into();
    for trait_name in templates.iter().filter(|name| name.starts_with("is_")) {
        let spaces = ["std::", "cuda::std::"];
        all.extend(spaces.map(|space| Name::from(format!("{space}{trait_name}"))));
    }
    (types, all)
}

/// Adds C++ AMP's types: in other texts these are names as any.
pub(super) fn add_amp(types: &mut BTreeSet<Name>) {
    for space in ["", "concurrency::", "Concurrency::"] {
        let names = [
            "array_view",
            "array",
            "index",
            "extent",
            "tiled_index",
            "tiled_extent",
        ];
        types.extend(names.map(|name| Name::from(format!("{space}{name}"))));
    }
}
