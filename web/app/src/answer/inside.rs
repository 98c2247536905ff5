//! One request, looked into.

use lanescope_draw::{Drawing, Say, bank_grid, bank_stacks, sector_map};
use lanescope_frontend::{Access, Blocks, NamedLaunch, Program, SiteId, SourceSite, execute};
use lanescope_model::{
    Basis, Device, GlobalReport, LaneMask, Operation, Request, SharedReport, Space, Unknown, Width,
};
use lanescope_share::{self as share, Selection};
use lanescope_tally::{companion, worst};

use super::findings::{is_open, worst_request};
use lanescope_query::{Answer, screen_budget};
use lanescope_wire::wire_structs;

/// One request of one warp.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inside {
    pub(crate) site: SiteId,
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
    /// How many times the warp runs the site.
    pub(crate) occurrences: u64,
    /// Which of them this is.
    pub(crate) iteration: u64,
    pub(crate) space: Space,
    pub(crate) operation: Operation,
    pub(crate) width: Width,
    pub(crate) active: LaneMask,
    /// `[lane]`: byte addresses.
    pub(crate) addresses: Vec<u64>,
    pub(crate) picture: Result<Picture, Unknown>,
    pub(crate) basis: Basis,
}

/// Bytes by which a request can be moved and ask the same of the banks and of global memory: a row of banks, or a line.
const ROW_BYTES: u64 = 128;

impl Inside {
    /// Whether another request asks the same of the banks, or of global memory: lane by lane, but for where the array begins.
    pub(crate) fn asks_as(&self, other: &Self) -> bool {
        let shifts = self.addresses.iter().zip(&other.addresses).enumerate();
        let mut shifts = shifts
            .filter(|(lane, _)| self.active.0 >> lane & 1 == 1)
            .map(|(_, (one, other))| one.wrapping_sub(*other));
        let first = shifts.next().unwrap_or(0);
        let is_moved = first % ROW_BYTES == 0 && shifts.all(|shift| shift == first);
        is_moved
            && (self.space, self.operation) == (other.space, other.operation)
            && (self.width, self.active) == (other.width, other.active)
            && self.addresses.len() == other.addresses.len()
    }
}

/// What a request does, lane by lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Picture {
    Banks(SharedReport),
    Sectors(GlobalReport),
}

/// How a request to shared memory is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// The words of each bank on one another, as high as its wavefronts; of a kernel's phases that are alike the first.
    #[default]
    Stacks,
    /// The same of each phase.
    EachPhase,
    /// Each word at its address: banks across, rows of words down.
    Addresses,
}

impl Picture {
    /// The picture, in the words of `say`.
    pub(crate) fn draw(&self, view: View, say: Say<'_>) -> Drawing {
        match (self, view) {
            (Self::Banks(report), View::Stacks | View::EachPhase) => bank_stacks(report, say),
            (Self::Banks(report), View::Addresses) => bank_grid(report, say),
            (Self::Sectors(report), _) => sector_map(report, say),
        }
    }
}

/// The site that the selection names, or the one that costs most beyond its ideal.
pub(crate) fn site_of(answer: &Answer, selection: &Selection) -> Option<SiteId> {
    let named = selection.site.and_then(|site| {
        let ids = sites_with_ids(&answer.program).map(|(id, _)| id);
        let nth = usize::try_from(site.nth.max(1) - 1).ok()?;
        ids.filter(|id| answer.line(*id) == site.line).nth(nth)
    });
    named.or_else(|| worst(answer.counted()))
}

/// The selection that names `site`.
pub(crate) fn selecting(answer: &Answer, site: SiteId) -> share::Site {
    let line = answer.line(site);
    let before = (0..site.0)
        .filter(|other| answer.line(SiteId(*other)) == line)
        .count();
    share::Site {
        line,
        nth: u32::try_from(before + 1).unwrap_or(1),
    }
}

fn sites_with_ids(program: &Program) -> impl Iterator<Item = (SiteId, &SourceSite)> {
    (0..).map(SiteId).zip(program.sites())
}

/// Which requests are looked into: those of some sites in one warp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) sites: Vec<SiteId>,
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) iteration: u64,
}

impl Place {
    /// All requests of a site in a block.
    pub(crate) fn of_site(site: SiteId, block: [u32; 3]) -> Self {
        Self {
            sites: vec![site],
            block,
            ..Self::default()
        }
    }

    /// The request that the selection names (none: the worst of the costliest access), and one of the other memory's beside it. No sites where there is none.
    pub(crate) fn of(answer: &Answer, selection: &Selection) -> Self {
        let site = site_of(answer, selection).filter(|_| answer.device.is_some());
        let companion = site.and_then(|site| companion(answer.counted(), site));
        let sites = [site, companion].into_iter().flatten().collect();
        let launch = &answer.launch;
        let open = site.filter(|_| is_open(selection));
        let worst = open.and_then(|site| worst_request(answer, site));
        let (mut block, warp, iteration) = worst.map_or(
            (selection.block, selection.warp, selection.iteration),
            |worst| (worst.block, worst.warp, worst.occurrence),
        );
        for (index, size) in block.iter_mut().zip(launch.grid) {
            *index = (*index).min(size.max(1) - 1);
        }
        let warp = u64::from(warp).min(answer.warps() - 1);
        Self {
            sites,
            block,
            warp: u32::try_from(warp).unwrap_or(0),
            iteration,
        }
    }
}

/// Runs the block of `place` and looks at its requests.
pub(crate) fn seen(answer: &Answer, place: &Place) -> Vec<Seen> {
    let Some(device) = answer.device.as_ref().filter(|_| !place.sites.is_empty()) else {
        return Vec::new();
    };
    let mut watch = Watch {
        place,
        seen: Vec::new(),
    };
    watch.run(answer, device);
    watch.seen
}

/// What `seen`, the requests at `place`, do.
pub(crate) fn insides(answer: &Answer, place: &Place, seen: &[Seen]) -> Vec<Inside> {
    let Some(device) = answer.device.as_ref() else {
        return Vec::new();
    };
    let of_site = |site: &SiteId| seen.iter().find(|seen| seen.site == *site);
    let seen = place.sites.iter().filter_map(of_site);
    seen.map(|seen| seen.inside(place, device)).collect()
}

/// Waits for the requests of some sites in one warp.
struct Watch<'p> {
    place: &'p Place,
    seen: Vec<Seen>,
}

/// A request as it was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    site: SiteId,
    occurrences: u64,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
    iteration: u64,
}

wire_structs! {
    Place { sites, block, warp, iteration }
    Seen { site, occurrences, space, operation, width, active, addresses, iteration }
}

impl Watch<'_> {
    fn run(&mut self, answer: &Answer, device: &Device) {
        let Answer {
            program, launch, ..
        } = answer;
        let launch = NamedLaunch {
            blocks: Blocks::Only(block_index(self.place.block, launch.grid)),
            ..launch.clone()
        };
        let last = self.place.warp;
        let mut see = |access: &Access<'_>| {
            self.see(access);
            // Without barriers the warps run one after another: the rest is not waited for.
            access.warp <= last || !answer.is_expression
        };
        execute(
            program,
            &launch,
            device.warp_lanes(),
            screen_budget(answer.is_expression),
            &mut see,
        );
    }

    fn see(&mut self, access: &Access<'_>) {
        let place = self.place;
        if access.warp != place.warp || !place.sites.contains(&access.site) {
            return;
        }
        let iteration = place.iteration;
        match self.seen.iter_mut().find(|seen| seen.site == access.site) {
            Some(seen) => seen.again(access, iteration),
            None => self.seen.push(Seen::first(access)),
        }
    }
}

impl Seen {
    fn inside(&self, place: &Place, device: &Device) -> Inside {
        let request = Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &self.addresses,
        };
        let picture = match self.space {
            Space::Shared => device.shared_report(&request).map(Picture::Banks),
            Space::Global => device.global_report(&request).map(Picture::Sectors),
        };
        Inside {
            site: self.site,
            block: place.block,
            warp: place.warp,
            occurrences: self.occurrences,
            iteration: self.iteration,
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: self.addresses.clone(),
            picture,
            basis: device.basis(&request),
        }
    }

    fn first(access: &Access<'_>) -> Self {
        Self {
            site: access.site,
            occurrences: 1,
            space: access.request.space,
            operation: access.request.operation,
            width: access.request.width,
            active: access.request.active,
            addresses: access.request.addresses.to_vec(),
            iteration: 0,
        }
    }

    /// Takes the request, as long as it does not lie past the one that is asked for.
    fn again(&mut self, access: &Access<'_>, iteration: u64) {
        let this = self.occurrences;
        if this <= iteration {
            *self = Self {
                iteration: this,
                ..Self::first(access)
            };
        }
        self.occurrences = this + 1;
    }
}

/// The number of a block in the grid, x first.
pub(super) fn block_index(block: [u32; 3], grid: [u32; 3]) -> u64 {
    let [x, y, z] = block.map(u64::from);
    let [width, height, _] = grid.map(|size| u64::from(size.max(1)));
    x + width * (y + height * z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_model::Confidence;

    fn request(addresses: &[u64]) -> Inside {
        Inside {
            site: SiteId(0),
            block: [0; 3],
            warp: 0,
            occurrences: 1,
            iteration: 0,
            space: Space::Shared,
            operation: Operation::Load,
            width: Width::Bytes4,
            active: LaneMask(0b101),
            addresses: addresses.to_vec(),
            picture: Err(Unknown::Banks),
            basis: Basis {
                source: "",
                confidence: Confidence::Documented,
            },
        }
    }

    #[test]
    fn requests_ask_the_same_wherever_the_array_begins() {
        let one = request(&[0, 4, 128]);
        // A lane that takes no part may go anywhere.
        assert!(one.asks_as(&request(&[1024, 7, 1152])));
        for other in [[4, 8, 132], [0, 4, 132], [1024, 4, 128]] {
            assert!(!one.asks_as(&request(&other)), "{other:?}");
        }
        let wide = Inside {
            width: Width::Bytes8,
            ..request(&[0, 4, 128])
        };
        assert!(!one.asks_as(&wide));
    }
}
