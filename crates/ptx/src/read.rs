//! Reading a text: which kernel, and why not.

use crate::{Lowered, MAX_BYTES, Module, lower, parse};
use lanescope_launches::plain_name;
use lanescope_locale::other_text::OtherText;
use lanescope_locale::ptx_fault::PtxError;

/// What a text that is no PTX seems to be.
fn other_kind(text: &str) -> OtherText {
    let head: String = text.chars().take(20_000).collect();
    let has = |needle: &str| head.contains(needle);
    if has("/*0000*/") || has("Function :") || has(".sectionflags") || has("EIATTR") {
        OtherText::Sass
    } else if has("s_load_dword") || has("amdgcn") || has("s_endpgm") {
        OtherText::AmdAssembly
    } else if has("define ") && (has("nvptx") || has("target triple") || has("addrspace(")) {
        OtherText::Llvm
    } else if has("__global__") || has("#include") {
        OtherText::Cuda
    } else if has("@compute") || has("@workgroup_size") {
        OtherText::Wgsl
    } else if has("tt.func") || has("module attributes") {
        OtherText::Mlir
    } else {
        OtherText::NoPtx
    }
}

/// Whether a text is PTX, by its directives or by its instructions.
#[must_use]
pub fn looks_like_ptx(text: &str) -> bool {
    let mut evidence = 0_u32;
    for line in text.lines().take(4000) {
        let line = line.trim_start();
        let word = line.split([' ', '\t']).next().unwrap_or("");
        evidence += match word {
            ".version" | ".target" | ".address_size" | ".entry" => 2,
            ".visible" | ".reg" | ".weak" => 1,
            _ if word.starts_with("ld.param") || word.starts_with("cvta.to") => 1,
            _ if line.ends_with(';')
                && line.contains('%')
                && ["mov.", "add.", "ld.", "st.", "mad.", "mul.", "setp."]
                    .iter()
                    .any(|opcode| word.starts_with(opcode)) =>
            {
                1
            }
            _ => 0,
        };
        if evidence >= 2 {
            return true;
        }
    }
    false
}

/// The kernels of a module: index among its functions, and name.
#[must_use]
pub fn entries<'t>(module: &Module<'t>) -> Vec<(usize, &'t str)> {
    module
        .functions
        .iter()
        .enumerate()
        .filter(|(_, function)| function.is_entry && function.body.is_some())
        .map(|(index, function)| (index, function.name))
        .collect()
}

/// Reads one kernel of a text: the only one, or the one called `name`, mangled or by its plain name.
///
/// # Errors
/// [`PtxError`] where there is no such kernel.
pub fn read(text: &str, name: Option<&str>) -> Result<Lowered, PtxError> {
    if text.len() > MAX_BYTES {
        let mebibytes = MAX_BYTES >> 20;
        return Err(PtxError::TooLong { mebibytes });
    }
    if !looks_like_ptx(text) {
        return Err(PtxError::NotPtx(other_kind(text)));
    }
    let (module, diagnostics) = parse(text);
    let index = choose(&module, name)?;
    let mut lowered = lower(&module, index).ok_or(PtxError::NoKernel)?;
    let mut all = diagnostics;
    all.extend(&lowered.diagnostics);
    lowered.diagnostics = all;
    Ok(lowered)
}

fn choose(module: &Module<'_>, name: Option<&str>) -> Result<usize, PtxError> {
    let found = entries(module);
    let names = || found.iter().map(|(_, name)| (*name).to_owned()).collect();
    match (name, found.as_slice()) {
        (_, []) => Err(PtxError::NoKernel),
        (None, [(index, _)]) => Ok(*index),
        (None, _) => Err(PtxError::Several(names())),
        (Some(wanted), _) => {
            let exact = found.iter().find(|(_, name)| *name == wanted);
            let mut plain = found.iter().filter(|(_, name)| plain_name(name) == wanted);
            match (exact, plain.next(), plain.next()) {
                (Some((index, _)), _, _) | (None, Some((index, _)), None) => Ok(*index),
                (None, Some(_), Some(_)) => Err(PtxError::Several(names())),
                (None, None, _) => Err(PtxError::Unknown(wanted.to_owned(), names())),
            }
        }
    }
}
