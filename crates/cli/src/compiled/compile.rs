//! `--compile`: a source as the compiler of this machine makes it.

use super::input::Input;
use super::scratch::Scratch;
use super::sources::Sources;
use super::toolkit;
use crate::args::kernel::KernelArgs;
use anyhow::bail;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What the compiler makes of the source in `bytes`.
///
/// # Errors
/// When there is no compiler, or it refuses the source.
pub(super) fn compiled(args: &KernelArgs, bytes: &[u8]) -> anyhow::Result<Input> {
    let nvcc = toolkit::compiler()?;
    let scratch = Scratch::new()?;
    let is_stdin = args.file.as_os_str() == "-";
    let source = if is_stdin {
        let path = scratch.path().join("stdin.cu");
        fs::write(&path, bytes)?;
        path
    } else {
        std::path::absolute(&args.file)?
    };
    let cubin = scratch.path().join("kernel.cubin");
    let mut command = Command::new(nvcc);
    command
        .args(["-cubin", "-lineinfo", "-x", "cu"])
        .arg(format!("-arch={}", architecture(args)?))
        .args(defines(args, &String::from_utf8_lossy(bytes)))
        .args(args.kernel.folders.iter().flat_map(|folder| {
            let folder: PathBuf = folder.into();
            ["-I".into(), folder]
        }))
        .args(&args.compiler_flags)
        .arg(&source)
        .arg("-o")
        .arg(&cubin);
    toolkit::output(&mut command)?;
    let mut sources = Sources::default();
    if is_stdin {
        let text = String::from_utf8_lossy(bytes).into_owned();
        sources.add(&source.to_string_lossy(), "<stdin>", &text);
    }
    Input::cubin(&cubin, sources)
}

/// `sm_…`, as asked for, or else of the device.
pub(super) fn architecture(args: &KernelArgs) -> anyhow::Result<String> {
    if let Some(requested) = &args.arch {
        return Ok(requested.clone());
    }
    let device = args.count.device.choice().device.id();
    match device.strip_prefix("cc") {
        Some(capability) => Ok(format!("sm_{}", capability.replace('.', ""))),
        None => bail!("nvcc does not compile for {device}; give --arch, as in --arch sm_90"),
    }
}

/// `-D` for macros; values of template parameters are for the one who names the kernel.
pub(super) fn defines(args: &KernelArgs, source: &str) -> Vec<String> {
    let is_macro = |name: &str| !is_template_parameter(source, name);
    let macros = args.kernel.defines.iter();
    macros
        .filter(|(name, _)| is_macro(name))
        .map(|(name, value)| format!("-D{name}={value}"))
        .collect()
}

fn is_template_parameter(source: &str, name: &str) -> bool {
    let heads = source.split("template").skip(1);
    heads
        .filter_map(|rest| rest.trim_start().strip_prefix('<'))
        .any(|rest| {
            let head = rest.split('>').next().unwrap_or_default();
            let words = head.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.into_iter().any(|word| word == name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_template_parameters_are_told_apart() {
        let source =
            "template <typename T, int TILE>\n__global__ void f(T* a) { a[WIDTH] = TILE; }";
        assert!(is_template_parameter(source, "TILE"));
        assert!(!is_template_parameter(source, "WIDTH"));
        assert!(!is_template_parameter(source, "T*"));
    }
}
