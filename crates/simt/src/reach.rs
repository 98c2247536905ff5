//! Reach: how far into each buffer a launch goes, which is how large the buffer has to be.

use crate::machine::memory::{ALLOCATION_BITS, allocation_number};
use crate::{Access, Budget, End, Launch, Observer, execute};
use lanescope_ir::Kernel;
use lanescope_model::Space;

/// `[parameter]`: bytes from the beginning of a pointer's allocation to the end of the last byte that a lane touches; 0
/// for one that is never used. `None` where the launch does not end within the budget, or where an address, a branch or a
/// barrier depends on what is not known.
///
/// Sizes that the launch gives are taken as given: what lies behind them is not reached.
#[must_use]
pub fn reached_bytes(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
) -> Option<Vec<u64>> {
    let mut reach = Reach::of(kernel);
    let outcome = execute(kernel, launch, lanes, budget, &mut reach);
    let is_known = outcome.doubts.is_empty() && outcome.end == End::Complete;
    reach.bytes(kernel).filter(|_| is_known)
}

/// How far a run goes into each allocation. As an observer it ends a run at the first address that is not known.
#[derive(Debug)]
pub struct Reach {
    /// `[allocation]`: the byte behind the last that was touched.
    ends: Vec<u64>,
    is_known: bool,
}

impl Reach {
    /// Of a run of `kernel` that is still to come.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Self {
        Self {
            ends: vec![0; kernel.arrays.len() + kernel.parameters.len()],
            is_known: true,
        }
    }

    /// `[parameter]`: bytes from the beginning of a pointer's allocation to the end of the last byte that was touched, as
    /// [`reached_bytes`] gives them; `None` where an address was not known.
    #[must_use]
    pub fn bytes(&self, kernel: &Kernel) -> Option<Vec<u64>> {
        let end = |position| self.ends.get(allocation_number(kernel, position)).copied();
        let ends = (0..kernel.parameters.len()).map(|position| end(position).unwrap_or(0));
        self.is_known.then(|| ends.collect())
    }
}

impl Observer for Reach {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space != Space::Global {
            return true;
        }
        self.is_known &= access.unknown == 0;
        for (lane, address) in request.addresses.iter().enumerate() {
            if request.active.0 >> lane & 1 == 0 {
                continue;
            }
            let number = (address >> ALLOCATION_BITS).checked_sub(1);
            let slot = number.and_then(|number| usize::try_from(number).ok());
            if let Some(end) = slot.and_then(|slot| self.ends.get_mut(slot)) {
                let offset = address & ((1 << ALLOCATION_BITS) - 1);
                *end = (*end).max(offset + request.width.bytes());
            }
        }
        self.is_known
    }
}

#[cfg(test)]
mod tests {
    use super::reached_bytes;
    use crate::{Budget, Contents, Launch, ParameterValue};
    use lanescope_ir::Kernel;

    fn buffer() -> ParameterValue {
        ParameterValue::Buffer {
            bytes: None,
            base_offset: 0,
            contents: Contents::Zero,
            offset_in_allocation: 0,
        }
    }

    /// `out[i] = in[i + 4]` of two blocks.
    const TEXT: &str = r#"kernel "shifted" stage=source shared=0 {
  place 0 0..0
  parameter "in" "int*" offset=0 bytes=8 array=a0 #0
  parameter "out" "int*" offset=8 bytes=8 array=a1 #0
  parameter "spare" "int*" offset=16 bytes=8 array=a2 #0
  a0 "in" global "int" size=4 align=256 #0
  a1 "out" global "int" size=4 align=256 #0
  a2 "spare" global "int" size=4 align=256 #0
  s0 "in[i + 4]" load generic i32 bytes=4 array=a0 #0
  s1 "out[i]" store generic i32 bytes=4 array=a1 #0
b0:
  d0 = special.address.0
  d1 = special.address.1
  r2 = special.thread.x
  r3 = special.block.x
  r4 = mad.u32 r3, 8, r2
  d5 = convert.i64.u32.rn r4
  d6 = mad.u64 d5, 4, d0
  r7 = load s0 [d6+16]
  d8 = mad.u64 d5, 4, d1
  store s1 [d8], r7
  exit
}
"#;

    #[test]
    fn a_buffer_is_as_large_as_the_launch_goes_into_it() {
        let kernel: Kernel = TEXT.parse().expect("a kernel");
        let launch = Launch {
            grid: [2, 1, 1],
            block: [8, 1, 1],
            parameters: vec![buffer(), buffer(), buffer()],
            ..Launch::default()
        };
        let reached = reached_bytes(&kernel, &launch, 32, Budget::default());
        assert_eq!(reached, Some(vec![80, 64, 0]));
        let small = Budget {
            requests: 1,
            ..Budget::default()
        };
        assert_eq!(reached_bytes(&kernel, &launch, 32, small), None);
    }
}
