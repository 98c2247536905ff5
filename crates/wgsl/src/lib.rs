//! Front end for WGSL: kernels as written, in the intermediate representation.
//!
//! naga parses and checks the text, once [`limits`](MOST_BYTES) hold; its module is lowered with an
//! [`ir::Builder`](lanescope_ir::Builder). A workgroup is a block, a subgroup a warp of the device, the dispatch the grid;
//! the text says the workgroup's size ([`Program::block`]). Overrides get their values from [`KernelOptions::defines`]; a
//! uniform's numbers are arguments by the name of their field, as in `shape.columns`. A read past the end of an array of
//! known size reads its last element.
//!
//! A load of 16 bytes a lane from a workgroup's memory:
//!
//! ```
//! use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, execute};
//! use lanescope_model::{Device, Width};
//!
//! let text = "
//!     var<workgroup> tile: array<vec4<f32>, 8>;
//!     @compute @workgroup_size(8)
//!     fn main(@builtin(local_invocation_index) i: u32) {
//!         tile[i] = vec4<f32>(f32(i));
//!     }";
//! let parsed = lanescope_wgsl::parse(text, &KernelOptions::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.program.block(), Some([8, 1, 1]));
//! assert_eq!(parsed.program.sites()[0].width, Width::Bytes16);
//! let device = Device::by_id("cc9.0").expect("the H200's profile");
//! let mut observe = |access: &Access<'_>| {
//!     assert_eq!(access.request.addresses[..3], [0, 16, 32]);
//!     true
//! };
//! let launch = NamedLaunch::default();
//! let outcome = execute(&parsed.program, &launch, device.warp_lanes(), Budget::default(), &mut observe);
//! assert_eq!(outcome.requests, 1);
//! ```
//!
//! Left out: textures, and what the stores that zero a workgroup's memory cost. Start reading at `lower/mod.rs` (a kernel
//! and its variables), `lower/place.rs` (what an index takes) and `lower/statement.rs`.
//!
//! [`Program::block`]: lanescope_frontend::Program::block

mod caps;
mod enable;
mod interface;
mod lower;
mod operands;
mod workgroup;
#[cfg(feature = "languages")]
mod written;

pub use lanescope_frontend::is_wgsl;

pub use interface::{Binding, Holds, Interface};
pub use workgroup::{Resized, resized};
#[cfg(feature = "languages")]
pub use written::{ShadingLanguage, written};

pub use caps::{MOST_BYTES, MOST_NESTED, MOST_OPERATORS, MOST_TOKENS};

use lanescope_frontend::{Diagnostic, DiagnosticKind, KernelOptions, Lines, Parsed, Span};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, SourceLocation};
use std::borrow::Cow;
use std::error::Error;

/// Reads a WGSL text and takes one kernel of it; spans count bytes of `source`.
#[must_use]
pub fn parse(source: &str, options: &KernelOptions) -> Parsed {
    read(source, options).0
}

/// [`parse`], with what the kernel binds when its text runs as it is; nothing where the text has a mistake or no kernel.
#[must_use]
pub fn read(source: &str, options: &KernelOptions) -> (Parsed, Option<Interface>) {
    if let Some((span, kind)) = caps::exceeded(source) {
        return (refused(source, span, kind), None);
    }
    match checked(source) {
        Ok((module, info)) => lower::lower(source, &module, &info, options),
        Err((span, message)) => {
            let kind = DiagnosticKind::Wgsl { message };
            (refused(source, span, kind), None)
        }
    }
}

/// The text as naga takes it: without `enable` for what naga grants unasked. Places stay.
#[must_use]
pub fn without_granted(source: &str) -> Cow<'_, str> {
    enable::without_granted(source)
}

/// Whether naga takes a text, that barriers are reached by all threads of a workgroup among all else.
///
/// # Errors
/// What it finds wrong, with its causes.
pub fn validate(source: &str) -> Result<(), String> {
    let text = enable::without_granted(source);
    let module =
        naga::front::wgsl::parse_str(&text).map_err(|error| error.emit_to_string(&text))?;
    Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| error.emit_to_string(&text))?;
    Ok(())
}

/// The module, if naga finds nothing wrong with it. That a barrier is reached by all is left to
/// the run, which says who does not come.
fn checked(source: &str) -> Result<(Module, ModuleInfo), (Span, String)> {
    let at = |location: Option<SourceLocation>| {
        location.map_or_else(Span::default, |one| {
            let start = one.offset as usize;
            Span::new(start, start + one.length as usize)
        })
    };
    let text = enable::without_granted(source);
    let module = naga::front::wgsl::parse_str(&text)
        .map_err(|error| (at(error.location(source)), error.message().to_owned()))?;
    let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let info = Validator::new(flags, Capabilities::all())
        .validate(&module)
        .map_err(|error| (at(error.location(source)), chain(error.as_inner())))?;
    Ok((module, info))
}

/// An error with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(one) = cause {
        text = format!("{text}: {one}");
        cause = one.source();
    }
    text
}

fn refused(source: &str, span: Span, kind: DiagnosticKind) -> Parsed {
    Parsed {
        diagnostics: vec![diagnostic(&Lines::of(source), span, kind)],
        ..Parsed::default()
    }
}

fn diagnostic(lines: &Lines, span: Span, kind: DiagnosticKind) -> Diagnostic {
    let (line, column) = lines.place(span.start);
    Diagnostic {
        span,
        line,
        column,
        kind,
        fix: None,
    }
}
