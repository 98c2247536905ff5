//! The requests of a launch.

use crate::code::{Given, Number, Rule, Step};
use crate::read::Glance;
use lanescope_frontend::NamedLaunch;
use lanescope_ir::SiteId;
use lanescope_model::{LaneMask, MAX_LANES, Request, Space};
use lanescope_simt::{Access, Certainty, Observer};

/// The most threads of a block.
const MOST_THREADS: u64 = 1024;

/// Addresses in a buffer without size lie below this.
const MOST_OFFSET: u64 = 1 << 38;

type Lanes = [i64; MAX_LANES];

/// One warp, and the numbers of its lanes.
struct Warp<'a> {
    launch: &'a NamedLaunch,
    block: [u32; 3],
    warp: u32,
    lanes: u32,
    /// The lanes that have a thread.
    born: u64,
    variables: &'a [i64],
    numbers: Vec<Lanes>,
}

impl Glance {
    /// Runs the blocks that `launch` asks for, in warps of `warp_lanes` lanes (1 to 64), and gives each request to
    /// `observer` until it returns `false`. Returns how many requests it gave; `None` where there is something to say
    /// of the run that only the whole language says: an index out of range, a division by zero, a
    /// misaligned address, arguments, a block of more threads than there can be.
    pub fn run(
        &self,
        launch: &NamedLaunch,
        warp_lanes: u32,
        observer: &mut dyn Observer,
    ) -> Option<u64> {
        let threads = launch.block_threads();
        if threads > MOST_THREADS || !launch.arguments.is_empty() || launch.dynamic_shared_bytes > 0
        {
            return None;
        }
        let variables = self.chosen(launch)?;
        let lanes = warp_lanes.clamp(1, u32::try_from(MAX_LANES).unwrap_or(64));
        let mut requests = 0;
        for index in launch.block_range() {
            let block = launch.block_at(index);
            for warp in 0..u32::try_from(threads.div_ceil(lanes.into())).unwrap_or(0) {
                let born = threads - u64::from(warp) * u64::from(lanes);
                let mut warp = Warp {
                    launch,
                    block,
                    warp,
                    lanes,
                    born: mask(born.min(lanes.into())),
                    variables: &variables,
                    numbers: Vec::with_capacity(self.numbers.len()),
                };
                warp.compute(&self.numbers)?;
                for step in &self.steps {
                    if !self.request(step, &warp, index, observer, &mut requests)? {
                        return Some(requests);
                    }
                }
            }
        }
        Some(requests)
    }

    /// The value of each variable: the one chosen, or its first.
    fn chosen(&self, launch: &NamedLaunch) -> Option<Vec<i64>> {
        let has = |name: &String| self.variables.iter().any(|variable| variable.name == *name);
        if !launch.variables.iter().all(|(name, _)| has(name)) {
            return None;
        }
        let value = |variable: &lanescope_frontend::SourceVariable| {
            let mut chosen = launch.variables.iter().rev();
            let found = chosen.find(|(name, _)| *name == variable.name);
            found
                .map(|(_, value)| *value)
                .or(variable.values.first().copied())
        };
        self.variables.iter().map(value).collect()
    }

    /// One request; whether the observer wants more.
    fn request(
        &self,
        step: &Step,
        warp: &Warp<'_>,
        block_index: u64,
        observer: &mut dyn Observer,
        requests: &mut u64,
    ) -> Option<bool> {
        let site = self.sites.get(step.site)?;
        let active = warp.active(&step.guards);
        if active == 0 {
            return Some(true);
        }
        for (number, size) in &step.bounds {
            let size = i64::try_from(*size).ok()?;
            let values = warp.numbers.get(*number)?;
            if LaneMask(active)
                .iter()
                .any(|lane| !(0..size).contains(&values[lane]))
            {
                return None;
            }
        }
        let offsets = warp.offsets(step, active, site.width.bytes())?;
        let is_bounded = !step.bounds.is_empty() || site.space == Space::Shared;
        let addresses = offsets.map(|offset| step.base.wrapping_add(offset));
        if !is_bounded && offsets.iter().any(|offset| *offset >= MOST_OFFSET) {
            return None;
        }
        *requests += 1;
        let access = Access {
            site: SiteId(u32::try_from(step.site).ok()?),
            block: block_index,
            block_index: warp.block,
            warp: warp.warp,
            occurrence: 0,
            times: 1,
            certainty: Certainty::Certain,
            unknown: 0,
            request: Request {
                space: site.space,
                operation: site.operation,
                width: site.width,
                active: LaneMask(active),
                addresses: &addresses[..warp.lanes as usize],
            },
        };
        Some(observer.access(&access))
    }
}

/// The lowest `count` lanes.
fn mask(count: u64) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

impl Warp<'_> {
    fn compute(&mut self, numbers: &[Number]) -> Option<()> {
        for number in numbers {
            let mut lanes = self.lanes_of(number)?;
            lanes
                .iter_mut()
                .for_each(|value| *value = number.of.wrap(*value));
            self.numbers.push(lanes);
        }
        Some(())
    }

    fn lanes_of(&self, number: &Number) -> Option<Lanes> {
        let of = |at: usize| self.numbers.get(at);
        let mut lanes = [0; MAX_LANES];
        match number.rule {
            Rule::Constant(value) => return Some([value; MAX_LANES]),
            Rule::Given(given) => {
                for (lane, value) in (0..).zip(&mut lanes) {
                    *value = self.given(given, lane)?;
                }
            }
            Rule::Convert(a) => lanes = *of(a)?,
            Rule::Binary(op, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let divides_by_zero = |lane: usize| op.divides() && b[lane] == 0;
                if LaneMask(self.born).iter().any(divides_by_zero) {
                    return None;
                }
                for (value, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
                    *value = op.of(*a, *b);
                }
            }
            Rule::Select(condition, yes, no) => {
                let (condition, yes, no) = (of(condition)?, of(yes)?, of(no)?);
                for (lane, value) in lanes.iter_mut().enumerate() {
                    *value = if condition[lane] != 0 {
                        yes[lane]
                    } else {
                        no[lane]
                    };
                }
            }
        }
        Some(lanes)
    }

    fn given(&self, given: Given, lane: u32) -> Option<i64> {
        let rank = u64::from(self.warp) * u64::from(self.lanes) + u64::from(lane);
        let [x, y, _] = self.launch.block.map(|side| u64::from(side.max(1)));
        let value = match given {
            Given::Thread(0) => rank % x,
            Given::Thread(1) => rank / x % y,
            Given::Thread(_) => rank / x / y,
            Given::Block(axis) => (*self.block.get(axis)?).into(),
            Given::BlockSize(axis) => self.launch.block.get(axis)?.max(&1).to_owned().into(),
            Given::GridSize(axis) => self.launch.grid.get(axis)?.max(&1).to_owned().into(),
            Given::Rank => rank,
            Given::Lane => lane.into(),
            Given::Warp => self.warp.into(),
            Given::WarpLanes => self.lanes.into(),
            Given::Variable(index) => return self.variables.get(index).copied(),
        };
        i64::try_from(value).ok()
    }

    fn active(&self, guards: &[usize]) -> u64 {
        let mut active = self.born;
        for guard in guards {
            let values = self.numbers.get(*guard);
            let is_on = |lane: &usize| values.is_some_and(|values| values[*lane] != 0);
            active = LaneMask(active)
                .iter()
                .filter(is_on)
                .fold(0, |on, lane| on | 1 << lane);
        }
        active
    }

    /// Bytes from the array's first to each lane's; lanes that are off get that of the first that is on.
    fn offsets(&self, step: &Step, active: u64, width: u64) -> Option<[u64; MAX_LANES]> {
        let mut offsets = [i64::try_from(step.offset).ok()?; MAX_LANES];
        for (number, bytes) in &step.terms {
            let (values, bytes) = (self.numbers.get(*number)?, i64::try_from(*bytes).ok()?);
            for (offset, value) in offsets.iter_mut().zip(values) {
                *offset = offset.wrapping_add(value.wrapping_mul(bytes));
            }
        }
        let first = *offsets.get(active.trailing_zeros() as usize)?;
        let mut plain = [0; MAX_LANES];
        for (lane, to) in plain.iter_mut().enumerate() {
            let offset = if active >> lane & 1 == 1 {
                offsets[lane]
            } else {
                first
            };
            // No shared memory is larger: the whole language says so.
            *to = u64::try_from(offset).ok().filter(|to| to >> 31 == 0)?;
            if !to.wrapping_add(step.base).is_multiple_of(width) {
                return None;
            }
        }
        Some(plain)
    }
}
