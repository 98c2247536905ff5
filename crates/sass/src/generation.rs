//! Constant bank 0 and shared memory of each generation.
//!
//! The driver puts a launch's sizes and parameters at fixed offsets of constant bank 0. Every offset here was read off
//! the code that nvcc 13 makes of one kernel for sm_75, 80, 86, 89, 90, 100 and 120.

use lanescope_ir::SpecialRegister;

/// What a generation keeps where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generation {
    /// Block size along x; y and z follow.
    block_size: u32,
    /// Grid size along x; y and z follow.
    grid_size: u32,
    /// The stack pointer at the kernel's entry.
    stack: u32,
    /// Generic address of local memory.
    local_window: u32,
    /// Generic address of shared memory, where it is kept here and not in `SR_SWINHI`.
    shared_window: Option<u32>,
    /// First byte of the parameters.
    pub(crate) parameters: u32,
    /// Address of the first byte of shared memory that programs use.
    pub(crate) shared_base: u64,
}

/// A word of constant bank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// A special register.
    Special(SpecialRegister),
    /// High half of one of 64 bits.
    HighHalf(SpecialRegister),
    /// The stack pointer.
    Stack,
    /// A parameter's byte.
    Parameter(u32),
    /// The driver's own: descriptors and the like.
    Driver,
}

const VOLTA: Generation = Generation {
    block_size: 0x0,
    grid_size: 0xc,
    stack: 0x28,
    local_window: 0x20,
    shared_window: Some(0x18),
    parameters: 0x160,
    shared_base: 0,
};

const HOPPER: Generation = Generation {
    shared_window: None,
    parameters: 0x210,
    shared_base: 0x400,
    ..VOLTA
};

const BLACKWELL: Generation = Generation {
    block_size: 0x360,
    grid_size: 0x370,
    stack: 0x37c,
    local_window: 0x2f8,
    parameters: 0x380,
    ..HOPPER
};

impl Generation {
    /// Where parameters begin in the constant bank, generation by generation.
    pub(crate) const PARAMETERS: [u32; 3] =
        [VOLTA.parameters, HOPPER.parameters, BLACKWELL.parameters];

    /// The generation of `sm_…`.
    pub(crate) const fn of(architecture: u16) -> Self {
        match architecture {
            0..=89 => VOLTA,
            90..=99 => HOPPER,
            _ => BLACKWELL,
        }
    }

    /// What stands at `offset` of bank 0.
    pub(crate) fn word(&self, offset: u32) -> Word {
        let axis = |first: u32| {
            let at = offset.checked_sub(first)?;
            let axis = u8::try_from(at / 4).ok()?;
            (at.is_multiple_of(4) && axis < 3).then_some(axis)
        };
        let halves = |first: u32, register| match offset.checked_sub(first) {
            Some(0) => Some(Word::Special(register)),
            Some(4) => Some(Word::HighHalf(register)),
            _ => None,
        };
        if let Some(parameter) = offset.checked_sub(self.parameters) {
            return Word::Parameter(parameter);
        }
        if let Some(axis) = axis(self.block_size) {
            return Word::Special(SpecialRegister::BlockSize(axis));
        }
        if let Some(axis) = axis(self.grid_size) {
            return Word::Special(SpecialRegister::GridSize(axis));
        }
        if offset == self.stack {
            return Word::Stack;
        }
        let shared = self
            .shared_window
            .and_then(|first| halves(first, SpecialRegister::SharedWindow));
        shared
            .or_else(|| halves(self.local_window, SpecialRegister::LocalWindow))
            .unwrap_or(Word::Driver)
    }
}

/// The architecture of a listing that does not name it, from the offsets of bank 0 that its code reads.
///
/// CC 10.0 and later read the stack pointer at 0x37c and the descriptor at 0x358; 9.0 the descriptor at 0x208; 8.x at
/// 0x118; 7.x has none.
pub(crate) fn architecture(text: &str) -> Option<u16> {
    let has = |offset: &str| text.contains(offset);
    if has("c[0x0][0x37c]") || has("c[0x0][0x358]") {
        Some(100)
    } else if has("c[0x0][0x208]") || has("desc[UR") {
        Some(90)
    } else if has("c[0x0][0x118]") {
        Some(80)
    } else if has("c[0x0][0x160]") || has("c[0x0][0x28]") {
        Some(75)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_each_generation() {
        let turing = Generation::of(75);
        assert_eq!(turing.word(0x160), Word::Parameter(0));
        assert_eq!(
            turing.word(0x10),
            Word::Special(SpecialRegister::GridSize(1))
        );
        assert_eq!(
            turing.word(0x1c),
            Word::HighHalf(SpecialRegister::SharedWindow)
        );
        assert_eq!(Generation::of(86), turing);
        let hopper = Generation::of(90);
        assert_eq!(hopper.word(0x218), Word::Parameter(8));
        assert_eq!(hopper.word(0x28), Word::Stack);
        assert_eq!(hopper.word(0x208), Word::Driver);
        let blackwell = Generation::of(120);
        assert_eq!(
            blackwell.word(0x368),
            Word::Special(SpecialRegister::BlockSize(2))
        );
        assert_eq!(
            blackwell.word(0x378),
            Word::Special(SpecialRegister::GridSize(2))
        );
        assert_eq!(blackwell.word(0x37c), Word::Stack);
        assert_eq!(
            blackwell.word(0x2fc),
            Word::HighHalf(SpecialRegister::LocalWindow)
        );
        assert_eq!(blackwell.word(0x380), Word::Parameter(0));
    }
}
