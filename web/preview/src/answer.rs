//! From the state to everything that is shown.

use lanescope_draw::{Drawing, bank_stacks, sector_map};
use lanescope_frontend::{Access, Blocks, NamedLaunch, SiteId, SourceSite};
use lanescope_model::{Basis, Device, LaneMask, Operation, Request, SharedReport, Space, Width};
use lanescope_preview::{Glance, read};
use lanescope_share::{self as share, Source, State};
use lanescope_tally::{Counted, SiteTally, Status, blocks_at_once, companion, worst};

use crate::words::Words;

/// A source counted on a device.
pub(crate) struct Answer {
    pub(crate) glance: Glance,
    pub(crate) device: &'static Device,
    pub(crate) launch: NamedLaunch,
    pub(crate) tallies: Vec<SiteTally>,
    pub(crate) blocks_done: u64,
    /// Lines of the declarations.
    lines_before: u32,
}

/// One request, looked into.
pub(crate) struct Inside {
    pub(crate) site: SiteId,
    pub(crate) operation: Operation,
    pub(crate) width: Width,
    pub(crate) active: LaneMask,
    pub(crate) basis: Basis,
    pub(crate) drawing: Drawing,
    /// Of a request to shared memory.
    pub(crate) shared: Option<SharedReport>,
}

impl Answer {
    /// The answer to what `state` asks; `None` where that takes the whole page.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let Source::Expression {
            accesses,
            declarations,
        } = &state.source
        else {
            return None;
        };
        let share::Device::Known(id) = &state.device else {
            return None;
        };
        let device = Device::by_id(id)?;
        let bare = match state.operation {
            share::Operation::Load => Operation::Load,
            share::Operation::Store => Operation::Store,
        };
        let glance = read(declarations, accesses, bare)?;
        let launch = NamedLaunch {
            variables: state.selection.values.clone(),
            ..NamedLaunch::new(state.launch.grid, state.launch.block)
        };
        let lines_before = u32::try_from(declarations.matches('\n').count() + 1).ok()?;
        let mut answer = Self {
            glance,
            device,
            launch,
            tallies: Vec::new(),
            blocks_done: 0,
            lines_before,
        };
        answer.count()?;
        Some(answer)
    }

    fn count(&mut self) -> Option<()> {
        let sites = u32::try_from(self.glance.sites.len()).ok()?;
        let mut tallies: Vec<SiteTally> = (0..sites)
            .map(|site| SiteTally::new(SiteId(site)))
            .collect();
        let blocks = blocks_at_once(self.glance.sites.len(), &self.launch);
        self.blocks_done = blocks.min(self.launch.grid_blocks());
        let launch = NamedLaunch {
            blocks: Blocks::First(blocks),
            ..self.launch.clone()
        };
        let device = self.device;
        let mut count = |access: &Access<'_>| {
            if let Some(tally) = tallies.get_mut(access.site.0 as usize) {
                tally.count(device, &access.request);
            }
            true
        };
        self.glance.run(&launch, device.warp_lanes(), &mut count)?;
        // What the model does not know the whole page says.
        let is_known = tallies.iter().all(|tally| tally.unknown.is_none());
        self.tallies = tallies;
        is_known.then_some(())
    }

    /// How far this can be relied on; whether all blocks are alike is the whole page's to prove.
    pub(crate) fn status(&self) -> Status {
        if self.blocks_done < self.launch.grid_blocks() {
            Status::Partial
        } else {
            Status::Counted
        }
    }

    pub(crate) fn counted(&self) -> Counted<'_> {
        Counted {
            device: Some(self.device),
            sites: &self.glance.sites,
            tallies: &self.tallies,
        }
    }

    /// The line of a site in the field of accesses, from 1.
    pub(crate) fn line(&self, site: &SourceSite) -> u32 {
        site.line.saturating_sub(self.lines_before)
    }

    /// Warps of a block.
    pub(crate) fn warps(&self) -> u64 {
        let lanes = u64::from(self.device.warp_lanes().max(1));
        self.launch.block_threads().div_ceil(lanes).max(1)
    }

    /// The site that the state names, or the worst one.
    fn chosen(&self, state: &State) -> Option<SiteId> {
        let named = state.selection.site.and_then(|named| {
            let on_line = (0..).zip(&self.glance.sites);
            let mut mine = on_line.filter(|(_, site)| self.line(site) == named.line);
            let nth = usize::try_from(named.nth.max(1) - 1).ok()?;
            mine.nth(nth).map(|(index, _)| SiteId(index))
        });
        named.or_else(|| worst(self.counted()))
    }

    /// The block that is looked into, inside the grid.
    pub(crate) fn block(&self, state: &State) -> [u32; 3] {
        let mut block = state.selection.block;
        for (index, size) in block.iter_mut().zip(self.launch.grid) {
            *index = (*index).min(size.max(1) - 1);
        }
        block
    }

    /// The request of the chosen site, and one of the other memory's beside it.
    pub(crate) fn insides(&self, state: &State, words: Words) -> Option<Vec<Inside>> {
        let Some(site) = self.chosen(state) else {
            return Some(Vec::new());
        };
        let wanted = [Some(site), companion(self.counted(), site)];
        let [x, y, z] = self.block(state).map(u64::from);
        let [width, height, _] = self.launch.grid.map(|size| u64::from(size.max(1)));
        let launch = NamedLaunch {
            blocks: Blocks::Only(x + width * (y + height * z)),
            ..self.launch.clone()
        };
        let warp = u64::from(state.selection.warp).min(self.warps() - 1);
        let mut insides = Vec::new();
        let mut see = |access: &Access<'_>| {
            let is_wanted = wanted.contains(&Some(access.site));
            if u64::from(access.warp) == warp && is_wanted {
                insides.extend(self.inside(access, words));
            }
            u64::from(access.warp) <= warp
        };
        self.glance
            .run(&launch, self.device.warp_lanes(), &mut see)?;
        Some(insides)
    }

    fn inside(&self, access: &Access<'_>, words: Words) -> Option<Inside> {
        let request: &Request<'_> = &access.request;
        let say = |phrase: &lanescope_draw::Phrase<'_>| words.phrase(phrase);
        let (drawing, shared) = match request.space {
            Space::Shared => {
                let report = self.device.shared_report(request).ok()?;
                (bank_stacks(&report, &say), Some(report))
            }
            Space::Global => {
                let report = self.device.global_report(request).ok()?;
                (sector_map(&report, &say), None)
            }
        };
        Some(Inside {
            site: access.site,
            operation: request.operation,
            width: request.width,
            active: request.active,
            basis: self.device.basis(request),
            drawing,
            shared,
        })
    }
}
