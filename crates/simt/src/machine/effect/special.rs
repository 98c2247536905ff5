//! Special registers.

use lanescope_ir::{ArrayId, SpecialRegister};

use crate::machine::Machine;
use crate::machine::memory;
use crate::machine::register::{SourceId, Value};
use crate::machine::warp::Warp;
use crate::outcome::Source;

impl<const L: usize> Machine<'_, L> {
    /// The value of a special register; 0 where it is unknown.
    pub(crate) fn special(&self, warp: &Warp<L>, which: SpecialRegister) -> Value<L> {
        let axis =
            |sides: [u32; 3], axis: u8| Value::Uniform(u64::from(sides[usize::from(axis).min(2)]));
        let width = self.width as u64;
        let first = u64::from(warp.number) * width;
        let lanes = |f: fn(usize) -> u64| Value::General(std::array::from_fn(f));
        let clip = if L >= 64 { u64::MAX } else { (1 << L) - 1 };
        match which {
            SpecialRegister::ThreadIndex(axis) => self.thread_index(first, axis),
            SpecialRegister::BlockIndex(at) => axis(self.block_index, at),
            SpecialRegister::BlockSize(at) => axis(self.launch.block, at),
            SpecialRegister::GridSize(at) => axis(self.launch.grid, at),
            SpecialRegister::LinearThreadIndex => Value::Affine(first, 1),
            SpecialRegister::Lane => Value::Affine(0, 1),
            SpecialRegister::Warp => Value::Uniform(u64::from(warp.number)),
            SpecialRegister::WarpCount => {
                Value::Uniform(self.launch.block_threads().div_ceil(width.max(1)))
            }
            SpecialRegister::WarpSize => Value::Uniform(width),
            SpecialRegister::LaneMaskEqual => lanes(|lane| 1 << lane),
            SpecialRegister::LaneMaskLess => lanes(|lane| (1 << lane) - 1),
            SpecialRegister::LaneMaskLessEqual => lanes(|lane| u64::MAX >> (63 - lane)),
            SpecialRegister::LaneMaskGreater => Value::General(std::array::from_fn(|lane| {
                !(u64::MAX >> (63 - lane)) & clip
            })),
            SpecialRegister::LaneMaskGreaterEqual => {
                Value::General(std::array::from_fn(|lane| !((1 << lane) - 1) & clip))
            }
            SpecialRegister::DynamicSharedBytes => Value::Uniform(self.launch.dynamic_shared_bytes),
            SpecialRegister::TotalSharedBytes => {
                let fixed = self.kernel.shared_bytes.unwrap_or(0);
                Value::Uniform(fixed.saturating_add(self.launch.dynamic_shared_bytes))
            }
            SpecialRegister::SharedWindow => Value::Uniform(memory::SHARED_WINDOW),
            SpecialRegister::LocalWindow => Value::Uniform(memory::LOCAL_WINDOW),
            SpecialRegister::ClusterRank | SpecialRegister::ClusterIndex(_) => Value::Uniform(0),
            SpecialRegister::ClusterSize(_) => Value::Uniform(1),
            SpecialRegister::Unpredictable => Value::Uniform(0),
            SpecialRegister::Elements(id) => Value::Uniform(self.elements_of(id).unwrap_or(0)),
            SpecialRegister::ArrayAddress(id) => {
                Value::Uniform(memory::array_address(self.kernel, &self.global, id))
            }
            SpecialRegister::Variable(at) => {
                let given = self.launch.variables.get(usize::from(at)).copied();
                let first = || {
                    self.kernel
                        .variables
                        .get(usize::from(at))?
                        .values
                        .first()
                        .copied()
                };
                Value::Uniform(given.or_else(first).unwrap_or(0).cast_unsigned())
            }
        }
    }

    /// Why the value of a special register is unknown, where it is; otherwise 0.
    pub(super) fn why_unknown(&mut self, which: SpecialRegister) -> SourceId {
        match which {
            SpecialRegister::Unpredictable => self.sources.id(Source::Unpredictable),
            SpecialRegister::Elements(id) if self.elements_of(id).is_none() => {
                self.sources.id(Source::Contents(id))
            }
            _ => 0,
        }
    }

    /// How many elements an array of the launch has.
    fn elements_of(&self, id: ArrayId) -> Option<u64> {
        let array = self.kernel.arrays.get(id.index())?;
        let allocation = self.global.allocations.get(id.index())?.as_ref()?;
        let counted = allocation.bytes?.saturating_sub(array.header_bytes);
        Some(counted / array.element_bytes.max(1))
    }

    fn thread_index(&self, first: u64, axis: u8) -> Value<L> {
        let [x, y, _] = self.launch.block.map(|side| u64::from(side.max(1)));
        let width = self.width as u64;
        let of = |thread: u64| match axis {
            0 => thread % x,
            1 => thread / x % y,
            _ => thread / x / y,
        };
        let (start, end) = (of(first), of(first + width - 1));
        let in_row = first % x + width <= x;
        match axis {
            0 if in_row => Value::Affine(start, 1),
            1 | 2 if in_row => Value::Uniform(start),
            2 if start == end => Value::Uniform(start),
            _ => Value::General(std::array::from_fn(|lane| of(first + lane as u64))),
        }
    }
}
