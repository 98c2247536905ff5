//! `lanescope kernel`: a kernel's lines over the whole launch.

use crate::args::count::CountArgs;
use crate::args::kernel::{CompilerArg, KernelArgs, KernelFormat};
use crate::args::launch::KernelLaunchArgs;
use crate::every_kernel::Kernels;
use crate::launch_file::{self, LaunchFile};
use crate::table::{Align, Table, grouped};
use crate::usage::{self, Usage};
use crate::watch::{self, Threads};
use crate::{
    array_file, bulk_copies, clock, compiled, diagnostics, divergence, findings_table, input,
    l1_table, lines_table, output, question, subject,
};
use lanescope_compiled::Known;
use lanescope_cuda::source::host_launch;
use lanescope_frontend::{Blocks, Budget};
use lanescope_launches::LaunchRecord;
use lanescope_locale::Language;
use lanescope_query::{
    AccessRemark, Analysis, Compiler, GivenShape, L1, Question, Report, Stop, Unmeasured, analyse,
    host_instance, l1, remarks, unmeasured, verdict,
};
use lanescope_report::resize_workgroup;
use lanescope_share::State;
use lanescope_tally::{Basis, Need, Status, Totals, record_text};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Analyses the kernel and prints what its lines cost.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn run(args: &KernelArgs) -> anyhow::Result<ExitCode> {
    let record = args.launch.as_ref().map(LaunchFile::record).transpose()?;
    let bytes = input::bytes(&args.file)?;
    if let Some(code) = compiled::run(args, record.as_ref(), &bytes)? {
        return Ok(code);
    }
    let request = described(args, record.as_ref(), input::decoded(bytes));
    if let Some(kernels) = Kernels::of(&request.state, args, record.as_ref()) {
        return kernels.run(&request, args);
    }
    let mut question = launched(request, &mut |said| output::complain(said))?;
    check_arguments(args, &question)?;
    array_file::take(&mut question, &args.kernel.arguments, record.as_ref())?;
    let analysis = watched(question, args.limits.threads);
    diagnostics::print(
        &input::name(&args.file),
        &analysis.question.source,
        &analysis.diagnostics,
    );
    output::print(&match args.format {
        KernelFormat::Table => table(&analysis, args),
        KernelFormat::Json => output::json(&report(&analysis, args))?,
        KernelFormat::Csv => csv(&analysis, args)?,
    })?;
    Ok(output::exit_code(&analysis))
}

/// The question that options, record and source ask.
fn described<'r>(
    args: &KernelArgs,
    record: Option<&'r LaunchRecord>,
    text: String,
) -> KernelQuestion<'r> {
    let shape = [args.grid, args.block];
    KernelQuestion {
        compiler: args.compiler.map(|request| match request {
            CompilerArg::None => Compiler::None,
            CompilerArg::Nvcc13 => Compiler::Nvcc13,
        }),
        blocks: args.blocks,
        max_requests: args.limits.max_requests,
        ..KernelQuestion::described((&args.file, text), shape, &args.kernel, &args.count, record)
    }
}

fn counted_l1(question: &Question) -> L1 {
    let _looking = clock::looking();
    l1(question)
}

/// What is predicted of the source.
///
/// # Errors
/// As [`launched`].
pub(crate) fn predicted(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    text: String,
) -> anyhow::Result<Analysis> {
    let request = described(args, record, text);
    let mut question = launched(request, &mut |said| output::complain(said))?;
    array_file::take(&mut question, &args.kernel.arguments, record)?;
    Ok(watched(question, args.limits.threads))
}

/// Checks that the kernel has the arguments that the command line names.
fn check_arguments(args: &KernelArgs, question: &Question) -> Result<(), Usage> {
    let program = &question.parsed.program;
    if program.name().is_empty() {
        return Ok(());
    }
    let parameters: Vec<&str> = program
        .parameters()
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let given = args.kernel.arguments.iter().map(|(name, _)| name.as_str());
    usage::check_arguments(given, program.name(), &parameters)
}

/// The analysis of a question on all cores; Ctrl-C or a limit end it early.
pub(crate) fn watched(mut question: Question, threads: Option<NonZeroUsize>) -> Analysis {
    question.executor = Arc::new(Threads::of(threads));
    if question.is_guessed() {
        question.stop = clock::stop_of_guess(question.stop);
    }
    let (stop, blocks) = (question.stop.clone(), question.launch.grid_blocks());
    watch::watched(&stop, blocks, || analyse(question))
}

/// What a source says of the launch of its compiled code: its parameters, and how host code launches it.
pub(crate) fn known(args: &KernelArgs, text: &str) -> Known {
    known_or_guessed(args, text).0
}

/// The same, and the grid and block that are guessed where neither host code nor `args` give them.
pub(crate) fn known_or_guessed(args: &KernelArgs, text: &str) -> (Known, Option<[[u32; 3]; 2]>) {
    known_of(described(args, None, text.to_owned()))
}

/// What the source of `asked` says of the launch of its compiled code, and the grid and block that are guessed where
/// nothing gives them; nothing where it cannot be read.
#[must_use]
pub fn known_of(request: KernelQuestion<'_>) -> (Known, Option<[[u32; 3]; 2]>) {
    let request = KernelQuestion {
        compiler: Some(Compiler::Nvcc13),
        ..request
    };
    let Ok(question) = launched(request, &mut |_| ()) else {
        return (Known::default(), None);
    };
    let launch = &question.launch;
    let is_guessed = question.is_shape_guessed;
    let known = Known {
        grid: (!is_guessed).then_some(launch.grid),
        block: (!is_guessed).then_some(launch.block),
        dynamic_shared_bytes: Some(launch.dynamic_shared_bytes),
        ..Known::of(&question.parsed.program, launch)
    };
    (known, is_guessed.then_some([launch.grid, launch.block]))
}

/// A kernel, and what is given of its launch.
pub struct KernelQuestion<'r> {
    /// The kernel, with what is given of the launch.
    pub state: State,
    /// What of the launch that is.
    pub given: GivenShape,
    /// A recorded launch, whose arguments the kernel gets where the state has none.
    pub record: Option<&'r LaunchRecord>,
    /// Whose version of the kernel is counted; without it that which was measured.
    pub compiler: Option<Compiler>,
    /// Run only so many blocks.
    pub blocks: Option<u64>,
    /// Requests of warps after which the run stops.
    pub max_requests: u64,
    /// Ends what is done to the source and the run.
    pub stop: Stop,
}

impl<'r> KernelQuestion<'r> {
    /// A file's text, and what options say of its launch, grid and block first; a record says what they leave open.
    pub(crate) fn described(
        file: (&Path, String),
        [grid, block]: [Option<[u32; 3]>; 2],
        kernel: &KernelLaunchArgs,
        count: &CountArgs,
        record: Option<&'r LaunchRecord>,
    ) -> Self {
        let grid = grid.or_else(|| record.map(|one| one.grid));
        let block = block.or_else(|| record.map(|one| one.block));
        let extents = [grid.unwrap_or([1; 3]), block.unwrap_or([1; 3])];
        let launch = launch_file::filled(kernel, record);
        let described = Self {
            state: subject::kernel(file, &launch, extents, count),
            given: GivenShape {
                grid: grid.is_some(),
                block: block.is_some(),
                dynamic_shared: launch.dynamic_shared.is_some(),
            },
            record,
            compiler: None,
            blocks: None,
            max_requests: Budget::default().requests,
            stop: clock::stop(),
        };
        described.with_own_block(&mut |said| output::complain(said))
    }

    /// The same, where a kernel in WGSL has the block that is given instead of the workgroup that its text says.
    #[must_use]
    pub fn with_own_block(mut self, complain: &mut dyn FnMut(&str)) -> Self {
        if self.given.block
            && let Some(resized) = resize_workgroup(&mut self.state)
        {
            complain(&assumed(&resized, self.state.launch.block));
        }
        self
    }
}

/// What is said of a workgroup of another size than the text's.
fn assumed(resized: &lanescope_wgsl::Resized, block: [u32; 3]) -> String {
    let sides = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let (block, was) = (sides(block), sides(resized.was));
    match resized.overrides.as_slice() {
        [] => format!("note: assumed: @workgroup_size{block}, where the text says {was}"),
        names => format!(
            "note: assumed: a workgroup of {block}, where the text says {was}: through `{}`",
            names.join("`, `")
        ),
    }
}

/// The analysis of a question, its blocks on all cores.
#[must_use]
pub fn analysed(mut question: Question) -> Analysis {
    question.executor = Arc::new(Threads::of(None));
    analyse(question)
}

/// The question with its launch: given, recorded, read from the text or guessed.
///
/// # Errors
/// When the state names a device or an argument that there is not.
pub fn launched(
    request: KernelQuestion<'_>,
    complain: &mut dyn FnMut(&str),
) -> anyhow::Result<Question> {
    Ok(launched_as(request, complain)?.1)
}

/// [`launched`], with the state whose kernel is the instance that the launch of the text makes.
///
/// # Errors
/// As [`launched`].
pub(crate) fn launched_as(
    request: KernelQuestion<'_>,
    complain: &mut dyn FnMut(&str),
) -> anyhow::Result<(State, Question)> {
    let compiler = compiler(request.compiler, &request.state, complain);
    let limits = (request.max_requests, compiler, request.stop);
    let (state, mut question) = question_of(request.state, request.given, limits)?;
    match request.record {
        Some(record) => {
            for missing in question.take_recorded(record) {
                complain(&format!("warning: {missing}"));
            }
        }
        None => question.take_host_sizes(&state.launch.defines),
    }
    if let Some(blocks) = request.blocks {
        question.launch.blocks = Blocks::First(blocks);
    }
    Ok((state, question))
}

/// The compiler that is asked for, or else the one that was measured; says so where there is none.
fn compiler(request: Option<Compiler>, state: &State, complain: &mut dyn FnMut(&str)) -> Compiler {
    let compiler = match request {
        Some(Compiler::None) => return Compiler::None,
        Some(Compiler::Nvcc13) if unmeasured(state).is_some() => Compiler::None,
        Some(Compiler::Nvcc13) => return Compiler::Nvcc13,
        None => Compiler::of(state),
    };
    if compiler == Compiler::None {
        let what = match unmeasured(state) {
            Some(Unmeasured::Wgsl) => "WGSL",
            Some(Unmeasured::Amp) => "C++ AMP",
            Some(Unmeasured::Device | Unmeasured::NoKernel | Unmeasured::Compiled) | None => {
                "this device"
            }
        };
        complain(&format!(
            "note: counted as written: no compiler was measured for {what}"
        ));
    }
    compiler
}

/// The question, with what is not given of the launch taken from the host code of the same text, or guessed.
fn question_of(
    mut state: State,
    given: GivenShape,
    (max_requests, compiler, stop): (u64, Compiler, Stop),
) -> anyhow::Result<(State, Question)> {
    let question = question::until(&state, max_requests, compiler, stop.clone())?;
    let kernel = question.parsed.program.name().to_owned();
    let host = host_launch(&question.source, &kernel, &state.launch.defines);
    let instance = host.as_ref().and_then(|host| host_instance(&kernel, host));
    let is_named = |name: &String| name.contains('<');
    let is_open = !state.launch.kernel.as_ref().is_some_and(is_named);
    let mut question = match instance.filter(|_| is_open && state.launch.defines.is_empty()) {
        Some(instance) => {
            state.launch.kernel = Some(instance);
            question::until(&state, max_requests, compiler, stop)?
        }
        None => question,
    };
    if !(given.grid && given.block) {
        question.take_host(host.as_ref(), given);
    }
    Ok((state, question))
}

/// The analysis as JSON prints it, with what else was asked for.
pub(crate) fn report(analysis: &Analysis, args: &KernelArgs) -> Report {
    let report = Report::of(analysis);
    match l1_of(analysis, args) {
        Some(l1) => report.with_l1(&l1),
        None => report,
    }
}

/// The same as tables.
pub(crate) fn table(analysis: &Analysis, args: &KernelArgs) -> String {
    let mut text = lines(analysis);
    if let Some(l1) = l1_of(analysis, args) {
        text = format!("{text}\n{}", l1_table::text(&l1));
    }
    if args.remarks {
        text = format!("{text}\n{}", remarks_text(&analysis.question));
    }
    text
}

/// The lines as CSV.
///
/// # Errors
/// Never, in memory.
pub(crate) fn csv(analysis: &Analysis, args: &KernelArgs) -> anyhow::Result<String> {
    lines_table::csv(&analysis.lines, l1_of(analysis, args).as_ref())
}

fn l1_of(analysis: &Analysis, args: &KernelArgs) -> Option<L1> {
    args.l1.then(|| counted_l1(&analysis.question))
}

/// What the model of the compiler did, an access a line.
fn remarks_text(question: &Question) -> String {
    let all = remarks(question);
    if all.is_empty() {
        return match question.compiler() {
            Compiler::None => "Counted as written: no compiler did anything.\n".to_owned(),
            Compiler::Nvcc13 => "The compiler's model left every access as written.\n".to_owned(),
        };
    }
    let line = |one: &AccessRemark| {
        let (place, text) = (one.access.place, &one.access.text);
        format!("line {place}, {text}: {}\n", one.text(Language::English))
    };
    format!(
        "What the model of {} did:\n{}",
        question.compiler().key(),
        all.iter().map(line).collect::<String>()
    )
}

/// Verdict, lines and totals.
fn lines(analysis: &Analysis) -> String {
    let totals = totals(&analysis.totals, analysis.as_written.as_ref());
    let scope = scope(analysis);
    format!(
        "{}\n\n{}{}\n{scope}\n{totals}{}{}{}",
        verdict(analysis),
        findings_table::text(analysis),
        lines_table::table(&analysis.lines),
        divergence::text(analysis),
        bulk_copies::text(analysis),
        record(analysis) + &as_compiled(analysis)
    )
}

/// How far a prediction can be trusted: a sentence of its own, or nothing.
fn record(analysis: &Analysis) -> String {
    let rows = analysis.standing.record();
    if rows.is_empty() {
        return String::new();
    }
    format!("\nPredicted; {}.\n", record_text(&rows, Language::English))
}

/// What the compiler leaves out, joins or moves, where a prediction says so: a sentence of its own, or nothing.
fn as_compiled(analysis: &Analysis) -> String {
    let standing = &analysis.standing;
    let is_prediction = standing.status == Status::Predicted;
    let said = standing.as_compiled(&Need::of(&analysis.sites), Language::English);
    let said = said.filter(|_| is_prediction);
    said.map_or_else(String::new, |said| format!("\n{said}\n"))
}

/// What the numbers cover.
fn scope(analysis: &Analysis) -> String {
    let outcome = &analysis.outcome;
    if outcome.exact() {
        let whole = match analysis.standing.status {
            Status::Counted => "Whole launch",
            Status::Predicted if analysis.standing.basis() == Some(Basis::AssemblerChoice) => {
                "Whole launch, as ptxas 13 is predicted to assemble it"
            }
            Status::Predicted => "Whole launch, as nvcc 13 is predicted to compile it",
            Status::Assumed => "Whole launch, under the assumptions above",
            Status::Partial => "All blocks, but not fully counted",
        };
        return format!("{whole}, {}:", blocks(outcome.blocks_total));
    }
    format!(
        "{} of {}, not the whole launch:",
        grouped(outcome.blocks_done),
        blocks(outcome.blocks_total)
    )
}

fn blocks(count: u64) -> String {
    format!(
        "{} {}",
        grouped(count),
        if count == 1 { "block" } else { "blocks" }
    )
}

/// The totals; beside them those of the kernel as written, where a compiler is predicted to make others of it.
fn totals(totals: &Totals, as_written: Option<&Totals>) -> Table {
    let written = as_written.filter(|written| *written != totals);
    let mut titles = vec![("total", Align::Left), ("count", Align::Right)];
    titles.extend(written.map(|_| ("as written", Align::Right)));
    let mut table = Table::new(&titles);
    let others = written.unwrap_or(totals).named();
    for ((name, count), (_, other)) in totals.named().into_iter().zip(others) {
        if count > 0 || other > 0 {
            let written = written.map(|_| grouped(other));
            table.row([name.to_owned(), grouped(count)].into_iter().chain(written));
        }
    }
    table
}
