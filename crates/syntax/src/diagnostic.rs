//! What is wrong with a source or a run, and how to fix it.

use crate::{Contents, Span};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the numbers stand.
    Note,
    /// Probably not what was meant, or a guess was made.
    Warning,
    /// This place could not be analysed, or the kernel is wrong here.
    Error,
}

/// A change of the source that would fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text to replace.
    pub span: Span,
    /// What to put there.
    pub replacement: String,
}

/// One finding, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Where; for an expression, over the declarations, a line feed and the accesses.
    pub span: Span,
    /// Line of the span's beginning, from 1.
    pub line: u32,
    /// Column of the span's beginning in bytes, from 1.
    pub column: u32,
    /// What.
    pub kind: DiagnosticKind,
    /// How to fix it, where that is known.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(out)
    }
}

/// A thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Its block.
    pub block: [u32; 3],
    /// Its place in the block.
    pub thread: [u32; 3],
    /// Its warp in the block.
    pub warp: u32,
    /// Its lane in the warp.
    pub lane: u32,
}

impl fmt::Display for Thread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.thread;
        let [bx, by, bz] = self.block;
        write!(out, "thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
    }
}

macro_rules! kinds {
    ($( $(#[$doc:meta])* $name:ident $({ $($(#[$fdoc:meta])* $field:ident : $type:ty),* $(,)? })? => $code:literal, $severity:ident; )*) => {
        /// What is wrong, with the values that say it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum DiagnosticKind {
            $( $(#[$doc])* $name $({ $($(#[$fdoc])* $field: $type),* })?, )*
        }

        impl DiagnosticKind {
            /// A name that stays the same for ever, for tables and scripts.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $( Self::$name { .. } => $code, )* }
            }

            /// How bad it is.
            #[must_use]
            pub fn severity(&self) -> Severity {
                match self { $( Self::$name { .. } => Severity::$severity, )* }
            }
        }
    };
}

kinds! {
    /// The text is longer than [`crate::Limits::source_bytes`].
    SourceTooLong {
        /// The most bytes.
        limit: u64,
    } => "source-too-long", Error;
    /// More tokens than [`crate::Limits::tokens`], after macros.
    TooManyTokens {
        /// The most tokens.
        limit: u64,
    } => "too-many-tokens", Error;
    /// Nested deeper, or a longer chain of operators, than [`crate::Limits::depth`].
    TooDeep {
        /// The most levels.
        limit: u64,
    } => "too-deep", Error;
    /// The program with its functions put in place has more than [`crate::Limits::instructions`].
    TooLarge {
        /// The most instructions.
        limit: u64,
    } => "too-large", Error;
    /// More is looked at than [`crate::Limits::steps`].
    TooManySteps {
        /// The most expressions and statements.
        limit: u64,
    } => "too-many-steps", Error;
    /// Templates make too many structures.
    TooManyTypes {
        /// The most structures.
        limit: u64,
    } => "too-many-types", Error;
    /// An array that is larger than memory.
    TooManyBytes {
        /// The most bytes.
        limit: u64,
    } => "too-many-bytes", Error;
    /// A character that no token begins with.
    UnexpectedCharacter {
        /// The character.
        character: char,
    } => "unexpected-character", Error;
    /// A comment, string or character without its end.
    Unterminated {
        /// What has no end.
        what: &'static str,
    } => "unterminated", Error;
    /// A number that cannot be read.
    BadNumber {
        /// Its text.
        text: String,
    } => "bad-number", Error;
    /// Something else was to come here.
    Expected {
        /// What was to come.
        expected: &'static str,
        /// What came.
        found: String,
    } => "expected", Error;
    /// A local file that the source includes and that was not given.
    MissingInclude {
        /// Its name as written.
        name: String,
    } => "missing-include", Warning;
    /// A macro called with another number of arguments.
    MacroArguments {
        /// The macro.
        name: String,
        /// Its parameters.
        expected: u64,
        /// The arguments given.
        found: u64,
    } => "macro-arguments", Error;
    /// A name that nothing declares.
    UnknownName {
        /// The name.
        name: String,
        /// The nearest known one.
        suggestion: Option<String>,
    } => "unknown-name", Error;
    /// A type that nothing declares.
    UnknownType {
        /// The name.
        name: String,
        /// The nearest known one.
        suggestion: Option<String>,
    } => "unknown-type", Error;
    /// A function that is not known.
    UnknownFunction {
        /// The name.
        name: String,
        /// The nearest known one.
        suggestion: Option<String>,
    } => "unknown-function", Error;
    /// A field that the type lacks.
    UnknownField {
        /// The field.
        field: String,
        /// The type.
        of: String,
        /// The nearest of its fields.
        suggestion: Option<String>,
    } => "unknown-field", Error;
    /// An argument of the launch that the kernel has no parameter for.
    UnknownArgument {
        /// The name.
        name: String,
        /// The nearest parameter.
        suggestion: Option<String>,
    } => "unknown-argument", Warning;
    /// A call with another number of arguments.
    ArgumentCount {
        /// The function.
        name: String,
        /// Its parameters.
        expected: u64,
        /// The arguments given.
        found: u64,
    } => "argument-count", Error;
    /// An index on what is no array or pointer.
    NotIndexable {
        /// The type.
        found: String,
    } => "not-indexable", Error;
    /// `*` on what is no pointer.
    NotAPointer {
        /// The type.
        found: String,
    } => "not-a-pointer", Error;
    /// An assignment to what holds no value.
    NotAssignable => "not-assignable", Error;
    /// A value that must be known before the launch is not.
    NotConstant {
        /// What must be known.
        what: &'static str,
    } => "not-constant", Error;
    /// A type where another is needed.
    Mismatch {
        /// The type needed.
        expected: String,
        /// The type found.
        found: String,
    } => "mismatch", Error;
    /// A name declared twice in one scope.
    Redeclared {
        /// The name.
        name: String,
    } => "redeclared", Error;
    /// A function that calls itself.
    Recursion {
        /// The function.
        name: String,
    } => "recursion", Error;
    /// Part of the language that is not read.
    Unsupported {
        /// What it is.
        what: String,
    } => "unsupported", Error;
    /// Read and left out, though it makes requests of its own.
    LeftOut {
        /// What it is.
        what: String,
    } => "left-out", Warning;
    /// Read and left out, without effect on addresses.
    Ignored {
        /// What it is.
        what: String,
    } => "ignored", Note;
    /// No `__global__` function.
    NoKernel => "no-kernel", Error;
    /// No `__global__` function, and the signs of a language that is not read.
    OtherLanguage {
        /// The language.
        name: String,
    } => "other-language", Error;
    /// The kernel asked for is not there.
    UnknownKernel {
        /// The name.
        name: String,
        /// The nearest kernel.
        suggestion: Option<String>,
    } => "unknown-kernel", Error;
    /// Several kernels, none named.
    SeveralKernels {
        /// The one taken.
        taken: String,
    } => "several-kernels", Note;
    /// A template parameter without value.
    MissingTemplateArgument {
        /// The parameter.
        name: String,
        /// The value taken.
        assumed: String,
    } => "missing-template-argument", Warning;
    /// A parameter without value.
    MissingArgument {
        /// The parameter.
        name: String,
        /// The value taken.
        assumed: i64,
    } => "missing-argument", Warning;
    /// An expression that touches no memory.
    NoAccess => "no-access", Warning;
    /// A list of values longer than [`crate::Limits::values`], or that never ends.
    TooManyValues {
        /// The most values.
        limit: u64,
    } => "too-many-values", Error;
    /// Division by a constant zero.
    DivisionByZero => "division-by-zero", Error;
    /// The launch has more threads in a block than 1,024.
    BlockTooLarge {
        /// The threads.
        threads: u64,
        /// The most threads.
        limit: u64,
    } => "block-too-large", Error;
    /// `extern __shared__` memory without a size in the launch.
    NoDynamicShared {
        /// The array.
        name: String,
    } => "no-dynamic-shared", Warning;
    /// A value is read and never used, or stored and never read: a compiler leaves the access out, and so does the run.
    NeverUsed => "never-used", Note;
    /// An atomic whose address all lanes share: one lane does it for the warp.
    WarpAggregated => "warp-aggregated", Note;
    /// An atomic on a float or on 64 bits of shared memory: a loop of compare and swap on the hardware.
    CompareAndSwapLoop => "compare-and-swap-loop", Note;
    /// The address, or whether the line runs, depends on what memory holds.
    DependsOnData {
        /// The array that is read for it.
        array: String,
        /// What it was taken to hold.
        contents: Contents,
    } => "depends-on-data", Note;
    /// The address, a branch or a count depends on a value that is not known.
    DependsOnUnknown {
        /// What is not known.
        what: String,
    } => "depends-on-unknown", Warning;
    /// An index outside its dimension.
    OutOfRange {
        /// The array.
        array: String,
        /// Which of its dimensions, from 0.
        dimension: u32,
        /// The index.
        index: i64,
        /// The dimension's size.
        extent: u64,
        /// Who asks.
        thread: Thread,
    } => "out-of-range", Error;
    /// An address outside the array or buffer.
    OutOfBounds {
        /// The array.
        array: String,
        /// Bytes from its beginning.
        offset: i64,
        /// Its size in bytes.
        bytes: u64,
        /// Who asks.
        thread: Thread,
    } => "out-of-bounds", Error;
    /// A pointer to no array.
    WildPointer {
        /// Who asks.
        thread: Thread,
    } => "wild-pointer", Error;
    /// An address that is no multiple of the access's width.
    Misaligned {
        /// The array.
        array: String,
        /// Bytes from its beginning.
        offset: i64,
        /// The access's width.
        bytes: u64,
        /// Who asks.
        thread: Thread,
    } => "misaligned", Error;
    /// A barrier that part of a block's threads does not reach.
    DivergentBarrier {
        /// One that waits.
        waits: Thread,
        /// One that does not come.
        missing: Thread,
    } => "divergent-barrier", Error;
    /// A barrier that threads which have returned do not reach.
    BarrierAfterReturn {
        /// One that waits.
        waits: Thread,
        /// One that has returned.
        returned: Thread,
    } => "barrier-after-return", Warning;
    /// Two warps touch one word of shared memory with no barrier between, at least one writing.
    Race {
        /// The array.
        array: String,
        /// Byte address in shared memory of the word.
        word: u64,
        /// Line of the earlier access.
        first_line: u32,
        /// Who made it.
        first: Thread,
        /// Whether it wrote.
        first_writes: bool,
        /// Line of the later access.
        second_line: u32,
        /// Who made it.
        second: Thread,
        /// Whether it wrote.
        second_writes: bool,
    } => "race", Error;
    /// A layout that cannot be read or has no meaning.
    Layout {
        /// What is wrong with it.
        fault: lanescope_layouts::Fault,
    } => "layout", Error;
    /// What WGSL's own checker finds wrong.
    Wgsl {
        /// In its words.
        message: String,
    } => "wgsl", Error;
    /// Something to know of PTX or SASS; counts are complete.
    CompiledNote {
        /// In words.
        message: String,
    } => "compiled-note", Note;
    /// Something of PTX or SASS that is not modelled: counts may be incomplete.
    CompiledGap {
        /// In words.
        message: String,
    } => "compiled-gap", Warning;
    /// PTX or SASS that cannot be read.
    CompiledError {
        /// In words.
        message: String,
    } => "compiled-error", Error;
    /// What compiled objects say stands in the text, and not the listing of their code.
    ObjectAlone {
        /// The first names of kernels.
        kernels: String,
        /// `sm_80, sm_90`.
        architectures: String,
    } => "object-alone", Error;
    /// Reading WGSL, PTX or SASS took too long and was ended.
    ReaderSlow => "wgsl-slow", Error;
    /// What reads WGSL could not be loaded.
    ReaderMissing => "wgsl-missing", Error;
    /// The browser starts no worker, and WGSL, PTX and SASS are read by one.
    ReaderForbidden => "wgsl-no-worker", Error;
    /// Something to know about a layout.
    LayoutNote {
        /// What.
        fault: lanescope_layouts::Fault,
    } => "layout-note", Warning;
    /// The run ended at its budget.
    Stopped {
        /// Requests made until then.
        requests: u64,
    } => "stopped", Warning;
}

/// `; did you mean ...?` where there is a nearest name.
struct Meant<'a>(&'a Option<String>);

impl fmt::Display for Meant<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(out, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

fn verb(writes: bool) -> &'static str {
    if writes { "writes" } else { "reads" }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceTooLong { limit } => {
                write!(out, "the source is longer than {limit} bytes; shorten it")
            }
            Self::TooManyTokens { limit } => write!(
                out,
                "more than {limit} tokens; shorten the source or its macros"
            ),
            Self::TooDeep { limit } => write!(
                out,
                "nested deeper than {limit} levels; split it with variables"
            ),
            Self::TooLarge { limit } => write!(
                out,
                "more than {limit} instructions with all functions put in place; leave out what is not looked at"
            ),
            Self::TooManySteps { limit } => write!(
                out,
                "more than {limit} expressions and statements with all functions put in place; leave out what is not looked at"
            ),
            Self::TooManyTypes { limit } => write!(
                out,
                "templates make more than {limit} structures; use fewer different arguments"
            ),
            Self::TooManyBytes { limit } => {
                write!(out, "more than {limit} bytes; make the array smaller")
            }
            Self::UnexpectedCharacter { character } => {
                write!(out, "unexpected character `{}`", character.escape_default())
            }
            Self::Unterminated { what } => write!(out, "{what} without its end"),
            Self::BadNumber { text } => write!(out, "`{text}` is not a number"),
            Self::Expected { expected, found } => write!(out, "expected {expected}, found {found}"),
            Self::MissingInclude { name } => {
                write!(out, "`{name}` is not here; what it declares is not known")
            }
            Self::MacroArguments {
                name,
                expected,
                found,
            }
            | Self::ArgumentCount {
                name,
                expected,
                found,
            } => {
                write!(out, "`{name}` takes {expected} arguments, not {found}")
            }
            Self::UnknownName { name, suggestion } => {
                write!(out, "unknown name `{name}`{}", Meant(suggestion))
            }
            Self::UnknownType { name, suggestion } => {
                write!(out, "unknown type `{name}`{}", Meant(suggestion))
            }
            Self::UnknownFunction { name, suggestion } => {
                write!(out, "unknown function `{name}`{}", Meant(suggestion))
            }
            Self::UnknownField {
                field,
                of,
                suggestion,
            } => write!(out, "`{of}` has no field `{field}`{}", Meant(suggestion)),
            Self::UnknownArgument { name, suggestion } => write!(
                out,
                "the kernel has no parameter `{name}`{}",
                Meant(suggestion)
            ),
            Self::NotIndexable { found } => write!(
                out,
                "`{found}` cannot be indexed; an array or a pointer can"
            ),
            Self::NotAPointer { found } => write!(out, "`{found}` is not a pointer"),
            Self::NotAssignable => out.write_str("this cannot be assigned to"),
            Self::NotConstant { what } => write!(
                out,
                "{what} must be a constant; define it with `#define` or `constexpr`"
            ),
            Self::Mismatch { expected, found } => {
                write!(out, "expected `{expected}`, found `{found}`")
            }
            Self::Redeclared { name } => write!(out, "`{name}` is declared twice; rename one"),
            Self::Recursion { name } => write!(
                out,
                "`{name}` calls itself; recursion is not followed, write it as a loop"
            ),
            Self::Unsupported { what } => {
                write!(out, "{what} is not analysed; the other lines are")
            }
            Self::LeftOut { what } => {
                write!(
                    out,
                    "{what} is left out; the requests that it makes are not counted"
                )
            }
            Self::Ignored { what } => write!(out, "{what} is left out"),
            Self::NoKernel => out.write_str("no `__global__` function here"),
            Self::OtherLanguage { name } => write!(
                out,
                "this is {name}, which is not read; give CUDA, HIP or WGSL, or the PTX or SASS that a compiler makes of it"
            ),
            Self::UnknownKernel { name, suggestion } => {
                write!(out, "no kernel `{name}`{}", Meant(suggestion))
            }
            Self::SeveralKernels { taken } => {
                write!(out, "several kernels here; `{taken}` is taken")
            }
            Self::MissingTemplateArgument { name, assumed } => write!(
                out,
                "template parameter `{name}` has no value; `{assumed}` is taken"
            ),
            Self::MissingArgument { name, assumed } => {
                write!(out, "parameter `{name}` has no value; {assumed} is taken")
            }
            Self::NoAccess => {
                out.write_str("this touches no memory; index an array, as in `tile[threadIdx.x]`")
            }
            Self::TooManyValues { limit } => {
                write!(out, "more than {limit} values; shorten the list")
            }
            Self::DivisionByZero => out.write_str("division by zero"),
            Self::BlockTooLarge { threads, limit } => {
                write!(out, "{threads} threads a block; the most is {limit}")
            }
            Self::NoDynamicShared { name } => write!(
                out,
                "`{name}` has no size; give the launch its bytes of dynamic shared memory"
            ),
            Self::NeverUsed => out.write_str(
                "the value is never used; a compiler leaves the access out, and it is not counted",
            ),
            Self::WarpAggregated => out.write_str(
                "all lanes share this address: the compiler adds them up first, and one lane asks",
            ),
            Self::CompareAndSwapLoop => out
                .write_str("on hardware this is a loop of compare and swap; one round is counted"),
            Self::DependsOnData { array, contents } => write!(
                out,
                "depends on data: computed with {contents} in `{array}`"
            ),
            Self::DependsOnUnknown { what } => {
                write!(out, "depends on {what}: not fully counted")
            }
            Self::OutOfRange {
                array,
                dimension,
                index,
                extent,
                thread,
            } => {
                write!(
                    out,
                    "index {index} of `{array}` is out of range in dimension {dimension} (0 to {}), {thread}, lane {}",
                    extent.saturating_sub(1),
                    thread.lane
                )
            }
            Self::OutOfBounds {
                array,
                offset,
                bytes,
                thread,
            } => {
                write!(
                    out,
                    "byte {offset} of `{array}` is out of bounds (it has {bytes} bytes), {thread}, lane {}",
                    thread.lane
                )
            }
            Self::WildPointer { thread } => write!(out, "this points to no array, {thread}"),
            Self::Misaligned {
                array,
                offset,
                bytes,
                thread,
            } => {
                write!(
                    out,
                    "byte {offset} of `{array}` is not aligned for an access of {bytes} bytes, {thread}"
                )
            }
            Self::DivergentBarrier { waits, missing } => write!(
                out,
                "not every thread of the block reaches this barrier: {waits} waits, {missing} does not come"
            ),
            Self::BarrierAfterReturn { waits, returned } => write!(
                out,
                "not every thread of the block reaches this barrier: {waits} waits, {returned} has returned"
            ),
            Self::Race {
                array,
                word,
                first_line,
                first,
                first_writes,
                second_line,
                second,
                second_writes,
            } => write!(
                out,
                "race on byte {word} of shared memory (`{array}`): line {first_line} {} it ({first}) and line {second_line} {} it ({second}) with no barrier between",
                verb(*first_writes),
                verb(*second_writes)
            ),
            Self::Layout { fault } | Self::LayoutNote { fault } => fault.fmt(out),
            Self::Wgsl { message } => out.write_str(message),
            Self::CompiledNote { message }
            | Self::CompiledGap { message }
            | Self::CompiledError { message } => out.write_str(message),
            Self::ObjectAlone {
                kernels,
                architectures,
            } => write!(
                out,
                "a compiled file with {kernels} for {architectures}, of which these lines keep parameters and constants; paste the output of `cuobjdump -sass FILE` below them, or drop it here, to count its code"
            ),
            Self::ReaderSlow => out.write_str("reading this text took too long and was ended"),
            Self::ReaderMissing => out.write_str(
                "what reads WGSL, PTX and SASS could not be loaded; try again with a network",
            ),
            Self::ReaderForbidden => out.write_str(
                "this browser starts no workers here, and WGSL, PTX and SASS are read in one; CUDA kernels work without",
            ),
            Self::Stopped { requests } => write!(out, "stopped after {requests} requests"),
        }
    }
}
