//! CUDA as HIP spells it and HIP as CUDA does: names of the runtime, of headers and of libraries, and warp operations with
//! and without their masks; the rest of a kernel is the same in both.

use crate::token::{Kind, Token};
use crate::{Sink, lexer};
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
    ["cuComplex.h", "hip/hip_complex.h"],
    ["cooperative_groups.h", "hip/hip_cooperative_groups.h"],
    ["cub/cub.cuh", "hipcub/hipcub.hpp"],
    ["curand_kernel.h", "hiprand/hiprand_kernel.h"],
];

/// Warp operations, in CUDA with a mask of lanes as the first argument and in HIP without one.
const MASKED: &[[&str; 2]] = &[
    ["__shfl_sync", "__shfl"],
    ["__shfl_up_sync", "__shfl_up"],
    ["__shfl_down_sync", "__shfl_down"],
    ["__shfl_xor_sync", "__shfl_xor"],
    ["__ballot_sync", "__ballot"],
    ["__any_sync", "__any"],
    ["__all_sync", "__all"],
];

/// Parts of names that HIP has nothing for.
const NOT_IN_HIP: &[&str] = &[
    "wgmma",
    "nvcuda",
    "__cvta_generic_to_shared",
    "__pipeline_memcpy_async",
];

impl Dialect {
    /// The first name in `text` that this dialect has nothing for, with its line, from 1.
    #[must_use]
    pub fn missing(self, text: &str) -> Option<(usize, String)> {
        if self != Self::Hip || Self::of(text) == self {
            return None;
        }
        let is_missing = |name: &str| {
            matches!(name, "asm" | "__asm__") || NOT_IN_HIP.iter().any(|part| name.contains(part))
        };
        let tokens = lexer::lex(text, &mut Sink::deaf());
        tokens.iter().find_map(|token| match &token.kind {
            Kind::Name(name) if is_missing(name) => {
                let before = text.get(..token.span.start as usize)?;
                Some((before.matches('\n').count() + 1, name.to_string()))
            }
            _ => None,
        })
    }

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
        let out = self.with_headers(from, &self.with_names(from, text));
        // nvcc includes its runtime unasked, hipcc does not.
        match self {
            Self::Hip if !out.contains("hip/hip_runtime.h") => {
                format!("#include <hip/hip_runtime.h>\n{out}")
            }
            Self::Hip | Self::Cuda => out,
        }
    }

    /// The text with this dialect's names, its headers left as they are.
    fn with_names(self, from: Self, text: &str) -> String {
        let tokens = lexer::lex(text, &mut Sink::deaf());
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        let mut copy = |span: [u32; 2], new: &str| {
            let [start, end] = span.map(|at| at as usize);
            if start >= done {
                out += text.get(done..start).unwrap_or_default();
                out += new;
                done = end;
            }
        };
        for (at, token) in tokens.iter().enumerate() {
            let (start, end) = (token.span.start, token.span.end);
            match &token.kind {
                Kind::Name(name) => match self.call(from, name, &tokens[at + 1..]) {
                    Some((behind, new)) => copy([start, behind], &new),
                    None => copy([start, end], &self.word(from, name)),
                },
                // What a macro stands for; headers have their own names.
                Kind::Directive(_) => {
                    let line = text.get(start as usize..end as usize).unwrap_or_default();
                    let rest = line.trim_start_matches(['#', ' ', '\t']);
                    if !rest.starts_with("include") {
                        let words = words(line).map(|(is_word, piece)| match is_word {
                            true => self.word(from, piece),
                            false => Cow::Borrowed(piece),
                        });
                        copy([start, end], &words.collect::<String>());
                    }
                }
                Kind::Whole { .. }
                | Kind::Real { .. }
                | Kind::Text(_)
                | Kind::Punct(_)
                | Kind::Pack(_)
                | Kind::Unroll(_)
                | Kind::End => {}
            }
        }
        out + text.get(done..).unwrap_or_default()
    }

    /// Where the arguments of a warp operation begin that both dialects have, and the call up to there; `behind` are the tokens
    /// after its name.
    fn call(self, from: Self, name: &str, behind: &[Token]) -> Option<(u32, String)> {
        let pair = MASKED.iter().find(|pair| pair[from.column()] == name)?;
        let open = behind.first().filter(|token| token.is("("))?;
        let new = pair[self.column()];
        match self {
            Self::Cuda => Some((open.span.end, format!("{new}(0xffffffff, "))),
            Self::Hip => Some((behind_mask(behind)?, format!("{new}("))),
        }
    }

    /// The text with this dialect's headers, each of them once.
    fn with_headers(self, from: Self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            match self.include(from, line) {
                Some(include) if out.contains(&include) => {}
                Some(include) => out += &include,
                None => out += line,
            }
        }
        out
    }

    fn word(self, from: Self, word: &str) -> Cow<'_, str> {
        let (ty, to) = (from.column(), self.column());
        if let Some(pair) = NAMES.iter().find(|pair| pair[ty] == word) {
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

/// Where the second argument of a call begins, whose tokens from `(` on these are.
fn behind_mask(tokens: &[Token]) -> Option<u32> {
    let mut depth = 0_u32;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.checked_sub(1)?;
        } else if token.is(",") && depth == 1 {
            return tokens.get(at + 1).map(|next| next.span.start);
        }
        if depth == 0 {
            return None;
        }
    }
    None
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

    #[test]
    fn masks_of_lanes_go_and_come_and_comments_stay() {
        let cuda =
            "#include <cuda_runtime.h>\n#define MAKE cudaMalloc\n__global__ void k(float* a) {
  float v = a[threadIdx.x]; // cudaMalloc
  v += __shfl_down_sync(min(0xffffffffu, ~0u), v, 16);
  a[threadIdx.x] = v;
}
void go() { float* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); int cudabot = cuda_own(); }\n";
        let hip =
            "#include <hip/hip_runtime.h>\n#define MAKE hipMalloc\n__global__ void k(float* a) {
  float v = a[threadIdx.x]; // cudaMalloc
  v += __shfl_down(v, 16);
  a[threadIdx.x] = v;
}
void go() { float* a; hipMalloc(&a, 128); k<<<1, 32>>>(a); int cudabot = cuda_own(); }\n";
        assert_eq!(Dialect::Hip.spelt(cuda), hip);
        let back = cuda.replace("min(0xffffffffu, ~0u)", "0xffffffff");
        assert_eq!(Dialect::Cuda.spelt(hip), back);
    }

    #[test]
    fn what_hip_does_not_have_is_named() {
        let text = "int a;\nvoid f() { asm(\"bar.sync 0;\"); }";
        let missing = Dialect::Hip.missing(text);
        assert_eq!(missing, Some((2, "asm".to_owned())));
        assert_eq!(Dialect::Cuda.missing(text), None);
        assert_eq!(Dialect::Hip.missing("int f();"), None);
    }
}
