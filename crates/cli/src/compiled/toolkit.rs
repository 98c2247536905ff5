//! NVIDIA's compiler and disassemblers, where this machine has them. None of them needs a GPU.

use super::tool;
use anyhow::{Context as _, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to do where there is no compiler.
const NO_COMPILER: &str = "no nvcc in PATH, CUDA_HOME or the Python environment; \
     `pip install nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-nvdisasm` gives one (no GPU is needed)";

/// What to do where there is no disassembler.
const NO_DISASSEMBLER: &str = "no nvdisasm or cuobjdump in PATH, CUDA_HOME or the Python environment; \
     `pip install nvidia-cuda-nvdisasm nvidia-cuda-cuobjdump` gives them";

/// The compiler.
///
/// # Errors
/// How to get one.
pub(super) fn compiler() -> anyhow::Result<PathBuf> {
    find("nvcc").context(NO_COMPILER)
}

/// The listing of a cubin, with source lines where it has them.
///
/// # Errors
/// When there is no disassembler, or it refuses the file.
pub(super) fn listing(cubin: &Path) -> anyhow::Result<String> {
    if let Some(nvdisasm) = find("nvdisasm") {
        let with_lines = tool::run(Command::new(&nvdisasm).args(["-g", "-c"]).arg(cubin))?;
        if with_lines.is_success {
            return Ok(String::from_utf8_lossy(&with_lines.out).into_owned());
        }
        return output(Command::new(&nvdisasm).arg("-c").arg(cubin));
    }
    let cuobjdump = find("cuobjdump").context(NO_DISASSEMBLER)?;
    output(Command::new(cuobjdump).arg("-sass").arg(cubin))
}

/// Takes the cubins of a fat binary, object or program out into a folder.
///
/// # Errors
/// When `cuobjdump` is not there, or finds nothing in the file.
pub(super) fn extract(file: &Path, folder: &Path) -> anyhow::Result<()> {
    let cuobjdump = find("cuobjdump").context(NO_DISASSEMBLER)?;
    let file = std::path::absolute(file)?;
    let mut command = Command::new(cuobjdump);
    command.args(["-xelf", "all"]).arg(file).current_dir(folder);
    output(&mut command).map(drop)
}

/// Standard output of a tool.
///
/// # Errors
/// What it says on standard error, when it fails; when it was ended.
pub(super) fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = Path::new(command.get_program()).to_owned();
    let name = name.file_name().unwrap_or(name.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let ran = tool::run(command)?;
    if !ran.is_success {
        let said = [ran.said, ran.out].concat();
        bail!("{name} failed: {}", String::from_utf8_lossy(&said).trim());
    }
    Ok(String::from_utf8_lossy(&ran.out).into_owned())
}

/// A tool, in the first folder that has it.
pub(crate) fn find(tool: &str) -> Option<PathBuf> {
    let file = format!("{tool}{}", std::env::consts::EXE_SUFFIX);
    folders()
        .into_iter()
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// `PATH`, the CUDA toolkit's folder, then the wheels of the Python environment.
fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    for name in ["CUDA_HOME", "CUDA_PATH"] {
        folders.extend(variable(name).map(|home| home.join("bin")));
    }
    folders.push("/usr/local/cuda/bin".into());
    folders.extend(prefixes(&path).iter().flat_map(|prefix| wheels(prefix)));
    folders
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Where Python environments are: the one that is active, that of the first `python3`, and the user's own packages.
fn prefixes(path: &OsString) -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].map(variable);
    let is_python = |folder: &PathBuf| {
        let names = ["python3", "python", "python.exe"];
        names.iter().any(|name| folder.join(name).is_file())
    };
    let first = std::env::split_paths(path).find(is_python);
    let first = first.and_then(|folder| folder.parent().map(Path::to_owned));
    let user = variable("HOME").map(|home| home.join(".local"));
    active
        .into_iter()
        .flatten()
        .chain(first)
        .chain(user)
        .collect()
}

/// Folders with programs among an environment's packages: NVIDIA's wheels, and what Triton brings along.
fn wheels(prefix: &Path) -> Vec<PathBuf> {
    let mut packages = vec![prefix.join("Lib/site-packages")];
    for library in entries(&prefix.join("lib")) {
        packages.push(library.join("site-packages"));
    }
    let mut folders = Vec::new();
    for package in packages {
        let parts = entries(&package.join("nvidia"));
        folders.extend(parts.into_iter().rev().map(|part| part.join("bin")));
        folders.push(package.join("triton/backends/nvidia/bin"));
    }
    folders
}

/// Where one of the Python environments has a package.
pub(crate) fn package(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let packages = prefixes(&path).into_iter().flat_map(|prefix| {
        let libraries = entries(&prefix.join("lib"));
        let unix = libraries
            .into_iter()
            .map(|library| library.join("site-packages"));
        unix.chain([prefix.join("Lib/site-packages")])
    });
    packages
        .map(|folder| folder.join(name))
        .find(|folder| folder.is_dir())
}

/// What a folder holds, in order; nothing where there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
