//! Times every legal setting of the fast kernels and prints the best of each:
//! `sweep [small] copy|read|reduce|short|transpose ... [NAME=VALUE ...]`, the last
//! holding a parameter to one value. Each setting is verified at a small odd size first.

use std::collections::BTreeMap;

use lanescope_kernels::{Kernel, KernelId, Problem};
use lanescope_lab::plan::Checks;
use lanescope_lab::{Gpu, Machine, TimingRules, Unattended, Variant, Verifier, time_in_turn};

const CACHE_BYTES: u64 = 64 << 20;

fn main() -> anyhow::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    pollster::block_on(run(&wanted))
}

async fn run(wanted: &[String]) -> anyhow::Result<()> {
    let small = wanted.iter().any(|w| w == "small");
    let mut gpu = Gpu::open(None).await?;
    println!("{:?}\n{:?}", gpu.card(), gpu.limits());
    let mut sweep = Sweep {
        gpu: &mut gpu,
        verifier: Verifier::default(),
        small,
    };
    let matrix = |rows, columns| Problem::Matrix { rows, columns };
    let (big, odd, mid) = if small {
        (matrix(512, 512), matrix(301, 203), matrix(256, 256))
    } else {
        (
            matrix(16384, 16384),
            matrix(10007, 9973),
            matrix(4096, 4096),
        )
    };
    let lengths = if small {
        [1 << 16, 1 << 14]
    } else {
        [1 << 28, 1 << 24]
    };
    for (name, ids, problems) in [
        (
            "copy",
            &[KernelId::CopyVec4][..],
            vec![Problem::Length(lengths[0])],
        ),
        (
            "read",
            &[KernelId::ReadVec4],
            vec![Problem::Length(lengths[0])],
        ),
        (
            "reduce",
            &[
                KernelId::ReduceTwoPass,
                KernelId::ReduceSinglePass,
                KernelId::ReduceSubgroup,
                KernelId::ReduceVec4,
            ],
            vec![Problem::Length(lengths[0])],
        ),
        (
            "short",
            &[
                KernelId::ReduceTwoPass,
                KernelId::ReduceSinglePass,
                KernelId::ReduceSubgroup,
            ],
            vec![Problem::Length(lengths[1])],
        ),
        (
            "transpose",
            &[
                KernelId::TransposeVec4,
                KernelId::TransposePersistent,
                KernelId::TransposeRegisters,
                KernelId::TransposeScalar,
                KernelId::TransposeRows,
            ],
            vec![big, mid, odd],
        ),
    ] {
        if !wanted.iter().any(|w| w == name) {
            continue;
        }
        let mut settings: Vec<Variant> = ids
            .iter()
            .flat_map(|id| all_settings(*id))
            .filter(|v| held(v, wanted))
            .collect();
        for (i, problem) in problems.into_iter().enumerate() {
            println!("== {name} {problem:?}: {} settings", settings.len());
            let ranked = sweep.rank(&settings, problem).await?;
            if i == 0 {
                settings = best_of_each(&ranked, 24);
            }
            let ceiling = Variant::of(Kernel::of(KernelId::CopyVec4));
            let mut finals = vec![Variant::buffer_copy(), ceiling];
            for variant in best_of_each(&ranked, 5) {
                finals.push(Variant {
                    checks: Checks::Off,
                    ..variant.clone()
                });
                finals.push(variant);
            }
            println!("-- finals");
            sweep.compare(&finals, problem).await?;
        }
    }
    Ok(())
}

/// Every combination of legal values.
fn all_settings(id: KernelId) -> Vec<Variant> {
    let mut all = vec![Variant::of(Kernel::of(id))];
    for parameter in Kernel::of(id).parameters {
        all = all
            .iter()
            .flat_map(|v| {
                parameter.legal.iter().map(|&value| Variant {
                    values: v.values.clone().with(parameter.name, value),
                    ..v.clone()
                })
            })
            .collect();
    }
    all
}

/// Whether a setting has the values that were asked for.
fn held(variant: &Variant, wanted: &[String]) -> bool {
    let pairs = || wanted.iter().filter_map(|w| w.split_once('='));
    variant
        .values
        .iter()
        .all(|(name, value)| pairs().all(|(n, v)| n != name || v == value.to_string()))
}

fn best_of_each(ranked: &[(f64, Variant)], most: usize) -> Vec<Variant> {
    let mut taken = BTreeMap::new();
    ranked
        .iter()
        .filter(|(_, variant)| {
            let count = taken.entry(variant.name()).or_insert(0);
            *count += 1;
            *count <= most
        })
        .map(|(_, variant)| variant.clone())
        .collect()
}

fn label(variant: &Variant) -> String {
    let values: Vec<_> = variant
        .values
        .iter()
        .map(|(n, v)| format!("{n}={v}"))
        .collect();
    format!(
        "{} {} {:?}",
        variant.name(),
        values.join(" "),
        variant.checks
    )
}

struct Sweep<'a> {
    gpu: &'a mut Gpu,
    verifier: Verifier,
    small: bool,
}

impl Sweep<'_> {
    async fn rank(
        &mut self,
        settings: &[Variant],
        problem: Problem,
    ) -> anyhow::Result<Vec<(f64, Variant)>> {
        let rules = TimingRules {
            pass_ns: 2e6,
            warm_up_ns: 4e6,
            samples: 5,
            ..TimingRules::default()
        };
        let mut ranked = self.time(settings, problem, &rules).await?;
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (rate, variant) in best_of_each(&ranked, 6)
            .iter()
            .filter_map(|v| ranked.iter().find(|(_, r)| label(r) == label(v)).cloned())
        {
            println!("{rate:9.1} GB/s  {}", label(&variant));
        }
        Ok(ranked)
    }

    async fn compare(&mut self, settings: &[Variant], problem: Problem) -> anyhow::Result<()> {
        let pass_ns = if self.small { 1e6 } else { 10e6 };
        let rules = TimingRules {
            pass_ns,
            ..TimingRules::default()
        };
        for (rate, variant) in self.time(settings, problem, &rules).await? {
            println!("{rate:9.1} GB/s  {}", label(&variant));
        }
        Ok(())
    }

    /// GB/s of each setting that the device takes.
    async fn time(
        &mut self,
        settings: &[Variant],
        problem: Problem,
        rules: &TimingRules,
    ) -> anyhow::Result<Vec<(f64, Variant)>> {
        self.gpu.clear();
        let limits = self.gpu.limits();
        let mut ready = Vec::new();
        for variant in settings {
            let transposes = variant.kernel.is_some_and(|k| {
                k.takes(Problem::Matrix {
                    rows: 4,
                    columns: 4,
                })
            });
            let problem = if transposes {
                problem
            } else {
                Problem::Length(problem.elements())
            };
            let Ok(plan) = variant.plan(problem, &limits) else {
                continue;
            };
            self.verify(variant, transposes).await?;
            let sets = (4 * CACHE_BYTES)
                .div_ceil(plan.traffic.read_bytes)
                .clamp(1, 8);
            let program = self.gpu.prepare(&plan, u32::try_from(sets)?).await?;
            ready.push((program, plan.traffic.total_bytes(), variant.clone()));
        }
        let programs: Vec<_> = ready.iter().map(|(program, ..)| *program).collect();
        let timings = time_in_turn(self.gpu, &programs, rules, &Unattended).await?;
        let rates = timings.iter().zip(ready);
        Ok(rates
            .map(|(t, (_, bytes, v))| (bytes as f64 * 1e-9 / t.seconds, v))
            .collect())
    }

    async fn verify(&mut self, variant: &Variant, transposes: bool) -> anyhow::Result<()> {
        let problem = match (transposes, variant.kernel.is_some_and(|k| k.quads)) {
            (false, _) => Problem::Length(300_007),
            (true, true) => Problem::Matrix {
                rows: 332,
                columns: 520,
            },
            (true, false) => Problem::Matrix {
                rows: 331,
                columns: 517,
            },
        };
        let plan = variant.plan(problem, &self.gpu.limits())?;
        let program = self.gpu.prepare(&plan, 1).await?;
        self.gpu.poison(program).await?;
        self.gpu.run(program, 1).await?;
        for (buffer, check) in &plan.results {
            let found = self.gpu.read(program, *buffer, 0, check.elements()).await?;
            if let Err(fault) = self.verifier.compare(check, 0, &found) {
                println!("{}: {fault}", label(variant));
            }
        }
        Ok(())
    }
}
