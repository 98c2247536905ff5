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

/// Pipelines and barriers of the standard library: our own text of their asynchronous copies.
const PIPELINE: &str = include_str!("library/pipeline.cuh");

/// Matrix fragments of a warp: our own text of what their loads and stores ask for.
const MMA: &str = include_str!("library/mma.cuh");

/// Headers whose text stands here, each with it; many of the standard library bring the type traits.
const WRITTEN: [(&str, &str); 21] = [
    ("type_traits", TRAITS),
    ("algorithm", TRAITS),
    ("array", TRAITS),
    ("functional", TRAITS),
    ("iostream", TRAITS),
    ("limits", TRAITS),
    ("memory", TRAITS),
    ("string", TRAITS),
    ("utility", TRAITS),
    ("vector", TRAITS),
    ("cub/cub.cuh", BLOCK),
    ("cub/block/block_adjacent_difference.cuh", BLOCK),
    ("cub/block/block_load.cuh", BLOCK),
    ("cub/block/block_reduce.cuh", BLOCK),
    ("cub/block/block_scan.cuh", BLOCK),
    ("cub/block/block_store.cuh", BLOCK),
    ("cub/warp/warp_reduce.cuh", BLOCK),
    ("cub/warp/warp_scan.cuh", BLOCK),
    ("cuda/barrier", PIPELINE),
    ("cuda/pipeline", PIPELINE),
    ("mma.h", MMA),
];

/// The text of a header that is written here, and which it is.
pub(crate) fn text(name: &str) -> Option<(usize, &'static str)> {
    let (_, text) = WRITTEN.iter().find(|(known, _)| *known == name)?;
    let first = WRITTEN.iter().position(|(_, other)| other == text)?;
    Some((first, text))
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
