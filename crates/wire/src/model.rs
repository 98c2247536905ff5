//! What the model and the layouts know, as bytes.

use lanescope_layouts::Swizzle;
use lanescope_model::{Confidence, LaneMask, Operation, Space, Unit, Unknown, Width};

use crate::{Wire, wire_enums, wire_structs};

wire_enums! {
    Space { Shared, Global }
    Operation {
        Load, Store, Atomic, Reduction, Increment, CompareAndSwap, MatrixLoad { matrices: a },
        MatrixStore { matrices: a }, AsyncCopy,
    }
    Width { Bytes1, Bytes2, Bytes4, Bytes8, Bytes16 }
    Unit { Sector, Line, Transaction }
    Confidence { Given, Measured, Documented, ThirdParty, Inferred, Disputed, Unknown }
    open Unknown {
        OtherSpace, NoSharedMemory, Banks, Instruction, ReadPhases { bytes: a },
        WritePhases { bytes: a }, Atomics, GlobalPieces, Address,
    }
}

wire_structs! {
    LaneMask { 0 }
}

impl Wire for Swizzle {
    fn put(&self, out: &mut Vec<u8>) {
        (self.bits(), (self.base(), self.shift())).put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let (bits, (base, shift)) = Wire::take(input)?;
        Self::new(bits, base, shift).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swizzle_that_cannot_be_is_refused() {
        let impossible = (60_u32, (60_u32, 0_i32)).to_bytes();
        assert_eq!(Swizzle::of_bytes(&impossible), None);
        let swizzle = Swizzle::new(3, 4, 3).unwrap();
        assert_eq!(Swizzle::of_bytes(&swizzle.to_bytes()), Some(swizzle));
    }

    #[test]
    fn a_choice_that_is_not_listed_is_refused() {
        assert_eq!(Unit::of_bytes(&[2]), Some(Unit::Transaction));
        assert_eq!(Unit::of_bytes(&[3]), None);
        assert_eq!(Unknown::of_bytes(&[u8::MAX]), None);
    }

    #[test]
    fn all_that_may_be_unknown_crosses_whole() {
        let all = [
            Unknown::OtherSpace,
            Unknown::NoSharedMemory,
            Unknown::Banks,
            Unknown::Instruction,
            Unknown::ReadPhases { bytes: 16 },
            Unknown::WritePhases { bytes: 8 },
            Unknown::Atomics,
            Unknown::GlobalPieces,
            Unknown::Address,
        ];
        assert_eq!(<[Unknown; 9]>::of_bytes(&all.to_bytes()), Some(all));
    }
}
