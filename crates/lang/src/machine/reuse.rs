//! Which values a thread still holds: what it has read or written, with nothing since that may
//! have changed memory.
//!
//! A compiler follows branches, not lanes. What was written in a branch, or read from global memory,
//! is held behind it where the place is asked for at once, and not within another branch: the other
//! lanes then ask before the two meet. What was read from shared memory is not held behind a
//! branch, and what is held behind a branch in a loop is not, behind the loop.

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

/// Where a value has been held since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Since {
    /// Branches and loops around.
    depth: u16,
    /// Whether only those lanes hold it that went through a branch which has ended.
    partly: bool,
    /// Whether both branches of an `if` read it.
    in_both: bool,
    stored: bool,
}

/// The values that one warp's threads hold.
#[derive(Clone, Debug)]
pub(super) struct Reuse {
    keys: [u64; MOST],
    lanes: [u64; MOST],
    used: [u32; MOST],
    held: [Held; MOST],
    since: [Since; MOST],
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
            since: [Since::default(); MOST],
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
    pub(super) fn read(&mut self, value: Held, active: u64, depth: u16) -> u64 {
        let key = key_of(&value);
        self.clock = self.clock.wrapping_add(1);
        if let Some(at) = self.keys[..self.len].iter().position(|one| *one == key) {
            let since = &mut self.since[at];
            let is_lost = since.partly && (depth > since.depth || value.shared && !since.stored);
            let need = if is_lost {
                active
            } else {
                active & !self.lanes[at]
            };
            if is_lost {
                *since = Since {
                    depth,
                    ..Since::default()
                };
            } else if since.depth == depth {
                since.partly = false;
                since.in_both |= need != 0;
            }
            self.lanes[at] |= active;
            self.used[at] = self.clock;
            return need;
        }
        let since = Since {
            depth,
            ..Since::default()
        };
        self.put(key, value, active, since);
        active
    }

    /// Lanes write: what may lie there is forgotten, what they wrote is held, as is what others hold of
    /// their own place.
    pub(super) fn write(&mut self, value: Held, active: u64, depth: u16) {
        let key = key_of(&value);
        let same = self.keys[..self.len].iter().position(|one| *one == key);
        let before = same.map_or(0, |at| self.lanes[at]);
        let since = match same.map(|at| self.since[at]) {
            Some(since) if !since.partly => Since {
                stored: true,
                ..since
            },
            _ => Since {
                depth,
                stored: true,
                ..Since::default()
            },
        };
        self.keep(|held| !overlaps(held, &value));
        self.clock = self.clock.wrapping_add(1);
        self.put(key, value, before | active, since);
    }

    /// A branch ends, or a loop, within `depth` of them.
    pub(super) fn leave(&mut self, depth: u16, is_loop: bool) {
        let ends = |since: &Since| since.depth == depth;
        if is_loop
            && self.since[..self.len]
                .iter()
                .any(|since| ends(since) && since.partly)
        {
            let since = self.since;
            let mut at = 0;
            self.keep(|_| {
                at += 1;
                !(ends(&since[at - 1]) && since[at - 1].partly)
            });
        }
        for since in self.since[..self.len]
            .iter_mut()
            .filter(|since| ends(since))
        {
            *since = Since {
                depth: depth.saturating_sub(1),
                partly: !since.in_both && !is_loop,
                in_both: false,
                stored: since.stored,
            };
        }
    }

    fn keep(&mut self, mut stays: impl FnMut(&Held) -> bool) {
        let mut to = 0;
        for at in 0..self.len {
            if stays(&self.held[at]) {
                if to != at {
                    self.keys[to] = self.keys[at];
                    self.lanes[to] = self.lanes[at];
                    self.used[to] = self.used[at];
                    self.held[to] = self.held[at];
                    self.since[to] = self.since[at];
                }
                to += 1;
            }
        }
        self.len = to;
    }

    fn put(&mut self, key: u64, value: Held, lanes: u64, since: Since) {
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
        self.since[at] = since;
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
