//! Numbers that a seed determines.

/// Marsaglia's xorshift.
pub(crate) struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 11) % end
    }

    /// True `of_ten` times in ten.
    pub(crate) fn chance(&mut self, of_ten: u64) -> bool {
        self.below(10) < of_ten
    }

    /// One of `all`.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let at = usize::try_from(self.below(all.len() as u64)).unwrap_or(0);
        all[at]
    }
}
