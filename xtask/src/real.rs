//! Recorded launches of programs that the project does not own, counted and compared with the profiler's counters.

mod fixes;
mod gpu;
mod launch;
mod run;
mod summary;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::process;
pub(crate) use launch::Launch;
#[cfg(feature = "engine")]
pub(crate) use launch::all as launches;
pub(crate) use run::Answer;

/// What `cargo xtask real` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// Folder with launches.jsonl, and with the files that it names
    folder: PathBuf,
    /// What is read of each kernel
    #[arg(long, value_name = "FORMAT", default_value = "source")]
    from: From,
    /// Only launches whose program or kernel holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Run each launch on this machine's GPU instead of counting it, cut to so many blocks, and print what is verified
    #[arg(long, value_name = "BLOCKS")]
    run: Option<u32>,
    /// Search the fixes of each launch instead of counting it, in so many seconds, and print what they save
    #[arg(long, value_name = "SECONDS", conflicts_with = "run")]
    fixes: Option<f64>,
    /// Device that is counted for
    #[arg(long, value_name = "NAME", default_value = "cc9.0")]
    device: String,
    /// The command line that counts [default: it is built]
    #[arg(long, value_name = "FILE")]
    lanescope: Option<PathBuf>,
}

/// What is read of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// Its source text.
    Source,
    /// PTX.
    Ptx,
    /// SASS as a disassembler prints it.
    Sass,
}

/// Counts every launch with the command line, and prints what agrees with the counters; or runs each on a GPU.
///
/// # Errors
/// When the folder has no launches, or the command line cannot be built.
pub(crate) fn compare(options: &Options) -> Result<()> {
    let launches = launch::all(&options.folder, options.from)?;
    let wanted: Vec<&Launch> = launches
        .iter()
        .filter(|launch| launch.is_about(&options.filter))
        .collect();
    let binary = process::command_line(options.lanescope.as_deref())?;
    if let Some(blocks) = options.run {
        return gpu::run(&wanted, &binary, blocks);
    }
    if let Some(seconds) = options.fixes {
        return fixes::print(&wanted, &binary, &options.device, seconds);
    }
    let answers = answers(&wanted, &binary, &options.device)?;
    print!("{}", summary::text(&wanted, &answers));
    Ok(())
}

/// Every launch of `folder` of which there is something of this format, with the answer of the command line at `binary`.
///
/// # Errors
/// When the folder has no launches, or the command line cannot be started.
pub(crate) fn answered(
    folder: &Path,
    from: From,
    binary: &Path,
    device: &str,
) -> Result<Vec<(Launch, Answer)>> {
    let mut launches = launch::all(folder, from)?;
    launches.retain(|launch| launch.input.is_file());
    let answers = answers(&launches.iter().collect::<Vec<_>>(), binary, device)?;
    Ok(launches.into_iter().zip(answers).collect())
}

/// The answer to each launch, in their order.
fn answers(launches: &[&Launch], binary: &Path, device: &str) -> Result<Vec<Answer>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        while let Some((at, launch)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            launches.get(at).map(|launch| (at, *launch))
        } {
            let answer = run::answer(launch, binary, device)?;
            done.lock()
                .unwrap_or_else(|broken| broken.into_inner())
                .push((at, answer));
        }
        Ok(())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker
                .join()
                .map_err(|_| anyhow::anyhow!("a worker failed"))?
        })
    })
    .context("could not run the command line")?;
    let mut done = done
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, answer)| answer).collect())
}
