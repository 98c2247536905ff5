//! What the page says of compilers.

use lanescope_locale::{Language, compiler};
use lanescope_query::{Compiler, Unmeasured};

use super::Word;

/// A choice of a compiler.
pub(crate) const fn choice(compiler: Compiler) -> Word {
    match compiler {
        Compiler::None => |words| words.compiler.as_written,
        Compiler::Nvcc13 => |words| words.compiler.as_nvcc_13,
    }
}

/// Why there is nothing to choose.
pub(crate) const fn unmeasured(why: Unmeasured) -> Word {
    match why {
        Unmeasured::NoKernel => |_| "",
        Unmeasured::Compiled => |words| words.compiler.is_compiled,
        Unmeasured::Wgsl => |words| words.compiler.is_wgsl,
        Unmeasured::Amp => |words| words.compiler.is_amp,
        Unmeasured::Device => |words| words.compiler.device_unmeasured,
    }
}

/// What the compiler of this machine made of a line, beside what was predicted.
pub(crate) fn compiled_cost(language: Language, [predicted, counted]: [u64; 2]) -> String {
    if predicted == counted {
        compiler::as_predicted(language, counted)
    } else {
        compiler::not_as_predicted(language, counted, predicted)
    }
}
