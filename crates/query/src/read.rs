//! Front end of a state: the program that its source is.

use crate::layout_text::parse_layout;
use crate::static_passes::{self, Compilation, Passes};
use crate::{AskError, Compiler, Stop, kernel_options};
use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{Language, Parsed};
use lanescope_model as model;
use lanescope_share::{Operation, Source, State};

/// A program with the text that it was read from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The program, with what is to be said about its text.
    pub parsed: Parsed,
    /// The text that spans count in: of an expression the declarations, a line feed and the accesses.
    pub source: String,
    /// Lines before the first that counts: those of an expression's declarations.
    pub lines_before: u32,
    /// Bytes before the first that counts.
    pub bytes_before: u32,
    /// What the compiler's passes did; nothing where it is as written.
    pub(crate) passes: Option<Passes>,
}

impl Read {
    /// Reads the source of `state`, a kernel as `compiler` makes it.
    ///
    /// # Errors
    /// When the source is a trace, or a kernel in a language that is not read here ([`Read::foreign`] takes it).
    pub fn of(state: &State, compiler: Compiler) -> Result<Self, AskError> {
        Self::until(state, compiler, &Stop::default())
    }

    /// [`Read::of`], where `stop` ends what the compiler's passes do.
    ///
    /// # Errors
    /// As [`Read::of`].
    pub fn until(state: &State, compiler: Compiler, stop: &Stop) -> Result<Self, AskError> {
        let mut passes = None;
        let parsed = match &state.source {
            Source::Expression {
                accesses,
                declarations,
            } => parse_expression(declarations, accesses, operation(state.operation)),
            Source::Kernel(text) => {
                let parsed;
                (parsed, passes) = kernel(text, state, compiler, stop)?;
                parsed
            }
            Source::Layout { layout, access } => {
                parse_layout(&layout_text(layout, access, &state.device))
            }
            Source::Trace(_) => return Err(AskError::Trace),
        };
        Ok(Self {
            passes,
            ..Self::foreign(state, parsed)
        })
    }

    /// The same of a program that another language's reader has made of the source of `state`.
    #[must_use]
    pub fn foreign(state: &State, parsed: Parsed) -> Self {
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (source, lines_before, bytes_before) = match &state.source {
            Source::Expression {
                accesses,
                declarations,
            } => (
                format!("{declarations}\n{accesses}"),
                small(declarations.matches('\n').count() + 1),
                small(declarations.len() + 1),
            ),
            Source::Kernel(text) => (text.clone(), 0, 0),
            Source::Layout { layout, access } => (layout_text(layout, access, &state.device), 0, 0),
            Source::Trace(_) => (String::new(), 0, 0),
        };
        Self {
            parsed,
            source,
            lines_before,
            bytes_before,
            passes: None,
        }
    }
}

fn kernel(
    text: &str,
    state: &State,
    compiler: Compiler,
    stop: &Stop,
) -> Result<(Parsed, Option<Passes>), AskError> {
    let language = Language::of(text);
    if language == Language::Cuda {
        return Ok(cuda(text, state, compiler, stop));
    }
    Err(AskError::Language {
        language: language.name(),
    })
}

fn cuda(text: &str, state: &State, compiler: Compiler, stop: &Stop) -> (Parsed, Option<Passes>) {
    let options = kernel_options(state);
    match compiler {
        Compiler::Nvcc13 => {
            let (parsed, passes) =
                static_passes::read(text, &options, Compilation::of(state), stop);
            (parsed, Some(passes))
        }
        Compiler::None => (parse_kernel(text, &options), None),
    }
}

/// A layout's text together with the access that was chosen for it, or with the default access on
/// the device where it has none.
#[must_use]
pub fn layout_text(layout: &str, access: &str, on: &lanescope_share::Device) -> String {
    let device = crate::device(on).ok();
    let device = device
        .as_ref()
        .unwrap_or_else(|| <&model::Device>::default());
    lanescope_layouts::with_access(layout, access, device)
}

/// What an access without assignment does.
#[must_use]
pub const fn operation(operation: Operation) -> model::Operation {
    match operation {
        Operation::Load => model::Operation::Load,
        Operation::Store => model::Operation::Store,
    }
}
