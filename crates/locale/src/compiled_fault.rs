//! What is wrong with compiled code, whichever kind it is.

use std::fmt;

use crate::Language;
use crate::ptx_fault::{PtxError, PtxFault};
use crate::sass_fault::SassFault;

/// What the readers of compiled code have to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompiledFault {
    /// Of a place in PTX.
    Ptx(PtxFault),
    /// Of PTX that gives no kernel.
    NoPtx(PtxError),
    /// Of a SASS listing.
    Sass(SassFault),
}

impl CompiledFault {
    /// What it is, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Ptx(fault) => fault.text(language),
            Self::NoPtx(error) => error.text(language),
            Self::Sass(fault) => fault.text(language),
        }
    }
}

impl fmt::Display for CompiledFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}
