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
    /// Triton in a Python environment; it is named, not used.
    triton: Option<PathBuf>,
}

impl Tools {
    /// Looks in `PATH`, the toolkits' folders and the Python environments.
    pub(super) fn found() -> Self {
        let rocm = PathBuf::from("/opt/rocm/bin/hipcc");
        Self {
            nvcc: compiled::find("nvcc"),
            disassembler: compiled::find("nvdisasm").or_else(|| compiled::find("cuobjdump")),
            hipcc: compiled::find("hipcc").or_else(|| rocm.is_file().then_some(rocm)),
            triton: compiled::package("triton"),
        }
    }

    /// One line for the terminal.
    pub(super) fn text(&self) -> String {
        let path = |one: &Option<PathBuf>| {
            let path = one.as_ref().map(|path| path.display().to_string());
            path.unwrap_or_else(|| "none".to_owned())
        };
        format!(
            "nvcc: {}, hipcc: {}, Triton: {}",
            path(&self.nvcc),
            path(&self.hipcc),
            path(&self.triton)
        )
    }
}
