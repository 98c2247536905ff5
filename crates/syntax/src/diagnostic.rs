//! What is wrong with a source or a run, and how to fix it.

use std::fmt;

use lanescope_locale::compiled_fault::CompiledFault;
use lanescope_locale::{Language, diagnostic, verdict};

use crate::{Construct, Contents, Span};

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

impl Thread {
    /// Its place in the launch, in `language`.
    fn text(&self, language: Language) -> String {
        diagnostic::thread(language, self.thread, self.block)
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
        what: Construct,
    } => "unterminated", Error;
    /// A number that cannot be read.
    BadNumber {
        /// Its text.
        text: String,
    } => "bad-number", Error;
    /// Something else was to come here.
    Expected {
        /// What was to come.
        expected: Construct,
        /// What came.
        found: Construct,
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
        ty: String,
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
        what: Construct,
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
        what: Construct,
    } => "unsupported", Error;
    /// Read and left out, though it makes requests of its own.
    LeftOut {
        /// What it is.
        what: Construct,
    } => "left-out", Warning;
    /// Read and left out, without effect on addresses.
    Ignored {
        /// What it is.
        what: Construct,
    } => "ignored", Note;
    /// No `__global__` function.
    NoKernel => "no-kernel", Error;
    /// No `__global__` function, and the signs of a language that is not read.
    OtherLanguage {
        /// The language.
        name: String,
    } => "other-language", Error;
    /// A kernel made of a library of templates that is not read from source.
    NeedsCompiler {
        /// The library.
        library: String,
    } => "needs-compiler", Error;
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
    /// A type that another file defines, by a name that all give to one type.
    AssumedType {
        /// Its name.
        name: String,
        /// The type taken.
        assumed: String,
    } => "assumed-type", Warning;
    /// A name, or a place left open, that is taken for what such texts mean by it.
    AssumedName {
        /// As written.
        name: String,
        /// What it is taken for.
        assumed: String,
    } => "assumed-name", Warning;
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
    /// Nobody gave the shape of the launch under which what follows was found.
    GuessedLaunch {
        /// Blocks.
        grid: [u32; 3],
        /// Threads of a block.
        block: [u32; 3],
    } => "guessed-launch", Warning;
    /// A value is read and never used, or stored and never read: a compiler leaves the access out, and so does the run.
    NeverUsed => "never-used", Note;
    /// Nothing that the kernel does outlives its blocks: a compiler leaves nothing of it.
    NoResult => "no-result", Warning;
    /// What the assembler makes of the kernel was worked out only in part: the work on it is bounded.
    PassesCut => "passes-cut", Warning;
    /// An access that the assembler may join with others, repeat or leave out.
    AssemblerChoice => "assembler-choice", Note;
    /// An atomic whose address all lanes share: one lane does it for the warp.
    WarpAggregated => "warp-aggregated", Note;
    /// An atomic on a float or on 64 bits of shared memory: a loop of compare and swap on the hardware.
    CompareAndSwapLoop => "compare-and-swap-loop", Note;
    /// The address, or whether the line runs, depends on what memory holds.
    DependsOnData {
        /// The array that is read for it, where it is known.
        array: Option<String>,
        /// What it was taken to hold.
        contents: Contents,
    } => "depends-on-data", Note;
    /// The address, a branch or a count depends on a value that is not known.
    DependsOnUnknown {
        /// What is not known.
        what: Construct,
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
        /// The array, where it is known.
        array: Option<String>,
        /// Bytes from its beginning.
        offset: i64,
        /// Its size in bytes.
        bytes: u64,
        /// What a sum or product of two `int`s in its index should be that does not fit into one.
        overflow: Option<i64>,
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
        /// The array, where it is known.
        array: Option<String>,
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
        /// The array, where it is known.
        array: Option<String>,
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
        /// What.
        fault: CompiledFault,
    } => "compiled-note", Note;
    /// Something of PTX or SASS that is not modelled: counts may be incomplete.
    CompiledGap {
        /// What.
        fault: CompiledFault,
    } => "compiled-gap", Warning;
    /// PTX or SASS that cannot be read.
    CompiledError {
        /// What is wrong with it.
        fault: CompiledFault,
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

impl DiagnosticKind {
    /// What is wrong, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::SourceTooLong { limit } => diagnostic::source_too_long(language, *limit),
            Self::TooManyTokens { limit } => diagnostic::too_many_tokens(language, *limit),
            Self::TooDeep { limit } => diagnostic::too_deep(language, *limit),
            Self::TooLarge { limit } => diagnostic::too_large(language, *limit),
            Self::TooManySteps { limit } => diagnostic::too_many_steps(language, *limit),
            Self::TooManyTypes { limit } => diagnostic::too_many_types(language, *limit),
            Self::TooManyBytes { limit } => diagnostic::too_many_bytes(language, *limit),
            Self::UnexpectedCharacter { character } => {
                diagnostic::unexpected_character(language, &character.escape_default().to_string())
            }
            Self::Unterminated { what } => diagnostic::unterminated(language, &what.text(language)),
            Self::BadNumber { text } => diagnostic::bad_number(language, text),
            Self::Expected { expected, found } => {
                diagnostic::expected(language, &expected.text(language), &found.text(language))
            }
            Self::MissingInclude { name } => diagnostic::missing_include(language, name),
            Self::MacroArguments {
                name,
                expected,
                found,
            }
            | Self::ArgumentCount {
                name,
                expected,
                found,
            } => diagnostic::argument_count(language, name, *expected, *found),
            Self::UnknownName { name, suggestion } => {
                diagnostic::unknown_name(language, name) + &meant(language, suggestion.as_deref())
            }
            Self::UnknownType { name, suggestion } => {
                diagnostic::unknown_type(language, name) + &meant(language, suggestion.as_deref())
            }
            Self::UnknownFunction { name, suggestion } => {
                diagnostic::unknown_function(language, name)
                    + &meant(language, suggestion.as_deref())
            }
            Self::UnknownField {
                field,
                ty,
                suggestion,
            } => {
                diagnostic::unknown_field(language, ty, field)
                    + &meant(language, suggestion.as_deref())
            }
            Self::UnknownArgument { name, suggestion } => {
                diagnostic::unknown_argument(language, name)
                    + &meant(language, suggestion.as_deref())
            }
            Self::UnknownKernel { name, suggestion } => {
                diagnostic::unknown_kernel(language, name) + &meant(language, suggestion.as_deref())
            }
            Self::NotIndexable { found } => diagnostic::not_indexable(language, found),
            Self::NotAPointer { found } => diagnostic::not_a_pointer(language, found),
            Self::NotAssignable => diagnostic::not_assignable(language).into(),
            Self::NotConstant { what } => diagnostic::not_constant(language, &what.text(language)),
            Self::Mismatch { expected, found } => diagnostic::mismatch(language, expected, found),
            Self::Redeclared { name } => diagnostic::redeclared(language, name),
            Self::Recursion { name } => diagnostic::recursion(language, name),
            Self::Unsupported { what } => diagnostic::unsupported(language, &what.text(language)),
            Self::LeftOut { what } => diagnostic::left_out(language, &what.text(language)),
            Self::Ignored { what } => diagnostic::ignored(language, &what.text(language)),
            Self::NoKernel => diagnostic::no_kernel(language).into(),
            Self::OtherLanguage { name } => diagnostic::other_language(language, name),
            Self::NeedsCompiler { library } => diagnostic::needs_compiler(language, library),
            Self::SeveralKernels { taken } => diagnostic::several_kernels(language, taken),
            Self::MissingTemplateArgument { name, assumed } => {
                diagnostic::missing_template_argument(language, name, assumed)
            }
            Self::AssumedType { name, assumed } => {
                diagnostic::assumed_type(language, name, assumed)
            }
            Self::AssumedName { name, assumed } => {
                diagnostic::assumed_name(language, name, assumed)
            }
            Self::MissingArgument { name, assumed } => {
                diagnostic::missing_argument(language, name, *assumed)
            }
            Self::NoAccess => diagnostic::no_access(language).into(),
            Self::TooManyValues { limit } => diagnostic::too_many_values(language, *limit),
            Self::DivisionByZero => diagnostic::division_by_zero(language).into(),
            Self::BlockTooLarge { threads, limit } => {
                diagnostic::block_too_large(language, *threads, *limit)
            }
            Self::NoDynamicShared { name } => diagnostic::no_dynamic_shared(language, name),
            Self::GuessedLaunch { grid, block } => {
                diagnostic::guessed_launch(language, &verdict::shape(language, *grid, *block))
            }
            Self::NeverUsed => diagnostic::never_used(language).into(),
            Self::NoResult => diagnostic::no_result(language).into(),
            Self::PassesCut => diagnostic::passes_cut(language).into(),
            Self::AssemblerChoice => diagnostic::assembler_choice(language).into(),
            Self::WarpAggregated => diagnostic::warp_aggregated(language).into(),
            Self::CompareAndSwapLoop => diagnostic::compare_and_swap_loop(language).into(),
            Self::DependsOnData { array, contents } => {
                diagnostic::depends_on_data(language, array.as_deref(), &contents.text(language))
            }
            Self::DependsOnUnknown { what } => {
                diagnostic::depends_on_unknown(language, &what.text(language))
            }
            Self::OutOfRange {
                array,
                dimension,
                index,
                extent,
                thread,
            } => diagnostic::out_of_range(
                language,
                array,
                *dimension,
                *index,
                extent.saturating_sub(1),
                &thread.text(language),
                thread.lane,
            ),
            Self::OutOfBounds {
                array,
                offset,
                bytes,
                overflow,
                thread,
            } => {
                let said = diagnostic::out_of_bounds(
                    language,
                    array.as_deref(),
                    *offset,
                    *bytes,
                    &thread.text(language),
                    thread.lane,
                );
                overflow.map_or_else(String::new, |exact| int_overflow(language, exact)) + &said
            }
            Self::WildPointer { thread } => {
                diagnostic::wild_pointer(language, &thread.text(language))
            }
            Self::Misaligned {
                array,
                offset,
                bytes,
                thread,
            } => diagnostic::misaligned(
                language,
                array.as_deref(),
                *offset,
                *bytes,
                &thread.text(language),
            ),
            Self::DivergentBarrier { waits, missing } => diagnostic::divergent_barrier(
                language,
                &waits.text(language),
                &missing.text(language),
            ),
            Self::BarrierAfterReturn { waits, returned } => diagnostic::barrier_after_return(
                language,
                &waits.text(language),
                &returned.text(language),
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
            } => diagnostic::race(
                language,
                array.as_deref(),
                *word,
                &touches(language, *first_writes, *first_line, first),
                &touches(language, *second_writes, *second_line, second),
            ),
            Self::Layout { fault } | Self::LayoutNote { fault } => fault.text(language),
            Self::Wgsl { message } => message.clone(),
            Self::CompiledNote { fault }
            | Self::CompiledGap { fault }
            | Self::CompiledError { fault } => fault.text(language),
            Self::ObjectAlone {
                kernels,
                architectures,
            } => diagnostic::object_alone(language, kernels, architectures),
            Self::ReaderSlow => diagnostic::reader_slow(language).into(),
            Self::ReaderMissing => diagnostic::reader_missing(language).into(),
            Self::ReaderForbidden => diagnostic::reader_forbidden(language).into(),
            Self::Stopped { requests } => diagnostic::stopped(language, *requests),
        }
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

/// That an `int` in an index overflows: the number that it should be, and the one that its 32 bits hold.
fn int_overflow(language: Language, exact: i64) -> String {
    let held = exact << 32 >> 32;
    diagnostic::int_overflow(language, exact, held)
}

/// The question after an unknown name; empty where no known name is near.
fn meant(language: Language, suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| diagnostic::meant(language, name))
}

/// One side of a race.
fn touches(language: Language, writes: bool, line: u32, thread: &Thread) -> String {
    let thread = thread.text(language);
    if writes {
        diagnostic::writes(language, line, &thread)
    } else {
        diagnostic::reads(language, line, &thread)
    }
}
