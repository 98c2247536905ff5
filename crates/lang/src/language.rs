//! Which language a pasted kernel is in, told from its text alone.

/// The language of a kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CUDA C++, HIP or C++ AMP: whatever is none of the others.
    Cuda,
    /// WGSL.
    Wgsl,
    /// PTX, as nvcc, Triton or Numba print it.
    Ptx,
    /// SASS, as cuobjdump, nvdisasm or Compiler Explorer print it.
    Sass,
}

/// Lines that are looked at.
const LINES_MAX: usize = 4_000;

impl Language {
    /// The language of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if is_wgsl(text) {
            Self::Wgsl
        } else if lines(text).any(is_sass_line) {
            Self::Sass
        } else if lines(text).any(is_ptx_line) {
            Self::Ptx
        } else {
            Self::Cuda
        }
    }

    /// Whether it is what a compiler printed, of which no compiler's doing is left to guess.
    #[must_use]
    pub const fn is_compiled(self) -> bool {
        match self {
            Self::Ptx | Self::Sass => true,
            Self::Cuda | Self::Wgsl => false,
        }
    }
}

/// Whether a text looks like WGSL and not like CUDA: it has an attribute or a variable as only WGSL writes them.
#[must_use]
pub fn is_wgsl(source: &str) -> bool {
    ["@compute", "@group", "var<workgroup>"]
        .iter()
        .any(|sign| source.contains(sign))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(LINES_MAX).map(str::trim)
}

/// `/*0010*/ MOV R1, c[0x0][0x28] ;`: an instruction behind its address.
fn is_sass_line(line: &str) -> bool {
    let Some((address, rest)) = line
        .strip_prefix("/*")
        .and_then(|rest| rest.split_once("*/"))
    else {
        return line.starts_with("code for sm_") || line.starts_with(".section\t.text.");
    };
    let is_address =
        (4..=8).contains(&address.len()) && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let opcode = rest.trim_start().trim_start_matches(['{', ' ']);
    let begins =
        opcode.starts_with('@') || opcode.starts_with(|first: char| first.is_ascii_uppercase());
    is_address && begins && rest.contains(';')
}

/// A directive that only PTX has.
fn is_ptx_line(line: &str) -> bool {
    [
        ".version ",
        ".address_size ",
        ".target sm_",
        ".visible .entry",
        ".entry ",
        ".weak .entry",
    ]
    .iter()
    .any(|directive| line.starts_with(directive))
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn a_text_tells_its_language() {
        let cases = [
            ("__global__ void f(float* a) { a[0] = 1; }", Language::Cuda),
            ("/* 0010 */ __global__ void f() {}", Language::Cuda),
            ("@compute @workgroup_size(64) fn main() {}", Language::Wgsl),
            ("//\n.version 8.0\n.target sm_90\n", Language::Ptx),
            (".visible .entry f()\n{ ret; }", Language::Ptx),
            (
                "        /*0000*/                   LDC R1, c[0x0][0x28] ;",
                Language::Sass,
            ),
            (
                "        /*0030*/              @!P0 EXIT ;    /* 0x0 */",
                Language::Sass,
            ),
            ("code for sm_90\n  Function : f", Language::Sass),
            ("", Language::Cuda),
        ];
        for (text, language) in cases {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
