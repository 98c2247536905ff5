//! Memory requests: which lanes still need one, and what is wrong with it.

use super::races::Touch;
use super::reuse::Held;
use super::{Machine, Pause, Pending, Warp};
use crate::code::{Inst, Reg};
use crate::launch::Limit;
use crate::place::{Region, SHARED_BASE, in_one_stretch, region};
use crate::{Access, ArrayId, Contents, DiagnosticKind, End, Site, SiteId, Span, Spared};
use lanescope_model::{LaneMask, MAX_LANES, Operation, Request, Space, Width};

type Addresses = [i64; MAX_LANES];

impl Machine<'_> {
    pub(super) fn memory_step(&mut self, inst: Inst, warp: &mut Warp) -> Option<Pause> {
        match inst {
            Inst::Request {
                site,
                address,
                offset,
            } => self.request(site, address, offset, warp),
            Inst::Gather {
                site,
                address,
                offset,
                same,
            } => self.gather(site, address, offset, same, warp),
            Inst::Issue { site } => self.issue(site, warp),
            _ => None,
        }
    }

    /// Addresses of all lanes; those that are off get that of a lane that is on.
    fn addresses(&self, address: Reg, offset: i32, active: u64) -> Addresses {
        let offset = i64::from(offset);
        let first = active.trailing_zeros() as usize;
        let common = self
            .registers
            .lane(address, first.min(MAX_LANES - 1))
            .wrapping_add(offset);
        let mut addresses = [common; MAX_LANES];
        if self.registers.held(address).varying {
            let lanes = &mut addresses[..self.warp_lanes];
            self.registers.lanes_into(address, lanes);
            if active.count_ones() as usize == lanes.len() {
                for at in lanes {
                    *at = at.wrapping_add(offset);
                }
            } else {
                for (lane, at) in lanes.iter_mut().enumerate() {
                    *at = if active >> lane & 1 == 1 {
                        at.wrapping_add(offset)
                    } else {
                        common
                    };
                }
            }
        }
        addresses
    }

    /// The lanes that the hardware still asks for, and the ghost of the address.
    fn needed(
        &mut self,
        site: &Site,
        address: Reg,
        offset: i32,
        at: i64,
        depth: u16,
        warp: &mut Warp,
    ) -> (u64, Held) {
        let ghost = self.registers.ghost(address).offset(i64::from(offset));
        let place = region(at);
        let shared = place == Region::Shared;
        let array = match place {
            Region::Global(id) => id.0,
            _ => site.array.map_or_else(|| self.shared_array(at), |id| id.0),
        };
        let restrict = !shared
            && self
                .program
                .arrays
                .get(array as usize)
                .is_some_and(|array| array.restrict);
        let bytes = u8::try_from(site.width.bytes()).unwrap_or(16);
        let held = Held {
            address: ghost,
            bytes,
            array,
            shared,
            read_only: site.read_only && !shared,
            restrict,
        };
        let need = match site.operation {
            _ if site.volatile || self.launch.reread || self.program.is_expression => {
                if site.operation != Operation::Load {
                    warp.reuse.write(held, 0, depth);
                }
                warp.active
            }
            Operation::Load => warp.reuse.read(held, warp.active, depth),
            Operation::Store => {
                warp.reuse.write(held, warp.active, depth);
                warp.active
            }
            _ => {
                warp.reuse.fence();
                warp.active
            }
        };
        (need, held)
    }

    /// The array of shared memory that an address lies in.
    fn shared_array(&self, at: i64) -> u32 {
        let offset = at.wrapping_sub(SHARED_BASE);
        let found = self
            .program
            .arrays
            .iter()
            .enumerate()
            .filter(|(_, array)| array.space == Space::Shared && array.base.cast_signed() <= offset)
            .max_by_key(|(_, array)| array.base);
        found.map_or(u32::MAX, |(at, _)| u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn request(&mut self, id: SiteId, address: Reg, offset: i32, warp: &mut Warp) -> Option<Pause> {
        if warp.active == 0 {
            return None;
        }
        let program = self.program;
        let site = program.sites.get(id.0 as usize)?;
        let addresses = self.addresses(address, offset, warp.active);
        let first = addresses[warp.active.trailing_zeros() as usize & (MAX_LANES - 1)];
        let depth = warp.depth;
        let (need, held) = self.needed(site, address, offset, first, depth, warp);
        if need == 0 {
            self.spare(id, Spared::Held);
            return None;
        }
        if warp.halves > 0 {
            warp.wall_halves();
            let pause = self.give_out(warp, false);
            if pause.is_some() {
                return pause;
            }
        }
        if self.program.is_expression || self.launch.apart {
            return self.emit(id, site, need, &addresses, warp);
        }
        let moves = matches!(site.operation, Operation::Load | Operation::Store);
        if !moves || site.volatile || self.launch.reread {
            let pause = self.give_out(warp, false);
            if pause.is_some() {
                return pause;
            }
            return self.emit(id, site, need, &addresses, warp);
        }
        self.note(id, site, &held, need, warp);
        if self.put_off(id, held, need, &addresses, warp) {
            return None;
        }
        self.emit(id, site, need, &addresses, warp)
    }

    fn gather(
        &mut self,
        id: SiteId,
        address: Reg,
        offset: i32,
        same: bool,
        warp: &mut Warp,
    ) -> Option<Pause> {
        if warp.active == 0 {
            return None;
        }
        let program = self.program;
        let site = program.sites.get(id.0 as usize)?;
        let addresses = self.addresses(address, offset, warp.active);
        let first = addresses[warp.active.trailing_zeros() as usize & (MAX_LANES - 1)];
        // The one instruction stands outside the branch.
        let depth = warp.depth.saturating_sub(1);
        let (need, held) = self.needed(site, address, offset, first, depth, warp);
        let ghost = held.address.number;
        if need == 0 {
            self.spare(id, Spared::Held);
        } else {
            self.note(id, site, &held, need, warp);
        }
        let differs = self.pending[id.0 as usize]
            .as_ref()
            .is_some_and(|pending| pending.lanes != 0 && pending.ghost != ghost);
        if same && differs {
            let pause = self.issue(id, warp);
            if pause.is_some() {
                return pause;
            }
        }
        let pending = self.pending[id.0 as usize].get_or_insert_with(|| {
            Box::new(Pending {
                lanes: 0,
                ghost,
                addresses: [0; MAX_LANES],
            })
        });
        if pending.lanes == 0 {
            pending.ghost = ghost;
            pending.addresses = addresses;
        } else {
            for lane in LaneMask(need).iter() {
                pending.addresses[lane] = addresses[lane];
            }
        }
        pending.lanes |= need;
        None
    }

    fn issue(&mut self, id: SiteId, warp: &mut Warp) -> Option<Pause> {
        let program = self.program;
        let site = program.sites.get(id.0 as usize)?;
        let mut pending = self.pending.get_mut(id.0 as usize)?.take()?;
        let pause = if pending.lanes == 0 {
            None
        } else {
            self.emit(id, site, pending.lanes, &pending.addresses, warp)
        };
        pending.lanes = 0;
        self.pending[id.0 as usize] = Some(pending);
        pause
    }

    /// Gives a request to the observer, in one piece for each memory that its lanes point to.
    fn emit(
        &mut self,
        id: SiteId,
        site: &Site,
        lanes: u64,
        addresses: &Addresses,
        warp: &mut Warp,
    ) -> Option<Pause> {
        let mut left = lanes;
        while left != 0 {
            let first = left.trailing_zeros() as usize & (MAX_LANES - 1);
            let place = region(addresses[first]);
            let here = if in_one_stretch(&addresses[..self.warp_lanes], addresses[first]) {
                left
            } else {
                LaneMask(left)
                    .iter()
                    .filter(|lane| region(addresses[*lane]) == place)
                    .fold(0, |mask, lane| mask | 1 << lane)
            };
            left &= !here;
            let pause = self.emit_to(id, site, place, here, addresses, warp);
            if pause.is_some() {
                return pause;
            }
        }
        None
    }

    fn emit_to(
        &mut self,
        id: SiteId,
        site: &Site,
        place: Region,
        lanes: u64,
        addresses: &Addresses,
        warp: &mut Warp,
    ) -> Option<Pause> {
        if matches!(place, Region::Global(id) if self.constant.get(id.0 as usize) == Some(&true))
            || place == Region::Local
        {
            self.spare(id, Spared::Elsewhere);
            return None;
        }
        if place == Region::Nowhere {
            self.wild(site, lanes);
        }
        self.watched(id, site, place, lanes, addresses);
        self.deliver((id, site), site.width, place, lanes, addresses, warp)
    }

    /// Says what is wrong with a request.
    pub(super) fn watched(
        &mut self,
        id: SiteId,
        site: &Site,
        place: Region,
        lanes: u64,
        addresses: &Addresses,
    ) {
        self.bounds_and_alignment(site, place, lanes, addresses);
        if let Some(array) = site.depends_on {
            self.depends(site, array);
        }
        if space_at(site, place) == Space::Shared && self.watch.is_some() {
            self.races(id, site, lanes, addresses);
        }
    }

    /// Gives a request to the observer.
    pub(super) fn deliver(
        &mut self,
        (id, site): (SiteId, &Site),
        width: Width,
        place: Region,
        lanes: u64,
        addresses: &Addresses,
        warp: &mut Warp,
    ) -> Option<Pause> {
        let base = if place == Region::Shared {
            SHARED_BASE
        } else {
            0
        };
        if self.requests >= self.budget.requests {
            return Some(Pause::End(End::Stopped(Limit::Requests)));
        }
        self.requests += 1;
        let mut plain = [0_u64; MAX_LANES];
        for (to, from) in plain.iter_mut().zip(&addresses[..self.warp_lanes]) {
            *to = from.wrapping_sub(base).cast_unsigned();
        }
        let occurrence = warp.occurrences.get_mut(id.0 as usize).map_or(0, |count| {
            *count += 1;
            *count - 1
        });
        let request = Request {
            space: space_at(site, place),
            operation: site.operation,
            width,
            active: LaneMask(if site.warp_aggregated {
                lanes & lanes.wrapping_neg()
            } else {
                lanes
            }),
            addresses: &plain[..self.warp_lanes],
        };
        if let Some(drifts) = &mut self.drifts {
            drifts.weigh(id, &request);
        }
        let access = Access {
            site: id,
            block: self.block,
            block_index: self.block_index,
            warp: self.warp,
            occurrence,
            request,
        };
        if self.observer.access(&access) {
            None
        } else {
            Some(Pause::End(End::Cancelled))
        }
    }

    /// Notes each site that depends on data, also one that no lane reaches because of what the data is taken to be.
    pub(super) fn note_dependences(&mut self) {
        let program = self.program;
        for inst in &program.code.insts {
            let (Inst::Request { site, .. } | Inst::Gather { site, .. }) = inst else {
                continue;
            };
            let site = program.site(*site);
            if let Some((site, array)) = site.and_then(|site| Some((site, site.depends_on?))) {
                self.depends(site, array);
            }
        }
    }

    fn depends(&mut self, site: &Site, array: ArrayId) {
        if self.findings.is_news("depends-on-data", site.span) {
            let contents = self
                .memory
                .initial
                .get(array.0 as usize)
                .map_or(Contents::Zero, |initial| initial.contents);
            self.findings.say_at(
                site,
                DiagnosticKind::DependsOnData {
                    array: self.array_name(array),
                    contents,
                },
            );
        }
    }

    fn wild(&mut self, site: &Site, lanes: u64) {
        let thread = self.thread(self.warp, lanes.trailing_zeros() as usize);
        self.findings
            .say_at(site, DiagnosticKind::WildPointer { thread });
    }

    fn bounds_and_alignment(
        &mut self,
        site: &Site,
        place: Region,
        lanes: u64,
        addresses: &Addresses,
    ) {
        let id = match place {
            Region::Global(id) => Some(id),
            _ => site.array,
        };
        let Some(id) = id else { return };
        let Some((base, bytes)) = self.bounds.get(id.0 as usize).copied() else {
            return;
        };
        let width = site.width.bytes();
        let all = &addresses[..self.warp_lanes];
        if let Some(bytes) = bytes {
            let last = bytes.cast_signed() - width.cast_signed();
            let outside = |at: i64| at < base || at.wrapping_sub(base) > last;
            if any_outside(all, base, last)
                && self.findings.is_news("out-of-bounds", site.span)
                && self.findings.is_news("out-of-range", site.span)
                && let Some(lane) = first_lane(lanes, addresses, outside)
            {
                let kind = DiagnosticKind::OutOfBounds {
                    array: self.array_name(id),
                    offset: addresses[lane].wrapping_sub(base),
                    bytes,
                    thread: self.thread(self.warp, lane),
                };
                self.findings.say_at(site, kind);
            }
        }
        let mask = width.cast_signed() - 1;
        let crooked = all.iter().fold(0, |bits, at| bits | at) & mask != 0;
        if crooked
            && self.findings.is_news("misaligned", site.span)
            && let Some(lane) = first_lane(lanes, addresses, |at| at & mask != 0)
        {
            let kind = DiagnosticKind::Misaligned {
                array: self.array_name(id),
                offset: addresses[lane].wrapping_sub(base),
                bytes: width,
                thread: self.thread(self.warp, lane),
            };
            self.findings.say_at(site, kind);
        }
    }

    pub(super) fn check(
        &mut self,
        index: Reg,
        extent: u32,
        array: ArrayId,
        dimension: u8,
        span: Span,
        active: u64,
    ) {
        let held = self.registers.held(index);
        let outside = |value: i64| value < 0 || value >= i64::from(extent);
        if active == 0 || (!held.varying && !outside(held.value)) {
            return;
        }
        let found = self.registers.any_outside(index, i64::from(extent), active);
        if let Some((lane, index)) = found
            && self.findings.is_news("out-of-range", span)
        {
            let kind = DiagnosticKind::OutOfRange {
                array: self.array_name(array),
                dimension: u32::from(dimension),
                index,
                extent: u64::from(extent),
                thread: self.thread(self.warp, lane),
            };
            self.say_at(span, kind);
        }
    }

    /// Notes the words that a request touches, and says which it races for.
    fn races(&mut self, id: SiteId, site: &Site, lanes: u64, addresses: &Addresses) {
        let Some(mut watch) = self.watch.take() else {
            return;
        };
        let writes = site.operation != Operation::Load;
        // A volatile load is strong, and does not race with atomics.
        let atomic = site.operation.is_atomic() || (!writes && site.volatile);
        let width = site.width.bytes();
        for lane in LaneMask(lanes).iter() {
            let offset = addresses[lane].wrapping_sub(SHARED_BASE);
            let Ok(first) = usize::try_from(offset) else {
                continue;
            };
            let bytes: u8 = if width >= 4 {
                15
            } else {
                u8::try_from(((1_u16 << width) - 1) << (first % 4) & 15).unwrap_or(15)
            };
            let thread = self.warp * u32::try_from(self.warp_lanes).unwrap_or(32)
                + u32::try_from(lane).unwrap_or(0);
            for word in 0..usize::try_from(width.div_ceil(4)).unwrap_or(1) {
                let touch = Touch {
                    thread,
                    warp: self.warp,
                    site: id.0,
                    bytes,
                    atomic,
                };
                if let Some((earlier, wrote)) = watch.touch(first / 4 + word, touch, writes) {
                    self.say_race(
                        site,
                        touch,
                        writes,
                        earlier,
                        wrote,
                        (first / 4 + word) as u64 * 4,
                    );
                }
            }
        }
        self.watch = Some(watch);
    }

    fn say_race(
        &mut self,
        site: &Site,
        touch: Touch,
        writes: bool,
        earlier: Touch,
        wrote: bool,
        word: u64,
    ) {
        if !self.findings.is_news("race", site.span) {
            return;
        }
        let first_line = self
            .program
            .sites
            .get(earlier.site as usize)
            .map_or(0, |site| site.line);
        let array = site.array.map_or_else(
            || self.shared_array(SHARED_BASE.wrapping_add(word.cast_signed())),
            |id| id.0,
        );
        let kind = DiagnosticKind::Race {
            array: self.array_name(ArrayId(array)),
            word,
            first_line,
            first: self.thread_of_rank(u64::from(earlier.thread)),
            first_writes: wrote,
            second_line: site.line,
            second: self.thread_of_rank(u64::from(touch.thread)),
            second_writes: writes,
        };
        self.findings.say_at(site, kind);
    }
}

/// The memory that a request goes to.
fn space_at(site: &Site, place: Region) -> Space {
    match place {
        Region::Shared => Space::Shared,
        Region::Nowhere => site.space,
        _ => Space::Global,
    }
}

/// The first of the lanes whose address passes the test.
fn first_lane(lanes: u64, addresses: &Addresses, test: impl Fn(i64) -> bool) -> Option<usize> {
    LaneMask(lanes).iter().find(|lane| test(addresses[*lane]))
}

/// Whether an address lies before `base` or more than `last` bytes behind it. Looks at signs alone, of all addresses at
/// once, which needs no comparison of 64-bit numbers.
fn any_outside(addresses: &[i64], base: i64, last: i64) -> bool {
    let room = last.max(0);
    let signs = addresses.iter().fold(last, |signs, at| {
        let offset = at.wrapping_sub(base);
        signs | offset | room.wrapping_sub(offset)
    });
    signs < 0
}
