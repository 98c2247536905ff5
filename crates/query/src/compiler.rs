//! What a compiler makes of a kernel before it is counted.

use lanescope_lang::{Parsed, Program};
use lanescope_share::{Device, Source, State};

/// Whose version of a kernel is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// Nobody's: the kernel as written, every access where it stands.
    None,
    /// What nvcc of CUDA 13 makes of it, as measured for compute capability 9.0.
    Nvcc13,
}

impl Compiler {
    /// The one that a state is counted with where nobody says: that which was measured for kernels of the state's
    /// language on devices of its kind, else none.
    #[must_use]
    pub fn of(state: &State) -> Self {
        match (&state.source, &state.device) {
            (Source::Kernel(_), Device::Known(id)) if id.to_ascii_lowercase().starts_with("cc") => {
                Self::Nvcc13
            }
            (Source::Kernel(_), Device::Custom(_)) => Self::Nvcc13,
            _ => Self::None,
        }
    }
}

/// A kernel that was read with [`lanescope_lang::KernelOptions::as_written`], to be run as it is written.
#[must_use]
pub fn as_written(source: &str, parsed: Parsed, language: lanescope_cuda::Language) -> Parsed {
    if parsed.program.name().is_empty() {
        return parsed;
    }
    let kernel = lanescope_cuda::translate(source, &parsed.program, language);
    let names = parsed.program.kernels().to_vec();
    Parsed {
        program: Program::from_ir(kernel, source, names),
        ..parsed
    }
}
