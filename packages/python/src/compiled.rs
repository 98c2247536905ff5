//! PTX and SASS counted.

use crate::subject::Subject;
use crate::watch::Watch;
use lanescope_compiled::{
    Costliest, CountOptions, Counted, LaunchOptions, NamedArgument, Remark, Row, count, launch,
    select,
};
use lanescope_draw::{bank_grid, bank_legend, english, sector_legend, sector_map, to_svg};
use lanescope_model::{Device, Space, Width};
use lanescope_profiler::Prediction;
use lanescope_query::{argument_value, device};
use lanescope_share::State;
use lanescope_simt::{InOrder, Launch};
use serde_json::{Value, json};

/// A kernel of compiled code, or what is said where none could be read.
enum Answer {
    Counted {
        counted: Box<Counted>,
        launch: Launch,
    },
    Unread,
}

/// The report as JSON, in the form that sources have.
pub(crate) fn report(
    subject: &Subject,
    state: &State,
    text: &str,
    watch: &Watch,
) -> anyhow::Result<String> {
    let device = device(&state.device)?;
    let (found, diagnostics) = counted(subject, state, text, &device, watch)?;
    let report = match found {
        Answer::Counted { counted, launch } => answer(&counted, &device, &launch, diagnostics),
        Answer::Unread => unread(&device, diagnostics),
    };
    Ok(report.to_string())
}

/// What is predicted of the launch.
pub(crate) fn prediction(
    subject: &Subject,
    state: &State,
    text: &str,
    watch: &Watch,
) -> anyhow::Result<Prediction> {
    let device = device(&state.device)?;
    match counted(subject, state, text, &device, watch)?.0 {
        Answer::Counted { counted, .. } => Ok(counted.report.prediction),
        Answer::Unread => anyhow::bail!("no kernel could be read"),
    }
}

fn counted(
    subject: &Subject,
    state: &State,
    text: &str,
    device: &Device,
    watch: &Watch,
) -> anyhow::Result<(Answer, Vec<Value>)> {
    let record = subject.launch_record()?;
    let name = state.launch.kernel.as_deref();
    // A record's name may be another than the listing's: it only chooses.
    let name = name.filter(|_| record.is_none());
    let selected = select(text, name, record.as_ref())?
        .ok_or_else(|| anyhow::anyhow!("neither PTX nor SASS"))?;
    let diagnostics: Vec<Value> = selected.remarks.iter().map(diagnostic).collect();
    let Some(mut kernel) = selected.kernel else {
        return Ok((Answer::Unread, diagnostics));
    };
    let arguments = arguments(state)?;
    let options = LaunchOptions {
        record: record.as_ref(),
        grid: subject.grid(state),
        block: subject.block(state),
        dynamic_shared_bytes: subject.shared(state),
        arguments: &arguments,
        blocks: subject.blocks,
        ..LaunchOptions::default()
    };
    let launch = launch(&options, &mut kernel)?;
    let keep_going = |done| watch.keep_going(done);
    let options = CountOptions {
        max_requests: subject.ask.max_requests(),
        executor: &InOrder,
        keep_going: &keep_going,
    };
    let counted = Box::new(count(&kernel, &launch, device, &options));
    Ok((Answer::Counted { counted, launch }, diagnostics))
}

fn answer(counted: &Counted, device: &Device, launch: &Launch, diagnostics: Vec<Value>) -> Value {
    let report = &counted.report;
    let reasons = report.reasons.iter().map(|reason| {
        json!({ "code": reason.code, "status": reason.status.key(), "line": reason.line, "message": reason.message })
    });
    json!({
        "kernel": report.kernel,
        "device": report.device,
        "exact": report.exact && report.status.key() == "counted",
        "status": report.status.key(),
        "reasons": reasons.collect::<Vec<_>>(),
        "totals": report.totals,
        "accesses": report.rows.iter().map(access).collect::<Vec<_>>(),
        "diagnostics": diagnostics,
        "verdict": report.verdict(),
        "notes": [],
        "is_answered": true,
        "launch": { "grid": launch.grid, "block": launch.block },
        "worst": counted.costliest.as_ref().map(|kept| worst(kept, counted)),
        "picture": counted.costliest.as_ref().and_then(|kept| picture(kept, device)),
    })
}

fn unread(device: &Device, diagnostics: Vec<Value>) -> Value {
    json!({
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

fn diagnostic(remark: &Remark) -> Value {
    json!({ "severity": remark.severity.key(), "code": "compiled", "line": remark.line, "column": 1, "message": remark.kind.to_string() })
}

fn access(row: &Row) -> Value {
    let (wavefronts, ideal) = (
        row.wavefronts.unwrap_or(0),
        row.ideal_wavefronts.unwrap_or(0),
    );
    json!({
        "text_line": row.line,
        "file": row.source.as_ref().map(|source| &source.file),
        "line": row.source.as_ref().map_or(row.line, |source| source.line),
        "op": row.op.replace(' ', "_"),
        "text": row.instruction,
        "requests": row.requests,
        "wavefronts": wavefronts,
        "ideal_wavefronts": ideal,
        "conflicts": wavefronts.saturating_sub(ideal),
        "ways": row.ways.unwrap_or(0),
        "sectors": row.sectors.unwrap_or(0),
        "ideal_sectors": row.ideal_sectors.unwrap_or(0),
        "unknown": row.unknown.then_some("no number on this device"),
    })
}

fn worst(kept: &Costliest, counted: &Counted) -> Value {
    let request = kept.request();
    let (text_line, source) = match &counted.place {
        Some((line, source)) => (Some(*line), source.as_ref()),
        None => (None, None),
    };
    let addresses: Vec<Option<u64>> = (0_u32..)
        .zip(request.addresses)
        .map(|(lane, address)| (request.active.0 >> lane & 1 == 1).then_some(*address))
        .collect();
    json!({
        "text_line": text_line,
        "file": source.map(|source| &source.file),
        "line": source.map(|source| source.line),
        "block": kept.block,
        "warp": kept.warp,
        "occurrence": kept.occurrence,
        "space": match request.space { Space::Shared => "shared", Space::Global => "global" },
        "width": Width::bytes(request.width),
        "addresses": addresses,
    })
}

fn picture(kept: &Costliest, device: &Device) -> Option<String> {
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
