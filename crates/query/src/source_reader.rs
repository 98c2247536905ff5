//! The front end of a search for fixes: what it tries is read as the count reads it.

use crate::{Compiler, static_passes};
use lanescope_cuda::source::Parsed;
use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_fixes::{Reader, Source, Version};
use lanescope_share::State;

/// Reads what a fix makes of a source as [`crate::Read::of`] reads the source itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceReader {
    compiler: Compiler,
    /// Whether a value that a thread has read is read again.
    rereads: bool,
}

impl Default for SourceReader {
    /// As what was measured compiles it.
    fn default() -> Self {
        Self {
            compiler: Compiler::Nvcc13,
            rereads: false,
        }
    }
}

impl SourceReader {
    /// As `compiler` makes what `state` asks.
    #[must_use]
    pub const fn of(state: &State, compiler: Compiler) -> Self {
        Self {
            compiler,
            rereads: state.repeated_reads,
        }
    }
}

impl Reader for SourceReader {
    fn read(&self, source: &Source, version: Version) -> Parsed {
        let (text, options) = match source {
            Source::Kernel { text, options } => (text, options),
            Source::Expression {
                declarations,
                accesses,
                bare,
            } => return parse_expression(declarations, accesses, *bare),
        };
        match (self.compiler, version) {
            (Compiler::None, _) | (Compiler::Nvcc13, Version::Written) => {
                parse_kernel(text, options)
            }
            (Compiler::Nvcc13, Version::Counted) => {
                static_passes::read(text, options, self.rereads).0
            }
            (Compiler::Nvcc13, Version::Separate) => {
                static_passes::read_separate(text, options, self.rereads)
            }
        }
    }
}
