//! The kernel of a compiled text that is meant.

use crate::demangle::chosen;
use crate::{CompiledError, as_compiled, demangled, kind, object_of, without_listing};
use lanescope_cuda::source::{DiagnosticKind, Language, Lines};
use lanescope_ir::Kernel;
use lanescope_launches::LaunchRecord;
use lanescope_object::Object;
use lanescope_ptx::{Lowered, PtxError};
use lanescope_sass::ConstantBytes;

/// How grave a remark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Something was left out.
    Warning,
    /// Something could not be read.
    Error,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What is to be said about the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// How grave it is.
    pub severity: Severity,
    /// Its line, from 1; 0 for the whole text.
    pub line: u32,
    /// What.
    pub kind: DiagnosticKind,
}

/// A kernel, with what is to be said about its text.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The kernel, ready to be launched: PTX as its assembler leaves it. `None` where the remarks say why.
    pub kernel: Option<Kernel>,
    /// What could not be read.
    pub remarks: Vec<Remark>,
}

/// The kernel that is asked for, else the one that was recorded, else the only one; `None` of a text that is neither PTX
/// nor SASS.
///
/// # Errors
/// When a listing has several kernels and none is chosen.
pub fn select(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
) -> Result<Option<Selected>, CompiledError> {
    match Language::of(text) {
        Language::Sass => {
            let object = object_of(text, name).unwrap_or_default();
            sass(text, name, record, &object).map(Some)
        }
        Language::Ptx => Ok(Some(ptx(text, name, record))),
        Language::Cuda | Language::Wgsl => Ok(None),
    }
}

/// [`select`] of the listing of an object, which tells kernels from functions and holds constant banks.
///
/// # Errors
/// As [`select`].
pub fn select_of_object(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
    object: &Object,
) -> Result<Selected, CompiledError> {
    sass(text, name, record, object)
}

fn sass(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
    object: &Object,
) -> Result<Selected, CompiledError> {
    if let Some(alone) = without_listing(text) {
        let remark = Remark {
            severity: Severity::Error,
            line: 0,
            kind: alone,
        };
        return Ok(Selected {
            kernel: None,
            remarks: vec![remark],
        });
    }
    let recorded =
        record.and_then(|record| record.mangled.clone().or_else(|| record.kernel.clone()));
    let names = names(text, object);
    let name = match name {
        Some(name) if !names.is_empty() => Some(chosen(&names, name)?),
        name => name.map(str::to_owned),
    };
    let is_asked = name.is_some();
    let is_alone = !object.kernels.is_empty() && names.len() == 1;
    let only = names.first().filter(|_| is_alone).cloned();
    let architecture = Some(object.architecture).filter(|architecture| *architecture > 0);
    let mut options = lanescope_sass::Options {
        kernel: name.or(recorded).or(only),
        architecture,
        constants: constants(object),
    };
    let mut parsed = lanescope_sass::read(text, &options);
    if parsed.kernels.is_empty() && !is_asked {
        // The listing may name its only function otherwise than the record does.
        options.kernel = None;
        parsed = lanescope_sass::read(text, &options);
    }
    if parsed.kernels.len() > 1 {
        let kernels = parsed.kernels.iter();
        let names = kernels.map(|one| demangled(&one.name)).collect();
        return Err(CompiledError::SeveralKernels { names });
    }
    let remarks = parsed.diagnostics.iter().map(|one| Remark {
        severity: match one.severity {
            lanescope_sass::Severity::Note => Severity::Note,
            lanescope_sass::Severity::Warning => Severity::Warning,
            lanescope_sass::Severity::Error => Severity::Error,
        },
        line: one.line,
        kind: kind::of_sass(one),
    });
    Ok(Selected {
        remarks: remarks.collect(),
        kernel: parsed.kernels.pop(),
    })
}

/// Names of the kernels that can be meant.
fn names(text: &str, object: &Object) -> Vec<String> {
    if object.kernels.is_empty() {
        let functions = lanescope_sass::functions(text).into_iter();
        return functions.filter(|name| !name.is_empty()).collect();
    }
    object.kernels.iter().map(|one| one.name.clone()).collect()
}

/// What constant banks hold. Variables are taken as the object initialises them; the host may write others.
pub(crate) fn constants(object: &Object) -> Vec<ConstantBytes> {
    let constants = object.constants.iter().map(|one| ConstantBytes {
        bank: one.bank,
        function: one.function.clone(),
        offset: one.offset,
        bytes: one.bytes.clone(),
        is_variable: one.is_variable,
    });
    constants.collect()
}

fn ptx(text: &str, name: Option<&str>, record: Option<&LaunchRecord>) -> Selected {
    let lines = Lines::of(text);
    match lowered(text, name, record) {
        Err(error) => Selected {
            kernel: None,
            remarks: vec![Remark {
                severity: Severity::Error,
                line: 0,
                kind: kind::of_refusal(error),
            }],
        },
        Ok(lowered) => {
            let remarks = lowered.diagnostics.as_slice().iter().map(|one| Remark {
                severity: match one.severity {
                    lanescope_ptx::Severity::Note => Severity::Note,
                    lanescope_ptx::Severity::Error => Severity::Error,
                },
                line: lines.place(one.span.start).0,
                kind: kind::of_ptx(one),
            });
            Selected {
                remarks: remarks.collect(),
                kernel: Some(as_compiled(&lowered.kernel)),
            }
        }
    }
}

fn lowered(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
) -> Result<Lowered, PtxError> {
    if let Some(name) = name {
        return lanescope_ptx::read(text, Some(name));
    }
    let recorded = record.into_iter().flat_map(|record| {
        let names = [record.mangled.as_deref(), record.kernel.as_deref()];
        names.into_iter().flatten()
    });
    for name in recorded {
        if let Ok(lowered) = lanescope_ptx::read(text, Some(name)) {
            return Ok(lowered);
        }
    }
    lanescope_ptx::read(text, None)
}
