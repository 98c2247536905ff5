//! What an access costs over time: each request of one block, iteration by iteration and warp by warp.

use lanescope_frontend::{Access, Blocks, NamedLaunch, SiteId, execute};
use lanescope_model::{Request, Space, Unit};
use lanescope_query::{Answer, loop_values, screen_budget};
use lanescope_tally::Counter;
use lanescope_wire::wire_structs;

use super::inside::block_index;
use super::question::Question;

/// The most warps that have a row.
const MOST_WARPS: usize = 64;

/// The most iterations that are kept.
const MOST_ITERATIONS: usize = 4_096;

/// The requests of one access in one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    pub(crate) site: SiteId,
    pub(crate) block: [u32; 3],
    pub(crate) space: Space,
    /// What costs in global memory count.
    pub(crate) unit: Unit,
    /// `[warp][iteration]`: n of n-way, or sectors; warps that never ask are empty.
    pub(crate) costs: Vec<Vec<u32>>,
    /// `[iteration]`: the loops' variables with their values; empty where the text does not tell them.
    values: Vec<String>,
}

wire_structs! {
    Strip { site, block, space, unit, costs, values }
}

/// A request: a warp and an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) warp: u32,
    pub(crate) iteration: u64,
}

/// The requests of `site` in `block`; `None` where there is one at most, or the device's rule is not known.
pub(crate) fn strip(answer: &Answer, site: SiteId, block: [u32; 3]) -> Option<Strip> {
    let device = answer.device.as_ref()?;
    let of = answer.program.site(site)?;
    let mut counter = Counter::new(device);
    let mut costs: Vec<Vec<u32>> = Vec::new();
    let mut is_known = true;
    let mut unit = Unit::Sector;
    let mut see = |access: &Access<'_>| {
        let Ok(warp) = usize::try_from(access.warp) else {
            return true;
        };
        if access.site != site || warp >= MOST_WARPS {
            return true;
        }
        let Some((cost, counted)) = cost(&mut counter, &access.request) else {
            is_known = false;
            return false;
        };
        unit = counted;
        if costs.len() <= warp {
            costs.resize(warp + 1, Vec::new());
        }
        if let Some(row) = costs
            .get_mut(warp)
            .filter(|row| row.len() < MOST_ITERATIONS)
        {
            row.push(cost);
        }
        true
    };
    let launch = NamedLaunch {
        blocks: Blocks::Only(block_index(block, answer.launch.grid)),
        ..answer.launch.clone()
    };
    let budget = screen_budget(answer.is_expression);
    execute(
        &answer.program,
        &launch,
        device.warp_lanes(),
        budget,
        &mut see,
    );
    let requests: usize = costs.iter().map(Vec::len).sum();
    (is_known && requests > 1).then(|| Strip {
        site,
        block,
        space: of.space,
        unit,
        costs,
        values: Vec::new(),
    })
}

fn cost(counter: &mut Counter<'_>, request: &Request<'_>) -> Option<(u32, Unit)> {
    match request.space {
        Space::Shared => {
            let ways = counter.shared_counts(request).ok()?.ways;
            Some((ways, Unit::Sector))
        }
        Space::Global => {
            let counts = counter.global_counts(request).ok()?;
            Some((counts.units, counts.unit))
        }
    }
}

impl Strip {
    /// The same with the values of the loops' variables, as the text of `question` tells them.
    pub(crate) fn named(self, answer: &Answer, question: &Question) -> Self {
        let span = answer.program.site(self.site).map(|site| site.span);
        let values = span.map(|span| {
            loop_values(
                &answer.source,
                &question.kernel_options(),
                &answer.launch,
                span,
            )
        });
        Self {
            values: values.unwrap_or_default(),
            ..self
        }
    }

    /// How many iterations the warp that asks most often has.
    pub(crate) fn iterations(&self) -> usize {
        self.costs.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// What the loops' variables are at a request; `None` where the text does not tell, or the warp leaves iterations out.
    pub(crate) fn values(&self, at: Moment) -> Option<&str> {
        let row = self.costs.get(usize::try_from(at.warp).ok()?)?;
        let is_whole = row.len() == self.values.len();
        let values = self.values.get(usize::try_from(at.iteration).ok()?)?;
        is_whole.then_some(values)
    }

    /// The cost of a request.
    pub(crate) fn cost(&self, at: Moment) -> Option<u32> {
        let row = self.costs.get(usize::try_from(at.warp).ok()?)?;
        row.get(usize::try_from(at.iteration).ok()?).copied()
    }

    /// The first of the costliest requests.
    pub(crate) fn worst(&self) -> Option<Moment> {
        let mut worst: Option<(u32, Moment)> = None;
        for (warp, row) in (0..).zip(&self.costs) {
            for (iteration, cost) in (0..).zip(row) {
                if worst.is_none_or(|(most, _)| *cost > most) {
                    worst = Some((*cost, Moment { warp, iteration }));
                }
            }
        }
        worst.map(|(_, at)| at)
    }

    /// The costliest request of `warp` from iteration `from` up to and without `to`.
    pub(crate) fn worst_of(&self, warp: u32, from: usize, to: usize) -> Option<(u32, Moment)> {
        let row = self.costs.get(usize::try_from(warp).ok()?)?;
        let part = row.get(from..to.min(row.len()))?;
        let most = *part.iter().max()?;
        let iteration = from + part.iter().position(|cost| *cost == most)?;
        let iteration = u64::try_from(iteration).ok()?;
        Some((most, Moment { warp, iteration }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(costs: Vec<Vec<u32>>, values: &[&str]) -> Strip {
        Strip {
            site: SiteId(0),
            block: [0; 3],
            space: Space::Shared,
            unit: Unit::Sector,
            costs,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    #[test]
    fn the_worst_request_is_the_first_of_the_costliest() {
        let strip = strip(vec![vec![1, 2], vec![4, 4, 1]], &[]);
        let worst = Moment {
            warp: 1,
            iteration: 0,
        };
        assert_eq!(strip.worst(), Some(worst));
        assert_eq!(
            strip.worst_of(1, 1, 9),
            Some((
                4,
                Moment {
                    warp: 1,
                    iteration: 1
                }
            ))
        );
        assert_eq!(strip.worst_of(0, 2, 9), None);
        assert_eq!(strip.iterations(), 3);
    }

    #[test]
    fn a_warp_that_leaves_iterations_out_has_no_values() {
        let strip = strip(vec![vec![1, 2], vec![4]], &["s = 1", "s = 2"]);
        let at = |warp, iteration| strip.values(Moment { warp, iteration });
        assert_eq!(at(0, 1), Some("s = 2"));
        assert_eq!(at(1, 0), None);
        assert_eq!(at(2, 0), None);
    }
}
