//! Requests that wait until it is known whether a compiler joins them.
//!
//! Between two walls (a barrier, a branch, the turn of a loop that is not written out) loads of
//! neighbouring words become one wide load, stores one wide store, and a store that another one
//! overwrites is left out. Read off what nvcc of CUDA 13 makes for an H200:
//!
//! - Of an aligned 16 bytes of shared memory, three words that are loaded are one load of all
//!   four, even if the fourth goes nowhere; two in one half are one load of 8 bytes. A store to
//!   shared memory between parts them.
//! - Stores are joined where exactly their bytes make 8 or 16 aligned ones, and no other access
//!   of shared memory stands between, nor a store to another 16 bytes.
//! - Alignment is what follows from the address's sum: arrays lie where they are declared, and a
//!   product by 4 has two zero bits. In a loop that is not written out an address that the loop
//!   moves is counted from the middle of what the turns touch, which may leave less.
//! - In dynamic shared memory, and in global memory whose type says how it is aligned, accesses
//!   to places that are apart part nothing.

use super::reuse::Held;
use crate::SiteId;
use lanescope_model::MAX_LANES;

/// Requests that wait, at most.
pub(super) const MOST: usize = 512;

/// Halves close together that are joined, at most.
const MOST_HALVES: usize = 32;

/// A request that waits.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) site: SiteId,
    pub(super) held: Held,
    pub(super) lanes: u64,
    pub(super) stores: bool,
    /// Bytes of the aligned piece that it may be joined to; zero: to none.
    pub(super) align: u8,
    /// Bytes from the piece's beginning.
    pub(super) behind: u8,
    /// Only those of one run are joined.
    pub(super) run: u32,
    pub(super) turn: u32,
    /// Whether what a store writes may have been read since.
    pub(super) read: bool,
    /// Whether a loop that is not written out moves the address, and lanes differ in it.
    pub(super) moves: bool,
    /// Whether gaps of a word are loaded too.
    pub(super) fills: bool,
    /// How the address drifts from block to block.
    pub(super) drift: Option<[i64; 3]>,
    pub(super) addresses: [i64; MAX_LANES],
}

impl Waiting {
    /// The aligned piece that it lies in.
    fn piece(&self) -> u64 {
        self.held
            .address
            .number
            .wrapping_sub(u64::from(self.behind))
    }

    /// Whether the two may be parts of one access.
    fn joins(&self, other: &Self, across_turns: bool) -> bool {
        (
            self.align,
            self.stores,
            self.held.shared,
            self.run,
            self.lanes,
        ) == (
            other.align,
            other.stores,
            other.held.shared,
            other.run,
            other.lanes,
        ) && self.piece() == other.piece()
            && (across_turns || self.turn == other.turn)
    }

    /// Whether the other one asks for something close, as the same place in another turn does.
    fn is_near(&self, other: &Self) -> bool {
        let (here, there) = (self.held.address.number, other.held.address.number);
        self.held.array == other.held.array
            && self.stores == other.stores
            && here.wrapping_sub(there).cast_signed().unsigned_abs() < 1024
    }

    /// The bits of the bytes that it takes of its piece.
    fn bytes(&self) -> u32 {
        ((1 << self.held.bytes) - 1) << self.behind
    }
}

/// What one access takes: the request that it is counted as, its offset from that one's address,
/// and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) first: usize,
    pub(super) offset: i64,
    pub(super) bytes: u8,
    /// Whether it is one request alone.
    pub(super) alone: bool,
}

/// What the requests that wait become.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// In the order of their first requests.
    pub(super) list: Vec<Joined>,
    /// Requests that another one takes along, and that one.
    pub(super) taken: Vec<(usize, usize)>,
}

/// The requests of a warp that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub(super) list: Vec<Waiting>,
    pub(super) load_run: u32,
    pub(super) store_run: u32,
    /// The piece that the last store went to.
    last_piece: Option<(u64, u64)>,
    pub(super) turn: u32,
    /// Loops around that are not written out.
    pub(super) loops: u32,
    /// Bytes of the widest access that is joined here.
    pub(super) widest: u8,
}

impl Window {
    pub(super) fn clear(&mut self) {
        *self = Self {
            list: std::mem::take(&mut self.list),
            widest: 16,
            ..Self::default()
        };
        self.list.clear();
    }

    /// A load that the hardware does: stores before it are not overwritten unseen; those of one
    /// space are parted by it.
    pub(super) fn loads(&mut self, held: &Held, strict: bool) {
        let mut parts = strict;
        for one in self.list.iter_mut().filter(|one| one.stores) {
            let over = super::reuse::overlaps(&one.held, held);
            one.read |= over;
            parts |= over;
        }
        if parts && held.shared {
            self.store_run += 1;
            self.last_piece = None;
        }
    }

    /// A store: what it overwrites is left out, and what may lie there is parted by it.
    ///
    /// Calls `left_out` with the site of each that is.
    pub(super) fn stores(
        &mut self,
        held: &Held,
        lanes: u64,
        piece: u64,
        strict: bool,
        mut left_out: impl FnMut(SiteId),
    ) {
        let (mut parts_loads, mut parts_stores) = (strict, false);
        let run = self.store_run;
        self.list.retain(|one| {
            let is_there = one.held.shared == held.shared
                && (one.held.address.number, one.held.bytes) == (held.address.number, held.bytes);
            let same = one.stores && is_there;
            let over = super::reuse::overlaps(&one.held, held);
            // What was loaded of just this place is held; another load does not ask for it.
            parts_loads |= over && !one.stores && !is_there;
            // Stores of runs before are parted from this one already.
            parts_stores |= over && one.stores && !same && one.run == run;
            let stays = !(same && !one.read && one.lanes & !lanes == 0);
            if !stays {
                left_out(one.site);
            }
            stays
        });
        if !held.shared {
            return;
        }
        let here = Some((piece, lanes));
        self.load_run += u32::from(parts_loads);
        self.store_run += u32::from(parts_stores || strict && self.last_piece != here);
        self.last_piece = here;
    }

    /// How the requests that wait are joined; `across_turns`: also those of different turns.
    pub(super) fn joined(&self, across_turns: bool) -> Accesses {
        let mut done = vec![false; self.list.len()];
        let mut found = Accesses::default();
        for at in 0..self.list.len() {
            if std::mem::replace(&mut done[at], true) {
                continue;
            }
            let one = &self.list[at];
            let mut group = vec![at];
            if one.align > 0 {
                for (other, done) in done.iter_mut().enumerate().skip(at + 1) {
                    if !*done && self.list[other].joins(one, across_turns) {
                        *done = true;
                        group.push(other);
                    }
                }
            }
            self.split(&group, &mut found);
        }
        found
    }

    /// The accesses that requests of one piece become.
    fn split(&self, group: &[usize], found: &mut Accesses) {
        let one = &self.list[group[0]];
        let all = group.iter().fold(0, |all, at| all | self.list[*at].bytes());
        let widest = one.align.min(self.widest).min(self.middle(one));
        let mut pieces = Vec::new();
        if group.len() > 1 {
            cut(all, one.align.max(16), 0, widest, one, &mut pieces);
        }
        for at in group {
            let this = &self.list[*at];
            let inside = |(from, bytes): (u8, u8)| {
                from <= this.behind && this.behind + this.held.bytes <= from + bytes
            };
            match pieces.iter().position(|piece| inside(piece.0)) {
                Some(piece) => {
                    let (from, bytes) = pieces[piece].0;
                    if let Some(first) = pieces[piece].1 {
                        found.taken.push((*at, first));
                        continue;
                    }
                    pieces[piece].1 = Some(*at);
                    found.list.push(Joined {
                        first: *at,
                        offset: i64::from(from) - i64::from(this.behind),
                        bytes,
                        alone: bytes == this.held.bytes,
                    });
                }
                None => found.list.push(Joined {
                    first: *at,
                    offset: 0,
                    bytes: this.held.bytes,
                    alone: true,
                }),
            }
        }
    }

    /// What is known of an address that a loop moves: it is counted from the middle one of all
    /// that the turns ask of this place. Of more halves than a loop of 32 turns asks for nothing is
    /// joined: halves are joined before longer loops are written out.
    fn middle(&self, one: &Waiting) -> u8 {
        let near = || self.list.iter().filter(|other| other.is_near(one));
        if one.held.bytes == 2 && near().count() > MOST_HALVES {
            return 2;
        }
        if !one.moves || near().all(|other| other.turn == one.turn) {
            return 16;
        }
        let middle = near().count() as u64 / 2 * u64::from(one.held.bytes);
        u8::try_from(1 << middle.trailing_zeros().min(4)).unwrap_or(16)
    }
}

/// An access's first byte and bytes, and the request that it is counted as.
type Piece = ((u8, u8), Option<usize>);

/// Cuts the bytes `all` of a piece of `size` bytes at `from` into accesses of at most `widest`.
fn cut(all: u32, size: u8, from: u8, widest: u8, one: &Waiting, found: &mut Vec<Piece>) {
    let place = ((1_u32 << size) - 1) << from;
    let here = place & all;
    if here == 0 || size == 0 {
        return;
    }
    let whole = here == place;
    if size <= widest
        && (whole || !one.stores && size >= 4 && three_quarters(here >> from, size, one.fills))
    {
        found.push(((from, size), None));
    } else if size > one.held.bytes.min(4) {
        cut(all, size / 2, from, widest, one, found);
        cut(all, size / 2, from + size / 2, widest, one, found);
    }
}

/// Whether three quarters of `size` bytes are asked for; without `fills` the first three.
fn three_quarters(bytes: u32, size: u8, fills: bool) -> bool {
    if size == 8 {
        return false;
    }
    let quarter = size / 4;
    let mask = (1_u32 << quarter) - 1;
    let full = |at: u8| bytes >> (at * quarter) & mask == mask;
    let count = (0..4).filter(|at| full(*at)).count();
    count == 3 && (fills || !full(3))
}
