//! `lanescope run`: a kernel on a GPU of this machine, verified, timed, beside the device's copy; and a fix of it.

use crate::args::run::RunArgs;
use crate::kernel::watched;
use crate::launched::Launched;
use crate::run_table::table;
use crate::{fix, output};
use lanescope_lab::{Gpu, Machine, TimingRules, Unattended};
use lanescope_locale::{Language, run_refusal};
use lanescope_query::GivenShape;
use lanescope_run::{Counts, Failure, Given, Ready, Refusal, Setting, Taken, Verdict, measure};
use lanescope_share::Source;
use std::process::ExitCode;

/// Runs the kernel, and the fix that is asked for, and prints what was measured.
///
/// # Errors
/// When the kernel is refused, there is no GPU, or a result is wrong.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    pollster::block_on(measured(args))
}

async fn measured(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let launched = Launched::of(&args.launched)?;
    let fixed = args.fix.map(|pick| fixed(&launched, pick)).transpose()?;
    let mut gpu = Gpu::open(args.adapter.as_deref()).await?;
    if gpu.card().is_software() {
        output::complain("this adapter is the processor: its times say nothing about a GPU");
    }
    let setting = Setting {
        ulps: args.ulps,
        ..Setting::of(gpu.limits())
    };
    let mut names = vec!["as written".to_owned()];
    let mut launches = vec![ready(launched, &setting)?];
    if let Some((name, fixed)) = fixed {
        names.push(name);
        launches.push(ready(fixed, &setting)?);
    }
    let rules = TimingRules::of_adapter(gpu.card().is_software());
    let report = measure(&mut gpu, &launches, &rules, &Unattended).await;
    let report = report.map_err(failed)?;
    output::print(&table(&gpu, &names, &report).to_string())?;
    if let [one, other] = report.launches.as_slice() {
        let ratio = one.seconds / other.seconds;
        let equal = if other.is_equal_to_first {
            "results equal"
        } else {
            "results differ"
        };
        output::print(&format!("\nfix: {ratio:.2} times as fast, {equal}\n"))?;
        if !other.is_equal_to_first {
            return Ok(ExitCode::FAILURE);
        }
    }
    let mut all = report.launches.iter();
    let is_open = |verdict| {
        matches!(
            verdict,
            Verdict::Inexact(_) | Verdict::Unverified | Verdict::Undecided
        )
    };
    Ok(if all.any(|one| is_open(one.verdict)) {
        ExitCode::from(3)
    } else {
        ExitCode::SUCCESS
    })
}

/// The fix of that number, as `lanescope fix` lists them, and its launch.
fn fixed(launched: &Launched, pick: usize) -> anyhow::Result<(String, Launched)> {
    let (name, text, launch) = fix::picked(&launched.state, &launched.question, pick)?;
    let mut state = launched.state.clone();
    state.source = Source::Kernel(text);
    (state.launch.grid, state.launch.block) = (launch.grid, launch.block);
    let given = GivenShape {
        grid: true,
        block: true,
        dynamic_shared: true,
    };
    let mut fixed = Launched::as_written(state, given)?;
    fixed.question.launch = launch;
    fixed
        .question
        .host_sized
        .clone_from(&launched.question.host_sized);
    Ok((name, fixed))
}

/// Makes one version of a kernel ready, and says what was taken for it.
fn ready(launched: Launched, setting: &Setting) -> anyhow::Result<Ready> {
    let counted = watched(launched.question, None);
    let counts = Counts::of(&counted.totals);
    let ready = match &launched.interface {
        Some(interface) => Ready::as_it_is(&counted.question, interface, counts, setting),
        None => Ready::of(&counted.question, counts, setting),
    };
    let ready = ready.map_err(|one| refused(&one))?;
    for note in ready.notes() {
        output::complain(&format!("note: {note}"));
    }
    ready.taken.iter().for_each(tell_taken);
    for name in &ready.moved {
        let said = run_refusal::offset(Language::English, name);
        output::complain(&format!("note: {said}"));
    }
    match ready.unverifiable() {
        Some(Verdict::Unverified) => output::complain(
            "note: not verified: the launch is too large for the simulator; a smaller grid is verified",
        ),
        Some(Verdict::Undecided) => output::complain(
            "note: not verified: what the launch leaves depends on what the simulator does not know, as the order of its threads",
        ),
        Some(Verdict::Equal | Verdict::Near(_) | Verdict::Inexact(_)) | None => {}
    }
    Ok(ready)
}

fn tell_taken(
    Taken {
        name,
        given,
        is_sized,
    }: &Taken,
) {
    let (elements, contents) = match given {
        Given::Random(elements) => (elements, "random"),
        Given::Iota(elements) => (elements, "counted up"),
        Given::Zeros(elements) => (elements, "zeros"),
        Given::Bytes(elements) => (elements, "as given"),
        Given::Zero => {
            return output::complain(&format!(
                "note: `{name}` was not given: --arg {name}=…; 0 is taken"
            ));
        }
    };
    let said = match is_sized {
        true => {
            format!("what `{name}` holds was not given: its {elements} elements are {contents}")
        }
        false => format!(
            "`{name}` was not given: {elements} elements, as far as the launch goes, {contents}"
        ),
    };
    output::complain(&format!("note: {said}; --arg {name}=… says otherwise"));
}

/// A refusal with its line.
fn refused(refusal: &Refusal) -> anyhow::Error {
    match refusal.line() {
        None => anyhow::anyhow!("not run: {refusal}"),
        Some(line) => anyhow::anyhow!("line {line}: not run: {refusal}"),
    }
}

/// A failure with its line.
fn failed(failure: Failure) -> anyhow::Error {
    match failure.line() {
        Some(line) => anyhow::Error::new(failure).context(format!("line {line}")),
        None => anyhow::Error::new(failure),
    }
}
