//! Reading a text: which kernel, and why not.

use crate::{Lowered, MAX_BYTES, Module, lower, parse};
use lanescope_launches::plain_name;

/// Why a text gives no kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PtxError {
    /// It is something else; the words say what, as far as that can be told.
    NotPtx(&'static str),
    /// It is longer than [`MAX_BYTES`].
    TooLong,
    /// No kernel is in it.
    NoKernel,
    /// There are several kernels, and none was named.
    Several(Vec<String>),
    /// No kernel has the name that was asked for; these are there.
    Unknown(String, Vec<String>),
}

impl std::fmt::Display for PtxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotPtx(what) => write!(f, "this is not PTX: {what}"),
            Self::TooLong => write!(
                f,
                "the text is longer than 64 MiB: cut out the kernel in question"
            ),
            Self::NoKernel => write!(f, "the text has no `.entry` with a body"),
            Self::Several(names) => {
                write!(
                    f,
                    "the text has several kernels; name one of: {}",
                    list(names)
                )
            }
            Self::Unknown(name, names) => {
                write!(
                    f,
                    "no kernel is called `{name}`; there are: {}",
                    list(names)
                )
            }
        }
    }
}

impl std::error::Error for PtxError {}

/// At most ten names.
fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
    let more = if names.len() > 10 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// What a text that is no PTX seems to be.
fn other_kind(text: &str) -> Option<&'static str> {
    let head: String = text.chars().take(20_000).collect();
    let has = |needle: &str| head.contains(needle);
    if has("/*0000*/") || has("Function :") || has(".sectionflags") || has("EIATTR") {
        Some("it looks like SASS, a disassembly")
    } else if has("s_load_dword") || has("amdgcn") || has("s_endpgm") {
        Some("it looks like AMD's assembly, which is not read yet")
    } else if has("define ") && (has("nvptx") || has("target triple") || has("addrspace(")) {
        Some("it looks like LLVM's intermediate representation; `llc` makes PTX of it")
    } else if has("__global__") || has("#include") {
        Some("it looks like CUDA C++")
    } else if has("@compute") || has("@workgroup_size") {
        Some("it looks like WGSL")
    } else if has("tt.func") || has("module attributes") {
        Some("it looks like MLIR")
    } else {
        None
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
        return Err(PtxError::TooLong);
    }
    if !looks_like_ptx(text) {
        let what = other_kind(text).unwrap_or("no directive or instruction of PTX is in it");
        return Err(PtxError::NotPtx(what));
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
