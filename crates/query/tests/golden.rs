//! Measured kernels through the engine: what a report says, and what the page shows first.

use lanescope_query::{Analysis, Answer, Ask, Compiler, Question, Read, Report, analyse, answer};
use lanescope_share::State;
use lanescope_tally::{SiteTally, verdict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden")
        .join(name)
}

fn entries(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(golden(name)).expect("the golden kernels");
    serde_json::from_str(&text).expect("JSON")
}

fn state(entry: &Value) -> State {
    let file = golden(entry["file"].as_str().expect("a file"));
    let text = std::fs::read_to_string(file).expect("the source");
    let arguments = entry["arguments"].as_str().expect("a list").split(' ');
    let arguments: serde_json::Map<String, Value> = arguments
        .filter_map(|one| one.split_once([':', '=']))
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let ask: Ask = serde_json::from_value(json!({
        "kernel": text,
        "kernel_name": entry["launch"].as_str().or(entry["kernel"].as_str()),
        "grid": entry["grid"],
        "block": entry["block"],
        "dynamic_shared_bytes": entry["dynamic_shared_bytes"].as_u64().unwrap_or(0),
        "arguments": arguments,
    }))
    .expect("a question");
    ask.state().expect("a state")
}

/// Totals that differ from what was measured.
fn misses(entry: &Value, analysis: &Analysis) -> Vec<String> {
    let report = serde_json::to_value(Report::of(analysis)).expect("JSON");
    let totals = report["totals"].as_object().expect("totals");
    let measured = entry["measured"].as_object().expect("counters");
    let differs = totals.iter().filter(|(key, count)| {
        measured
            .get(key.as_str())
            .is_some_and(|measured| measured != *count)
    });
    differs
        .map(|(key, count)| format!("{key} {count}, measured {}", measured[key]))
        .collect()
}

fn sums(sites: &[SiteTally]) -> Vec<String> {
    let sums = |one: &SiteTally| format!("{} {:?} {:?}", one.requests, one.shared, one.global);
    sites.iter().map(sums).collect()
}

fn is_whole(page: &Answer) -> bool {
    page.is_extrapolated || page.outcome.as_ref().is_some_and(|one| one.exact())
}

/// How the page's first answer differs from the analysis; where it has only some blocks, it must say so.
fn page_difference(state: &State, analysis: &Analysis) -> (bool, Option<String>) {
    let read = Read::of(state, Compiler::of(state)).expect("it can be read");
    let page = answer(state, read);
    if !is_whole(&page) {
        let says_so = !page.standing().is_counted();
        return (
            false,
            (!says_so).then(|| "a part without a word".to_owned()),
        );
    }
    let said = (verdict(page.counted()), page.standing(), sums(&page.sites));
    let mut standing = analysis.standing.clone();
    // Within its frame the page may not come to the end of the kernel as written.
    standing.as_written = standing.as_written.filter(|_| said.1.as_written.is_some());
    let expected = (verdict(analysis.counted()), standing, sums(&analysis.sites));
    let found = (said != expected).then(|| format!("the page {said:?}, others {expected:?}"));
    (true, found)
}

/// Of a list of measured kernels: how many the page answers whole at once, and what is wrong.
fn check(name: &str) -> (usize, Vec<String>) {
    let (mut whole, mut found) = (0, Vec::new());
    for entry in entries(name) {
        let state = state(&entry);
        let question = Question::of(&state, 10_000_000).expect("it can be asked");
        let analysis = analyse(question);
        let misses = misses(&entry, &analysis);
        let is_known = entry.get("why").is_some() && entry["passes_agree"] != true;
        let kernel = &entry["kernel"];
        if misses.is_empty() == is_known {
            found.push(format!("{kernel}: {misses:?}"));
        }
        let (is_whole, difference) = page_difference(&state, &analysis);
        whole += usize::from(is_whole);
        found.extend(difference.map(|difference| format!("{kernel}: {difference}")));
    }
    (whole, found)
}

#[test]
fn measured_kernels_are_counted_to_the_unit_and_the_page_says_the_same() {
    let (whole, found) = check("h200_kernels.json");
    assert_eq!(found, Vec::<String>::new());
    assert!(whole >= 20, "{whole} at once");
}

#[test]
fn further_measured_kernels_are_counted_to_the_unit_and_the_page_says_the_same() {
    let (whole, found) = check("h200_more_kernels.json");
    assert_eq!(found, Vec::<String>::new());
    assert!(whole >= 400, "{whole} at once");
}

#[test]
fn kernels_that_are_not_predicted_are_those_that_are_known() {
    let (_, found) = check("h200_apart_kernels.json");
    assert_eq!(found, Vec::<String>::new());
}
