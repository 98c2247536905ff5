//! CUDA as HIP spells it and HIP as CUDA does: names of the runtime, of headers and of libraries; kernels are the same in
//! both.

use std::borrow::Cow;

/// Spellings of C++ that runs on GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// NVIDIA's.
    Cuda,
    /// AMD's.
    Hip,
}

/// What has other names than its prefix says, in CUDA and in HIP. Where two of one side mean the same of the other, the
/// first is taken back.
const NAMES: &[[&str; 2]] = &[
    ["cudaDeviceProp", "hipDeviceProp_t"],
    ["cudaMallocHost", "hipHostMalloc"],
    ["cudaHostAlloc", "hipHostMalloc"],
    ["cudaFreeHost", "hipHostFree"],
    ["cudaHostAllocDefault", "hipHostMallocDefault"],
    ["cudaHostAllocMapped", "hipHostMallocMapped"],
    ["cudaHostAllocPortable", "hipHostMallocPortable"],
    ["cudaDeviceSynchronize", "hipDeviceSynchronize"],
    ["cudaThreadSynchronize", "hipDeviceSynchronize"],
    ["cub", "hipcub"],
    ["__nv_bfloat16", "__hip_bfloat16"],
    ["__nv_bfloat162", "__hip_bfloat162"],
];

/// Headers, in CUDA and in HIP. Where two of one side mean the same of the other, the first is taken back.
const HEADERS: &[[&str; 2]] = &[
    ["cuda_runtime.h", "hip/hip_runtime.h"],
    ["cuda.h", "hip/hip_runtime.h"],
    ["device_launch_parameters.h", "hip/hip_runtime.h"],
    ["cuda_runtime_api.h", "hip/hip_runtime_api.h"],
    ["cuda_fp16.h", "hip/hip_fp16.h"],
    ["cuda_bf16.h", "hip/hip_bf16.h"],
    ["cuda_fp8.h", "hip/hip_fp8.h"],
    ["cooperative_groups.h", "hip/hip_cooperative_groups.h"],
    ["cub/cub.cuh", "hipcub/hipcub.hpp"],
    ["curand_kernel.h", "hiprand/hiprand_kernel.h"],
];

impl Dialect {
    /// Which a text is in: HIP where it includes or calls what only HIP has.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let is_hip = |word: &str| {
            word.starts_with("__HIP") || rest(word, "hip").is_some() || word == "hipLaunchKernelGGL"
        };
        match text.contains("include <hip/")
            || text.contains("include \"hip/")
            || words(text).any(|(is_word, one)| is_word && is_hip(one))
        {
            true => Self::Hip,
            false => Self::Cuda,
        }
    }

    const fn column(self) -> usize {
        match self {
            Self::Cuda => 0,
            Self::Hip => 1,
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Hip => "hip",
        }
    }

    /// `text` in this dialect. Comments and everything that is neither a name of the other dialect nor a header stay.
    #[must_use]
    pub fn spelt(self, text: &str) -> String {
        let from = Self::of(text);
        if from == self {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            match self.include(from, line) {
                Some(include) if out.contains(&include) => {}
                Some(include) => out += &include,
                None => words(line).for_each(|(is_word, piece)| match is_word {
                    true => out += &self.word(from, piece),
                    false => out += piece,
                }),
            }
        }
        // nvcc includes its runtime unasked, hipcc does not.
        match self {
            Self::Hip if !out.contains("hip/hip_runtime.h") => {
                format!("#include <hip/hip_runtime.h>\n{out}")
            }
            Self::Hip | Self::Cuda => out,
        }
    }

    fn word(self, from: Self, word: &str) -> Cow<'_, str> {
        let (of, to) = (from.column(), self.column());
        if let Some(pair) = NAMES.iter().find(|pair| pair[of] == word) {
            return Cow::Borrowed(pair[to]);
        }
        match rest(word, from.prefix()) {
            Some(rest) => Cow::Owned(format!("{}{rest}", self.prefix())),
            None => Cow::Owned(word.to_owned()),
        }
    }

    /// An `#include` of a header that the other dialect calls otherwise.
    fn include(self, from: Self, line: &str) -> Option<String> {
        let named = line.trim().strip_prefix('#')?.trim_start();
        let named = named.strip_prefix("include")?.trim();
        let name = named.trim_matches(['<', '>', '"']);
        let pair = HEADERS.iter().find(|pair| pair[from.column()] == name)?;
        Some(format!("#include <{}>\n", pair[self.column()]))
    }
}

/// What stands behind a prefix of the runtime's names, as in `cudaMalloc`.
fn rest<'w>(word: &'w str, prefix: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(prefix)?;
    rest.starts_with(|first: char| first.is_ascii_uppercase())
        .then_some(rest)
}

/// The words of a text and what stands between them, in order.
fn words(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_';
    let mut left = text;
    std::iter::from_fn(move || {
        let is_word = is_part(left.chars().next()?);
        let end = left.find(|one: char| is_part(one) != is_word);
        let (piece, rest) = left.split_at(end.unwrap_or(left.len()));
        left = rest;
        Some((is_word, piece))
    })
}

#[cfg(test)]
mod tests {
    use super::Dialect;

    const CUDA: &str = "#include <cuda_runtime.h>\n#include <stdio.h>\n\
        __global__ void k(float* a) { a[threadIdx.x] = 1; }\n\
        int main() {\n  float* cudaish;\n  cudaMalloc(&cudaish, 4096);\n  k<<<1, 32>>>(cudaish);\n  \
        cudaDeviceSynchronize();\n  cudaFreeHost(cudaish);\n}\n";

    #[test]
    fn the_runtime_and_its_headers_have_other_names() {
        let hip = Dialect::Hip.spelt(CUDA);
        for part in [
            "#include <hip/hip_runtime.h>\n#include <stdio.h>",
            "hipMalloc(&cudaish, 4096)",
            "k<<<1, 32>>>(cudaish)",
            "hipDeviceSynchronize()",
            "hipHostFree(cudaish)",
        ] {
            assert!(hip.contains(part), "{part}\n{hip}");
        }
        assert_eq!(Dialect::of(CUDA), Dialect::Cuda);
        assert_eq!(Dialect::of(&hip), Dialect::Hip);
        assert_eq!(Dialect::Cuda.spelt(&hip), CUDA);
        assert_eq!(Dialect::Hip.spelt(&hip), hip);
        assert_eq!(Dialect::Cuda.spelt(CUDA), CUDA);
    }

    #[test]
    fn a_kernel_alone_gets_the_header_that_hipcc_wants_and_headers_stand_once() {
        let kernel = "__global__ void k(int* a) { a[0] = 1; }\n";
        let hip = Dialect::Hip.spelt(kernel);
        assert_eq!(hip, format!("#include <hip/hip_runtime.h>\n{kernel}"));
        let two = "#include <cuda.h>\n#include <cuda_runtime.h>\n__global__ void k() {}\n";
        let hip = Dialect::Hip.spelt(two);
        assert_eq!(hip.matches("hip_runtime.h").count(), 1, "{hip}");
    }
}
