//! PTX and SASS counted.

use crate::subject::Subject;
use crate::watch::Watch;
use lanescope_cli::engine::{SassCost, known_of};
use lanescope_compiled::{
    HeldContents, Known, LaunchOptions, NamedArgument, object_of, select_while,
};
use lanescope_draw::{bank_grid, bank_legend, english, sector_legend, sector_map, to_svg};
use lanescope_frontend::{Diagnostic, Severity};
use lanescope_model::{Device, Space, Width};
use lanescope_query::{
    Analysis, Question, REPORT_VERSION, Report, analyse, argument_value, device,
};
use lanescope_share::State;
use lanescope_tally::CostlyRequest;
use serde_json::{Value, json};

/// What came of compiled code.
enum Answer {
    Counted(Box<Analysis>),
    /// No kernel could be read; why.
    Unread(Vec<Diagnostic>),
}

/// The report as JSON, in the form that sources have.
pub(crate) fn report(
    subject: &Subject,
    state: &State,
    text: &str,
    source: Option<&Subject>,
    watch: &Watch,
) -> anyhow::Result<String> {
    let known = source.map(|source| known(source, watch)).transpose()?;
    let report = match counted(subject, (state, text), (known.as_ref(), false), watch)? {
        Answer::Counted(analysis) => answer(&analysis)?,
        Answer::Unread(diagnostics) => unread(&device(&state.device)?, &diagnostics),
    };
    Ok(report.to_string())
}

/// The analysis of the launch, in which numbers that nobody gives are unknown.
pub(crate) fn analysis(
    subject: &Subject,
    state: &State,
    text: &str,
    watch: &Watch,
) -> anyhow::Result<Analysis> {
    match counted(subject, (state, text), (None, true), watch)? {
        Answer::Counted(analysis) => Ok(*analysis),
        Answer::Unread(_) => anyhow::bail!("no kernel could be read"),
    }
}

/// The analysis of code that was made of `source`: names and values of parameters are the source's.
///
/// # Errors
/// When the code cannot be counted.
pub(crate) fn made_of(source: &Subject, code: &Subject, watch: &Watch) -> anyhow::Result<Analysis> {
    let state = code.state()?;
    let text = code
        .compiled_text(&state)
        .ok_or_else(|| anyhow::anyhow!("this is no compiled code that can be counted"))?;
    let known = known(source, watch)?;
    match counted(code, (&state, text), (Some(&known), false), watch)? {
        Answer::Counted(analysis) => Ok(*analysis),
        Answer::Unread(_) => anyhow::bail!("no kernel could be read"),
    }
}

/// What a source says of the launch of its compiled code.
fn known(source: &Subject, watch: &Watch) -> anyhow::Result<Known> {
    let state = source.state()?;
    let asked = source.kernel(&state, None, watch.stop().clone());
    Ok(asked.map(|asked| known_of(asked).0).unwrap_or_default())
}

fn counted(
    subject: &Subject,
    (state, text): (&State, &str),
    (known, leaves_unknown): (Option<&Known>, bool),
    watch: &Watch,
) -> anyhow::Result<Answer> {
    let record = subject.launch_record()?;
    let name = state.launch.kernel.as_deref();
    // A record's name may be another than the listing's: it only chooses.
    let name = name.filter(|_| record.is_none());
    let stop = watch.stop().clone();
    let keep_going = move || !stop.is_stopped_now();
    let selected = select_while(text, name, record.as_ref(), keep_going)?
        .ok_or_else(|| anyhow::anyhow!("neither PTX nor SASS"))?;
    let Some(kernel) = &selected.kernel else {
        return Ok(Answer::Unread(selected.diagnostics));
    };
    let object = object_of(text, name);
    let kernels = object.iter().flat_map(|object| &object.kernels);
    let arguments = arguments(state)?;
    let contents: Vec<HeldContents> = subject
        .contents()?
        .into_iter()
        .map(|(name, bytes)| HeldContents { name, bytes })
        .collect();
    let options = LaunchOptions {
        record: record.as_ref(),
        grid: subject.grid(state),
        block: subject.block(state),
        dynamic_shared_bytes: subject.shared(state),
        arguments: &arguments,
        blocks: subject.blocks,
        object: kernels.into_iter().find(|one| one.name == kernel.name),
        known,
        leaves_unknown,
        contents: &contents,
    };
    let Some(launched) = selected.launched(text, &options)? else {
        return Ok(Answer::Unread(Vec::new()));
    };
    let mut question = Question::of_launch(
        launched.parsed,
        text.to_owned(),
        launched.launch,
        device(&state.device)?,
        subject.ask.max_requests(),
    );
    question.stop = watch.stop().clone();
    Ok(Answer::Counted(Box::new(analyse(question))))
}

/// The report, with what each instruction costs at the line of the source that it comes from.
fn answer(analysis: &Analysis) -> anyhow::Result<Value> {
    let mut report = serde_json::to_value(Report::of(analysis))?;
    let launch = &analysis.question.launch;
    if let Value::Object(fields) = &mut report {
        let lines = fields.remove("lines").unwrap_or_default();
        let accesses: Vec<Value> = lines
            .as_array()
            .into_iter()
            .flatten()
            .map(|line| access(line.clone()))
            .collect();
        fields.insert("accesses".to_owned(), accesses.into());
        fields.insert("notes".to_owned(), json!([]));
        let cost = serde_json::to_value(SassCost::of(analysis))?;
        fields.insert("cost".to_owned(), cost);
        fields.insert("is_answered".to_owned(), true.into());
        fields.insert(
            "launch".to_owned(),
            json!({ "grid": launch.grid, "block": launch.block }),
        );
        let kept = analysis.costliest.as_ref();
        fields.insert(
            "worst".to_owned(),
            kept.map_or(Value::Null, |kept| worst(kept, analysis)),
        );
        let picture = kept.and_then(|kept| picture(kept, &analysis.question.device));
        fields.insert("picture".to_owned(), picture.into());
    }
    Ok(report)
}

fn unread(device: &Device, diagnostics: &[Diagnostic]) -> Value {
    let diagnostics: Vec<Value> = diagnostics.iter().map(diagnostic).collect();
    json!({
        "version": REPORT_VERSION,
        "device": device.id(),
        "exact": false,
        "status": "partial",
        "reasons": [],
        "totals": {},
        "accesses": [],
        "diagnostics": diagnostics,
        "verdict": "not fully counted: no kernel could be read",
        "notes": [],
        "is_answered": false,
    })
}

/// The arguments, in the order given: a position needs those before it.
fn arguments(state: &State) -> anyhow::Result<Vec<NamedArgument>> {
    let mut arguments = Vec::new();
    for (name, text) in &state.launch.arguments {
        let value = argument_value(text)?;
        arguments.push(NamedArgument {
            name: name.clone(),
            text: text.clone(),
            value,
        });
    }
    arguments.sort_by_key(|argument| argument.name.parse::<usize>().unwrap_or(usize::MAX));
    Ok(arguments)
}

fn diagnostic(one: &Diagnostic) -> Value {
    let severity = match one.severity() {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    json!({ "severity": severity, "code": one.kind.code(), "line": one.line, "column": one.column, "message": one.to_string() })
}

/// A line of the listing; its line is the source's where the listing names one.
fn access(mut line: Value) -> Value {
    if let Value::Object(fields) = &mut line {
        let text_line = fields.get("line").cloned().unwrap_or_default();
        fields.insert("text_line".to_owned(), text_line);
        fields.insert("file".to_owned(), Value::Null);
        if let Some(Value::Object(source)) = fields.remove("source") {
            fields.extend(source);
        }
    }
    line
}

fn worst(kept: &CostlyRequest, analysis: &Analysis) -> Value {
    let request = kept.request();
    let line = analysis.program().site(kept.site).map(|site| site.line);
    let origin = analysis.origin(kept.site);
    let addresses: Vec<Option<u64>> = (0_u32..)
        .zip(request.addresses)
        .map(|(lane, address)| (request.active.0 >> lane & 1 == 1).then_some(*address))
        .collect();
    json!({
        "text_line": line,
        "file": origin.as_ref().map(|origin| &origin.file),
        "line": origin.as_ref().map(|origin| origin.line),
        "block": kept.block,
        "warp": kept.warp,
        "occurrence": kept.occurrence,
        "space": match request.space { Space::Shared => "shared", Space::Global => "global" },
        "width": Width::bytes(request.width),
        "addresses": addresses,
    })
}

fn picture(kept: &CostlyRequest, device: &Device) -> Option<String> {
    let request = kept.request();
    let drawing = match request.space {
        Space::Shared => {
            let report = device.shared_report(&request).ok()?;
            bank_legend(bank_grid(&report, &english), &english)
        }
        Space::Global => {
            let report = device.global_report(&request).ok()?;
            sector_legend(sector_map(&report, &english), &english)
        }
    };
    Some(to_svg(&drawing))
}
