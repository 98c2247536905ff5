//! The parameter buffer of a launch.

use crate::LaunchRecord;

/// The offsets and bytes of the parameter buffer: every argument at the next multiple of its natural alignment, as CUDA
/// lays out scalars and pointers. Where the offset of a structure is not recorded, `align` of its position says its alignment, and
/// without one the largest power of two up to 8 that divides its size is taken.
#[must_use]
pub fn parameter_bytes(
    record: &LaunchRecord,
    align: impl Fn(usize) -> Option<u64>,
) -> Vec<(u64, Vec<u8>)> {
    let mut end = 0_u64;
    let mut list = Vec::new();
    for (position, argument) in record.arguments.iter().enumerate() {
        let bytes = u64::from(argument.bytes);
        let align = align(position).unwrap_or_else(|| natural(bytes)).max(1);
        let next = end.div_ceil(align).saturating_mul(align);
        let offset = argument.offset.map_or(next, u64::from);
        list.push((offset, argument.value()));
        end = offset.saturating_add(bytes);
    }
    list
}

fn natural(bytes: u64) -> u64 {
    match bytes {
        0 => 1,
        bytes => 1 << bytes.trailing_zeros().min(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordedArgument;

    #[test]
    fn arguments_are_placed_at_their_alignment() {
        let of = |bytes: u32| RecordedArgument {
            bytes,
            hex: vec![7; bytes as usize],
            ..RecordedArgument::default()
        };
        let record = LaunchRecord {
            arguments: vec![of(4), of(8), of(1), of(2), of(56), of(12)],
            ..LaunchRecord::default()
        };
        let places = |align: fn(usize) -> Option<u64>| {
            parameter_bytes(&record, align)
                .into_iter()
                .map(|(offset, bytes)| (offset, bytes.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            places(|_| None),
            [(0, 4), (8, 8), (16, 1), (18, 2), (24, 56), (80, 12)]
        );
        assert_eq!(places(|at| (at == 4).then_some(16)).get(4), Some(&(32, 56)));
        let mut placed = record.clone();
        placed.arguments[4].offset = Some(64);
        let offsets: Vec<u64> = parameter_bytes(&placed, |_| None)
            .into_iter()
            .map(|(offset, _)| offset)
            .collect();
        assert_eq!(offsets, [0, 8, 16, 18, 64, 120]);
    }
}
