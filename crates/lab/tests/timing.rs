//! The timing logic, on a synthetic clock.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::fake;

use fake::{Fake, Visitor};
use lanescope_kernels::{Family, Kernel, KernelId, Problem};
use lanescope_lab::report::Outcome;
use lanescope_lab::{
    Experiment, Fault, Machine, TimingRules, Unattended, Variant, Verifier, median,
    relative_spread, time_in_turn,
};

fn variant(id: KernelId) -> Variant {
    Variant::of(Kernel::of(id))
}

async fn seconds_of(fake: &mut Fake, lengths: &[u64]) -> Vec<f64> {
    let mut programs = Vec::new();
    for &length in lengths {
        let plan = variant(KernelId::CopyVec4)
            .plan(Problem::Length(length), &fake.limits())
            .unwrap();
        programs.push(fake.prepare(&plan, 1).await.unwrap());
    }
    let rules = TimingRules::default();
    let timings = time_in_turn(fake, &programs, &rules, &Unattended)
        .await
        .unwrap();
    assert!(
        timings
            .iter()
            .all(|t| t.samples.len() >= 15 && !t.too_noisy(&rules))
    );
    timings.iter().map(|t| t.seconds).collect()
}

#[test]
fn a_clock_of_100_microseconds_is_read_within_one_percent() {
    for ns_per_byte in [0.000_3, 0.001, 0.007_7] {
        let mut fake = Fake {
            quantum_ns: 100e3,
            ns_per_byte,
            ..Fake::default()
        };
        let lengths = [1 << 20, 3_000_017, 1 << 24];
        let found = pollster::block_on(seconds_of(&mut fake, &lengths));
        for (found, length) in found.iter().zip(lengths) {
            let truth = (length * 8) as f64 * ns_per_byte * 1e-9;
            assert!((found / truth - 1.0).abs() < 0.01, "{found} for {truth}");
        }
    }
}

#[test]
fn what_a_submission_costs_falls_out() {
    let mut fake = Fake {
        overhead_ns: 2e6,
        ..Fake::default()
    };
    let found = pollster::block_on(seconds_of(&mut fake, &[1 << 20]))[0];
    let truth = (8 << 20) as f64 * 0.001e-9;
    assert!((found / truth - 1.0).abs() < 0.01, "{found} for {truth}");
}

#[test]
fn samples_that_disagree_are_no_result() {
    let mut fake = Fake {
        noise: 0.2,
        ..Fake::default()
    };
    let mut experiment = Experiment::of(Family::Ceiling, Problem::Length(1 << 16), &fake.limits);
    experiment.variants.truncate(1);
    let mut verifier = Verifier::default();
    let table = pollster::block_on(experiment.run(&mut fake, &mut verifier, &Unattended));
    assert!(
        matches!(table.results[0].outcome, Outcome::TooNoisy { spread, noise } if spread > 0.05 && noise.is_some_and(|noise| noise.range[0] <= noise.seconds && noise.seconds <= noise.range[1]))
    );
}

#[test]
fn samples_of_a_hidden_page_are_dropped() {
    let mut fake = Fake::default();
    let visitor = Visitor {
        hidden_until: 40,
        ..Visitor::default()
    };
    let plan = variant(KernelId::CopyVec4)
        .plan(Problem::Length(1 << 20), &fake.limits)
        .unwrap();
    let timing = pollster::block_on(async {
        let program = fake.prepare(&plan, 1).await.unwrap();
        time_in_turn(&mut fake, &[program], &TimingRules::default(), &visitor).await
    });
    assert_eq!(timing.unwrap()[0].samples.len(), 15);
}

#[test]
fn a_size_that_a_smaller_one_shows_too_slow_never_runs() {
    let mut fake = Fake {
        ns_per_byte: 100.0,
        ..Fake::default()
    };
    let experiment = Experiment::of(Family::Ceiling, Problem::Length(1 << 24), &fake.limits);
    let mut verifier = Verifier::default();
    let run = experiment.run(&mut fake, &mut verifier, &Unattended);
    for row in pollster::block_on(run).results {
        let reason = Outcome::NotRun {
            reason: Fault::TooSlow { predicted_ms: 0 },
        };
        assert_eq!(
            std::mem::discriminant(&row.outcome),
            std::mem::discriminant(&reason)
        );
    }
}

#[test]
fn medians_and_spreads_of_small_lists() {
    assert_eq!(median(&[]), 0.0);
    assert_eq!(median(&[3.0, 1.0]), 2.0);
    assert_eq!(median(&[9.0, 1.0, 5.0]), 5.0);
    assert_eq!(relative_spread(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 3.0);
    assert!(relative_spread(&[0.0, 0.0]).is_infinite());
}
