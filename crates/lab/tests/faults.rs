//! Every fault ends in a row that says so, and leaves the next experiment to run.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

use crate::fake;

use fake::{Call, Fake, Visitor};
use lanescope_kernels::{Family, Kernel, KernelId, Problem};
use lanescope_lab::report::{Outcome, Table};
use lanescope_lab::{DeviceLimits, Experiment, Fault, Unattended, Variant, Verifier};

fn transposes() -> Experiment {
    let problem = Problem::Matrix {
        rows: 61,
        columns: 47,
    };
    Experiment::of(Family::Transpose, problem, &DeviceLimits::PROMISED)
}

fn run(fake: &mut Fake, experiment: &Experiment) -> Table {
    pollster::block_on(experiment.run(fake, &mut Verifier::default(), &Unattended))
}

fn reasons(table: &Table) -> Vec<Fault> {
    let reason = |outcome: &Outcome| match outcome {
        Outcome::NotRun { reason } => Some(reason.clone()),
        _ => None,
    };
    table
        .results
        .iter()
        .filter_map(|row| reason(&row.outcome))
        .collect()
}

#[test]
fn without_faults_every_kernel_that_takes_the_size_is_measured() {
    let table = run(&mut Fake::default(), &transposes());
    for row in &table.results {
        let unavailable = matches!(
            &row.outcome,
            Outcome::NotRun {
                reason: Fault::Unavailable { .. }
            }
        );
        let measured = row.gigabytes_per_second().is_some_and(|rate| rate > 0.0);
        assert!(measured || unavailable, "{row:?}");
    }
}

#[test]
fn a_lost_device_ends_the_run_at_every_call() {
    for call in [Call::Prepare, Call::Poison, Call::Run, Call::Read] {
        for n in [0, 3, 11] {
            let mut fake = Fake {
                fault: Some((call, n, Fault::DeviceLost)),
                ..Fake::default()
            };
            let table = run(&mut fake, &transposes());
            assert_eq!(table.results.len(), transposes().variants.len());
            assert!(reasons(&table).contains(&Fault::DeviceLost), "{call:?} {n}");
            fake.fault = None;
            let again = run(&mut fake, &transposes());
            assert!(
                !reasons(&again).contains(&Fault::DeviceLost),
                "{call:?} {n}"
            );
        }
    }
}

#[test]
fn after_a_lost_device_no_more_work_is_sent() {
    let mut fake = Fake {
        fault: Some((Call::Run, 5, Fault::DeviceLost)),
        ..Fake::default()
    };
    run(&mut fake, &transposes());
    assert_eq!(fake.calls(Call::Run), 6);
}

#[test]
fn a_rejected_kernel_costs_only_its_row() {
    let fault = Fault::Rejected {
        message: "no".to_owned(),
    };
    let mut fake = Fake {
        fault: Some((Call::Prepare, 4, fault.clone())),
        ..Fake::default()
    };
    let table = run(&mut fake, &transposes());
    assert_eq!(
        reasons(&table)
            .iter()
            .filter(|reason| **reason == fault)
            .count(),
        1
    );
    assert!(
        table
            .results
            .iter()
            .any(|row| row.gigabytes_per_second().is_some())
    );
}

#[test]
fn out_of_memory_says_what_fits() {
    let mut fake = Fake {
        fault: Some((Call::Prepare, 0, Fault::OutOfMemory { bytes: 5 })),
        ..Fake::default()
    };
    let mut experiment = Experiment::of(Family::Ceiling, Problem::Length(1 << 16), &fake.limits);
    experiment.variants.truncate(1);
    let reason = reasons(&run(&mut fake, &experiment));
    assert_eq!(
        reason,
        [Fault::TooLarge {
            bytes: 5,
            fits_bytes: 1 << 16
        }]
    );
}

#[test]
fn a_binding_that_is_too_large_is_refused_with_the_size_that_fits() {
    let fits_bytes = DeviceLimits::PROMISED.binding_bytes;
    let variant = Variant::of(Kernel::of(KernelId::ReduceVec4));
    let just = Problem::Length(fits_bytes / 4);
    let over = Problem::Length(fits_bytes / 4 + 1);
    assert!(variant.plan(just, &DeviceLimits::PROMISED).is_ok());
    let refused = variant.plan(over, &DeviceLimits::PROMISED).unwrap_err();
    assert_eq!(
        refused,
        Fault::TooLarge {
            bytes: fits_bytes + 16,
            fits_bytes
        }
    );
}

#[test]
fn a_wrong_result_is_failed_and_has_no_bandwidth() {
    for index in [0, 61, 61 * 47 - 1] {
        let mut fake = Fake {
            wrong_at: Some(index),
            ..Fake::default()
        };
        let variant = Variant::of(Kernel::of(KernelId::TransposeRows));
        let problem = Problem::Matrix {
            rows: 61,
            columns: 47,
        };
        let experiment = Experiment::with([variant], problem, &fake.limits);
        let table = run(&mut fake, &experiment);
        assert_eq!(
            table.results.last().unwrap().outcome,
            Outcome::Failed { index }
        );
    }
}

fn cancelled_after(questions: usize) -> Table {
    let visitor = Visitor {
        cancel_after: Some(questions),
        ..Visitor::default()
    };
    let mut fake = Fake::default();
    pollster::block_on(transposes().run(&mut fake, &mut Verifier::default(), &visitor))
}

#[test]
fn cancelling_at_any_moment_ends_the_run() {
    for questions in 0..200 {
        let table = cancelled_after(questions);
        assert_eq!(table.ended, Some(Fault::Cancelled), "{questions}");
        assert_eq!(table.results.len(), transposes().variants.len());
    }
}

#[test]
fn results_so_far_outlast_a_cancelled_run() {
    let measured = |table: &Table| {
        let rates = table.results.iter().map(|row| row.gigabytes_per_second());
        rates.flatten().count()
    };
    assert_eq!(measured(&cancelled_after(200)), 0);
    let mut moments = (500..30_000).step_by(500).map(cancelled_after);
    let late = moments.find(|table| measured(table) > 0).unwrap();
    assert_eq!(late.ended, Some(Fault::Cancelled));
    let samples = |table: &Table| {
        let taken = table.results.iter().filter_map(|row| match &row.outcome {
            Outcome::Measured { timing, .. } => Some(timing.samples.len()),
            _ => None,
        });
        taken.min()
    };
    assert!(samples(&late).is_some_and(|n| (3..15).contains(&n)));
    assert_eq!(run(&mut Fake::default(), &transposes()).ended, None);
}

#[test]
fn a_kernel_says_what_the_device_lacks() {
    let small = DeviceLimits {
        workgroup_bytes: 1024,
        ..DeviceLimits::PROMISED
    };
    for (id, limits, word) in [
        (KernelId::ReduceSubgroup, DeviceLimits::PROMISED, "subgroup"),
        (
            KernelId::TransposePadded,
            DeviceLimits::PROMISED,
            "workgroups of 32 x 32",
        ),
        (KernelId::TransposeVec4, small, "bytes of workgroup memory"),
    ] {
        let problem = match Kernel::of(id).family {
            Family::Transpose => Problem::Matrix {
                rows: 64,
                columns: 64,
            },
            _ => Problem::Length(64),
        };
        match Variant::of(Kernel::of(id)).plan(problem, &limits) {
            Err(Fault::Unavailable { needs }) => assert!(needs.contains(word), "{needs}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn tuned_variants_fit_the_limits_every_device_promises() {
    for kernel in Kernel::all()
        .iter()
        .filter(|kernel| !kernel.needs_subgroups)
    {
        let problem = match kernel.family {
            Family::Transpose => Problem::Matrix {
                rows: 64,
                columns: 64,
            },
            Family::Stride => Problem::Stride {
                stride_words: 1,
                rounds: 1,
                workgroups: 1,
            },
            _ => Problem::Length(64),
        };
        let variant = Variant::tuned(kernel, &DeviceLimits::PROMISED);
        assert!(
            variant.plan(problem, &DeviceLimits::PROMISED).is_ok(),
            "{}",
            kernel.name()
        );
    }
}

#[test]
fn the_json_comes_back_as_it_was() {
    let table = run(&mut Fake::default(), &transposes());
    let text = serde_json::to_string(&table).unwrap();
    assert_eq!(serde_json::from_str::<Table>(&text).unwrap(), table);
    assert!(
        text.contains(r#""kernel":"transpose_rows""#) && text.contains(r#""outcome":"measured""#)
    );
}
