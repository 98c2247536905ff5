//! One argument of a recorded launch.

/// One argument of a recorded launch, in the order of the kernel's parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedArgument {
    /// The parameter's name, where the recorder knew it.
    pub name: Option<String>,
    /// Bytes of the parameter.
    pub bytes: u32,
    /// Bytes from the first parameter's first byte, where the recorder knew it.
    pub offset: Option<u32>,
    /// Its value, little endian; empty where only [`RecordedArgument::pointer`] was recorded.
    pub hex: Vec<u8>,
    /// Where it points, if it is a pointer into device memory.
    pub pointer: Option<RecordedPointer>,
    /// The file of what the array holds that it points to, as in `values.npy` or `values.bin:f32`.
    pub contents: Option<String>,
}

/// A pointer's place in its allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedPointer {
    /// Bytes from the beginning of the allocation to where it points.
    pub base_off: u64,
    /// Bytes of the allocation.
    pub range: u64,
    /// Address modulo 1,024: sectors and cache lines depend on it.
    pub modulo: u64,
}

impl RecordedPointer {
    /// Bytes from where it points to the end of the allocation.
    #[must_use]
    pub const fn bytes_from_here(self) -> u64 {
        self.range.saturating_sub(self.base_off)
    }
}

/// The widest scalar, in bytes.
const WIDEST: usize = 8;

impl RecordedArgument {
    /// The bytes of the argument, zero-extended or cut to [`RecordedArgument::bytes`].
    #[must_use]
    pub fn value(&self) -> Vec<u8> {
        let mut value = self.hex.clone();
        value.resize(usize::try_from(self.bytes).unwrap_or(0), 0);
        value
    }

    /// The bytes at `offset` as an unsigned little-endian integer of `bytes` (at most 8) bytes; `None` where they were not
    /// recorded.
    #[must_use]
    pub fn bits(&self, offset: u64, bytes: u64) -> Option<u64> {
        let from = usize::try_from(offset).ok()?;
        let count = usize::try_from(bytes)
            .ok()
            .filter(|count| *count <= WIDEST)?;
        let part = self.hex.get(from..from.checked_add(count)?)?;
        let mut word = [0; WIDEST];
        word.get_mut(..count)?.copy_from_slice(part);
        Some(u64::from_le_bytes(word))
    }

    /// The whole argument as an unsigned integer, where it has at most eight bytes.
    #[must_use]
    pub fn integer(&self) -> Option<u64> {
        self.bits(0, self.bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_little_endian_and_within_the_argument() {
        let argument = RecordedArgument {
            bytes: 6,
            hex: vec![1, 2, 3, 4, 5, 6],
            ..RecordedArgument::default()
        };
        assert_eq!(argument.bits(1, 2), Some(0x0302));
        assert_eq!(argument.integer(), Some(0x0605_0403_0201));
        for (offset, bytes) in [(5, 2), (0, 9), (u64::MAX, 1), (6, 1)] {
            assert_eq!(argument.bits(offset, bytes), None, "{offset}, {bytes}");
        }
    }
}
