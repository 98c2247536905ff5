//! Which values a thread still holds: what it has read or written, with nothing since that may
//! have changed memory.

use super::ghost::Ghost;

/// Values that a compiler keeps at once, at most.
const MOST: usize = 64;

/// What tells one held value from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) address: Ghost,
    pub(super) bytes: u8,
    /// The array, or one that stands for all of a space.
    pub(super) array: u32,
    pub(super) shared: bool,
    /// Nothing that the kernel does changes it.
    pub(super) read_only: bool,
    pub(super) restrict: bool,
}

/// The values that one warp's threads hold.
#[derive(Clone, Debug)]
pub(super) struct Reuse {
    keys: [u64; MOST],
    lanes: [u64; MOST],
    used: [u32; MOST],
    held: [Held; MOST],
    len: usize,
    clock: u32,
}

impl Reuse {
    pub(super) fn new() -> Self {
        Self {
            keys: [0; MOST],
            lanes: [0; MOST],
            used: [0; MOST],
            held: [Held::default(); MOST],
            len: 0,
            clock: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// A barrier or an atomic: only what nothing changes stays.
    pub(super) fn fence(&mut self) {
        self.keep(|held| held.read_only);
    }

    /// The lanes of `active` that must read; from now on they all hold the value.
    pub(super) fn read(&mut self, value: Held, active: u64) -> u64 {
        let key = key_of(&value);
        self.clock = self.clock.wrapping_add(1);
        if let Some(at) = self.keys[..self.len].iter().position(|one| *one == key) {
            let need = active & !self.lanes[at];
            self.lanes[at] |= active;
            self.used[at] = self.clock;
            return need;
        }
        self.put(key, value, active);
        active
    }

    /// Lanes write: what may lie there is forgotten, what they wrote is held, as is what others hold of
    /// their own place.
    pub(super) fn write(&mut self, value: Held, active: u64) {
        let key = key_of(&value);
        let same = self.keys[..self.len].iter().position(|one| *one == key);
        let before = same.map_or(0, |at| self.lanes[at]);
        self.keep(|held| !overlaps(held, &value));
        self.clock = self.clock.wrapping_add(1);
        self.put(key, value, before | active);
    }

    fn keep(&mut self, stays: impl Fn(&Held) -> bool) {
        let mut to = 0;
        for at in 0..self.len {
            if stays(&self.held[at]) {
                if to != at {
                    self.keys[to] = self.keys[at];
                    self.lanes[to] = self.lanes[at];
                    self.used[to] = self.used[at];
                    self.held[to] = self.held[at];
                }
                to += 1;
            }
        }
        self.len = to;
    }

    fn put(&mut self, key: u64, value: Held, lanes: u64) {
        let at = if self.len < MOST {
            self.len += 1;
            self.len - 1
        } else {
            let clock = self.clock;
            (0..MOST)
                .max_by_key(|at| clock.wrapping_sub(self.used[*at]))
                .unwrap_or(0)
        };
        self.keys[at] = key;
        self.lanes[at] = lanes;
        self.used[at] = self.clock;
        self.held[at] = value;
    }
}

fn key_of(value: &Held) -> u64 {
    value.address.number.rotate_left(8) ^ u64::from(value.bytes)
}

/// Whether a write may change what is held.
pub(super) fn overlaps(held: &Held, written: &Held) -> bool {
    if held.shared != written.shared || held.read_only {
        return false;
    }
    if held.array != written.array && (held.shared || held.restrict || written.restrict) {
        return false;
    }
    if held.array != written.array {
        return true;
    }
    !held.address.apart(
        u64::from(held.bytes),
        written.address,
        u64::from(written.bytes),
    )
}
