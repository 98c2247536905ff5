//! `lanescope fix`: the fixes of a kernel, each proved.

use crate::args::fix::{FixArgs, FixFormat};
use crate::fix_reader::FixReader;
use crate::kernel::{KernelQuestion, launched_as};
use crate::launch_file::LaunchFile;
use crate::table::{Align, Table};
use crate::{array_file, clock, diagnostics, fix_sarif, input, output};
use anyhow::{Context as _, bail};
use lanescope_fixes::{
    Advice, Note, Occupancy, Question, Registers, Rise, SharedTotals, Source, Suggestion, Totals,
    advise,
};
use lanescope_frontend::{ArgumentValue, Budget, Language};
use lanescope_launches::LaunchRecord;
use lanescope_locale::{Language as Words, fix as words};
use lanescope_model::Operation;
use lanescope_query::{Compiler, Question as Asked, kernel_options};
use lanescope_share::{self as share, State};
use serde::Serialize;
use std::process::ExitCode;

/// Searches the kernel's fixes and prints them.
///
/// # Errors
/// When the file cannot be read, or the picked fix is not there.
pub(crate) fn run(args: &FixArgs) -> anyhow::Result<ExitCode> {
    let record = args.launch.as_ref().map(LaunchFile::record).transpose()?;
    let text = input::text_of_at_most(&args.file, input::MOST_TEXT_BYTES)?;
    let described = described(args, record.as_ref(), text);
    let (state, mut asked) = launched_as(described, &mut output::complain)?;
    array_file::take(&mut asked, &args.kernel.arguments, record.as_ref())?;
    if asked.is_shape_guessed {
        let [grid, block] = [asked.launch.grid, asked.launch.block].map(extent);
        output::complain(&format!(
            "note: launched with --grid {grid} --block {block}, a guess; name the real ones"
        ));
    }
    let name = input::name(&args.file);
    diagnostics::print(&name, &asked.source, &asked.parsed.diagnostics);
    let registers = |(per_thread, per_sm)| Registers { per_thread, per_sm };
    let stop = clock::stop();
    let looking = clock::looking();
    let mut keep_going = || !clock::is_over();
    let advice = advised(
        &state,
        &asked,
        args.registers.map(registers),
        &mut keep_going,
    )?;
    drop(looking);
    if stop.is_stopped() {
        output::complain("note: the search was stopped; there may be more fixes and better ones");
    }
    for note in &advice.notes {
        output::complain(&format!("note: {note}"));
    }
    output::print(&shown(args, &name, &asked.source, &advice)?)?;
    Ok(exit_code(&advice))
}

/// The kernel, and what options and record give of its launch.
fn described<'r>(
    args: &FixArgs,
    record: Option<&'r LaunchRecord>,
    text: String,
) -> KernelQuestion<'r> {
    let shape = [args.grid, args.block];
    KernelQuestion::described((&args.file, text), shape, &args.kernel, &args.count, record)
}

fn extent([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// The fixes of what `state` asks, searched as long as `keep_going` says so.
///
/// # Errors
/// When the source is of a kind in which no fixes are searched.
pub(crate) fn advised(
    state: &State,
    asked: &Asked,
    registers: Option<Registers>,
    keep_going: &mut dyn FnMut() -> bool,
) -> anyhow::Result<Advice> {
    let source = match &state.source {
        share::Source::Kernel(text) if !Language::of(text).is_compiled() => Source::Kernel {
            options: kernel_options(state),
            text: text.clone(),
        },
        share::Source::Expression {
            accesses,
            declarations,
        } => Source::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
            bare: match state.operation {
                share::Operation::Load => Operation::Load,
                share::Operation::Store => Operation::Store,
            },
        },
        share::Source::Kernel(_) | share::Source::Layout { .. } | share::Source::Trace(_) => {
            bail!("fixes are searched in CUDA, HIP, WGSL and expressions")
        }
    };
    let question = Question {
        source: &source,
        reader: &FixReader::of(state, Compiler::of(state), asked.stop.clone()),
        launch: asked.launch.clone(),
        device: &asked.device,
        budget: Budget::default(),
        registers,
    };
    Ok(advise(&question, &mut |_| keep_going()))
}

/// The fix of that number: what it does, the changed text and the launch to use with it.
///
/// # Errors
/// When there is no such fix.
#[cfg(feature = "lab")]
pub(crate) fn picked(
    state: &State,
    asked: &Asked,
    pick: usize,
) -> anyhow::Result<(String, String, lanescope_frontend::Launch)> {
    let advice = advised(state, asked, None, &mut || true)?;
    let count = advice.suggestions.len();
    let found = pick
        .checked_sub(1)
        .and_then(|at| advice.suggestions.get(at));
    let fix = found.with_context(|| format!("no fix {pick}; there are {count}"))?;
    let name = format!("{}: {}", fix.kind, fix.snippet);
    Ok((name, fix.source.text(), fix.launch.clone()))
}

/// The fixes of `asked`, the kernel or the expressions of `state`, as the command line's JSON.
///
/// # Errors
/// When the source is of a kind in which no fixes are searched.
pub fn json(
    state: &State,
    asked: &Asked,
    keep_going: &mut dyn FnMut() -> bool,
) -> anyhow::Result<String> {
    output::json(&Report::of(&advised(state, asked, None, keep_going)?))
}

fn exit_code(advice: &Advice) -> ExitCode {
    let unanswered = |note: &Note| matches!(note, Note::Errors | Note::Stopped);
    if advice.notes.iter().any(unanswered) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn shown(args: &FixArgs, name: &str, text: &str, advice: &Advice) -> anyhow::Result<String> {
    match args.format {
        FixFormat::Table => Ok(table(advice)),
        FixFormat::Json => output::json(&Report::of(advice)),
        FixFormat::Diff => diff(args.pick, [name, name], text, advice),
        FixFormat::Patch => {
            let path = name.trim_start_matches('/');
            let sides = [format!("a/{path}"), format!("b/{path}")];
            diff(
                args.pick,
                sides.each_ref().map(String::as_str),
                text,
                advice,
            )
        }
        FixFormat::Sarif => fix_sarif::text(name, text, advice),
    }
}

fn table(advice: &Advice) -> String {
    let mut table = Table::new(&[
        ("#", Align::Right),
        ("fix", Align::Left),
        ("source", Align::Left),
        ("wavefronts", Align::Right),
        ("ideal", Align::Right),
        ("sectors", Align::Right),
        ("bytes", Align::Right),
        ("blocks/SM", Align::Right),
        ("index +", Align::Right),
    ]);
    table.row(now_row(advice));
    for (at, suggestion) in advice.suggestions.iter().enumerate() {
        table.row(row(at + 1, suggestion));
    }
    format!(
        "Over {} blocks, each fix proved on the changed source:\n\n{table}",
        advice.blocks
    )
}

/// What the launch of a fix has otherwise than the source as it is, as options.
fn launch_changes(advice: &Advice, picked: &Suggestion) -> Vec<(&'static str, String)> {
    let (old, new) = (&advice.launch, &picked.launch);
    let mut changes = Vec::new();
    if old.block != new.block {
        changes.push(("--block", extent(new.block)));
    }
    if old.grid != new.grid {
        changes.push(("--grid", extent(new.grid)));
    }
    if old.dynamic_shared_bytes != new.dynamic_shared_bytes {
        changes.push(("--dynamic-shared", new.dynamic_shared_bytes.to_string()));
    }
    for argument in &new.arguments {
        if let (ArgumentValue::Integer(value), false) =
            (&argument.value, old.arguments.contains(argument))
        {
            changes.push(("--arg", format!("{}={value}", argument.name)));
        }
    }
    changes
}

fn now_row(advice: &Advice) -> [String; 9] {
    let occupancy = advice
        .suggestions
        .first()
        .map(|suggestion| suggestion.occupancy[0]);
    [
        "-".to_owned(),
        "as it is".to_owned(),
        String::new(),
        advice.now.shared.wavefronts.to_string(),
        advice.now.shared.ideal.to_string(),
        advice.now.global.units.to_string(),
        occupancy.map_or_else(String::new, |occupancy| occupancy.shared_bytes.to_string()),
        occupancy.map_or_else(String::new, blocks),
        String::new(),
    ]
}

fn row(number: usize, suggestion: &Suggestion) -> [String; 9] {
    let after = &suggestion.totals[1];
    [
        number.to_string(),
        with_rise(suggestion),
        suggestion.snippet.clone(),
        after.shared.wavefronts.to_string(),
        after.shared.ideal.to_string(),
        after.global.units.to_string(),
        suggestion.occupancy[1].shared_bytes.to_string(),
        blocks(suggestion.occupancy[1]),
        suggestion.instructions.to_string(),
    ]
}

/// What the fix does, and which line it makes cost more.
fn with_rise(suggestion: &Suggestion) -> String {
    let kind = suggestion.kind.to_string();
    match suggestion.raises {
        Some(Rise { line, from, to }) => {
            format!("{kind} ({})", words::raises(Words::English, line, from, to))
        }
        None => kind,
    }
}

fn blocks(occupancy: Occupancy) -> String {
    match (occupancy.fits, occupancy.blocks) {
        (Some(false), _) => "does not fit".to_owned(),
        (_, Some(blocks)) => blocks.to_string(),
        (_, None) => "unknown".to_owned(),
    }
}

/// The picked fix as a unified diff between files of these names.
fn diff(pick: usize, [old, new]: [&str; 2], text: &str, advice: &Advice) -> anyhow::Result<String> {
    let picked = pick
        .checked_sub(1)
        .and_then(|at| advice.suggestions.get(at))
        .with_context(|| format!("no fix {pick}; there are {}", advice.suggestions.len()))?;
    for (given, value) in launch_changes(advice, picked) {
        output::complain(&format!("note: launch it with {given} {value}"));
    }
    let changed = picked.source.text();
    let diff = similar::TextDiff::from_lines(text, &changed);
    Ok(diff.unified_diff().header(old, new).to_string())
}

/// The advice as JSON.
#[derive(Serialize)]
struct Report {
    blocks: u64,
    now: TotalsReport,
    arrays: Vec<ArrayReport>,
    fixes: Vec<FixReport>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct TotalsReport {
    shared_requests: u64,
    shared_wavefronts: u64,
    shared_ideal: u64,
    shared_conflicts: u64,
    ways: u32,
    global_units: u64,
    global_ideal: u64,
}

#[derive(Serialize)]
struct ArrayReport {
    name: String,
    wavefronts: u64,
    bound: u64,
    places_tried: usize,
}

#[derive(Serialize)]
struct FixReport {
    fix: String,
    array: String,
    source: String,
    array_wavefronts: [u64; 2],
    before: TotalsReport,
    after: TotalsReport,
    shared_bytes: [u64; 2],
    blocks_per_sm: [Option<u64>; 2],
    warps_per_sm: [Option<u64>; 2],
    /// Parts of 10,000 of the 16,384 bytes that WebGPU promises.
    webgpu_share: [u64; 2],
    index_instructions: u32,
    proof: String,
    /// The line whose accesses cost more with it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    raises: Option<RiseReport>,
    /// Options that the changed source is launched with, where they are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launch_options: Vec<String>,
    edits: Vec<EditReport>,
}

#[derive(Serialize)]
struct RiseReport {
    line: u32,
    from: u64,
    to: u64,
}

#[derive(Serialize)]
struct EditReport {
    start: u32,
    end: u32,
    replacement: String,
}

impl Report {
    fn of(advice: &Advice) -> Self {
        let arrays = advice.arrays.iter().map(|array| ArrayReport {
            name: array.name.clone(),
            wavefronts: array.now.wavefronts,
            bound: array.bound,
            places_tried: array.tried,
        });
        let suggestions = advice.suggestions.iter();
        Self {
            blocks: advice.blocks,
            now: TotalsReport::of(&advice.now),
            arrays: arrays.collect(),
            fixes: suggestions
                .map(|suggestion| FixReport::of(advice, suggestion))
                .collect(),
            notes: advice.notes.iter().map(Note::to_string).collect(),
        }
    }
}

impl TotalsReport {
    fn of(totals: &Totals) -> Self {
        Self {
            shared_requests: totals.shared.requests,
            shared_wavefronts: totals.shared.wavefronts,
            shared_ideal: totals.shared.ideal,
            shared_conflicts: totals.shared.conflicts(),
            ways: totals.shared.ways,
            global_units: totals.global.units,
            global_ideal: totals.global.ideal,
        }
    }
}

impl FixReport {
    fn of(advice: &Advice, suggestion: &Suggestion) -> Self {
        let wavefronts = |totals: &SharedTotals| totals.wavefronts;
        let edits = suggestion.edits.iter().map(|edit| EditReport {
            start: edit.span.start,
            end: edit.span.end,
            replacement: edit.replacement.clone(),
        });
        Self {
            fix: suggestion.kind.to_string(),
            array: suggestion.array.clone(),
            source: suggestion.snippet.clone(),
            array_wavefronts: suggestion.array_totals.each_ref().map(wavefronts),
            before: TotalsReport::of(&suggestion.totals[0]),
            after: TotalsReport::of(&suggestion.totals[1]),
            shared_bytes: suggestion.occupancy.map(|occupancy| occupancy.shared_bytes),
            blocks_per_sm: suggestion.occupancy.map(|occupancy| occupancy.blocks),
            warps_per_sm: suggestion.occupancy.map(|occupancy| occupancy.warps),
            webgpu_share: suggestion
                .occupancy
                .map(|occupancy| occupancy.webgpu_share()),
            index_instructions: suggestion.instructions,
            proof: suggestion.proof.to_string(),
            raises: suggestion
                .raises
                .map(|Rise { line, from, to }| RiseReport { line, from, to }),
            launch_options: launch_changes(advice, suggestion)
                .into_iter()
                .flat_map(|(option, value)| [option.to_owned(), value])
                .collect(),
            edits: edits.collect(),
        }
    }
}
