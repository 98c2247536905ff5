//! Where a changed source's shared memory stood in the source as it was, found by running both.
//!
//! Both runs are followed access by access. As long as the same lanes of the same warps do the same things in the same
//! order, each pair of addresses says where a byte went; together they are a one-to-one map, or there is none.

use lanescope_frontend::{Access, Budget, End, NamedLaunch, Observer, Program, execute};
use lanescope_model::Space;

use crate::mix::mix;
use crate::record::operation;

/// The most addresses of lanes that are kept of one run.
const MOST_ADDRESSES: usize = 1 << 24;
/// Past this byte no block's shared memory reaches.
const MOST_BYTES: u64 = 1 << 24;

/// Every access to shared memory of a run, in order.
pub(crate) struct SharedLog {
    /// `[request]`: a number for block, warp, lanes and operation, and the bytes of a lane.
    requests: Vec<(u64, u32)>,
    /// `[request][lane that is on]`: its address.
    addresses: Vec<u32>,
    is_whole: bool,
}

impl SharedLog {
    /// Of one run; `None` where it does not end by itself, or is too long to be kept.
    pub(crate) fn of(
        program: &Program,
        launch: &NamedLaunch,
        warp_lanes: u32,
        budget: Budget,
    ) -> Option<Self> {
        let mut log = Self {
            requests: Vec::new(),
            addresses: Vec::new(),
            is_whole: true,
        };
        let outcome = execute(program, launch, warp_lanes, budget, &mut log);
        (outcome.end == End::Complete && log.is_whole).then_some(log)
    }

    /// Behind the last byte that is touched.
    pub(crate) fn end(&self) -> u64 {
        let ends = self.each().map(|(address, bytes)| address + bytes);
        ends.max().unwrap_or(0)
    }

    /// Each address of a lane, with the bytes that are touched there.
    fn each(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut lanes = self.addresses.iter();
        self.requests.iter().flat_map(move |(key, bytes)| {
            let count = usize::try_from(key & 0xff).unwrap_or(0);
            let of_request: Vec<_> = lanes.by_ref().take(count).collect();
            let bytes = u64::from(*bytes);
            let pairs = of_request.into_iter();
            pairs.map(move |address| (u64::from(*address), bytes))
        })
    }
}

impl Observer for SharedLog {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space != Space::Shared {
            return true;
        }
        let lanes = request.active.iter();
        let on = lanes.filter_map(|lane| request.addresses.get(lane));
        let first = self.addresses.len();
        for address in on {
            let Ok(address) = u32::try_from(*address) else {
                self.is_whole = false;
                return false;
            };
            self.addresses.push(address);
        }
        let count = (self.addresses.len() - first) as u64;
        let who = mix(access.block, u64::from(access.warp));
        let what = mix(request.active.0, operation(request.operation));
        // The last byte says how many lanes are on.
        let key = mix(who, what) & !0xff | count & 0xff;
        let bytes = u32::try_from(request.width.bytes()).unwrap_or(u32::MAX);
        self.requests.push((key, bytes));
        self.is_whole = self.addresses.len() <= MOST_ADDRESSES;
        self.is_whole
    }
}

/// A one-to-one map from the bytes that the changed source touches to those that the source as it was does.
pub(crate) struct Relocation {
    /// `[new byte]`: the old byte; `NOWHERE` where nothing is touched.
    old: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Relocation {
    /// `None` where the two runs do not do the same, or a byte goes to two places.
    pub(crate) fn of(before: &SharedLog, after: &SharedLog) -> Option<Self> {
        if before.requests != after.requests || before.end().max(after.end()) > MOST_BYTES {
            return None;
        }
        let room = |log: &SharedLog| vec![NOWHERE; usize::try_from(log.end()).unwrap_or(0)];
        let (mut old, mut new) = (room(after), room(before));
        for ((from, bytes), (to, _)) in before.each().zip(after.each()) {
            for byte in 0..bytes {
                let (from, to) = (from + byte, to + byte);
                joined(&mut old, to, from)?;
                joined(&mut new, from, to)?;
            }
        }
        Some(Self { old })
    }

    /// Rows and their former pitch, in elements, of an array that began at byte `was` and begins at `is` now, where all that is
    /// touched of it lies `more` elements further apart a row; `None` where it does not, or where one row is all that is touched.
    pub(crate) fn rows(&self, [was, is]: [u64; 2], element: u64, more: u64) -> Option<[u64; 2]> {
        let start = usize::try_from(is).ok()?;
        let step = usize::try_from(element).ok().filter(|step| *step > 0)?;
        let touched = self.old.get(start..)?.iter().step_by(step).enumerate();
        let mut moves = Vec::new();
        for (now, old) in touched.filter(|(_, old)| **old != NOWHERE) {
            let before = u64::from(*old).checked_sub(was)?;
            if !before.is_multiple_of(element) {
                return None;
            }
            moves.push((before / element, now as u64));
        }
        let (pitch, _) = *moves.iter().find(|(before, now)| before != now)?;
        let last = moves.iter().map(|(before, _)| *before).max()?;
        let is_moved = |(before, now): &(u64, u64)| {
            let row = before.checked_div(pitch);
            row.is_some_and(|row| *now == before + row * more)
        };
        moves
            .iter()
            .all(is_moved)
            .then(|| [last / pitch + 1, pitch])
    }

    /// Where the byte at `address` was.
    pub(crate) fn old(&self, address: u64) -> Option<u64> {
        let old = *self.old.get(usize::try_from(address).ok()?)?;
        (old != NOWHERE).then_some(u64::from(old))
    }
}

/// Writes that `key` goes with `value`; `None` where it goes with another.
fn joined(map: &mut [u32], key: u64, value: u64) -> Option<()> {
    let slot = map.get_mut(usize::try_from(key).ok()?)?;
    let value = u32::try_from(value).ok()?;
    if *slot == NOWHERE {
        *slot = value;
    }
    (*slot == value).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(requests: &[&[u32]]) -> SharedLog {
        SharedLog {
            requests: requests
                .iter()
                .map(|lanes| (lanes.len() as u64, 4))
                .collect(),
            addresses: requests.concat(),
            is_whole: true,
        }
    }

    #[test]
    fn bytes_are_followed() {
        let before = log(&[&[0, 4, 8], &[8, 0]]);
        let found = Relocation::of(&before, &log(&[&[0, 12, 20], &[20, 0]])).unwrap();
        let old: Vec<_> = [2, 13, 23, 4].map(|byte| found.old(byte)).into();
        assert_eq!(old, [Some(2), Some(5), Some(11), None]);
        assert_eq!((before.end(), found.old.len()), (12, 24));
    }

    #[test]
    fn rows_are_told_by_where_they_went() {
        // Two rows of three words, one more word apart.
        let before = log(&[&[0, 4, 8, 12, 16, 20]]);
        let found = Relocation::of(&before, &log(&[&[0, 4, 8, 16, 20, 24]])).unwrap();
        assert_eq!(found.rows([0, 0], 4, 1), Some([2, 3]));
        assert_eq!(found.rows([0, 0], 4, 2), None);
        let still = Relocation::of(&before, &before).unwrap();
        assert_eq!(still.rows([0, 0], 4, 1), None);
    }

    #[test]
    fn one_place_for_two_bytes_is_none() {
        let before = log(&[&[0, 4, 8]]);
        for after in [&[0, 4, 4][..], &[0, 2, 8], &[0, 4]] {
            assert!(
                Relocation::of(&before, &log(&[after])).is_none(),
                "{after:?}"
            );
        }
        // And a byte that goes to two places.
        assert!(Relocation::of(&log(&[&[0, 0]]), &log(&[&[0, 4]])).is_none());
    }
}
