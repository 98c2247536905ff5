//! Source text of a GPU kernel or of index expressions, as a program of `ir`.
//!
//! Text becomes a [`Program`](lanescope_frontend::Program) that no longer depends on its language, with
//! [`Diagnostic`]s beside it: parsing never fails.
//!
//! Left out: the traffic of local and constant memory, textures and surfaces, recursion, and all
//! that runs on the host.

mod abi;
mod aligned;
mod amp;
mod ctype;
mod fold;
mod fragment;
mod host_launch;
mod lower;
mod open_names;
mod other_language;
mod template_library;
mod uses;

pub use fragment::FRAGMENT;
pub use host_launch::{
    HostLaunch, LaunchShape, applied, host_launch, instance_launches, launch_edits,
    launched_instances, most_threads,
};
pub use other_language::of as other_language;

use lanescope_frontend::{Diagnostic, DiagnosticKind, KernelOptions, Parsed, Span};
use lanescope_model::Operation;
use lanescope_syntax::{
    lexer, parser, preprocessor,
    reach::{Reach, qualified},
    sink::Sink,
    token,
    tree::{Item, Role, Tree},
    within_limits,
};
use lower::Text;
use std::rc::Rc;

/// Where the ABI puts the fields of a structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordLayout {
    /// The structure's name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// What its address is a multiple of.
    pub align: u64,
    /// Each field by name, those of bases and of members without a name too, with its first bit.
    pub fields: Vec<(String, u64)>,
}

/// The layouts of the structures at the top of a source, as g++ and nvcc lay them out, and what is wrong with it.
#[must_use]
pub fn record_layouts(source: &str) -> (Vec<RecordLayout>, Vec<Diagnostic>) {
    let mut sink = Sink::new(source);
    let tokens = preprocessor::preprocess_bundle(source, &[], &mut sink);
    let tree = parser::parse_source(tokens, &mut sink);
    let list = lower::lower_records(&tree, &mut sink);
    (list, sink.into_list())
}

/// Reads declarations and a list of accesses.
///
/// Spans count from the first byte of `declarations`; `accesses` begins at
/// `declarations.len() + 1`. An access without assignment does `bare`.
#[must_use]
pub(crate) fn parse_expression(declarations: &str, accesses: &str, bare: Operation) -> Parsed {
    let source = format!("{declarations}\n{accesses}");
    let mut sink = Sink::new(&source);
    let tokens = preprocessor::preprocess(lexer::lex(&source, &mut sink), &[], &mut sink);
    let tokens = within_limits(tokens, None, "", &mut sink);
    let rank = rank_of(&tokens);
    let split = Span::new(declarations.len() + 1, 0).start;
    let list = parser::parse_accesses(tokens, split, &mut sink);
    let text = Text {
        source: &source,
        rank,
    };
    let program = lower::lower_accesses(&list, text, bare, &mut sink);
    Parsed {
        program,
        diagnostics: sink.into_list(),
    }
}

/// Reads a CUDA-like source, or a [`bundle`] of one, and takes one kernel of it.
#[must_use]
pub(crate) fn parse_kernel(source: &str, options: &KernelOptions) -> Parsed {
    let mut reading = Reading {
        root: options.kernel.clone(),
        is_of_root: true,
        is_needed_only: false,
    };
    loop {
        let (mut parsed, reached) = parse_reached(source, options, &reading);
        let name = parsed.program.name.clone();
        let is_other = reached.is_some_and(|kernel| *kernel != *name);
        let is_limited = parsed
            .diagnostics
            .iter()
            .any(|diagnostic| is_limit(&diagnostic.kind));
        if is_limited && reading.is_of_root && !reading.is_needed_only {
            // What goes past a limit may be what the kernel does not need.
            reading.is_needed_only = true;
        } else if is_other && reading.root.is_none() && !name.is_empty() {
            // Another kernel than the one whose reach was followed: what is said must be about this one.
            reading.root = Some(name);
        } else if is_other {
            reading.is_of_root = false;
        } else {
            template_library::only_the_library(source, &mut parsed.diagnostics);
            return parsed;
        }
    }
}

/// How much of a source is read.
struct Reading {
    /// The kernel whose reach is followed; of several the last where it has no name.
    root: Option<String>,
    /// Whether only what concerns that kernel is said.
    is_of_root: bool,
    /// Whether what it does not need is left out, however short the source is.
    is_needed_only: bool,
}

/// Whether so much was met that reading ended.
const fn is_limit(kind: &DiagnosticKind) -> bool {
    matches!(
        kind,
        DiagnosticKind::TooDeep { .. }
            | DiagnosticKind::TooLarge { .. }
            | DiagnosticKind::TooManySteps { .. }
            | DiagnosticKind::TooManyTypes { .. }
    )
}

/// Reads it as `reading` says; also the name of the kernel whose reach was followed.
fn parse_reached(
    source: &str,
    options: &KernelOptions,
    reading: &Reading,
) -> (Parsed, Option<Rc<str>>) {
    let mut sink = Sink::new(source);
    let tokens = preprocessor::preprocess_bundle(source, &options.defines, &mut sink);
    let mut tokens = qualified(host_launch::with_structures(tokens));
    let reach = reading
        .is_of_root
        .then(|| Reach::of(&tokens, reading.root.as_deref(), &options.defines))
        .flatten();
    let kernel = reach.as_ref().map(|reach| reach.kernel.clone());
    if let Some(reach) = reach.as_ref().filter(|_| reading.is_needed_only) {
        tokens = reach.needed(tokens);
    }
    let tokens = within_limits(tokens, reach.as_ref(), source, &mut sink);
    if let Some(reach) = reach {
        sink.restrict(reach);
    }
    let rank = rank_of(&tokens);
    let (tree, places) = tree_of(source, tokens, &mut sink);
    let text = Text { source, rank };
    let program = lower::lower_kernel(&tree, options, text, &mut sink);
    let mut parsed = Parsed {
        program,
        diagnostics: sink.into_list(),
    };
    if !places.is_empty() {
        // The rest of such a text is for the host.
        let holds = |span: Span| {
            places
                .iter()
                .any(|place| place.start <= span.start && span.end <= place.end)
        };
        let is_mine =
            |diagnostic: &Diagnostic| diagnostic.span == Span::default() || holds(diagnostic.span);
        parsed.diagnostics.retain(is_mine);
    }
    if parsed.program.kernels.is_empty() {
        only_why(source, &mut parsed.diagnostics);
    }
    (parsed, kernel)
}

/// The tree of a source, with what an article's text leaves open; of C++ AMP also the places of what runs on the
/// accelerator.
fn tree_of(source: &str, tokens: Vec<token::Token>, sink: &mut Sink) -> (Tree, Vec<Span>) {
    if amp::is_amp(&tokens) {
        return amp_tree_of(tokens, sink);
    }
    if !fragment::has_kernel(&tokens)
        && other_language::of(source).is_none()
        && let Some(tree) = fragment::kernel(&tokens, sink)
    {
        return (tree, Vec::new());
    }
    let mut tree = parser::parse_source(tokens, sink);
    fragment::complete(&mut tree, sink);
    (tree, Vec::new())
}

/// The same of C++ AMP: functions that launch, or as articles print it a launch alone.
fn amp_tree_of(tokens: Vec<token::Token>, sink: &mut Sink) -> (Tree, Vec<Span>) {
    let mut own = sink.clone();
    let mut tree = parser::parse_source(tokens.clone(), &mut own);
    let places = amp::add_kernels(&mut tree, &mut own);
    let is_kernel =
        |item: &Item| matches!(item, Item::Function(function) if function.role == Role::Kernel);
    if !tree.items.iter().any(is_kernel)
        && let Some(mut tree) = amp::around(&tokens, sink)
    {
        let places = amp::add_kernels(&mut tree, sink);
        return (tree, places);
    }
    *sink = own;
    (tree, places)
}

/// Of a source without a kernel only that is said: it is in another language, or all of it is for the host.
fn only_why(source: &str, diagnostics: &mut Vec<Diagnostic>) {
    let concerns = |diagnostic: &Diagnostic| {
        matches!(
            diagnostic.kind,
            DiagnosticKind::NoKernel
                | DiagnosticKind::UnknownKernel { .. }
                | DiagnosticKind::MissingInclude { .. }
        )
    };
    if !diagnostics
        .iter()
        .any(|diagnostic| diagnostic.kind == DiagnosticKind::NoKernel)
    {
        return;
    }
    let Some(name) = other_language::of(source) else {
        return diagnostics.retain(concerns);
    };
    diagnostics.retain(|diagnostic| diagnostic.kind == DiagnosticKind::NoKernel);
    diagnostics.truncate(1);
    for diagnostic in diagnostics {
        diagnostic.kind = DiagnosticKind::OtherLanguage {
            name: name.to_owned(),
        };
    }
}

/// Dimensions of a C++ AMP index: the highest number that one is indexed by, and one more.
fn rank_of(tokens: &[token::Token]) -> i64 {
    let indexed = tokens.windows(3).filter_map(|three| {
        let name = ["local", "global", "tile"]
            .iter()
            .any(|name| three[0].is_name(name));
        match three[2].kind {
            token::Kind::Whole { value, .. } if name && three[1].is("[") && value < 3 => {
                i64::try_from(value).ok()
            }
            _ => None,
        }
    });
    indexed.max().unwrap_or(0) + 1
}
