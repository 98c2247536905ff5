//! What is wrong with PTX, in English.

use crate::Language;
use crate::names::listed;
use crate::ptx_fault::{PtxError, PtxFault};

const MOST_NAMES: usize = 10;

pub(crate) fn error(error: &PtxError) -> String {
    match error {
        PtxError::NotPtx(kind) => kind.text(Language::English).into(),
        PtxError::TooLong { mebibytes } => {
            format!("the text is longer than {mebibytes} MiB: cut out the kernel in question")
        }
        PtxError::NoKernel => "the text has no `.entry` with a body".into(),
        PtxError::Several(names) => format!(
            "the text has several kernels; name one of: {}",
            listed(names, MOST_NAMES, ", ")
        ),
        PtxError::Unknown(name, names) => format!(
            "no kernel is called `{name}`; there are: {}",
            listed(names, MOST_NAMES, ", ")
        ),
    }
}

pub(crate) fn text(fault: &PtxFault) -> String {
    let fixed = match fault {
        PtxFault::Unexpected(text) => return format!("`{text}` is not expected here"),
        PtxFault::MissingSemicolon(text) => {
            return format!("`{text}` is not expected here; is a `;` missing?");
        }
        PtxFault::NotAnOperand(text) => return format!("`{text}` is not an operand"),
        PtxFault::NotADirective(text) => {
            return format!("`{text}` is not a directive that stands outside functions");
        }
        PtxFault::AddressOfParameter(name) => {
            return format!("the address of `{name}` is not followed");
        }
        PtxFault::AddressOfFunction(name) => {
            return format!("the address of function `{name}` is not followed");
        }
        PtxFault::GenericAddress(instruction) => {
            return format!("generic addresses of `{instruction}` are not followed");
        }
        PtxFault::MemoryNotModelled(instruction) => {
            return format!(
                "`{instruction}` is not modelled: what it does to memory is not counted"
            );
        }
        PtxFault::NotAPredicate(name) => return format!("`{name}` is not a predicate"),
        PtxFault::HoldsAddresses(name) => {
            return format!("`{name}` holds addresses, which the text does not say");
        }
        PtxFault::NotDeclared(name) => return format!("`{name}` is not declared"),
        PtxFault::ContentsNotKnown(name) => {
            return format!("`{name}` is not declared: what it holds is not known");
        }
        PtxFault::Recursion(name) => {
            return format!("`{name}` calls itself: what it does there is not followed");
        }
        PtxFault::CalledTooDeep(name) => {
            return format!("`{name}` is called too deep: what it does there is not followed");
        }
        PtxFault::NoBody(name) => {
            return format!("`{name}` has no body in the text: what it does is not counted");
        }
        PtxFault::IndirectCall(name) => {
            return format!("`{name}` is called through a register: what it does is not counted");
        }
        PtxFault::UnknownInstruction(name) => {
            return format!("`{name}` is not known: what depends on it is unknown");
        }
        PtxFault::CountedAsTwo(instruction) => {
            return format!(
                "`{instruction}` moves 32 bytes a lane: it is counted as two accesses of 16"
            );
        }
        PtxFault::NotAParameter(name) => return format!("`{name}` is not a parameter"),
        PtxFault::NotARegister(name) => return format!("`{name}` is not a register"),
        PtxFault::ReadOnlyRegister(name) => return format!("`{name}` cannot be written"),
        PtxFault::UndeclaredRegister(name) => {
            return format!("`{name}` is not declared: its width is taken from its first use");
        }
        PtxFault::MissingInstruction => "an instruction is missing",
        PtxFault::EndsInInstruction => "the text ends within an instruction",
        PtxFault::OpenDeclaration => "a declaration lacks its `;`",
        PtxFault::UnopenedBrace => "a `}` without its `{`",
        PtxFault::UnnamedFunction => "a function without a name",
        PtxFault::EndsInFunction => "the text ends before the function does",
        PtxFault::NoValue => "this operand has no value",
        PtxFault::MissingOperand => "an operand is missing",
        PtxFault::VectorLength => "a vector of this many elements does not fit here",
        PtxFault::PredicateOrNumber => {
            "a predicate stands where a number is wanted, or the other way round"
        }
        PtxFault::MissingAddress => "an address is missing",
        PtxFault::KernelTooLong => "the kernel is too long: the rest of it is left out",
        PtxFault::NotWritable => "this is not a register to write to",
        PtxFault::TooDeep => "braces nest too deep",
        PtxFault::UnknownLabel => "a branch to a label that is not there",
        PtxFault::NoTargets => "an indexed branch without targets",
        PtxFault::CallOfNothing => "a call of nothing",
        PtxFault::VectorMismatch => {
            "the vector has another number of elements than the instruction"
        }
        PtxFault::NarrowRegister => "a register is narrower than what is loaded",
        PtxFault::UndeclaredParameter => "this parameter is not declared",
        PtxFault::ReadOnlyParameter => "this parameter cannot be written",
        PtxFault::PartialReduction => {
            "a reduction over some of a block's threads is taken over all of them"
        }
        PtxFault::AsyncCopyBytes => "an asynchronous copy moves 4, 8 or 16 bytes",
        PtxFault::MissingHead => {
            "the head of the kernel is missing: its parameters are those that it reads"
        }
    };
    fixed.to_owned()
}
