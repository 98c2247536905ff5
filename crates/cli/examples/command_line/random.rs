//! Reproducible choices.

/// xorshift64* (Vigna, 2016).
pub(crate) struct Random(u64);

impl Random {
    /// The choices that `seed` gives.
    pub(crate) fn new(seed: u64) -> Self {
        let mut one = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            one.below(2);
        }
        one
    }

    /// A number under `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    }

    /// True `percent` times of a hundred.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        let at = usize::try_from(self.below(list.len() as u64)).unwrap_or(0);
        list[at]
    }
}
