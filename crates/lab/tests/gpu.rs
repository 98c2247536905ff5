//! Every kernel on a real device (or a software one, such as lavapipe), at odd sizes, against its
//! CPU reference. A missing device is a failure, unless `LANESCOPE_GPU=none` says that there is none.
#![allow(missing_docs, clippy::unwrap_used, clippy::cast_possible_truncation)]

use lanescope_kernels::{Element, Family, Kernel, Problem, Values};
use lanescope_lab::plan::Checks;
use lanescope_lab::{Fault, Gpu, Machine, Variant, Verifier};

fn gpu() -> Option<Gpu> {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return None;
    }
    Some(pollster::block_on(Gpu::open(None)).expect("no GPU; LANESCOPE_GPU=none if there is none"))
}

fn problems(kernel: &Kernel) -> Vec<Problem> {
    match kernel.family {
        Family::Ceiling | Family::Reduction => [1, 3, 4, 255, 257, 1023, 4097, 100_003]
            .map(Problem::Length)
            .to_vec(),
        Family::Transpose => [
            (1, 1),
            (4, 4),
            (1, 70),
            (33, 65),
            (55, 40),
            (128, 64),
            (100, 236),
            (203, 101),
        ]
        .map(|(rows, columns)| Problem::Matrix { rows, columns })
        .to_vec(),
        Family::Stride => [1, 2, 32, 33]
            .map(|stride_words| Problem::Stride {
                stride_words,
                rounds: 3,
                workgroups: 5,
            })
            .to_vec(),
    }
}

/// The first, the last and the default of each parameter.
fn settings(kernel: &Kernel) -> Vec<Values> {
    let mut all = vec![kernel.defaults(), kernel.tuned()];
    for parameter in kernel.parameters {
        for value in [
            parameter.legal[0],
            parameter.legal[parameter.legal.len() - 1],
        ] {
            all.push(kernel.defaults().with(parameter.name, value));
        }
    }
    all
}

async fn verify(gpu: &mut Gpu, variant: &Variant, problem: Problem) -> Result<(), Fault> {
    let plan = variant.plan(problem, &gpu.limits())?;
    let program = gpu.prepare(&plan, 3).await?;
    // Twice, for what the first run leaves behind.
    for _ in 0..2 {
        gpu.poison(program).await?;
        gpu.run(program, 1).await?;
        for (buffer, check) in &plan.results {
            let found = gpu.read(program, *buffer, 0, check.elements()).await?;
            Verifier::default().compare(check, 0, &found)?;
        }
    }
    Ok(())
}

fn verify_family(family: Family, checks: Checks) {
    let Some(mut gpu) = gpu() else { return };
    let mut verified = 0;
    for kernel in Kernel::family(family) {
        for values in settings(kernel) {
            for &element in kernel.elements {
                let variant = Variant {
                    kernel: Some(kernel),
                    element,
                    values: values.clone(),
                    checks,
                };
                for problem in problems(kernel) {
                    let found = pollster::block_on(verify(&mut gpu, &variant, problem));
                    match found {
                        Ok(()) => verified += 1,
                        Err(Fault::Unavailable { .. }) => {}
                        Err(fault) => {
                            panic!("{} {values:?} on {problem:?}: {fault}", kernel.name())
                        }
                    }
                }
            }
            gpu.clear();
        }
    }
    assert!(verified > 0);
}

#[test]
fn ceilings_move_every_element() {
    verify_family(Family::Ceiling, Checks::On);
}

#[test]
fn reductions_agree_with_the_cpu() {
    verify_family(Family::Reduction, Checks::On);
}

#[test]
fn transposes_agree_with_the_cpu_bit_for_bit() {
    verify_family(Family::Transpose, Checks::On);
}

#[test]
fn kernels_without_run_time_checks_stay_inside_their_arrays() {
    verify_family(Family::Reduction, Checks::Off);
    verify_family(Family::Transpose, Checks::Off);
}

#[test]
fn the_stride_probe_ends_where_it_must() {
    verify_family(Family::Stride, Checks::On);
}

#[test]
fn a_kernel_that_does_nothing_is_found_out() {
    let Some(mut gpu) = gpu() else { return };
    let variant = Variant::buffer_copy();
    let plan = variant.plan(Problem::Length(1000), &gpu.limits()).unwrap();
    let found = pollster::block_on(async {
        let program = gpu.prepare(&plan, 1).await.unwrap();
        gpu.poison(program).await.unwrap();
        gpu.read(program, plan.results[0].0, 0, 1000).await.unwrap()
    });
    let fault = Verifier::default()
        .compare(&plan.results[0].1, 0, &found)
        .unwrap_err();
    assert_eq!(fault, Fault::WrongResult { index: 0 });
}

#[test]
fn integers_and_floats_are_both_reduced() {
    let elements = |family| Kernel::family(family).flat_map(|k| k.elements.iter().copied());
    assert!(elements(Family::Reduction).any(|e| e == Element::U32));
    assert!(elements(Family::Reduction).any(|e| e == Element::F32));
}
