//! What is wrong with a SASS listing, or not counted of it.

use std::fmt;

use crate::Language;
use crate::other_text::OtherText;

/// What is to be said of a listing. Names are as the listing has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SassFault {
    /// The listing is longer than the limit.
    TooLong {
        /// The limit.
        mebibytes: usize,
    },
    /// The text holds no instruction.
    NotSass(OtherText),
    /// Nothing says for which architecture the code is.
    ArchitectureAssumed {
        /// The one that is taken, as 90 of `sm_90`.
        taken: u16,
    },
    /// Code for several architectures.
    SeveralArchitectures {
        /// All of them.
        found: Vec<u16>,
        /// The one that is taken.
        taken: u16,
    },
    /// Variables in constant memory depend on the host.
    InitialConstants,
    /// No function is called so.
    UnknownFunction {
        /// The name that was asked for.
        wanted: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// The listing has more instructions than the limit.
    FirstRows {
        /// The limit.
        rows: usize,
    },
    /// An instruction that is not modelled.
    NotModelled {
        /// Its opcode with modifiers.
        opcode: String,
        /// How often it stands in the function.
        times: u32,
    },
    /// The function has no end, or jumps past it.
    CutOff {
        /// The function.
        function: String,
    },
}

impl SassFault {
    /// What is to be said, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, sass_fault::text(self))
    }
}

impl fmt::Display for SassFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}
