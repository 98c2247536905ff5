//! Languages of kernels that are not read, told from their text so that one sentence can say so.

/// A language that is not read, and what its texts hold: every word of one of the lists.
type Signs = (&'static str, &'static [&'static [&'static str]]);

/// The more telling first.
const LANGUAGES: [Signs; 12] = [
    (
        "Metal",
        &[
            &["metal_stdlib"],
            &["[[thread_position_in_"],
            &["[[kernel]]", "[[buffer("],
        ],
    ),
    (
        "OpenCL C",
        &[
            &["__kernel", "get_global_id"],
            &["__kernel", "__global "],
            &["kernel void", "get_global_id"],
        ],
    ),
    (
        "HLSL",
        &[
            &["[numthreads("],
            &["SV_DispatchThreadID"],
            &["RWStructuredBuffer"],
            &["groupshared "],
        ],
    ),
    (
        "GLSL",
        &[
            &["gl_LocalInvocationI"],
            &["gl_GlobalInvocationID"],
            &["#version", "layout("],
        ],
    ),
    ("Triton", &[&["triton.language"], &["@triton.jit"]]),
    (
        "Python (Numba or CuPy)",
        &[&["@cuda.jit"], &["from numba"], &["cuda.grid("]],
    ),
    (
        "CUDA Fortran",
        &[&["attributes(global)"], &["end subroutine", "blockidx%x"]],
    ),
    (
        "Julia",
        &[
            &["using CUDA", "function "],
            &["@cuda threads"],
            &["blockIdx().x"],
        ],
    ),
    (
        "Mojo",
        &[
            &["fn ", "UnsafePointer["],
            &["fn ", "LayoutTensor["],
            &["from gpu", "fn "],
        ],
    ),
    ("SYCL", &[&["sycl::"], &["cl::sycl"]]),
    (
        "AMD's assembly",
        &[&["s_endpgm"], &["amdgcn"], &["v_lshlrev_b32"]],
    ),
    ("Slang", &[&["[shader(\"compute\")]"]]),
];

/// Bytes that are looked at.
const BYTES_MAX: usize = 1 << 16;

/// The language of a text without a CUDA kernel, where it is one that is known and not read.
#[must_use]
pub fn of(text: &str) -> Option<&'static str> {
    let end = (0..=BYTES_MAX.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))?;
    let head = text.get(..end)?;
    let holds = |signs: &[&str]| signs.iter().all(|sign| head.contains(sign));
    let found = LANGUAGES
        .iter()
        .find(|(_, lists)| lists.iter().any(|signs| holds(signs)));
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn languages_that_are_not_read_are_told_apart() {
        for (text, language) in [
            (
                "__kernel void f(__global float* a) { a[get_global_id(0)] = 1; }",
                "OpenCL C",
            ),
            (
                "#include <metal_stdlib>\nkernel void f(device float* a [[buffer(0)]]) {}",
                "Metal",
            ),
            (
                "[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {}",
                "HLSL",
            ),
            (
                "#version 450\nlayout(local_size_x = 64) in;\nvoid main() {}",
                "GLSL",
            ),
            (
                "import triton.language as tl\n@triton.jit\ndef f(x): pass",
                "Triton",
            ),
            (
                "from numba import cuda\n@cuda.jit\ndef f(x): pass",
                "Python (Numba or CuPy)",
            ),
            (
                "attributes(global) subroutine f(x)\nend subroutine",
                "CUDA Fortran",
            ),
            ("from gpu import thread_idx\nfn f(x: Int): pass", "Mojo"),
            ("f:\n s_waitcnt lgkmcnt(0)\n s_endpgm", "AMD's assembly"),
        ] {
            assert_eq!(of(text), Some(language), "{text}");
        }
        assert_eq!(of("int main() { return 0; }"), None);
    }
}
