//! Places, accesses, arrays and parameters of a kernel of `ir`, as a program has them.

use lanescope_ir as ir;
use lanescope_model::Space;

use crate::scalar::Scalar;
use crate::{Passed, SourceArray, SourceParameter, SourceSite, Span};

pub(super) fn span_of(place: ir::Place) -> Span {
    Span::new(place.start as usize, place.end as usize)
}

/// The memory whose requests are counted where an access names `space`.
#[must_use]
pub const fn counted_space(space: ir::AddressSpace) -> Space {
    match space {
        ir::AddressSpace::Shared | ir::AddressSpace::SharedCluster => Space::Shared,
        ir::AddressSpace::Generic
        | ir::AddressSpace::Global
        | ir::AddressSpace::Local
        | ir::AddressSpace::Constant => Space::Global,
    }
}

pub(super) fn site_of(kernel: &ir::Kernel, site: &ir::Site, place: ir::Place) -> SourceSite {
    let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
    let space = match (site.space, array) {
        (ir::AddressSpace::Generic, Some(array)) => array.space,
        (space, _) => space,
    };
    SourceSite {
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        array: site.array,
        space: counted_space(space),
        operation: site.operation,
        width: site.width,
        volatile: site.is_volatile,
        read_only: site.is_read_only,
        depends_on: None,
        reached_by: None,
    }
}

pub(super) fn array_of(array: &ir::Array, place: ir::Place) -> SourceArray {
    SourceArray {
        name: array.name.clone(),
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        space: counted_space(array.space),
        element: array.element.clone(),
        element_bytes: array.element_bytes.max(1),
        header_bytes: array.header_bytes,
        extents: array.extents.clone(),
        bytes: array.bytes,
        restrict: array.is_restrict,
        base: array.base,
    }
}

pub(super) fn parameter_of(
    kernel: &ir::Kernel,
    at: usize,
    parameter: &ir::Parameter,
    place: ir::Place,
) -> SourceParameter {
    let name = if parameter.name.is_empty() && kernel.stage != ir::Stage::Source {
        format!("param_{at}")
    } else {
        parameter.name.clone()
    };
    SourceParameter {
        name,
        span: span_of(place),
        line: place.line.max(1),
        column: place.column.max(1),
        ty: parameter.declared.clone(),
        array: parameter.array,
        passed: u32::try_from(at).ok().map(|position| Passed {
            position,
            offset: 0,
            of_bytes: u64::from(parameter.bytes),
        }),
        role: None,
        implied: None,
    }
}

/// How the launch's bytes for a parameter are read; the bits of one that is no scalar as a whole number.
pub(super) fn scalar_of(parameter: &ir::Parameter) -> Scalar {
    match parameter.scalar {
        Some(ir::ScalarType::Bool) => Scalar::Bool,
        Some(ir::ScalarType::I8) => Scalar::I8,
        Some(ir::ScalarType::U8) => Scalar::U8,
        Some(ir::ScalarType::I16) => Scalar::I16,
        Some(ir::ScalarType::U16 | ir::ScalarType::BF16) => Scalar::U16,
        Some(ir::ScalarType::I32) => Scalar::I32,
        Some(ir::ScalarType::U32) => Scalar::U32,
        Some(ir::ScalarType::I64) => Scalar::I64,
        Some(ir::ScalarType::F16) => Scalar::F16,
        Some(ir::ScalarType::F32) => Scalar::F32,
        Some(ir::ScalarType::F64) => Scalar::F64,
        Some(ir::ScalarType::U64) | None => Scalar::U64,
    }
}
