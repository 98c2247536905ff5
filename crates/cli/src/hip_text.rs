//! A source for CUDA as one for HIP: the runtime's names, its headers, and shuffles without masks.

use anyhow::bail;
use lanescope_syntax::token::{Kind, Token};
use lanescope_syntax::{Sink, lexer};

/// Headers of CUDA's and those of HIP's in their place.
const HEADERS: [(&str, &str); 8] = [
    ("cuda_runtime.h", "hip/hip_runtime.h"),
    ("cuda_runtime_api.h", "hip/hip_runtime_api.h"),
    ("cuda.h", "hip/hip_runtime.h"),
    ("device_launch_parameters.h", "hip/hip_runtime.h"),
    ("cuda_fp16.h", "hip/hip_fp16.h"),
    ("cooperative_groups.h", "hip/hip_cooperative_groups.h"),
    ("cub/cub.cuh", "hipcub/hipcub.hpp"),
    ("cuComplex.h", "hip/hip_complex.h"),
];

/// Warp operations that HIP has without the mask of lanes.
const UNMASKED: [(&str, &str); 7] = [
    ("__shfl_sync", "__shfl"),
    ("__shfl_up_sync", "__shfl_up"),
    ("__shfl_down_sync", "__shfl_down"),
    ("__shfl_xor_sync", "__shfl_xor"),
    ("__ballot_sync", "__ballot"),
    ("__any_sync", "__any"),
    ("__all_sync", "__all"),
];

/// The text for HIP.
///
/// # Errors
/// When it uses what HIP does not have, with its line.
pub(crate) fn of(text: &str) -> anyhow::Result<String> {
    let tokens = lexer::lex(text, &mut Sink::deaf());
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let Kind::Name(name) = &token.kind else {
            continue;
        };
        if let Some(missing) = missing(name) {
            let line = text[..token.span.start as usize].matches('\n').count() + 1;
            bail!("line {line}: HIP has no {missing}");
        }
        let unmasked = UNMASKED.iter().find(|(cuda, _)| *cuda == &**name);
        let (end, new) = match unmasked {
            Some((_, hip)) => {
                let Some(behind) = behind_mask(&tokens[at..]) else {
                    continue;
                };
                (behind as usize, format!("{hip}("))
            }
            None => match runtime(name) {
                Some(new) => (token.span.end as usize, new),
                None => continue,
            },
        };
        changed.push_str(&text[done..token.span.start as usize]);
        changed.push_str(&new);
        done = end;
        while tokens
            .get(at)
            .is_some_and(|next| (next.span.start as usize) < done)
        {
            at += 1;
        }
    }
    changed.push_str(&text[done..]);
    Ok(with_headers(&changed))
}

/// What HIP has nothing for.
fn missing(name: &str) -> Option<&str> {
    let parts = [
        "wgmma",
        "nvcuda",
        "__cvta_generic_to_shared",
        "__pipeline_memcpy_async",
    ];
    let is_asm = matches!(name, "asm" | "__asm__");
    let found = parts.into_iter().any(|part| name.contains(part));
    (found || is_asm).then_some(name)
}

/// The name of HIP's runtime for one of CUDA's.
fn runtime(name: &str) -> Option<String> {
    let rest = name.strip_prefix("cuda")?;
    let is_runtime = rest.starts_with(|sign: char| sign.is_ascii_uppercase());
    is_runtime.then(|| format!("hip{rest}"))
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

/// The text with HIP's headers in place of CUDA's, the runtime's among them.
fn with_headers(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_included = false;
    for line in text.split_inclusive('\n') {
        let changed = header(line).unwrap_or_else(|| line.to_owned());
        let is_runtime = changed.contains("hip/hip_runtime.h");
        if !(is_runtime && is_included) {
            lines.push(changed);
        }
        is_included |= is_runtime;
    }
    if !is_included {
        lines.insert(0, "#include <hip/hip_runtime.h>\n".to_owned());
    }
    lines.concat()
}

/// The line with HIP's header, if it includes one of CUDA's.
fn header(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?;
    let (cuda, hip) = HEADERS.iter().find(|(cuda, _)| {
        rest.trim()
            .trim_matches(['<', '>', '"'])
            .eq_ignore_ascii_case(cuda)
    })?;
    Some(line.replace(cuda, hip))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn names_headers_and_masks_are_hips() {
        let cuda = "#include <cuda_runtime.h>\n#include <cuda.h>\n__global__ void k(float* a) {
  float v = a[threadIdx.x]; // cudaMalloc
  v += __shfl_down_sync(min(0xffffffffu, ~0u), v, 16);
  a[threadIdx.x] = v;
}
void go() { float* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaDeviceSynchronize(); int cudabot = cuda_own(); }\n";
        let hip = "#include <hip/hip_runtime.h>\n__global__ void k(float* a) {
  float v = a[threadIdx.x]; // cudaMalloc
  v += __shfl_down(v, 16);
  a[threadIdx.x] = v;
}
void go() { float* a; hipMalloc(&a, 128); k<<<1, 32>>>(a); hipDeviceSynchronize(); int cudabot = cuda_own(); }\n";
        assert_eq!(of(cuda).unwrap(), hip);
    }

    #[test]
    fn the_runtime_is_included_where_nothing_is() {
        assert_eq!(
            of("int f();").unwrap(),
            "#include <hip/hip_runtime.h>\nint f();"
        );
    }

    #[test]
    fn what_hip_does_not_have_is_named() {
        let error = of("int a;\nvoid f() { asm(\"bar.sync 0;\"); }").unwrap_err();
        assert_eq!(error.to_string(), "line 2: HIP has no asm");
    }
}
