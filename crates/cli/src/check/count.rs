//! A launch counted, held to its limits, and what exceeds them fixed.

use super::finding::{Finding, Level, ProvedFix, findings, regions};
use super::outcome::Counted;
use super::rule::Rule;
use super::target::{Launched, SourceFile};
use crate::args::check::CheckArgs;
use crate::args::count::LimitArgs;
use crate::args::kernel::{KernelArgs, KernelFormat};
use crate::args::launch::KernelLaunchArgs;
use crate::kernel::{KernelQuestion, launched, watched};
use crate::limits::Limits;
use crate::{clock, compiled, input, question, subject, usage};
use anyhow::bail;
use lanescope_fixes::Suggestion;
use lanescope_frontend::{Language, Severity};
use lanescope_query::{Analysis, Compiler, GivenShape, Question, Stop};
use lanescope_report::advise;
use lanescope_share::{Source, State};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The file at `path`; `None` where no kernel is in it.
///
/// # Errors
/// When it cannot be read.
pub(super) fn source_file(path: &Path, args: &CheckArgs) -> anyhow::Result<Option<SourceFile>> {
    let text = input::text_of_at_most(path, input::MOST_TEXT_BYTES)?;
    if !super::files::may_have_kernels(path, &text) {
        return Ok(None);
    }
    let launch = KernelLaunchArgs {
        kernel: None,
        arguments: Vec::new(),
        defines: args.defines.clone(),
        folders: args.folders.clone(),
        no_includes: false,
        dynamic_shared: None,
    };
    let state = subject::kernel((path, text.clone()), &launch, [[1; 3]; 2], &args.count);
    Ok(Some(SourceFile {
        name: path.display().to_string().replace('\\', "/"),
        path: path.to_owned(),
        text,
        state,
    }))
}

/// The names of the kernels of a file and of what it includes, each once.
///
/// # Errors
/// When it is of no kind that is analysed.
pub(super) fn kernels(file: &SourceFile, args: &CheckArgs) -> anyhow::Result<Vec<String>> {
    let stop = stop(args.kernel_seconds);
    let read = question::until(&file.state, args.max_requests, Compiler::None, stop)?;
    let names: BTreeSet<&String> = read.parsed.program.kernels().iter().collect();
    Ok(names.into_iter().cloned().collect())
}

/// What ends the work on one launch.
fn stop(seconds: Duration) -> Stop {
    let deadline = (!seconds.is_zero())
        .then(|| Instant::now().checked_add(seconds))
        .flatten();
    Stop::when(move || {
        clock::is_over() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    })
}

/// Counts one launch.
pub(super) fn counted(target: &Launched<'_>, limits: Limits, args: &CheckArgs) -> Counted {
    let failed = |rule, error: anyhow::Error| {
        let here = (target.file.name.as_str(), target.line);
        let finding = Finding::about(rule, Level::Error, here, &target.name, format!("{error:#}"));
        Counted::failed(target, finding)
    };
    let state = state(target);
    let question = match question_of(target, &state, args) {
        Ok(question) => question,
        Err(error) => return failed(Rule::InvalidLaunch, error),
    };
    let analysis = match args.compile && Language::of(&target.file.text) == Language::Cuda {
        false => watched(question, None),
        true => match compiled(target, &question, args) {
            Ok(analysis) => analysis,
            Err(error) => return failed(Rule::Unreadable, error),
        },
    };
    if !analysis.is_answered() {
        let mut errors = analysis
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == Severity::Error);
        let why = errors.next().map_or_else(
            || "nothing of it can be read".to_owned(),
            ToString::to_string,
        );
        return failed(Rule::Unreadable, anyhow::Error::msg(why));
    }
    let mut found = findings(target, limits, &analysis);
    let is_over = found.iter().any(|finding| finding.level == Level::Error);
    if is_over && !args.no_fixes && !args.compile {
        fixed(
            target,
            &state,
            &analysis,
            &mut found,
            stop(args.kernel_seconds),
        );
    }
    Counted::of(target, &analysis, found)
}

/// The file's state with what is given of the launch.
fn state(target: &Launched<'_>) -> State {
    let mut state = target.file.state.clone();
    let given = &target.given;
    state.launch.kernel = given.kernel.clone().or_else(|| Some(target.name.clone()));
    state.launch.defines.extend(given.defines.iter().cloned());
    state.launch.arguments.clone_from(&given.arguments);
    state.launch.dynamic_shared_bytes = given.dynamic_shared.unwrap_or(0);
    state.launch.grid = given.grid.unwrap_or([1; 3]);
    state.launch.block = given.block.unwrap_or([1; 3]);
    state
}

fn question_of(target: &Launched<'_>, state: &State, args: &CheckArgs) -> anyhow::Result<Question> {
    let given = &target.given;
    let request = KernelQuestion {
        state: state.clone(),
        given: GivenShape {
            grid: given.grid.is_some(),
            block: given.block.is_some(),
            dynamic_shared: given.dynamic_shared.is_some(),
        },
        record: None,
        compiler: None,
        blocks: None,
        max_requests: args.max_requests,
        stop: stop(args.kernel_seconds),
    };
    // That no compiler was measured for a device is the same for every kernel: the report names the device.
    let question = launched(request, &mut |_| ())?;
    let program = &question.parsed.program;
    if !program.name().is_empty() {
        let parameters: Vec<&str> = program
            .parameters()
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let names = given.arguments.iter().map(|(name, _)| name.as_str());
        usage::check_arguments(names, program.name(), &parameters)?;
    }
    Ok(question)
}

/// What nvcc makes of the kernel, under the launch of `question`.
fn compiled(
    target: &Launched<'_>,
    question: &Question,
    args: &CheckArgs,
) -> anyhow::Result<Analysis> {
    let given = &target.given;
    let defines = args.defines.iter().chain(&given.defines).cloned();
    let args = KernelArgs {
        file: target.file.path.clone(),
        compile: true,
        arch: None,
        against: None,
        compiler_flags: Vec::new(),
        launch: None,
        grid: Some(question.launch.grid),
        block: Some(question.launch.block),
        count: args.count.clone(),
        kernel: KernelLaunchArgs {
            kernel: given.kernel.clone().or_else(|| Some(target.name.clone())),
            arguments: given.arguments.clone(),
            defines: defines.collect(),
            folders: args.folders.clone(),
            no_includes: false,
            dynamic_shared: u32::try_from(question.launch.dynamic_shared_bytes).ok(),
        },
        compiler: None,
        remarks: false,
        blocks: None,
        l1: false,
        limits: LimitArgs {
            max_requests: args.max_requests,
            threads: None,
        },
        format: KernelFormat::Table,
    };
    let counted = compiled::compile(&args, None, target.file.text.as_bytes())?;
    match counted {
        compiled::Counted::Analysis(counted) => {
            let mut analysis = counted.0;
            analysis.question.is_shape_guessed = question.is_shape_guessed;
            Ok(analysis)
        }
        compiled::Counted::Source | compiled::Counted::Nothing => {
            bail!("nvcc makes no kernel `{}` of it", target.name)
        }
    }
}

/// Gives what exceeds a limit the first proved fix of its array.
fn fixed(
    target: &Launched<'_>,
    state: &State,
    analysis: &Analysis,
    found: &mut [Finding],
    stop: Stop,
) {
    let Source::Kernel(bundle) = &state.source else {
        return;
    };
    if Language::of(bundle).is_compiled() || !bundle.starts_with(&target.file.text) {
        return;
    }
    let Ok(advice) = advise(state, &analysis.question, None, &mut || !stop.is_stopped()) else {
        return;
    };
    for finding in found
        .iter_mut()
        .filter(|finding| finding.level == Level::Error && finding.file == target.file.name)
    {
        let mut fitting = advice
            .suggestions
            .iter()
            .filter(|suggestion| suggestion.launch == advice.launch && helps(suggestion, finding));
        finding.fix = fitting.find_map(|one| proved(one, &target.file.text));
    }
}

/// Whether a fix is of a finding's array and lowers what the finding is about.
fn helps(suggestion: &Suggestion, finding: &Finding) -> bool {
    let [before, after] = &suggestion.totals;
    let is_lower = match finding.rule {
        Rule::BankConflict => after.shared.conflicts() < before.shared.conflicts(),
        Rule::SectorsPerRequest | Rule::WastedSectors => after.global.units < before.global.units,
        Rule::NotCounted | Rule::GuessedLaunch | Rule::InvalidLaunch | Rule::Unreadable => false,
    };
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut words = finding.text.split(|sign| !is_part(sign));
    is_lower && (suggestion.array.is_empty() || words.any(|word| word == suggestion.array))
}

fn proved(suggestion: &Suggestion, text: &str) -> Option<ProvedFix> {
    let edits = regions(text, &suggestion.edits)?;
    let changed = lanescope_fixes::apply(text, &suggestion.edits)?;
    let diff = similar::TextDiff::from_lines(text, &changed);
    let added = diff
        .iter_all_changes()
        .filter(|change| change.tag() == similar::ChangeTag::Insert);
    Some(ProvedFix {
        description: suggestion.kind.to_string(),
        proof: suggestion.proof.to_string(),
        edits,
        suggestion: added.map(|change| change.value()).collect(),
    })
}
