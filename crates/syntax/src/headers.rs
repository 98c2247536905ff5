//! Headers that come with the compiler, the runtime and the standard library.

/// Headers that a local file would hardly be called, whatever folder they stand in.
const KNOWN: [&str; 62] = [
    "algorithm",
    "array",
    "assert.h",
    "bit",
    "cassert",
    "cfloat",
    "chrono",
    "climits",
    "cmath",
    "complex",
    "cooperative_groups.h",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "cuComplex.h",
    "cublas_v2.h",
    "cuda.h",
    "cuda_bf16.h",
    "cuda_device_runtime_api.h",
    "cuda_fp16.h",
    "cuda_fp8.h",
    "cuda_pipeline.h",
    "cuda_pipeline_primitives.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cufft.h",
    "curand.h",
    "curand_kernel.h",
    "cusparse.h",
    "device_atomic_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "fcntl.h",
    "float.h",
    "functional",
    "iomanip",
    "iostream",
    "limits",
    "limits.h",
    "malloc.h",
    "math.h",
    "math_constants.h",
    "math_functions.h",
    "memory.h",
    "mma.h",
    "numeric",
    "omp.h",
    "random",
    "sm_60_atomic_functions.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "type_traits",
    "unistd.h",
    "utility",
    "vector",
    "vector_types.h",
];

/// Folders of headers that come with the toolkit.
const FOLDERS: [&str; 7] = [
    "cooperative_groups/",
    "cub/",
    "cuda/",
    "hip/",
    "hipcub/",
    "sys/",
    "thrust/",
];

/// Collective primitives: our own text of what they do to memory.
const BLOCK: &str = include_str!("library/block.cuh");

/// Type traits: our own text of those that kernels use.
const TRAITS: &str = include_str!("library/type_traits.h");

/// Limits of the numbers' types: our own text of those that kernels use.
const LIMITS: &str = include_str!("library/limits.h");

/// The standard library's array: our own text of it.
const ARRAY: &str = include_str!("library/array.h");

/// Atomic objects and references: our own text of what they do to memory.
const ATOMIC: &str = include_str!("library/atomic.cuh");

/// Pipelines and barriers of the standard library: our own text of their asynchronous copies.
const PIPELINE: &str = include_str!("library/pipeline.cuh");

/// Matrix fragments of a warp: our own text of what their loads and stores ask for.
const MMA: &str = include_str!("library/mma.cuh");

/// Numbers of 8 bits: our own text of their types and conversions.
const FP8: &str = include_str!("library/fp8.cuh");

/// All of these texts.
const TEXTS: [&str; 8] = [TRAITS, LIMITS, ARRAY, ATOMIC, PIPELINE, BLOCK, MMA, FP8];

/// What the headers of the standard library bring with one another.
const COMMON: &[&str] = &[TRAITS, LIMITS];

/// What the headers of asynchronous copies bring.
const COPIES: &[&str] = &[TRAITS, PIPELINE];

/// Headers whose text stands here, without `cuda/std/` before them, each with it.
const WRITTEN: [(&str, &[&str]); 33] = [
    ("type_traits", &[TRAITS]),
    ("algorithm", COMMON),
    ("array", &[TRAITS, LIMITS, ARRAY]),
    ("atomic", &[TRAITS, ATOMIC]),
    ("bit", COMMON),
    ("cfloat", COMMON),
    ("climits", COMMON),
    ("cmath", COMMON),
    ("cstdint", COMMON),
    ("functional", COMMON),
    ("inttypes.h", COMMON),
    ("iostream", COMMON),
    ("limits", COMMON),
    ("memory", COMMON),
    ("random", COMMON),
    ("stdint.h", COMMON),
    ("string", COMMON),
    ("tuple", COMMON),
    ("utility", COMMON),
    ("vector", COMMON),
    ("cub/cub.cuh", &[TRAITS, LIMITS, BLOCK]),
    ("cub/block/block_adjacent_difference.cuh", &[BLOCK]),
    ("cub/block/block_load.cuh", &[BLOCK]),
    ("cub/block/block_reduce.cuh", &[BLOCK]),
    ("cub/block/block_scan.cuh", &[BLOCK]),
    ("cub/block/block_store.cuh", &[BLOCK]),
    ("cub/warp/warp_reduce.cuh", &[BLOCK]),
    ("cub/warp/warp_scan.cuh", &[BLOCK]),
    ("cuda_fp8.h", &[FP8]),
    ("cuda/atomic", &[TRAITS, ATOMIC]),
    ("cuda/barrier", COPIES),
    ("cuda/pipeline", COPIES),
    ("mma.h", &[MMA]),
];

/// The texts of a header that is written here, each with which it is.
pub(crate) fn texts(name: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let name = name.strip_prefix("cuda/std/").unwrap_or(name);
    let own = ["thrust/", "hipcub/"]
        .iter()
        .any(|one| name.starts_with(one));
    let found = WRITTEN.iter().find(|(known, _)| *known == name);
    let list = found.map_or(if own { COMMON } else { &[] }, |(_, list)| *list);
    list.iter().filter_map(|text| {
        let first = TEXTS.iter().position(|other| other == text)?;
        Some((first, *text))
    })
}

/// Whether a header comes with the compiler or the system, also where its name stands in quotes.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok() || FOLDERS.iter().any(|folder| name.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_headers_stand_in_order() {
        assert!(KNOWN.is_sorted());
        assert!(is_known("cuda_runtime.h") && is_known("cub/block/block_scan.cuh"));
        assert!(!is_known("helper.h"));
    }
}
