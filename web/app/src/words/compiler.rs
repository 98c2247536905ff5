//! What the page says of compilers.

use lanescope_locale::compiler::{self, CompilerWords};
use lanescope_model::Unit;
use lanescope_query::{AccessRemark, Compiler, Unmeasured};

use super::Words;

impl Words {
    /// What is said of compilers without numbers in it.
    pub(crate) const fn of_compilers(self) -> &'static CompilerWords {
        CompilerWords::of(self.0)
    }

    /// A choice of a compiler.
    pub(crate) const fn compiler(self, compiler: Compiler) -> &'static str {
        match compiler {
            Compiler::None => self.of_compilers().as_written,
            Compiler::Nvcc13 => self.of_compilers().as_nvcc_13,
        }
    }

    /// Why there is nothing to choose.
    pub(crate) const fn unmeasured(self, why: Unmeasured) -> &'static str {
        match why {
            Unmeasured::NoKernel => "",
            Unmeasured::Compiled => self.of_compilers().is_compiled,
            Unmeasured::Wgsl => self.of_compilers().is_wgsl,
            Unmeasured::Amp => self.of_compilers().is_amp,
            Unmeasured::Device => self.of_compilers().device_unmeasured,
        }
    }

    /// What the compiler of this machine made of a line, beside what was predicted.
    pub(crate) fn compiled_cost(self, [predicted, counted]: [u64; 2]) -> String {
        if predicted == counted {
            compiler::as_predicted(self.0, counted)
        } else {
            compiler::not_as_predicted(self.0, counted, predicted)
        }
    }

    /// Over the picture of a request as it was compiled.
    pub(crate) fn picture_counted(self, instruction: &str) -> String {
        compiler::picture_counted(self.0, instruction)
    }

    /// Beside a headline that is counted in compiled code: what was predicted.
    pub(crate) fn counted_beside(self, predicted: &str) -> String {
        compiler::counted_beside(self.0, predicted)
    }

    /// Over the list of remarks.
    pub(crate) fn remarks_title(self, count: usize) -> String {
        compiler::remarks_title(self.0, count)
    }

    /// One remark.
    pub(crate) fn remark(self, remark: &AccessRemark) -> String {
        remark.text(self.0)
    }

    /// Where the source's text is not at hand.
    pub(crate) fn source_wanted(self, file: &str) -> String {
        compiler::source_wanted(self.0, file)
    }

    /// The columns of a line's costs: requests, wavefronts, sectors (or what the device counts), the fewest.
    pub(crate) fn cost_columns(self, unit: Option<Unit>) -> [&'static str; 4] {
        compiler::cost_columns(self.0, unit)
    }
}
