//! The kernel of a compiled text that is meant.

use crate::demangle::chosen;
use crate::{
    CompiledError, at_line, demangled, kind, object_of, of_ptx, of_sass, trim_places,
    without_listing,
};
use lanescope_frontend::{Diagnostic, Language};
use lanescope_ir::Kernel;
use lanescope_launches::LaunchRecord;
use lanescope_object::Object;
use lanescope_ptx::{Lowered, PtxError};
use lanescope_sass::ConstantBytes;

/// A kernel, with what is to be said about its text.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The kernel, ready to be launched: PTX as its assembler leaves it. `None` where the diagnostics say why.
    pub kernel: Option<Kernel>,
    /// What could not be read, and what is worth knowing.
    pub diagnostics: Vec<Diagnostic>,
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
    select_while(text, name, record, || true)
}

/// [`select`], in which the passes over PTX end once `keep_going` says so, as in [`read_while`](crate::read_while).
///
/// # Errors
/// As [`select`].
pub fn select_while(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
    keep_going: impl Fn() -> bool + 'static,
) -> Result<Option<Selected>, CompiledError> {
    match Language::of(text) {
        Language::Sass => {
            let object = object_of(text, name).unwrap_or_default();
            sass(text, name, record, &object).map(Some)
        }
        Language::Ptx => Ok(Some(ptx(text, name, record, keep_going))),
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
        return Ok(Selected {
            kernel: None,
            diagnostics: vec![at_line(0, alone)],
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
        let names = kernels.map(|kernel| demangled(&kernel.name)).collect();
        return Err(CompiledError::SeveralKernels { names });
    }
    let mut kernel = parsed.kernels.pop();
    if let Some(kernel) = &mut kernel {
        trim_places(kernel, text);
    }
    Ok(Selected {
        diagnostics: parsed.diagnostics.iter().map(of_sass).collect(),
        kernel,
    })
}

/// Names of the kernels that can be meant.
fn names(text: &str, object: &Object) -> Vec<String> {
    if object.kernels.is_empty() {
        let functions = lanescope_sass::functions(text).into_iter();
        return functions.filter(|name| !name.is_empty()).collect();
    }
    object
        .kernels
        .iter()
        .map(|kernel| kernel.name.clone())
        .collect()
}

/// What constant banks hold. Variables are taken as the object initialises them; the host may write others.
pub(crate) fn constants(object: &Object) -> Vec<ConstantBytes> {
    let constants = object.constants.iter().map(|constant| ConstantBytes {
        bank: constant.bank,
        function: constant.function.clone(),
        offset: constant.offset,
        bytes: constant.bytes.clone(),
        is_variable: constant.is_variable,
    });
    constants.collect()
}

fn ptx(
    text: &str,
    name: Option<&str>,
    record: Option<&LaunchRecord>,
    keep_going: impl Fn() -> bool + 'static,
) -> Selected {
    match lowered(text, name, record) {
        Err(error) => Selected {
            kernel: None,
            diagnostics: vec![at_line(0, kind::of_refusal(error))],
        },
        Ok(lowered) => {
            let (kernel, diagnostics) = of_ptx(&lowered, text, keep_going);
            Selected {
                kernel: Some(kernel),
                diagnostics,
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
