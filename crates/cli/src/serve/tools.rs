//! The compilers that this machine has.

use crate::compiled;
use serde::Serialize;
use std::path::PathBuf;

/// What was found, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tools {
    /// The compiler that sources go to.
    nvcc: Option<PathBuf>,
    /// What disassembles its code.
    disassembler: Option<PathBuf>,
    /// AMD's compiler; it is named, not used.
    hipcc: Option<PathBuf>,
    /// Whether a Python environment has Triton.
    triton: bool,
}

impl Tools {
    /// Looks in `PATH`, the toolkits' folders and the Python environments.
    pub(super) fn found() -> Self {
        let rocm = PathBuf::from("/opt/rocm/bin/hipcc");
        Self {
            nvcc: compiled::find("nvcc"),
            disassembler: compiled::find("nvdisasm").or_else(|| compiled::find("cuobjdump")),
            hipcc: compiled::find("hipcc").or_else(|| rocm.is_file().then_some(rocm)),
            triton: compiled::has_package("triton"),
        }
    }

    /// One line for the terminal.
    pub(super) fn text(&self) -> String {
        let path = |one: &Option<PathBuf>| {
            let path = one.as_ref().map(|path| path.display().to_string());
            path.unwrap_or_else(|| "none".to_owned())
        };
        let triton = if self.triton { "found" } else { "none" };
        format!(
            "nvcc: {}, hipcc: {}, Triton: {triton}",
            path(&self.nvcc),
            path(&self.hipcc)
        )
    }
}
