//! The same source on every device.

use lanescope_lang::{Access, Blocks, Launch, Program, execute};
use lanescope_model::{Basis, Confidence, Device, Space, Unknown, Vendor};

use super::run::{Answer, screen_budget};
use lanescope_verdict::{GlobalTotals, SharedTotals, SiteTally};

/// One device's row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviceRow {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) vendor: Vendor,
    pub(crate) shared: Cost<SharedTotals>,
    pub(crate) global: Cost<GlobalTotals>,
}

/// What one memory's requests cost on one device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cost<T> {
    /// `None` when the source asks nothing of this memory.
    pub(crate) totals: Option<Result<T, Unknown>>,
    /// The weakest rule that was used.
    pub(crate) basis: Basis,
}

/// Every profile, grouped by vendor in the order of [`Device::all`].
pub(crate) fn all_devices() -> Vec<(Vendor, Vec<&'static Device>)> {
    let mut groups: Vec<(Vendor, Vec<&'static Device>)> = Vec::new();
    for device in Device::all() {
        match groups
            .iter_mut()
            .find(|(vendor, _)| *vendor == device.vendor())
        {
            Some((_, devices)) => devices.push(device),
            None => groups.push((device.vendor(), vec![device])),
        }
    }
    groups
}

/// A row for each profile, of the launch's first block.
pub(crate) fn device_rows(answer: &Answer) -> Vec<DeviceRow> {
    let Answer {
        program,
        launch,
        is_expression,
        ..
    } = answer;
    let launch = Launch {
        blocks: Blocks::First(1),
        ..launch.clone()
    };
    let mut counters: Vec<Counter> = Device::all().iter().map(Counter::new).collect();
    let mut lanes: Vec<u32> = Device::all().iter().map(Device::warp_lanes).collect();
    lanes.sort_unstable();
    lanes.dedup();
    for warp_lanes in lanes {
        count_all(program, &launch, warp_lanes, *is_expression, &mut counters);
    }
    counters.iter().map(Counter::row).collect()
}

/// Runs the source once for all devices whose warps have `warp_lanes` lanes.
fn count_all(
    program: &Program,
    launch: &Launch,
    warp_lanes: u32,
    is_expression: bool,
    counters: &mut [Counter],
) {
    let mut mine: Vec<&mut Counter> = counters
        .iter_mut()
        .filter(|counter| counter.device.warp_lanes() == warp_lanes)
        .collect();
    let mut count = |access: &Access<'_>| {
        mine.iter_mut().for_each(|counter| counter.count(access));
        true
    };
    execute(
        program,
        launch,
        warp_lanes,
        screen_budget(is_expression),
        &mut count,
    );
}

struct Counter {
    device: &'static Device,
    shared: SiteTally,
    global: SiteTally,
    shared_basis: Basis,
    global_basis: Basis,
}

impl Counter {
    fn new(device: &'static Device) -> Self {
        let none = Basis {
            source: "",
            confidence: Confidence::Given,
        };
        let tally = SiteTally::new(lanescope_lang::SiteId(0));
        Self {
            device,
            shared: tally,
            global: tally,
            shared_basis: none,
            global_basis: none,
        }
    }

    fn count(&mut self, access: &Access<'_>) {
        let request = &access.request;
        let (tally, basis) = match request.space {
            Space::Shared => (&mut self.shared, &mut self.shared_basis),
            Space::Global => (&mut self.global, &mut self.global_basis),
        };
        tally.count(self.device, request);
        *basis = weaker(*basis, self.device.basis(request));
    }

    fn row(&self) -> DeviceRow {
        DeviceRow {
            id: self.device.id(),
            name: self.device.name(),
            vendor: self.device.vendor(),
            shared: Cost {
                totals: totals(&self.shared, self.shared.shared),
                basis: self.shared_basis,
            },
            global: Cost {
                totals: totals(&self.global, self.global.global),
                basis: self.global_basis,
            },
        }
    }
}

fn totals<T>(tally: &SiteTally, totals: T) -> Option<Result<T, Unknown>> {
    let answered = tally.unknown.map_or(Ok(totals), Err);
    (tally.requests > 0).then_some(answered)
}

fn weaker(one: Basis, other: Basis) -> Basis {
    if one.source.is_empty() || other.confidence > one.confidence {
        other
    } else {
        one
    }
}
