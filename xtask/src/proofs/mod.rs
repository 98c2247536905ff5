//! Every fix that is offered, compiled by nvcc: its SASS has to be better in the total that the fix lowers most, and in
//! wavefronts and sectors together. What an index takes more, as fixes say it, is held against the SASS too.

mod case;
mod changed;
mod index_price;
mod totals;
mod verdict;

use crate::{process, workspace};
use anyhow::{Result, bail};
use case::Case;
use clap::Args;
use index_price::{IndexPrice, Prices};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use totals::Compiler;
use verdict::{Tally, Verdict};

/// What `cargo xtask proofs` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// Folder of nvcc and cuobjdump
    #[arg(long, value_name = "FOLDER")]
    nvcc: PathBuf,
    /// Folders of recorded launches, as for `real` [default: the project's own kernels: those of the fixes' tests, of the
    /// lab and of the gallery]
    folders: Vec<PathBuf>,
    /// Only kernels whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// How long each search may take
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    max_seconds: f64,
    /// The command line that finds the fixes and counts the SASS [default: it is built]
    #[arg(long, value_name = "FILE")]
    lanescope: Option<PathBuf>,
}

/// Compiles every fix of every kernel, and prints what falls short.
///
/// # Errors
/// When a fix is refused by nvcc or worse than what it mends, or a program cannot be started.
pub(crate) fn check(options: &Options) -> Result<()> {
    if !options.nvcc.join("nvcc").is_file() {
        println!("skipped: no nvcc in {}", options.nvcc.display());
        return Ok(());
    }
    let binary = process::command_line(options.lanescope.as_deref())?;
    let scratch = workspace::target().join("proofs");
    let mut cases = match options.folders.as_slice() {
        [] => case::own(&scratch)?,
        folders => case::recorded(folders)?,
    };
    cases.retain(|case| case.name.contains(&options.filter));
    let compiler = Compiler::new(&binary, &options.nvcc, options.max_seconds)?;
    let (tally, prices) = tally(&cases, &compiler, &scratch)?;
    print!("{tally}{prices}");
    if tally.falls_short() {
        bail!("fixes fall short of what they say");
    }
    Ok(())
}

fn tally(
    cases: &[Case],
    compiler: &Compiler,
    scratch: &std::path::Path,
) -> Result<(Tally, Prices)> {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new((Tally::default(), Prices::default()));
    let work = |worker: usize| -> Result<()> {
        let folder = scratch.join(format!("changed{worker}"));
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdicts = verdicts(case, compiler, &folder)?;
            let mut tally = tally.lock().unwrap_or_else(|broken| broken.into_inner());
            for (fix, verdict, price) in verdicts {
                tally.0.add(&case.name, &fix, verdict);
                if let Some(price) = price {
                    tally.1.add(&case.name, &fix, price);
                }
            }
        }
        Ok(())
    };
    let work = &work;
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .map_err(|_| anyhow::anyhow!("a worker failed"))?
        })
    })?;
    Ok(tally
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner()))
}

/// What comes of each fix of a kernel.
fn verdicts(
    case: &Case,
    compiler: &Compiler,
    folder: &std::path::Path,
) -> Result<Vec<(String, Verdict, Option<IndexPrice>)>> {
    let fixes = compiler.fixes(case)?;
    if fixes.is_empty() {
        return Ok(Vec::new());
    }
    let before = match compiler.totals(&case.input, &case.folders, &case.arguments)? {
        Ok(before) => before,
        Err(why) => {
            return Ok(vec![(
                "as it is".to_owned(),
                Verdict::Unreadable(why),
                None,
            )]);
        }
    };
    let has_prices = fixes.iter().any(|fix| fix.index_instructions > 0);
    let added = match has_prices {
        true => compiler.added_integers(case)?,
        false => BTreeMap::new(),
    };
    let judged = fixes.iter().map(|fix| {
        let changed = changed::written(case, fix, folder)?;
        let arguments = case.relaunched(&fix.launch_options);
        let after = compiler.totals(&changed, &case.folders, &arguments)?;
        let added = added.get(&fix.name).copied();
        let price = IndexPrice::of(fix, added, after.as_ref().ok().copied());
        Ok((fix.name.clone(), Verdict::of(fix, before, after), price))
    });
    judged.collect()
}
