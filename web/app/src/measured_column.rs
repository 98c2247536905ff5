//! What a profiler measured of the accesses of the kernel that is open: a column of its list.

use lanescope_frontend::SiteId;
use lanescope_share::{Device, State};
use lanescope_tally::Kind;

use crate::answer::{Answer, kind, predicted_units};
use crate::measured::{Measured, MeasuredLaunch, MeasuredRow};
use crate::page::Page;

/// What came of an export that stands beside a kernel, and of which text and launch of that.
#[derive(Clone, Debug)]
pub(crate) struct Measurements {
    pub(crate) of: State,
    pub(crate) launches: Measured,
}

/// What was measured of an access.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MeasuredCost {
    /// Of its line alone, and what is predicted of that where it can be compared.
    Line {
        /// Wavefronts or sectors.
        measured: u64,
        /// The same, predicted.
        predicted: Option<u64>,
    },
    /// Of all accesses that do the same: the key of that sum, what was measured and what is predicted.
    All {
        /// As `lanescope compare` has it.
        total: &'static str,
        /// Wavefronts or sectors.
        measured: u64,
        /// The same, predicted.
        predicted: u64,
    },
    /// The export does not say.
    Nothing,
}

/// The launch of an export that is the one on screen.
pub(crate) struct MeasuredColumn<'p> {
    launch: &'p MeasuredLaunch,
    answer: &'p Answer,
    /// Whether the sums on screen are those of the launch on the device that was measured.
    is_same: bool,
}

impl<'p> MeasuredColumn<'p> {
    /// `None` where the export has no launch of the kernel on screen in its shape, or was compared with another text.
    pub(crate) fn of(page: &'p Page, measurements: &'p Measurements) -> Option<Self> {
        let (now, then) = (&page.state, &measurements.of);
        let is_same = now.source == then.source
            && now.launch == then.launch
            && now.device == then.device
            && now.repeated_reads == then.repeated_reads;
        if page.is_awaited() || !is_same {
            return None;
        }
        let shape = [now.launch.grid, now.launch.block];
        let mut launches = of_kernel(page, &measurements.launches).into_iter();
        let launch = launches.find(|launch| launch.shape() == Some(shape))?;
        let answer = &*page.answer;
        let outcome = answer.outcome.as_ref();
        let is_run = outcome.is_some_and(|one| one.blocks_done >= one.blocks_total);
        let measured_on = Device::Known(launch.device.clone());
        Some(Self {
            launch,
            answer,
            is_same: (is_run || answer.is_extrapolated) && measured_on == now.device,
        })
    }

    /// What was measured of the accesses of a line that do so.
    pub(crate) fn cost(&self, line: u32, kind: Kind) -> MeasuredCost {
        let here = |row: &&MeasuredRow| row.open_line == Some(line) && row.kind() == Some(kind);
        let rows = self.launch.instructions.iter().filter(here);
        let of_line = rows.map(|row| row.measured).reduce(|sum, row| {
            let sum = sum?.saturating_add(row?);
            Some(sum)
        });
        if let Some(Some(measured)) = of_line {
            let predicted = predicted_units(self.answer, line, kind);
            return MeasuredCost::Line {
                measured,
                predicted: self.is_same.then_some(predicted),
            };
        }
        self.of_all(line, kind)
    }

    /// The same of an access of the source.
    pub(crate) fn cost_of(&self, site: SiteId) -> MeasuredCost {
        kind(self.answer, site).map_or(MeasuredCost::Nothing, |kind| {
            self.cost(self.answer.line(site), kind)
        })
    }

    /// What was measured of all that do so; of the line where there is no other.
    fn of_all(&self, line: u32, of: Kind) -> MeasuredCost {
        let total = total(of);
        let mut totals = self.launch.totals.iter();
        let row = totals.find(|row| row.of[0] == total);
        let Some((row, measured)) = row.and_then(|row| Some((row, row.measured?))) else {
            return MeasuredCost::Nothing;
        };
        let predicted = row.predicted;
        let mut sites = (0..).map(SiteId).zip(self.answer.program.sites());
        let is_other = |(site, _): (SiteId, _)| {
            let other = kind(self.answer, site);
            let does_same = other.is_some_and(|other| self::total(other) == total);
            does_same && (other != Some(of) || self.answer.line(site) != line)
        };
        if sites.any(is_other) {
            return MeasuredCost::All {
                total,
                measured,
                predicted,
            };
        }
        MeasuredCost::Line {
            measured,
            predicted: Some(predicted),
        }
    }
}

/// The launches of the kernel on screen; none where they are of several instances of a template.
pub(crate) fn of_kernel<'m>(page: &Page, measured: &'m Measured) -> Vec<&'m MeasuredLaunch> {
    let Measured::Launches(all) = measured else {
        return Vec::new();
    };
    let own: Vec<&MeasuredLaunch> = all.iter().filter(|one| is_of_kernel(page, one)).collect();
    match own.as_slice() {
        [first, rest @ ..] if rest.iter().any(|one| one.names[0] != first.names[0]) => Vec::new(),
        _ => own,
    }
}

/// Whether a launch is of the kernel on screen, or of another instance of its template.
pub(crate) fn is_of_kernel(page: &Page, launch: &MeasuredLaunch) -> bool {
    bare(&launch.names[0]) == bare(page.answer.program.name())
}

/// A kernel's name without what stands around it: `turn` of `void a::turn<float, 4>(const float *)`.
fn bare(name: &str) -> &str {
    let name = name
        .rsplit("(anonymous namespace)::")
        .next()
        .unwrap_or_default();
    let head = name.split(['(', '<']).next().unwrap_or_default().trim();
    let last = head.rsplit(char::is_whitespace).next().unwrap_or_default();
    last.rsplit("::").next().unwrap_or_default()
}

/// The sum that a kind of access adds to, by its key.
const fn total(kind: Kind) -> &'static str {
    match kind {
        Kind::SharedLoad | Kind::MatrixLoad => "shared_load_wavefronts",
        Kind::SharedStore | Kind::MatrixStore => "shared_store_wavefronts",
        Kind::SharedAtomic => "shared_atomic_wavefronts",
        Kind::AsyncCopy => "async_copy_wavefronts",
        Kind::GlobalLoad => "global_load_sectors",
        Kind::GlobalStore => "global_store_sectors",
        Kind::GlobalAtomic => "global_atomic_sectors",
        Kind::GlobalReduction => "global_reduction_sectors",
    }
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn a_name_is_told_without_its_types() {
        for (name, expected) in [
            ("turn", "turn"),
            ("turn(const float *, int)", "turn"),
            ("void a::turn<float, (int)4>(const T1 *)", "turn"),
            ("turn<4>", "turn"),
            ("void (anonymous namespace)::turn(int)", "turn"),
        ] {
            assert_eq!(bare(name), expected, "{name}");
        }
    }
}
