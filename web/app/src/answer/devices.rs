//! The same source on every device.

use std::sync::Arc;

use lanescope_frontend::{Access, Blocks, End, NamedLaunch, execute};
use lanescope_model::{Basis, Confidence, Device, Space, Unknown, Vendor};
use lanescope_wire::wire_structs;

use lanescope_query::{Answer, screen_budget};
use lanescope_tally::{GlobalTotals, SharedTotals, SiteTally};

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
    pub(crate) grounds: Grounds,
}

/// Where an answer comes from, as [`Basis`], which no message can carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grounds {
    pub(crate) source: String,
    pub(crate) confidence: Confidence,
}

/// What one device's requests come to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviceTally {
    shared: SiteTally,
    global: SiteTally,
    shared_grounds: Grounds,
    global_grounds: Grounds,
}

/// What a launch comes to on all devices, in the order of [`Device::all`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeviceTallies {
    tallies: Vec<DeviceTally>,
    /// How many requests were counted where a run was stopped before its end.
    pub(crate) stopped: Option<u64>,
}

wire_structs! {
    Grounds { source, confidence }
    DeviceTally { shared, global, shared_grounds, global_grounds }
    DeviceTallies { tallies, stopped }
}

impl DeviceTallies {
    /// A row for each device.
    pub(crate) fn rows(&self) -> Vec<DeviceRow> {
        let devices = Device::all().iter().zip(&self.tallies);
        devices.map(|(device, tally)| tally.row(device)).collect()
    }
}

impl DeviceTally {
    fn row(&self, device: &Device) -> DeviceRow {
        DeviceRow {
            id: device.id(),
            name: device.name(),
            vendor: device.vendor(),
            shared: Cost {
                totals: totals(&self.shared, self.shared.shared),
                grounds: self.shared_grounds.clone(),
            },
            global: Cost {
                totals: totals(&self.global, self.global.global),
                grounds: self.global_grounds.clone(),
            },
        }
    }
}

/// Whether a device is of a generation that no compiler of today compiles for: NVIDIA's before Maxwell.
pub(crate) fn is_historical(device: &Device) -> bool {
    let old = ["cc1.", "cc2.", "cc3."];
    old.iter().any(|prefix| device.id().starts_with(prefix))
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

/// Requests that are counted on all devices at once; more are counted a warp size at a time.
const AT_ONCE: u64 = 1_024;

/// A row for each profile, of the launch's first block, counted for one size of warps after another.
pub(crate) struct DeviceCount {
    answer: Arc<Answer>,
    launch: NamedLaunch,
    counters: Vec<Counter>,
    /// Sizes of warps that are still to be counted for.
    lanes: Vec<u32>,
    stopped: Option<u64>,
}

impl DeviceCount {
    /// Begins to count.
    pub(crate) fn new(answer: &Arc<Answer>) -> Self {
        let mut lanes: Vec<u32> = Device::all().iter().map(Device::warp_lanes).collect();
        lanes.sort_unstable();
        lanes.dedup();
        Self {
            launch: NamedLaunch {
                blocks: Blocks::First(1),
                ..answer.launch.clone()
            },
            answer: Arc::clone(answer),
            counters: Device::all().iter().map(Counter::new).collect(),
            lanes,
            stopped: None,
        }
    }

    /// Whether all of it takes no longer than what was counted for one device already.
    pub(crate) fn is_short(&self) -> bool {
        let outcome = self.answer.outcome.as_ref();
        outcome.is_none_or(|outcome| outcome.requests <= AT_ONCE && outcome.end == End::Complete)
    }

    /// Runs the source once for all devices whose warps have the next size; `false` when there is none left.
    pub(crate) fn step(&mut self) -> bool {
        let Some(warp_lanes) = self.lanes.pop() else {
            return false;
        };
        let mut mine: Vec<&mut Counter> = self
            .counters
            .iter_mut()
            .filter(|counter| counter.device.warp_lanes() == warp_lanes)
            .collect();
        let mut count = |access: &Access<'_>| {
            mine.iter_mut().for_each(|counter| counter.count(access));
            true
        };
        let outcome = execute(
            &self.answer.program,
            &self.launch,
            warp_lanes,
            screen_budget(self.answer.is_expression),
            &mut count,
        );
        if outcome.end.is_cut() {
            self.stopped = self.stopped.max(Some(outcome.requests));
        }
        !self.lanes.is_empty()
    }

    /// What came of it, as far as it is counted.
    pub(crate) fn tallies(&self) -> DeviceTallies {
        DeviceTallies {
            tallies: self.counters.iter().map(Counter::tally).collect(),
            stopped: self.stopped,
        }
    }
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
        let tally = SiteTally::new(lanescope_frontend::SiteId(0));
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

    fn tally(&self) -> DeviceTally {
        let grounds = |basis: Basis| Grounds {
            source: basis.source.to_owned(),
            confidence: basis.confidence,
        };
        DeviceTally {
            shared: self.shared,
            global: self.global,
            shared_grounds: grounds(self.shared_basis),
            global_grounds: grounds(self.global_basis),
        }
    }
}

fn totals<T>(tally: &SiteTally, totals: T) -> Option<Result<T, Unknown>> {
    let answered = tally.unknown.map_or(Ok(totals), Err);
    (tally.requests > 0).then_some(answered)
}

fn weaker(basis: Basis, other: Basis) -> Basis {
    if basis.source.is_empty() || other.confidence > basis.confidence {
        other
    } else {
        basis
    }
}
