//! Numbers made of numbers, so that what differs has another number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// One round of the 64-bit finaliser of MurmurHash3 over the sum.
pub(crate) const fn mix(state: u64, value: u64) -> u64 {
    let mut hash = state
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(value)
        .wrapping_add(1);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash
}

/// A number for an array's name.
pub(crate) fn name_key(name: &str) -> u64 {
    name.bytes()
        .fold(0, |hash, byte| mix(hash, u64::from(byte)))
}

/// A map by numbers, quicker than the standard library's own hash makes it.
pub(crate) type Numbered<T> = HashMap<u64, T, BuildHasherDefault<Mixer>>;

/// Hashes a number by one round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0, number);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
