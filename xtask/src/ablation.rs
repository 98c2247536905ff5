//! The compiler's profile against the kernels that hardware measured; and each pass switched off.

mod markdown;

use crate::workspace;
use anyhow::{Context as _, Result};
use clap::Args;
use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::{Kernel, Parameter, ScalarType};
use lanescope_model::{Device, Operation, Space};
use lanescope_optimizer::{Pass, Profile, optimize};
use lanescope_simt::{
    Access, AsyncCopyAccess, Budget, Contents, End, Launch, Observer, ParameterValue, execute,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is compared.
#[derive(Args)]
pub(crate) struct Options {
    /// Only kernels whose name contains this.
    #[arg(long)]
    kernel: Option<String>,
    /// The compiler: `none` or `nvcc-13`.
    #[arg(long, default_value = "nvcc-13")]
    compiler: String,
    /// Also switch each pass off, and print which kernels change.
    #[arg(long)]
    passes: bool,
    /// Print what differs of each kernel.
    #[arg(long)]
    verbose: bool,
    /// Print the kernels in their text form as the passes leave them.
    #[arg(long)]
    print: bool,
    /// Write the tables of docs/COMPILER.md anew: exact kernels, and what each pass decides.
    #[arg(long, conflicts_with_all = ["kernel", "passes", "verbose", "print"])]
    markdown: bool,
}

impl Options {
    const fn shown(&self) -> Shown {
        Shown {
            differences: self.verbose,
            kernels: self.print,
        }
    }
}

/// What is printed of each kernel.
#[derive(Clone, Copy, Default)]
struct Shown {
    differences: bool,
    kernels: bool,
}

const LISTS: [&str; 3] = [
    "h200_kernels.json",
    "h200_more_kernels.json",
    "h200_apart_kernels.json",
];

/// A kernel that was measured.
struct Measured {
    name: String,
    kernel: Kernel,
    launch: Launch,
    counters: BTreeMap<String, u64>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let profile = Profile::named(&options.compiler).context("no such compiler")?;
    let kernels = measured(options.kernel.as_deref())?;
    if options.markdown {
        return markdown::write(&kernels, &profile);
    }
    let missed = misses(&kernels, &profile, options.shown());
    println!(
        "{}: {} of {} kernels exact",
        profile.name,
        kernels.len() - missed.len(),
        kernels.len()
    );
    println!("missed: {}", names(&missed));
    if options.passes {
        for ablated in ablations(&kernels, &profile, &missed) {
            println!(
                "\n{}: decides {} kernels: {}",
                ablated.pass.name(),
                ablated.decided.len(),
                names(&ablated.decided)
            );
            if !ablated.harmed.is_empty() {
                println!("  exact without it: {}", names(&ablated.harmed));
            }
        }
    }
    Ok(())
}

/// What a pass alone decides.
struct Ablation {
    pass: Pass,
    /// Kernels that are exact with the pass, and not without it.
    decided: BTreeSet<String>,
    /// Kernels that are exact without the pass alone.
    harmed: BTreeSet<String>,
}

/// Each pass switched off in turn, against the kernels that are `missed` with all of them.
fn ablations(
    kernels: &[Measured],
    profile: &Profile,
    missed: &BTreeSet<String>,
) -> impl Iterator<Item = Ablation> {
    Pass::ALL.iter().copied().map(move |pass| {
        let without = misses(kernels, &profile.without(pass), Shown::default());
        Ablation {
            pass,
            decided: without.difference(missed).cloned().collect(),
            harmed: missed.difference(&without).cloned().collect(),
        }
    })
}

fn names(list: &BTreeSet<String>) -> String {
    list.iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The kernels of which a total differs from its counter.
fn misses(kernels: &[Measured], profile: &Profile, shown: Shown) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    for kernel in kernels {
        let optimized = optimize(&kernel.kernel, profile);
        if shown.kernels {
            println!("{}", optimized.kernel);
            println!("{:?}", optimized.remarks);
        }
        let faults = optimized.kernel.verify().err().unwrap_or_default();
        if let Some(fault) = faults.first() {
            println!("{}: not valid: {fault}", kernel.name);
        }
        let totals = totals(&optimized.kernel, &kernel.launch);
        let differs: Vec<String> = kernel
            .counters
            .iter()
            .filter_map(|(name, measured)| {
                let found = totals.get(name.as_str()).copied().unwrap_or(0);
                (found != *measured).then(|| format!("{name} {found}, measured {measured}"))
            })
            .collect();
        if !differs.is_empty() {
            if shown.differences {
                println!("{}: {}", kernel.name, differs.join("; "));
            }
            wrong.insert(kernel.name.clone());
        }
    }
    wrong
}

/// The kernels that hardware measured, those whose name contains `wanted`.
fn measured(wanted: Option<&str>) -> Result<Vec<Measured>> {
    let golden = workspace::root().join("tests/golden");
    let mut kernels = Vec::new();
    for list in LISTS {
        let text = std::fs::read_to_string(golden.join(list))?;
        let rows: Vec<Value> = serde_json::from_str(&text)?;
        for row in rows {
            let name = row.get("launch").unwrap_or(&row["kernel"]);
            let name = name.as_str().context("a kernel without a name")?;
            // What atomics cost in all is the tally's to say, not the passes'.
            if row["measured"].get("global_atomic_requests").is_some() {
                continue;
            }
            if wanted.is_none_or(|wanted| name.contains(wanted)) {
                kernels.push(one(&golden, name, &row).with_context(|| name.to_owned())?);
            }
        }
    }
    Ok(kernels)
}

fn one(golden: &Path, name: &str, row: &Value) -> Result<Measured> {
    let text = |field: &str| row[field].as_str().context("a field is missing");
    let source = std::fs::read_to_string(golden.join(text("file")?))?;
    let options = KernelOptions {
        kernel: Some(name.to_owned()),
        ..KernelOptions::default()
    };
    let kernel = read(&source, &options).kernel.context("no kernel")?;
    let sides = |field: &str| -> [u32; 3] {
        std::array::from_fn(|at| {
            row[field][at]
                .as_u64()
                .and_then(|side| u32::try_from(side).ok())
                .unwrap_or(1)
        })
    };
    let arguments = text("arguments")?;
    let parameters = kernel
        .parameters
        .iter()
        .map(|parameter| value(&kernel, parameter, arguments))
        .collect();
    let counters = row["measured"].as_object().context("no counters")?;
    let launch = Launch {
        grid: sides("grid"),
        block: sides("block"),
        dynamic_shared_bytes: row["dynamic_shared_bytes"].as_u64().unwrap_or(0),
        parameters,
        ..Launch::default()
    };
    Ok(Measured {
        name: name.to_owned(),
        kernel,
        launch,
        counters: counters
            .iter()
            .filter(|(name, _)| {
                name.starts_with("shared_") && !name.ends_with("with_arbitration")
                    || name.starts_with("global_") && !name.ends_with("hits")
            })
            .filter_map(|(name, count)| Some((name.clone(), count.as_u64()?)))
            .collect(),
    })
}

/// `in:f32[1024] n=1024`: sizes of buffers and values of numbers.
fn value(kernel: &Kernel, parameter: &Parameter, arguments: &str) -> ParameterValue {
    let given = arguments.split_whitespace().find_map(|word| {
        let (name, rest) = word.split_once(['=', ':'])?;
        (name == parameter.name).then_some(rest)
    });
    if let Some(array) = parameter.array {
        let element = kernel
            .arrays
            .get(array.index())
            .map_or(4, |one| one.element_bytes);
        let elements = given.and_then(|text| text.split(['[', ']']).nth(1));
        let elements: Option<u64> = elements.and_then(|text| text.parse().ok());
        return ParameterValue::Buffer {
            bytes: elements.map(|elements| elements * element),
            base_offset: 0,
            contents: Contents::Zero,
            offset_in_allocation: 0,
        };
    }
    let Some(given) = given else {
        return ParameterValue::Missing;
    };
    let mut bytes = match given.parse::<i64>() {
        Ok(whole) if !parameter.scalar.is_some_and(ScalarType::is_float) => {
            whole.to_le_bytes().to_vec()
        }
        _ => {
            let real: f64 = given.parse().unwrap_or(0.0);
            let ty = parameter.scalar.unwrap_or(ScalarType::F64);
            lanescope_ir::eval::from_f64(ty, real)
                .to_le_bytes()
                .to_vec()
        }
    };
    bytes.resize(usize::try_from(parameter.bytes).unwrap_or(8), 0);
    ParameterValue::Bytes(bytes)
}

/// Sums by the names of the counters.
struct Totals<'d> {
    device: &'d Device,
    sums: BTreeMap<&'static str, u64>,
}

impl Totals<'_> {
    fn add(&mut self, name: &'static str, by: u64) {
        *self.sums.entry(name).or_default() += by;
    }
}

impl Observer for Totals<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let loads = matches!(
            request.operation,
            Operation::Load | Operation::MatrixLoad { .. }
        );
        let stores = matches!(
            request.operation,
            Operation::Store | Operation::MatrixStore { .. }
        );
        match request.space {
            Space::Shared => {
                let Ok(counts) = self.device.shared_counts(request) else {
                    return true;
                };
                let (waves, conflicts) =
                    (u64::from(counts.wavefronts), u64::from(counts.conflicts));
                if loads {
                    self.add("shared_load_wavefronts", waves * access.times);
                    self.add("shared_load_bank_conflicts", conflicts * access.times);
                } else if stores {
                    self.add("shared_store_wavefronts", waves * access.times);
                    self.add("shared_store_bank_conflicts", conflicts * access.times);
                } else {
                    self.add("shared_atomic_wavefronts", waves * access.times);
                }
            }
            Space::Global if loads || stores => {
                let Ok(counts) = self.device.global_counts(request) else {
                    return true;
                };
                let (requests, units) = (u64::from(counts.requests), u64::from(counts.units));
                let [first, second] = if loads {
                    ["global_load_requests", "global_load_sectors"]
                } else {
                    ["global_store_requests", "global_store_sectors"]
                };
                self.add(first, requests * access.times);
                self.add(second, units * access.times);
            }
            Space::Global => {}
        }
        true
    }

    fn async_copy(&mut self, _copy: &AsyncCopyAccess<'_>) -> bool {
        true
    }
}

fn totals(kernel: &Kernel, launch: &Launch) -> BTreeMap<&'static str, u64> {
    let Some(device) = Device::by_id("cc9.0") else {
        return BTreeMap::new();
    };
    let mut totals = Totals {
        device,
        sums: BTreeMap::new(),
    };
    let outcome = execute(kernel, launch, 32, Budget::default(), &mut totals);
    if outcome.end != End::Complete {
        totals.sums.clear();
    }
    totals.sums
}
