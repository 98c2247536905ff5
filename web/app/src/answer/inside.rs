//! One request, looked into.

use lanescope_cuda::source::{Access, Blocks, Launch, Program, Site, SiteId, execute};
use lanescope_draw::{Drawing, Say, bank_grid, bank_stacks, sector_map};
use lanescope_model::{
    Basis, Device, GlobalReport, LaneMask, Operation, Request, SharedReport, Space, Unknown, Width,
};
use lanescope_share::{self as share, Selection};
use lanescope_tally::{companion, worst};

use lanescope_query::{Answer, screen_budget};

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

/// What a request does, lane by lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Picture {
    Banks(SharedReport),
    Sectors(GlobalReport),
}

/// How a request to shared memory is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// The words of each bank on one another, as high as its wavefronts.
    #[default]
    Stacks,
    /// Each word at its address: banks across, rows of words down.
    Addresses,
}

impl Picture {
    /// The picture, in the words of `say`.
    pub(crate) fn draw(&self, view: View, say: Say<'_>) -> Drawing {
        match (self, view) {
            (Self::Banks(report), View::Stacks) => bank_stacks(report, say),
            (Self::Banks(report), View::Addresses) => bank_grid(report, say),
            (Self::Sectors(report), _) => sector_map(report, say),
        }
    }
}

/// The site that the selection names, or the worst one.
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

fn sites_with_ids(program: &Program) -> impl Iterator<Item = (SiteId, &Site)> {
    (0..).map(SiteId).zip(program.sites())
}

/// The request that the selection names, and one of the other memory's beside it.
pub(crate) fn insides(answer: &Answer, selection: &Selection) -> Vec<Inside> {
    let Some(site) = site_of(answer, selection) else {
        return Vec::new();
    };
    let Some(device) = answer.device.as_ref() else {
        return Vec::new();
    };
    let companion = companion(answer.counted(), site);
    let wanted: Vec<SiteId> = [Some(site), companion].into_iter().flatten().collect();
    let mut watch = Watch::new(wanted, selection, &answer.launch, device);
    watch.run(answer, device);
    watch.insides(device)
}

/// Waits for the requests of some sites in one warp.
struct Watch {
    sites: Vec<SiteId>,
    block: [u32; 3],
    block_index: u64,
    warp: u32,
    iteration: u64,
    seen: Vec<Seen>,
}

struct Seen {
    site: SiteId,
    occurrences: u64,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
    iteration: u64,
}

impl Watch {
    fn new(sites: Vec<SiteId>, selection: &Selection, launch: &Launch, device: &Device) -> Self {
        let mut block = selection.block;
        for (index, size) in block.iter_mut().zip(launch.grid) {
            *index = (*index).min(size.max(1) - 1);
        }
        let warps = launch
            .block_threads()
            .div_ceil(device.warp_lanes().max(1).into())
            .max(1);
        let warp = u64::from(selection.warp).min(warps - 1);
        Self {
            sites,
            block,
            block_index: block_index(block, launch.grid),
            warp: u32::try_from(warp).unwrap_or(0),
            iteration: selection.iteration,
            seen: Vec::new(),
        }
    }

    fn run(&mut self, answer: &Answer, device: &Device) {
        let Answer {
            program, launch, ..
        } = answer;
        let launch = Launch {
            blocks: Blocks::Only(self.block_index),
            ..launch.clone()
        };
        let last = self.warp;
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
        if access.warp != self.warp || !self.sites.contains(&access.site) {
            return;
        }
        let iteration = self.iteration;
        match self.seen.iter_mut().find(|seen| seen.site == access.site) {
            Some(seen) => seen.again(access, iteration),
            None => self.seen.push(Seen::first(access)),
        }
    }

    fn insides(&self, device: &Device) -> Vec<Inside> {
        let of_site = |site: &SiteId| self.seen.iter().find(|seen| seen.site == *site);
        self.sites
            .iter()
            .filter_map(of_site)
            .map(|seen| self.inside(seen, device))
            .collect()
    }

    fn inside(&self, seen: &Seen, device: &Device) -> Inside {
        let request = Request {
            space: seen.space,
            operation: seen.operation,
            width: seen.width,
            active: seen.active,
            addresses: &seen.addresses,
        };
        let picture = match seen.space {
            Space::Shared => device.shared_report(&request).map(Picture::Banks),
            Space::Global => device.global_report(&request).map(Picture::Sectors),
        };
        Inside {
            site: seen.site,
            block: self.block,
            warp: self.warp,
            occurrences: seen.occurrences,
            iteration: seen.iteration,
            space: seen.space,
            operation: seen.operation,
            width: seen.width,
            active: seen.active,
            addresses: seen.addresses.clone(),
            picture,
            basis: device.basis(&request),
        }
    }
}

impl Seen {
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
