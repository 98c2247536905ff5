//! Everything a profile knows, as a list.

use crate::fact::Sourced;
use crate::global_rules::{Counting, Protocol};
use crate::shared_rules::Serving;
use crate::shared_walk::phase_lanes;
use crate::{Device, Fact, Quantity, Rule, Unknown, Value};

impl Device {
    /// Every number and rule of this profile, each with its source and confidence, those that
    /// are unknown included.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![fact(Quantity::WarpLanes, self.warp_lanes, Value::Count)];
        self.shared_facts(&mut facts);
        self.global_facts(&mut facts);
        self.limit_facts(&mut facts);
        facts
    }

    /// The banks and the phases.
    fn shared_facts(&self, facts: &mut Vec<Fact>) {
        let shared = &self.shared;
        facts.push(fact(Quantity::Banks, shared.layout, |layout| {
            value(layout.map(|layout| layout.banks), Value::Count)
        }));
        facts.push(fact(Quantity::BankBytes, shared.layout, |layout| {
            value(layout.map(|layout| layout.word_bytes), Value::Bytes)
        }));
        for (bytes, read) in [4, 8, 16].into_iter().zip(shared.reads) {
            facts.push(self.serving_fact(Quantity::ReadPhases { bytes }, read));
        }
        for (bytes, write) in [4, 8, 16].into_iter().zip(shared.writes) {
            facts.push(self.serving_fact(Quantity::WritePhases { bytes }, write));
        }
        if let Some(merge) = shared.merge {
            facts.push(fact(Quantity::ReadMerge, merge, |()| {
                Value::Rule(Rule::MergePairs)
            }));
        }
        facts.push(self.serving_fact(Quantity::SharedAtomics, shared.atomics[0]));
        if let Some(increments) = shared.increments {
            facts.push(self.serving_fact(Quantity::SharedIncrements, increments));
        }
        if let Some(swaps) = shared.swaps {
            facts.push(fact(Quantity::SharedSwaps, swaps, |()| {
                Value::Rule(Rule::TwicePhases)
            }));
        }
        facts.push(self.serving_fact(Quantity::MatrixLoads, shared.matrix_loads));
        facts.push(self.serving_fact(Quantity::MatrixStores, shared.matrix_stores));
    }

    /// One kind of access to shared memory.
    fn serving_fact(&self, quantity: Quantity, serving: Serving) -> Fact {
        fact(quantity, serving, |service| {
            value(service, |service| {
                Value::Rule(Rule::Phases {
                    lanes: phase_lanes(&service, self.warp_lanes()),
                    sharing: service.sharing,
                })
            })
        })
    }

    /// The pieces of global memory.
    fn global_facts(&self, facts: &mut Vec<Fact>) {
        let global = &self.global;
        facts.push(counting_fact(Quantity::GlobalLoads, global.loads));
        facts.push(counting_fact(Quantity::GlobalStores, global.stores));
        facts.push(counting_fact(Quantity::GlobalAtomics, global.atomics));
        facts.push(fact(Quantity::SectorBytes, global.sector_bytes, |bytes| {
            value(bytes, Value::Bytes)
        }));
        facts.push(fact(Quantity::LineBytes, global.line_bytes, |bytes| {
            value(bytes, Value::Bytes)
        }));
    }

    /// How much fits.
    fn limit_facts(&self, facts: &mut Vec<Fact>) {
        let limits = &self.limits;
        let bytes = [
            (Quantity::L1Bytes, limits.l1),
            (Quantity::SharedBytesPerSm, limits.shared_per_sm),
            (Quantity::SharedBytesPerBlock, limits.shared_per_block),
            (Quantity::SharedBytesReserved, limits.shared_reserved),
            (Quantity::SharedGranularity, limits.shared_granularity),
        ];
        let counts = [
            (Quantity::WarpsPerSm, limits.warps_per_sm),
            (Quantity::BlocksPerSm, limits.blocks_per_sm),
            (Quantity::ThreadsPerBlock, limits.threads_per_block),
        ];
        for (quantity, known) in bytes {
            facts.extend(known.map(|known| fact(quantity, known, Value::Bytes)));
        }
        for (quantity, known) in counts {
            facts.extend(known.map(|known| fact(quantity, known, Value::Count)));
        }
        facts.push(fact(
            Quantity::FillBytesPerCycle,
            limits.fill_bytes_per_cycle,
            Value::Bytes,
        ));
    }
}

/// A fact from a sourced value.
fn fact<T>(quantity: Quantity, sourced: Sourced<T>, to_value: impl FnOnce(T) -> Value) -> Fact {
    Fact {
        quantity,
        value: to_value(sourced.value),
        source: sourced.source,
        confidence: sourced.confidence,
    }
}

/// A value, or why there is none.
fn value<T>(known: Result<T, Unknown>, to_value: impl FnOnce(T) -> Value) -> Value {
    known.map_or_else(Value::Unknown, to_value)
}

/// One kind of access to global memory.
fn counting_fact(quantity: Quantity, counting: Counting) -> Fact {
    fact(quantity, counting, |protocol| {
        value(protocol, |protocol| Value::Rule(rule(protocol)))
    })
}

/// The public name of a protocol.
const fn rule(protocol: Protocol) -> Rule {
    match protocol {
        Protocol::Sectors => Rule::Sectors,
        Protocol::SplitSectors => Rule::SplitSectors,
        Protocol::Lines => Rule::Lines,
        Protocol::SplitLines => Rule::SplitLines,
        Protocol::OrderedSegments => Rule::OrderedSegments,
        Protocol::ShrinkingSegments => Rule::ShrinkingSegments,
        Protocol::AtomicPasses => Rule::AtomicPasses,
    }
}
