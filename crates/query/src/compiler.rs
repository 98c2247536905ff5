//! What a compiler makes of a kernel before it is counted.

use lanescope_frontend::{Language, is_amp};
use lanescope_share::{self as share, Device, Source, State};

/// Whose version of a kernel is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// Nobody's: the kernel as written, every access where it stands.
    None,
    /// What nvcc of CUDA 13 makes of it, as measured for compute capability 9.0.
    Nvcc13,
}

/// Why no compiler is modelled for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// Its source is no kernel: expressions, a layout, a trace.
    NoKernel,
    /// It is what a compiler made already.
    Compiled,
    /// No compiler of WGSL was measured.
    Wgsl,
    /// No compiler of C++ AMP was.
    Amp,
    /// No compiler for this device was.
    Device,
}

impl Compiler {
    /// The name that links, the command line and programs know it by.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Nvcc13 => "nvcc-13",
        }
    }

    /// The one that `state` is counted with: that which it names, or without a name that which was measured for kernels
    /// of its language on devices of its kind; none where none was.
    #[must_use]
    pub fn of(state: &State) -> Self {
        match (unmeasured(state), state.compiler) {
            (Some(_), _) | (None, Some(share::Compiler::None)) => Self::None,
            (None, None | Some(share::Compiler::Nvcc13)) => Self::Nvcc13,
        }
    }
}

/// Why `state` can only be counted as written; `None` where there is a compiler to choose.
#[must_use]
pub fn unmeasured(state: &State) -> Option<Unmeasured> {
    let Source::Kernel(text) = &state.source else {
        return Some(Unmeasured::NoKernel);
    };
    match Language::of(text) {
        Language::Wgsl => Some(Unmeasured::Wgsl),
        Language::Ptx | Language::Sass => Some(Unmeasured::Compiled),
        Language::Cuda if is_amp(text) => Some(Unmeasured::Amp),
        Language::Cuda => (!is_nvidia(&state.device)).then_some(Unmeasured::Device),
    }
}

/// Whether nvcc compiles for a device; one of somebody's own numbers is taken for such.
fn is_nvidia(device: &Device) -> bool {
    match device {
        Device::Known(id) => id.to_ascii_lowercase().starts_with("cc"),
        Device::Custom(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(text: &str, device: &str, compiler: Option<share::Compiler>) -> State {
        State {
            source: Source::Kernel(text.to_owned()),
            device: Device::Known(device.to_owned()),
            compiler,
            ..State::default()
        }
    }

    #[test]
    fn only_what_was_measured_is_compiled() {
        let cuda = "__global__ void k(float *a) { a[0] = 1; }";
        let amp = "void f() { parallel_for_each(e, [=](index<1> i) restrict(amp) { a[i] = 1; }); }";
        let wgsl = "@compute @workgroup_size(1) fn main() {}";
        for (text, device, chosen, expected) in [
            (cuda, "cc9.0", None, Compiler::Nvcc13),
            (cuda, "cc9.0", Some(share::Compiler::None), Compiler::None),
            (
                cuda,
                "cc9.0",
                Some(share::Compiler::Nvcc13),
                Compiler::Nvcc13,
            ),
            (cuda, "cdna3", None, Compiler::None),
            (cuda, "cdna3", Some(share::Compiler::Nvcc13), Compiler::None),
            (wgsl, "cc9.0", Some(share::Compiler::Nvcc13), Compiler::None),
            (amp, "cc9.0", None, Compiler::None),
        ] {
            assert_eq!(
                Compiler::of(&state(text, device, chosen)),
                expected,
                "{text} {device}"
            );
        }
        assert_eq!(
            unmeasured(&state(wgsl, "cc9.0", None)),
            Some(Unmeasured::Wgsl)
        );
        assert_eq!(
            unmeasured(&state(cuda, "cdna3", None)),
            Some(Unmeasured::Device)
        );
        assert_eq!(unmeasured(&State::default()), Some(Unmeasured::NoKernel));
    }
}
