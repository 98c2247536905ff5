//! The bytes of a launch: what its buffers hold before it, and what it moves.

use std::sync::Arc;

use lanescope_emit::{Binding, BufferSource, Emitted};
use lanescope_ir::{Kernel, ScalarType};
use lanescope_kernels::Traffic;
use lanescope_simt::{self as simt, Contents, ParameterValue};

use crate::{Refusal, Setting};

/// Gives every buffer its bytes; one of which nobody said what it holds gets zeros. Returns the names of those that
/// begin inside their memory in the launch: here each begins where its memory does.
pub(crate) fn fill(
    kernel: &Kernel,
    emitted: &Emitted,
    launch: &mut simt::Launch,
    setting: &Setting,
) -> Result<Vec<String>, Refusal> {
    let mut moved = Vec::new();
    let sizes = sizes(kernel, emitted, launch, setting)?;
    for ((position, value), size) in launch.parameters.iter_mut().enumerate().zip(sizes) {
        let ParameterValue::Buffer {
            bytes,
            contents,
            base_offset,
            offset_in_allocation,
        } = value
        else {
            continue;
        };
        let behind = std::mem::take(offset_in_allocation);
        if std::mem::take(base_offset) != 0 || behind != 0 {
            moved.push(name(kernel, position));
        }
        let element = element_of(kernel, position);
        let skipped = usize::try_from(behind).unwrap_or(usize::MAX);
        let whole = size.saturating_add(skipped);
        let mut held = contents.bytes(element, whole).unwrap_or_default();
        held.drain(..skipped.min(held.len()));
        held.resize(size, 0);
        *bytes = Some(size as u64);
        *contents = Contents::Bytes(held.into());
    }
    Ok(moved)
}

/// `[parameter]`: the bytes of its buffer, from where it begins; 0 of what is none.
fn sizes(
    kernel: &Kernel,
    emitted: &Emitted,
    launch: &simt::Launch,
    setting: &Setting,
) -> Result<Vec<usize>, Refusal> {
    let mut sizes = Vec::new();
    let mut sum = 0_u64;
    for (position, value) in launch.parameters.iter().enumerate() {
        let bound = emitted
            .bindings
            .iter()
            .find(|binding| is_of(binding, position));
        let size = match value {
            ParameterValue::Buffer {
                bytes: Some(bytes),
                offset_in_allocation,
                ..
            } => bytes.saturating_sub(*offset_in_allocation),
            ParameterValue::Buffer {
                contents: Contents::Bytes(held),
                ..
            } => held.len() as u64,
            ParameterValue::Buffer { .. } if bound.is_some() => {
                let name = name(kernel, position);
                return Err(Refusal::Unsized { name });
            }
            ParameterValue::Buffer { .. } | ParameterValue::Bytes(_) | ParameterValue::Missing => 0,
        };
        let size = size.max(bound.map_or(0, |one| one.least_bytes));
        let fits_bytes = setting.limits.array_bytes();
        if size > fits_bytes {
            return Err(Refusal::LargeBuffer {
                name: name(kernel, position),
                bytes: size,
                fits_bytes,
            });
        }
        sum = sum.saturating_add(size);
        sizes.push(usize::try_from(size).unwrap_or(usize::MAX));
    }
    if sum > setting.memory_bytes {
        return Err(Refusal::Memory {
            bytes: sum,
            fits_bytes: setting.memory_bytes,
        });
    }
    Ok(sizes)
}

fn name(kernel: &Kernel, position: usize) -> String {
    let parameter = kernel.parameters.get(position);
    parameter.map_or_else(String::new, |one| one.name.clone())
}

fn is_of(binding: &Binding, position: usize) -> bool {
    binding.source == BufferSource::Parameter(u32::try_from(position).unwrap_or(u32::MAX))
}

/// The type in which a buffer's contents are drawn: that of its accesses.
fn element_of(kernel: &Kernel, position: usize) -> ScalarType {
    let array = kernel.parameters.get(position).and_then(|one| one.array);
    let mut sites = kernel
        .sites
        .iter()
        .filter(|site| site.array == array && array.is_some());
    sites.next().map_or(ScalarType::F32, |site| site.element)
}

/// The bytes of a parameter's buffer.
pub(crate) fn of_parameter(launch: &simt::Launch, position: u32) -> Option<&Arc<[u8]>> {
    let position = usize::try_from(position).ok()?;
    match launch.parameters.get(position)? {
        ParameterValue::Buffer {
            contents: Contents::Bytes(held),
            ..
        } => Some(held),
        ParameterValue::Buffer { .. } | ParameterValue::Bytes(_) | ParameterValue::Missing => None,
    }
}

/// The size of an array that the text declares; 0 of a parameter's.
pub(crate) fn array_bytes(kernel: &Kernel, source: BufferSource) -> usize {
    let BufferSource::Array(id) = source else {
        return 0;
    };
    let array = kernel.arrays.get(id.index());
    array
        .and_then(|array| usize::try_from(array.bytes?).ok())
        .unwrap_or(0)
}

/// The bytes of a binding's buffer before the launch.
pub(crate) fn before(kernel: &Kernel, source: BufferSource, launch: &simt::Launch) -> Arc<[u8]> {
    let id = match source {
        BufferSource::Parameter(position) => {
            return of_parameter(launch, position).cloned().unwrap_or_default();
        }
        BufferSource::Array(id) => id,
    };
    let mut bytes = vec![0; array_bytes(kernel, source)];
    let array = kernel.arrays.get(id.index());
    for (at, initial) in array.into_iter().flat_map(|one| &one.initial) {
        let start = usize::try_from(*at).unwrap_or(usize::MAX);
        for (to, from) in bytes.iter_mut().skip(start).zip(initial) {
            *to = *from;
        }
    }
    bytes.into()
}

/// The bytes of the buffers that are read, and of those that are written: each once, as far as the launch goes into them
/// where that is known, `[parameter]`.
pub(crate) fn traffic(
    emitted: &Emitted,
    launch: &simt::Launch,
    reached: Option<&[u64]>,
) -> Traffic {
    let bytes = |is: fn(&Binding) -> bool| {
        let buffers = emitted.bindings.iter().filter(|binding| is(binding));
        let each = buffers.filter_map(|buffer| match buffer.source {
            BufferSource::Parameter(position) => {
                let bytes = of_parameter(launch, position)?.len() as u64;
                let end = reached.and_then(|ends| ends.get(position as usize));
                Some(end.map_or(bytes, |end| bytes.min(*end)))
            }
            BufferSource::Array(_) => None,
        });
        each.sum()
    };
    Traffic {
        read_bytes: bytes(|one| one.is_read),
        written_bytes: bytes(|one| one.is_written),
    }
}

/// The bytes of all parameters, by the kernel's offsets.
pub(crate) fn parameters(kernel: &Kernel, launch: &simt::Launch) -> Vec<u8> {
    let mut image = Vec::new();
    for (parameter, value) in kernel.parameters.iter().zip(&launch.parameters) {
        let at = parameter.offset as usize;
        image.resize(image.len().max(at + parameter.bytes as usize), 0);
        if let ParameterValue::Bytes(bytes) = value {
            let place = image.iter_mut().skip(at).take(parameter.bytes as usize);
            place.zip(bytes).for_each(|(to, from)| *to = *from);
        }
    }
    image
}
