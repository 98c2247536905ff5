//! `lanescope fix`: the fixes of a kernel, each proved.

use crate::args::fix::{FixArgs, FixFormat};
use crate::fix_compiled::Costliest;
use crate::fix_sass::{Compiled, Document};
use crate::kernel::{KernelQuestion, launched_as};
use crate::launch_file::LaunchFile;
use crate::sass_cost::SassCost;
use crate::table::{Align, Table};
use crate::{
    array_file, clock, diagnostics, fix_launch, fix_sarif, fix_sass, fix_text, input, output,
};
use anyhow::Context as _;
use lanescope_fixes::{Advice, Note, Occupancy, Registers, Rise, Suggestion};
use lanescope_launches::LaunchRecord;
use lanescope_locale::{Language as Words, fix as words};
use lanescope_report::{ChangedFile, Fixes, advise, launch_changes};
use std::process::ExitCode;

/// Searches the kernel's fixes and prints them.
///
/// # Errors
/// When the file cannot be read, or the picked fix is not there.
pub(crate) fn run(args: &FixArgs) -> anyhow::Result<ExitCode> {
    let record = args.launch.as_ref().map(LaunchFile::record).transpose()?;
    let file = args.source.as_ref().unwrap_or(&args.file);
    let text = input::text_of_at_most(file, input::MOST_TEXT_BYTES)?;
    let described = described(args, record.as_ref(), text);
    let (state, mut question) = launched_as(described, &mut output::complain)?;
    array_file::take(&mut question, &args.kernel.arguments, record.as_ref())?;
    if question.is_shape_guessed {
        let [grid, block] = [question.launch.grid, question.launch.block].map(extent);
        output::complain(&format!(
            "note: launched with --grid {grid} --block {block}, a guess; name the real ones"
        ));
    }
    let name = input::name(file);
    diagnostics::print(&name, &question.source, &question.parsed.diagnostics);
    let registers = |(per_thread, per_sm)| Registers { per_thread, per_sm };
    let stop = clock::stop();
    let looking = clock::looking();
    let mut keep_going = || !clock::is_over();
    let mut advice = advise(
        &state,
        &question,
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
    let costliest = match &args.source {
        Some(source) => {
            let texts = (source.as_path(), question.source.as_str());
            Costliest::of(args, record.as_ref(), texts)?
        }
        None => None,
    };
    let mut said = String::new();
    if let Some(costliest) = costliest {
        costliest.first(&mut advice, &question.parsed.program);
        said = costliest.sentence(&name);
    }
    let is_table = args.notation.is_none() && args.format == FixFormat::Table;
    if is_table {
        output::print(&said)?;
    } else if !said.is_empty() {
        output::complain(said.trim_end());
    }
    let shown = match args.notation {
        Some(notation) => {
            let picked = picked_of(args.pick, &advice)?;
            tell_launch(&advice, picked);
            fix_text::text(picked, notation, &state)?
        }
        None => {
            let texts = (name.as_str(), question.source.as_str());
            let compile = || fix_sass::counted(args, record.as_ref(), texts, &advice);
            let sass = args.compile.then(compile).transpose()?;
            shown(args, texts, &advice, sass)?
        }
    };
    output::print(&shown)?;
    Ok(exit_code(&advice))
}

/// The kernel, and what options and record give of its launch.
fn described<'r>(
    args: &FixArgs,
    record: Option<&'r LaunchRecord>,
    text: String,
) -> KernelQuestion<'r> {
    let shape = [args.grid, args.block];
    let file = args.source.as_ref().unwrap_or(&args.file);
    KernelQuestion::described((file, text), shape, &args.kernel, &args.count, record)
}

fn extent([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// The fix of that number: what it does, the changed text and the launch to use with it.
///
/// # Errors
/// When there is no such fix.
#[cfg(feature = "lab")]
pub(crate) fn picked(
    state: &lanescope_share::State,
    question: &lanescope_query::Question,
    pick: usize,
) -> anyhow::Result<(String, String, lanescope_frontend::NamedLaunch)> {
    let advice = advise(state, question, None, &mut || true)?;
    let fix = picked_of(pick, &advice)?;
    let name = format!("{}: {}", fix.kind, fix.snippet);
    Ok((name, fix.source.text(), fix.launch.clone()))
}

/// The fix of that number.
fn picked_of(pick: usize, advice: &Advice) -> anyhow::Result<&Suggestion> {
    let found = pick
        .checked_sub(1)
        .and_then(|at| advice.suggestions.get(at));
    found.with_context(|| format!("no fix {pick}; there are {}", advice.suggestions.len()))
}

/// Says what the fix is launched with, where that is another and the changed text does not say so itself.
fn tell_launch(advice: &Advice, picked: &Suggestion) {
    for (given, value) in launch_left(advice, picked) {
        output::complain(&format!("note: launch it with {given} {value}"));
    }
}

/// What the launch of a fix has otherwise and the changed text does not say, as options.
pub(crate) fn launch_left(advice: &Advice, picked: &Suggestion) -> Vec<(&'static str, String)> {
    match picked.is_launched_in_text {
        true => Vec::new(),
        false => launch_changes(advice, picked),
    }
}

fn exit_code(advice: &Advice) -> ExitCode {
    let unanswered = |note: &Note| matches!(note, Note::Errors | Note::Stopped);
    if advice.notes.iter().any(unanswered) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn shown(
    args: &FixArgs,
    (name, text): (&str, &str),
    advice: &Advice,
    sass: Option<Compiled>,
) -> anyhow::Result<String> {
    match args.format {
        FixFormat::Table => Ok(table(advice, sass.as_ref())),
        FixFormat::Json => {
            let fixes = Fixes::of(advice, name, text);
            match sass {
                Some(sass) => output::json(&Document { fixes, sass }),
                None => output::json(&fixes),
            }
        }
        FixFormat::Diff => diff(args.pick, name, text, advice, ["", ""]),
        FixFormat::Patch => diff(args.pick, name, text, advice, ["a/", "b/"]),
        FixFormat::Sarif => fix_sarif::text(name, text, advice),
    }
}

fn table(advice: &Advice, sass: Option<&Compiled>) -> String {
    let mut columns = vec![
        ("#", Align::Right),
        ("fix", Align::Left),
        ("source", Align::Left),
        ("wavefronts", Align::Right),
        ("ideal", Align::Right),
        ("sectors", Align::Right),
        ("bytes", Align::Right),
        ("blocks/SM", Align::Right),
        ("index + (estimate)", Align::Right),
    ];
    if sass.is_some() {
        columns.extend([
            ("SASS wavefronts", Align::Right),
            ("sectors", Align::Right),
            ("instructions", Align::Right),
            ("integer", Align::Right),
        ]);
    }
    let mut table = Table::new(&columns);
    let cells = |one: Option<&SassCost>| one.map(SassCost::cells).unwrap_or_default();
    let now = cells(sass.map(|sass| &sass.now));
    table.row(now_row(advice).into_iter().chain(now));
    for (at, suggestion) in advice.suggestions.iter().enumerate() {
        let found = sass.and_then(|sass| sass.fixes.get(at)?.as_ref());
        table.row(row(at + 1, suggestion).into_iter().chain(cells(found)));
    }
    let sass = match sass {
        Some(_) => "; SASS of the whole launch, as nvcc compiles it",
        None => "",
    };
    format!(
        "Over {} blocks, each fix proved on the changed source{sass}:\n\n{table}",
        advice.blocks
    )
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

/// The picked fix as a unified diff of each file that it changes; `sides` stand before the paths.
fn diff(
    pick: usize,
    name: &str,
    text: &str,
    advice: &Advice,
    sides: [&str; 2],
) -> anyhow::Result<String> {
    let picked = picked_of(pick, advice)?;
    tell_launch(advice, picked);
    let left = launch_left(advice, picked);
    let mut whole = fix_launch::comment(&left, picked.edits.is_empty());
    for file in ChangedFile::all(name, text, &picked.edits) {
        let changed = file.changed().context("the edits of the fix overlap")?;
        let [old, new] = sides.map(|side| match side {
            "" => file.path.clone(),
            _ => format!("{side}{}", file.path.trim_start_matches('/')),
        });
        let diff = similar::TextDiff::from_lines(file.text, &changed);
        whole += &diff.unified_diff().header(&old, &new).to_string();
    }
    Ok(whole)
}
