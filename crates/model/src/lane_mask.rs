//! A set of lanes of one warp.

/// A set of lanes: bit *i* stands for lane *i*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaneMask(pub u64);

impl LaneMask {
    /// No lane.
    pub const NONE: Self = Self(0);

    /// The lanes `0..count`; every lane there is when `count` is 64 or more.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        if count >= 64 {
            Self(u64::MAX)
        } else {
            Self((1 << count) - 1)
        }
    }

    /// Whether `lane` is in the set.
    #[must_use]
    pub const fn contains(self, lane: usize) -> bool {
        lane < 64 && self.0 >> lane & 1 == 1
    }

    /// How many lanes are in the set.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no lane is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lanes of the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lane = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (lane < 64).then_some(lane as usize)
        })
    }
}
