//! Arguments of a launch as `simt` takes them.

use std::sync::Arc;

use {lanescope_ir as ir, lanescope_simt as simt};

use super::findings::general;
use crate::{
    Argument, ArgumentValue, Buffer, Contents, Diagnostic, DiagnosticKind, NamedLaunch, Program,
    SourceVariable,
};

pub(super) fn variable(variable: &SourceVariable, launch: &NamedLaunch) -> i64 {
    let given = launch.variables.iter().rev();
    let given = given.into_iter().find(|(name, _)| *name == variable.name);
    given.map_or_else(
        || variable.values.first().copied().unwrap_or(0),
        |(_, value)| *value,
    )
}

/// Arguments that name no parameter.
pub(crate) fn unknown_arguments(program: &Program, launch: &NamedLaunch) -> Vec<Diagnostic> {
    let is_known = |name: &str| {
        program
            .parameters
            .iter()
            .any(|parameter| parameter.name == name)
    };
    let unknown = launch
        .arguments
        .iter()
        .filter(|argument| !is_known(&argument.name));
    unknown
        .map(|Argument { name, .. }| {
            general(DiagnosticKind::UnknownArgument {
                name: name.clone(),
                suggestion: None,
            })
        })
        .collect()
}

/// How many whole numbers of 32 bits or more, of those that `decides` something, the launch leaves open.
pub(super) fn sizes_not_given(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &NamedLaunch,
    decides: &[bool],
) -> usize {
    let parameters = kernel.parameters.iter().zip(&program.parameters);
    let is_size = |parameter: &ir::Parameter| {
        let scalar = parameter.scalar;
        parameter.array.is_none() && scalar.is_some_and(|ty| !ty.is_float() && ty.bits() >= 32)
    };
    let is_given = |at: usize, name: &str| {
        launch.value(at).is_some()
            || launch
                .arguments
                .iter()
                .any(|argument| argument.name == name)
    };
    parameters
        .zip(decides)
        .enumerate()
        .filter(|(at, ((parameter, shown), decides))| {
            **decides && is_size(parameter) && !is_given(*at, &shown.name)
        })
        .count()
}

/// The largest value to assume for each of `sizes` numbers that may all be multiplied: their product stays inside an `int`.
///
/// At least 16; a number on its own is not bounded.
pub(super) const fn largest_assumed(sizes: usize) -> i64 {
    const ELEMENTS_LOG2: usize = 30;
    match sizes {
        0 | 1 => i64::MAX,
        2..=7 => 1 << (ELEMENTS_LOG2 / sizes),
        _ => 16,
    }
}

/// What the launch gives the parameter at `at`; a size that nobody gave is at most `largest`.
pub(super) fn parameter_value(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &NamedLaunch,
    at: usize,
    largest: i64,
    findings: &mut Vec<Diagnostic>,
) -> simt::ParameterValue {
    let (Some(parameter), Some(shown)) = (kernel.parameters.get(at), program.parameters.get(at))
    else {
        return simt::ParameterValue::Missing;
    };
    if let Some(value) = launch.value(at) {
        return value.clone();
    }
    let given = launch.arguments.iter().rev();
    let given = given.into_iter().find(|one| one.name == shown.name);
    let array = parameter.array.and_then(|id| kernel.arrays.get(id.index()));
    let element_bytes = array.map_or(1, |array| array.element_bytes.max(1));
    // What a list of accesses says itself: `float* in @ 4`.
    let declared_offset = array.map_or(0, |array| array.base);
    let pointer = |buffer: Buffer, held| {
        let base_offset = buffer.base_offset.wrapping_add(declared_offset);
        let buffer = Buffer {
            base_offset,
            ..buffer
        };
        pointer(buffer, held, element_bytes)
    };
    let is_pointer = parameter.array.is_some();
    let held = launch.contents.iter().rev();
    let held = held.into_iter().find(|(name, _)| *name == shown.name);
    let held = held.map(|(_, bytes)| bytes);
    match given.map(|one| &one.value) {
        Some(ArgumentValue::Buffer(buffer)) => pointer(*buffer, held),
        Some(ArgumentValue::Integer(elements)) if is_pointer => pointer(
            Buffer {
                elements: u64::try_from(*elements).ok(),
                ..Buffer::default()
            },
            held,
        ),
        Some(ArgumentValue::Integer(value)) => {
            simt::ParameterValue::Bytes(whole(*value, parameter))
        }
        Some(ArgumentValue::Real(value)) => simt::ParameterValue::Bytes(real(*value, parameter)),
        None if is_pointer => pointer(Buffer::default(), held),
        None => {
            let (value, is_certain) = program.implied(shown, launch);
            let assumed = if is_certain {
                value
            } else {
                value.min(largest)
            };
            if !is_certain {
                findings.push(Diagnostic {
                    span: shown.span,
                    line: shown.line,
                    column: shown.column,
                    kind: DiagnosticKind::MissingArgument {
                        name: shown.name.clone(),
                        assumed,
                    },
                    fix: None,
                });
            }
            simt::ParameterValue::Bytes(whole(assumed, parameter))
        }
    }
}

/// Bytes of a pointer.
const POINTER_BYTES: usize = 8;

/// A buffer that holds the bytes given, or else what its argument says; of no elements it is the null pointer.
fn pointer(buffer: Buffer, held: Option<&Arc<[u8]>>, element_bytes: u64) -> simt::ParameterValue {
    let given = buffer
        .elements
        .map(|elements| elements.saturating_mul(element_bytes));
    if given == Some(0) && held.is_none() && buffer.base_offset == 0 {
        return simt::ParameterValue::Bytes(vec![0; POINTER_BYTES]);
    }
    simt::ParameterValue::Buffer {
        bytes: given.or(held.map(|bytes| bytes.len() as u64)),
        base_offset: buffer.base_offset,
        contents: match (held, buffer.contents) {
            (Some(bytes), _) => simt::Contents::Bytes(Arc::clone(bytes)),
            // Nobody said so: whatever comes to depend on it is noted.
            (None, Contents::Zero) => simt::Contents::Unknown,
            (None, Contents::Iota) => simt::Contents::Iota,
            (None, Contents::Random(seed)) => simt::Contents::Random(seed),
        },
        offset_in_allocation: 0,
    }
}

/// A whole number in the bytes of a parameter; of a float, its value.
fn whole(value: i64, parameter: &ir::Parameter) -> Vec<u8> {
    if parameter.scalar.is_some_and(ir::ScalarType::is_float) {
        #[allow(
            clippy::cast_precision_loss,
            reason = "the nearest float is what is meant"
        )]
        return real(value as f64, parameter);
    }
    sized(value.to_le_bytes().to_vec(), parameter)
}

fn real(value: f64, parameter: &ir::Parameter) -> Vec<u8> {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the nearest float of that width is what is meant"
    )]
    let bytes = match parameter.scalar {
        Some(ir::ScalarType::F32) => (value as f32).to_le_bytes().to_vec(),
        Some(ir::ScalarType::F64) | None => value.to_le_bytes().to_vec(),
        Some(_) => (value as i64).to_le_bytes().to_vec(),
    };
    sized(bytes, parameter)
}

fn sized(mut bytes: Vec<u8>, parameter: &ir::Parameter) -> Vec<u8> {
    bytes.resize(usize::try_from(parameter.bytes).unwrap_or(0).min(4096), 0);
    bytes
}
