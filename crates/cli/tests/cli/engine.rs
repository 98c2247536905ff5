//! One engine: command line, module, page and first paint give the same totals and the same sentence.

use crate::run::{Ran, lanescope};
use lanescope_frontend::NamedLaunch;
use lanescope_gallery::PRESETS;
use lanescope_ir::SiteId;
use lanescope_model::Device;
use lanescope_query::{
    Analysis, Ask, Compiler, Question, Read, Report, analyse, answer, operation,
    verdict as sentence,
};
use lanescope_share::{self as share, Source, State, encode};
use lanescope_simt::Access;
use lanescope_tally::{Counted, SiteTally, verdict};
use serde_json::{Value, json};

/// What the module for other programs answers: a question as JSON in, a report as JSON out.
fn module(question: &Value) -> Value {
    let ask: Ask = serde_json::from_value(question.clone()).expect("a question");
    let max_requests = ask.max_requests();
    let state = ask.state().expect("a state");
    let question = Question::of(&state, max_requests).expect("it can be asked");
    serde_json::to_value(Report::of(&analyse(question))).expect("JSON")
}

/// How the page's answer differs from what everyone else says; where it counts only some blocks, nothing can.
fn page_difference(state: &State, analysis: &Analysis) -> Option<String> {
    let read = Read::of(state, Compiler::of(state)).expect("it can be read");
    answer_difference(state, read, analysis)
}

/// [`page_difference`] of a text that was read already.
pub(crate) fn answer_difference(state: &State, read: Read, analysis: &Analysis) -> Option<String> {
    let page = answer(state, read);
    let is_whole = page.is_extrapolated || page.outcome.as_ref().is_some_and(|one| one.exact());
    if !is_whole {
        return None;
    }
    let (of_page, whole) = (verdict(page.counted()), verdict(analysis.counted()));
    if of_page != whole {
        return Some(format!("the page {of_page:?}, others {whole:?}"));
    }
    let sums = |sites: &[SiteTally]| -> Vec<_> {
        let sites = sites.iter();
        sites
            .map(|one| (one.requests, one.shared, one.global, one.certainty))
            .collect()
    };
    let (of_page, whole) = (sums(&page.sites), sums(&analysis.sites));
    let mut reasons = (page.standing(), analysis.standing.clone());
    // Within its frame the page may not come to the end of the kernel as written.
    reasons.1.as_written = reasons
        .1
        .as_written
        .filter(|_| reasons.0.as_written.is_some());
    (of_page != whole || reasons.0 != reasons.1)
        .then(|| format!("the page {of_page:?}, others {whole:?}; {reasons:?}"))
}

/// What a report says: totals, lines, sentence, and how far all can be relied on and why.
pub(crate) fn report_fields(report: &Value) -> [Value; 5] {
    ["totals", "lines", "verdict", "status", "reasons"].map(|key| report[key].clone())
}

/// The question of a golden kernel as other programs put it.
pub(crate) fn question(entry: &Value, text: &str) -> Value {
    let arguments = entry["arguments"].as_str().expect("a list").split(' ');
    let arguments: serde_json::Map<String, Value> = arguments
        .filter_map(|one| one.split_once([':', '=']))
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    json!({
        "kernel": text,
        "kernel_name": entry["launch"].as_str().or(entry["kernel"].as_str()),
        "grid": entry["grid"],
        "block": entry["block"],
        "dynamic_shared_bytes": entry["dynamic_shared_bytes"].as_u64().unwrap_or(0),
        "arguments": arguments,
    })
}

/// How the module's and the page's answer to a golden kernel differ from the command line's.
pub(crate) fn difference(entry: &Value, text: &str, cli: &Value) -> Option<String> {
    let ask: Ask = serde_json::from_value(question(entry, text)).expect("a question");
    let max_requests = ask.max_requests();
    let state = ask.state().expect("a state");
    let analysis = analyse(Question::of(&state, max_requests).expect("it can be asked"));
    let module = serde_json::to_value(Report::of(&analysis)).expect("JSON");
    let name = &entry["kernel"];
    let (cli, module) = (report_fields(cli), report_fields(&module));
    if cli != module {
        return Some(format!(
            "{name}: the command line says {cli:?}, the module {module:?}"
        ));
    }
    page_difference(&state, &analysis).map(|found| format!("{name}: {found}"))
}

fn extent(extent: [u32; 3]) -> String {
    extent.map(|side| side.to_string()).join(",")
}

/// The command line's answer to the state of an expression or a kernel.
fn asked(state: &State) -> Option<Ran> {
    let launch = &state.launch;
    let (grid, block) = (extent(launch.grid), extent(launch.block));
    let device = match &state.device {
        share::Device::Known(id) => id.clone(),
        share::Device::Custom(_) => return None,
    };
    let mut args: Vec<String> = Vec::new();
    let input: &str = match &state.source {
        Source::Expression {
            accesses,
            declarations,
        } => {
            args.extend(["expr", "-"].map(str::to_owned));
            args.extend(["--decl".to_owned(), declarations.clone()]);
            if state.operation == share::Operation::Store {
                args.extend(["--op", "store"].map(str::to_owned));
            }
            for (name, value) in &state.selection.values {
                args.extend(["--set".to_owned(), format!("{name}={value}")]);
            }
            accesses
        }
        Source::Kernel(text) => {
            args.extend(["kernel", "-"].map(str::to_owned));
            for (name, value) in &launch.arguments {
                args.extend(["--arg".to_owned(), format!("{name}={value}")]);
            }
            for (name, value) in launch.defines.iter().chain(&launch.templates) {
                args.extend(["--define".to_owned(), format!("{name}={value}")]);
            }
            if let Some(name) = &launch.kernel {
                args.extend(["--kernel".to_owned(), name.clone()]);
            }
            let shared = launch.dynamic_shared_bytes.to_string();
            args.extend(["--dynamic-shared".to_owned(), shared]);
            text
        }
        Source::Layout { .. } | Source::Trace(_) => return None,
    };
    args.extend(["--grid".to_owned(), grid, "--block".to_owned(), block]);
    args.extend(["--device".to_owned(), device]);
    args.extend(["--format", "json"].map(str::to_owned));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    Some(lanescope(&args, input.as_bytes()))
}

/// The first paint's sums of a plain expression; `None` where it leaves that to the whole page.
fn first_paint(state: &State) -> Option<(Vec<lanescope_frontend::SourceSite>, Vec<SiteTally>)> {
    let Source::Expression {
        accesses,
        declarations,
    } = &state.source
    else {
        return None;
    };
    let device = lanescope_query::device(&state.device).ok()?;
    let glance = lanescope_preview::read(declarations, accesses, operation(state.operation))?;
    let launch = NamedLaunch {
        variables: state.selection.values.clone(),
        ..NamedLaunch::new(state.launch.grid, state.launch.block)
    };
    let ids = (0..u32::try_from(glance.sites.len()).ok()?).map(SiteId);
    let mut sites: Vec<SiteTally> = ids.map(SiteTally::new).collect();
    let mut count = |access: &Access<'_>| {
        sites[access.site.0 as usize].count(&device, &access.request);
        true
    };
    glance.run(&launch, device.warp_lanes(), &mut count)?;
    Some((glance.sites, sites))
}

/// What differs between all that answer a state.
fn differences(id: &str, state: &State) -> Vec<String> {
    let mut found = Vec::new();
    let link = encode(state);
    let report = module(&json!({ "link": format!("https://example.org/#{link}") }));
    if let Some(ran) = asked(state) {
        let cli: Value = serde_json::from_str(&ran.out).expect("JSON");
        if report_fields(&cli) != report_fields(&report) {
            found.push(format!(
                "{id}: {:?} {:?}",
                report_fields(&cli),
                report_fields(&report)
            ));
        }
    }
    let analysis = analyse(Question::of(state, 10_000_000).expect("it can be asked"));
    assert_eq!(report["verdict"], Value::from(sentence(&analysis)), "{id}");
    let whole = verdict(analysis.counted());
    // The page counts some blocks first; where these stand for all, or are all, it says the same.
    found.extend(page_difference(state, &analysis).map(|one| format!("{id}: {one}")));
    if let Some((sites, tallies)) = first_paint(state) {
        let counted = Counted {
            device: Some(&analysis.question.device),
            sites: &sites,
            tallies: &tallies,
        };
        let first = verdict(counted);
        if first != whole {
            found.push(format!("{id}: the first paint {first:?}, others {whole:?}"));
        }
    }
    found
}

#[test]
fn every_link_of_the_gallery_is_answered_alike() {
    let states = PRESETS.iter().map(|preset| (preset.id, preset.state()));
    let analysed = states.filter(|(_, state)| !matches!(state.source, Source::Trace(_)));
    let found: Vec<String> = analysed
        .flat_map(|(id, state)| differences(id, &state))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_first_paint_takes_part() {
    let states = PRESETS.iter().map(lanescope_gallery::Preset::state);
    let painted = states.filter(|state| first_paint(state).is_some());
    assert!(painted.count() >= 10);
    assert!(Device::by_id("cc9.0").is_some());
}

#[test]
fn a_link_names_its_compiler() {
    let text = "__global__ void k(float *out) {
        out[threadIdx.x] = 1;
        out[threadIdx.x] = 2;
    }";
    let stores = |compiler: Option<share::Compiler>| {
        let state = State {
            source: Source::Kernel(text.to_owned()),
            compiler,
            ..State::default()
        };
        let report = module(&json!({ "link": encode(&state) }));
        let stores = report["totals"]["global_store_requests"].clone();
        (report["compiler"].clone(), stores)
    };
    assert_eq!(stores(None), ("nvcc-13".into(), 1.into()));
    assert_eq!(
        stores(Some(share::Compiler::None)),
        ("none".into(), 2.into())
    );
}

#[test]
fn remarks_are_printed_when_they_are_asked_for() {
    let text =
        b"__global__ void k(float *out) {\n  out[threadIdx.x] = 1;\n  out[threadIdx.x] = 2;\n}\n";
    let args = ["kernel", "-", "--grid", "1", "--block", "32", "--remarks"];
    let ran = lanescope(&args, text);
    let remark = "line 2, out[threadIdx.x]: left out: overwritten before anything reads it";
    assert!(ran.out.contains(remark), "{} {}", ran.out, ran.err);
    let ran = lanescope(&[&args[..], &["--compiler", "none"]].concat(), text);
    assert!(ran.out.contains("Counted as written"), "{}", ran.out);
}
