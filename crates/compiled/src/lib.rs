//! PTX and SASS texts as programs: [`read`] for the page's worker and whoever else has no launch at hand yet; or [`select()`]
//! a kernel and give it a launch by position, offset or record ([`Selected::launched`]). What they cost `lanescope-query`
//! counts, as it does any program.
//!
//! ```
//! use lanescope_compiled::read;
//!
//! let text = "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ LDS R1, [R0] ;\n/*0020*/ EXIT ;\n";
//! let parsed = read(text, None).expect("a listing");
//! assert_eq!(parsed.program.sites().len(), 1);
//! assert_eq!(parsed.program.sites()[0].line, 2);
//! assert!(read("__global__ void f() {}", None).is_none());
//! ```
//!
//! PTX is counted as `ptxas` leaves its accesses, as far as the optimizer's profile knows.

mod demangle;
mod error;
mod foreign;
mod kind;
mod known;
mod launch;
mod numba;
mod open;
mod parameters;
mod roles;
mod select;
mod signature;

pub use demangle::{demangled, is_named};
pub use error::CompiledError;
pub use foreign::not_read;
pub use known::{Known, SourceParameter};
pub use lanescope_sass::computes_integers;
pub use launch::{HeldContents, LaunchOptions, Launched, NamedArgument};
pub use open::{Contents, OpenError, has_code, object_of, open, with_objects};
pub use select::{Selected, select, select_of_object, select_while};

use lanescope_frontend::{Diagnostic, DiagnosticKind, Language, Lines, Parsed, Program, Span};
use lanescope_ir::{AddressSpace, AtomicOp, Kernel, Op, Place};
use lanescope_model::Operation;
use lanescope_object::Object;
use lanescope_optimizer::{Optimized, Profile, WORK, assembler_choices_while, optimize_while};
use lanescope_ptx::Lowered;
use std::rc::Rc;

/// Work of telling what is left to the assembler of PTX: a kernel that takes more is a prediction.
const CHOICE_WORK: u64 = 1 << 21;

/// The program of a compiled text, one kernel of it; `None` of a text that is neither PTX nor SASS.
///
/// `kernel` is a mangled, demangled or plain name; without one the first kernel is taken and the others are named.
/// Parsing never fails: what cannot be read is a diagnostic.
#[must_use]
pub fn read(text: &str, kernel: Option<&str>) -> Option<Parsed> {
    read_while(text, kernel, || true)
}

/// [`read`], in which the passes over PTX end once `keep_going` says so, which is asked again and again; what they then
/// left undone is a diagnostic.
#[must_use]
pub fn read_while(
    text: &str,
    kernel: Option<&str>,
    keep_going: impl Fn() -> bool + 'static,
) -> Option<Parsed> {
    match Language::of(text) {
        Language::Sass => Some(sass(text, kernel)),
        Language::Ptx => Some(ptx(text, kernel, keep_going)),
        Language::Cuda | Language::Wgsl => None,
    }
}

fn sass(text: &str, kernel: Option<&str>) -> Parsed {
    if let Some(alone) = without_listing(text) {
        return Parsed {
            diagnostics: vec![at_line(1, alone)],
            ..Parsed::default()
        };
    }
    let object = object_of(text, kernel);
    let options = lanescope_sass::Options {
        kernel: kernel.map(str::to_owned),
        architecture: object.as_ref().map(|object| object.architecture),
        constants: object.as_ref().map(select::constants).unwrap_or_default(),
    };
    let read = lanescope_sass::read(text, &options);
    let mut diagnostics: Vec<Diagnostic> = read.diagnostics.iter().map(of_sass).collect();
    let names: Vec<String> = read
        .kernels
        .iter()
        .map(|kernel| kernel.name.clone())
        .collect();
    let Some(mut first) = read.kernels.into_iter().next() else {
        return Parsed {
            diagnostics,
            ..Parsed::default()
        };
    };
    diagnostics.extend(several(&first, &names));
    let info = object
        .iter()
        .flat_map(|object| &object.kernels)
        .find(|one| one.name == first.name);
    parameters::tell_parameters(&mut first, info);
    trim_places(&mut first, text);
    let roles = roles::roles(&first, text);
    Parsed {
        program: Program::new(first, text, names).with_roles(roles),
        diagnostics,
    }
}

fn ptx(text: &str, kernel: Option<&str>, keep_going: impl Fn() -> bool + 'static) -> Parsed {
    let (module, _) = lanescope_ptx::parse(text);
    let names: Vec<String> = lanescope_ptx::entries(&module)
        .into_iter()
        .map(|(_, name)| name.to_owned())
        .collect();
    let wanted = kernel.or_else(|| names.first().map(String::as_str));
    match lanescope_ptx::read(text, wanted) {
        Err(error) => Parsed {
            diagnostics: vec![at_line(0, kind::of_refusal(error))],
            ..Parsed::default()
        },
        Ok(lowered) => {
            let is_chosen = kernel.is_some();
            let (kernel, mut diagnostics) = of_ptx(&lowered, text, keep_going);
            if !is_chosen {
                diagnostics.extend(several(&kernel, &names));
            }
            let roles = roles::roles(&kernel, text);
            Parsed {
                program: Program::new(kernel, text, names).with_roles(roles),
                diagnostics,
            }
        }
    }
}

/// What is said of lines about objects without a listing of their code; `None` of any other text.
pub(crate) fn without_listing(text: &str) -> Option<DiagnosticKind> {
    let objects = Object::all_of_text(text);
    if objects.is_empty() || has_code(text) {
        return None;
    }
    let contents = Contents::of(&objects);
    Some(DiagnosticKind::ObjectAlone {
        kernels: contents.named(),
        architectures: contents.generations(),
    })
}

/// What the reader of SASS says.
pub(crate) fn of_sass(said: &lanescope_sass::Diagnostic) -> Diagnostic {
    at_line(said.line, kind::of_sass(said))
}

/// PTX as its assembler leaves it, and what is to be said of its text.
pub(crate) fn of_ptx(
    lowered: &Lowered,
    text: &str,
    keep_going: impl Fn() -> bool + 'static,
) -> (Kernel, Vec<Diagnostic>) {
    let lines = Lines::of(text);
    let said = lowered.diagnostics.as_slice().iter().map(|one| {
        let (line, column) = lines.place(one.span.start);
        Diagnostic {
            span: Span {
                start: one.span.start,
                end: one.span.end,
            },
            line,
            column,
            kind: kind::of_ptx(one),
            fix: None,
        }
    });
    let mut diagnostics: Vec<Diagnostic> = said.collect();
    let keep_going = Rc::new(keep_going);
    let of_passes = Rc::clone(&keep_going);
    let optimized = optimize_while(&lowered.kernel, &Profile::PTXAS_13_SM_90, WORK, move || {
        of_passes()
    });
    if optimized.is_complete {
        diagnostics.extend(assembler_choice(&lowered.kernel, &optimized, keep_going));
    } else {
        diagnostics.push(at_line(0, DiagnosticKind::PassesCut));
    }
    let mut kernel = optimized.kernel;
    roles::point_to_arrays(&mut kernel);
    diagnostics.extend(compare_and_swap_loops(&kernel));
    (kernel, diagnostics)
}

/// The first access that the assembler may treat otherwise than its profile does.
fn assembler_choice(
    kernel: &Kernel,
    optimized: &Optimized,
    keep_going: Rc<impl Fn() -> bool + 'static>,
) -> Option<Diagnostic> {
    let choices = assembler_choices_while(kernel, optimized, CHOICE_WORK, move || keep_going());
    let sites = choices
        .iter()
        .filter_map(|choice| optimized.kernel.sites.get(choice.site.index()));
    let places = sites.filter_map(|site| kernel.places.get(site.place.index()));
    let place = places.min_by_key(|place| place.start)?;
    Some(at_place(*place, DiagnosticKind::AssemblerChoice))
}

/// What is said of a place.
fn at_place(place: Place, kind: DiagnosticKind) -> Diagnostic {
    Diagnostic {
        span: Span {
            start: place.start,
            end: place.end,
        },
        line: place.line.max(1),
        column: place.column.max(1),
        kind,
        fix: None,
    }
}

/// Atomics that one instruction of PTX stands for and that are loops of compare and swap: how often one repeats is the
/// warps' timing.
fn compare_and_swap_loops(kernel: &Kernel) -> impl Iterator<Item = Diagnostic> + '_ {
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let sites = instructions.filter_map(|instruction| {
        let Op::Atomic { op, site, .. } = instruction.op else {
            return None;
        };
        let site = kernel.sites.get(site.index());
        site.filter(|_| op != AtomicOp::CompareAndSwap)
    });
    let loops = sites.filter(|site| {
        site.space == AddressSpace::Shared && site.operation == Operation::CompareAndSwap
    });
    loops.filter_map(|site| {
        let place = kernel.places.get(site.place.index())?;
        Some(at_place(*place, DiagnosticKind::CompareAndSwapLoop))
    })
}

/// Cuts addresses and encodings off the places of a listing's rows: what is left is the instruction.
pub(crate) fn trim_places(kernel: &mut Kernel, text: &str) {
    for place in &mut kernel.places {
        let (start, end) = (place.start as usize, place.end as usize);
        let Some(row) = text.get(start..end) else {
            continue;
        };
        let behind_address = row
            .strip_prefix("/*")
            .and_then(|rest| rest.split_once("*/"))
            .map_or(row, |(_, rest)| rest);
        let instruction = behind_address.trim_start();
        let skipped = row.len() - instruction.len();
        let kept = instruction
            .split([';', '}'])
            .next()
            .unwrap_or(instruction)
            .trim_end();
        let offset = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        place.start = place.start.saturating_add(offset(skipped));
        place.column = place.column.saturating_add(offset(skipped));
        place.end = place.start.saturating_add(offset(kept.len()));
    }
}

/// That a text has several kernels, and which one is taken.
fn several(taken: &Kernel, names: &[String]) -> Option<Diagnostic> {
    let taken = taken.name.clone();
    (names.len() > 1).then(|| at_line(0, DiagnosticKind::SeveralKernels { taken }))
}

/// What is said of a line, or with 0 of the whole text.
pub(crate) fn at_line(line: u32, kind: DiagnosticKind) -> Diagnostic {
    Diagnostic {
        span: Span::default(),
        line: line.max(1),
        column: 1,
        kind,
        fix: None,
    }
}
