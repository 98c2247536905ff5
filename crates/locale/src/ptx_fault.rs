//! What is wrong with PTX, or not counted of it.

use std::fmt;

use crate::Language;
use crate::other_text::OtherText;

/// Why a text gives no kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PtxError {
    /// It is something else.
    NotPtx(OtherText),
    /// It is longer than the limit.
    TooLong {
        /// The limit.
        mebibytes: usize,
    },
    /// No kernel is in it.
    NoKernel,
    /// There are several kernels, and none was named.
    Several(Vec<String>),
    /// No kernel has the name that was asked for; these are there.
    Unknown(String, Vec<String>),
}

impl PtxError {
    /// Why, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, ptx_fault::error(self))
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for PtxError {}

/// What is wrong at a place of the text, or not counted there. Names and marks are as the text has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PtxFault {
    /// A mark or word that cannot stand here.
    Unexpected(String),
    /// The same, where the instruction before it has no end.
    MissingSemicolon(String),
    /// A guard without its instruction.
    MissingInstruction,
    /// What no operand begins with.
    NotAnOperand(String),
    /// The text ends within an instruction.
    EndsInInstruction,
    /// A declaration without its end.
    OpenDeclaration,
    /// A closing brace too many.
    UnopenedBrace,
    /// A directive that cannot stand outside functions.
    NotADirective(String),
    /// A function without a name.
    UnnamedFunction,
    /// A function without its closing brace.
    EndsInFunction,
    /// An operand that has no value.
    NoValue,
    /// Fewer operands than the instruction takes.
    MissingOperand,
    /// A vector of a length that cannot be here.
    VectorLength,
    /// The address of a parameter of a call.
    AddressOfParameter(String),
    /// The address of a function.
    AddressOfFunction(String),
    /// A predicate for a number, or a number for a predicate.
    PredicateOrNumber,
    /// An access without its address.
    MissingAddress,
    /// An address of a space that is not made generic here.
    GenericAddress(String),
    /// More instructions than the limit.
    KernelTooLong,
    /// An operand that cannot be written to.
    NotWritable,
    /// An instruction that is not modelled and may touch memory.
    MemoryNotModelled(String),
    /// Braces deeper than the limit.
    TooDeep,
    /// A guard that is no predicate.
    NotAPredicate(String),
    /// A branch to an unknown label.
    UnknownLabel,
    /// An indexed branch without its targets.
    NoTargets,
    /// Addresses in a variable's initializer.
    HoldsAddresses(String),
    /// A variable that nothing declares.
    NotDeclared(String),
    /// A constant that nothing declares, of a body without its module.
    ContentsNotKnown(String),
    /// A call without a name.
    CallOfNothing,
    /// A function that calls itself.
    Recursion(String),
    /// A function that is called too deep.
    CalledTooDeep(String),
    /// A function without a body.
    NoBody(String),
    /// A call through a register.
    IndirectCall(String),
    /// An instruction that is not in the table.
    UnknownInstruction(String),
    /// An access of 32 bytes a lane.
    CountedAsTwo(String),
    /// A vector of another length than the instruction says.
    VectorMismatch,
    /// A register that is narrower than what is loaded.
    NarrowRegister,
    /// A parameter that nothing declares.
    UndeclaredParameter,
    /// A name that is no parameter.
    NotAParameter(String),
    /// A parameter that cannot be written.
    ReadOnlyParameter,
    /// A reduction over some of a block's threads.
    PartialReduction,
    /// An asynchronous copy of a size that there is not.
    AsyncCopyBytes,
    /// A name that is no register.
    NotARegister(String),
    /// A special register that is written.
    ReadOnlyRegister(String),
    /// A register that nothing declares.
    UndeclaredRegister(String),
    /// A body without the head of its kernel.
    MissingHead,
}

impl PtxFault {
    /// What is wrong, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, ptx_fault::text(self))
    }
}

impl fmt::Display for PtxFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}
