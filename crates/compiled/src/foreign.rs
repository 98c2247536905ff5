//! Texts of other tools, which are recognised and not read.

use lanescope_locale::other_text::OtherText;

/// Lines that are looked at.
const MOST_LINES: usize = 400;

/// Signs of a text, and what it is.
const KINDS: [(&[&str], OtherText); 3] = [
    (
        &["amdgcn", "s_endpgm", "s_load_dword", ".amdhsa_kernel"],
        OtherText::AmdAssembly,
    ),
    (&["target triple =", "target datalayout ="], OtherText::Llvm),
    (
        &["tt.func ", "ttg.", "gpu.module ", "module attributes {"],
        OtherText::Mlir,
    ),
];

/// What a text is that a compiler or disassembler printed and nothing here reads; `None` of others.
#[must_use]
pub fn not_read(text: &str) -> Option<OtherText> {
    let lines = || text.lines().take(MOST_LINES);
    let is_encoding = |line: &str| {
        let inner = line
            .trim()
            .strip_prefix("/*")
            .and_then(|rest| rest.strip_suffix("*/"));
        inner.is_some_and(|inner| {
            let digits = inner.trim().strip_prefix("0x").unwrap_or_default();
            digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    if lines().filter(|line| is_encoding(line)).count() > 1 {
        return Some(OtherText::Encodings);
    }
    if lines().any(|line| line.contains("__global__")) {
        return None;
    }
    KINDS.into_iter().find_map(|(signs, what)| {
        let has_sign = |line: &str| signs.iter().any(|sign| line.contains(sign));
        lines().any(has_sign).then_some(what)
    })
}

#[cfg(test)]
mod tests {
    use super::{OtherText, not_read};

    #[test]
    fn each_kind_is_told() {
        for (text, kind) in [
            (
                "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n",
                OtherText::AmdAssembly,
            ),
            (
                "s_load_dwordx2 s[0:1], s[4:5], 0x0\ns_endpgm\n",
                OtherText::AmdAssembly,
            ),
            (
                "/* 0x00000a00ff017b82 */\n/* 0x000fe20000000800 */\n",
                OtherText::Encodings,
            ),
            ("target triple = \"nvptx64-nvidia-cuda\"\n", OtherText::Llvm),
            ("module {\n  tt.func public @k() {\n", OtherText::Mlir),
        ] {
            assert_eq!(not_read(text), Some(kind), "{text}");
        }
        for text in [
            "",
            "__global__ void f() {}",
            "/* 0x12 */\n/* 0x34 */",
            "// amdgcn\n__global__ void f() {}",
        ] {
            assert_eq!(not_read(text), None, "{text}");
        }
    }
}
