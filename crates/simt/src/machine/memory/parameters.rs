//! The kernel's parameters as the device holds them, and the allocations that they point to.

use lanescope_ir::{AddressSpace, ArrayId, Kernel};

use super::bytes::{Bytes, Word};
use super::{ALLOCATION_BITS, Allocation, Global, LOCAL_WINDOW, MOST_SHARED, SHARED_WINDOW};
use crate::machine::register::SourceId;
use crate::{Contents, Launch, ParameterValue};

/// The kernel's parameters as the device holds them.
pub(crate) fn parameter_image(
    kernel: &Kernel,
    launch: &Launch,
    missing: impl Fn(u32) -> SourceId,
) -> Bytes {
    let mut image = Bytes::default();
    for (position, parameter) in kernel.parameters.iter().enumerate() {
        let at = u64::from(parameter.offset);
        let limit = MOST_SHARED;
        let number = u32::try_from(position).unwrap_or(u32::MAX);
        match launch
            .parameters
            .get(position)
            .unwrap_or(&ParameterValue::Missing)
        {
            ParameterValue::Bytes(bytes) => {
                for (place, byte) in (0_u64..).zip(bytes.iter().take(parameter.bytes as usize)) {
                    let word = Word {
                        bits: u64::from(*byte),
                        source: 0,
                    };
                    image.write(at.saturating_add(place), 1, word, limit);
                }
            }
            ParameterValue::Buffer {
                base_offset,
                offset_in_allocation,
                ..
            } => {
                let slot = allocation_number(kernel, position);
                let start = allocation_start(slot, *base_offset);
                let bits = start.wrapping_add(*offset_in_allocation);
                image.write(at, 8, Word { bits, source: 0 }, limit);
            }
            ParameterValue::Missing => {
                let word = Word {
                    bits: 0,
                    source: missing(number),
                };
                for place in 0..u64::from(parameter.bytes.min(1 << 16)) {
                    image.write(at.saturating_add(place), 1, word, limit);
                }
            }
        }
    }
    image
}

/// Arrays come first, then parameters that are pointers to no array.
pub(crate) fn allocation_number(kernel: &Kernel, position: usize) -> usize {
    let array = kernel
        .parameters
        .get(position)
        .and_then(|parameter| parameter.array);
    array.map_or(kernel.arrays.len() + position, ArrayId::index)
}

fn allocation_start(number: usize, base_offset: u64) -> u64 {
    ((number as u64 + 1) << ALLOCATION_BITS).wrapping_add(base_offset % 1024)
}

/// First byte's generic address of an array.
pub(crate) fn array_address(kernel: &Kernel, global: &Global, id: ArrayId) -> u64 {
    let Some(array) = kernel.arrays.get(id.index()) else {
        return 0;
    };
    match array.space {
        AddressSpace::Shared | AddressSpace::SharedCluster => {
            SHARED_WINDOW + kernel.shared_base + array.base
        }
        AddressSpace::Local => LOCAL_WINDOW + array.base,
        AddressSpace::Generic | AddressSpace::Global | AddressSpace::Constant => global
            .allocations
            .get(id.index())
            .and_then(Option::as_ref)
            .map_or(0, |allocation| allocation.start),
    }
}

/// Allocations of the kernel's arrays and of the launch's buffers.
pub(crate) fn allocations(
    kernel: &Kernel,
    launch: &Launch,
    unknown: impl Fn(Option<ArrayId>) -> SourceId,
) -> Vec<Option<Allocation>> {
    let count = kernel.arrays.len() + kernel.parameters.len();
    let mut all: Vec<Option<Allocation>> = vec![None; count];
    for (number, array) in kernel.arrays.iter().enumerate() {
        let id = ArrayId(u32::try_from(number).unwrap_or(u32::MAX));
        let lies_there = matches!(
            array.space,
            AddressSpace::Global | AddressSpace::Constant | AddressSpace::Generic
        );
        if lies_there {
            let bound = kernel
                .parameters
                .iter()
                .any(|parameter| parameter.array == Some(id));
            all[number] = Some(Allocation {
                array: Some(id),
                start: allocation_start(number, 0),
                bytes: array.bytes,
                contents: if bound {
                    Contents::Unknown
                } else {
                    Contents::Zero
                },
                source: unknown(Some(id)),
                stored: false,
            });
        }
    }
    for (position, value) in launch
        .parameters
        .iter()
        .enumerate()
        .take(kernel.parameters.len())
    {
        let number = allocation_number(kernel, position);
        if let ParameterValue::Bytes(bytes) = value
            && kernel.parameters[position].array.is_some()
            && bytes.iter().all(|byte| *byte == 0)
            && let Some(slot) = all.get_mut(number)
        {
            // The null pointer: the array lies nowhere.
            *slot = None;
        }
        if let ParameterValue::Buffer {
            bytes,
            base_offset,
            contents,
            ..
        } = value
        {
            let array = kernel.parameters[position].array;
            if let Some(slot) = all.get_mut(number) {
                *slot = Some(Allocation {
                    array,
                    start: allocation_start(number, *base_offset),
                    bytes: *bytes,
                    contents: contents.clone(),
                    source: unknown(array),
                    stored: false,
                });
            }
        }
    }
    all
}
