//! The outcome as JUnit's XML: a suite a file, a test a launch.

use super::finding::Finding;
use super::outcome::{Counted, Outcome};
use super::text::{fails, message};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;

/// The document.
///
/// # Errors
/// When it cannot be written.
pub(super) fn text(outcome: &Outcome) -> anyhow::Result<String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    let launches = outcome
        .launches
        .iter()
        .map(|launch| (launch.file.as_str(), case(launch)));
    let others = outcome.others.iter().map(|other| {
        let case = TestCase::new(other.rule.key(), status(&[other]));
        (other.file.as_str(), case)
    });
    for (file, case) in launches.chain(others) {
        let suite = suites.entry(file).or_insert_with(|| TestSuite::new(file));
        suite.add_test_case(case);
    }
    let mut report = Report::new("lanescope check");
    report.add_test_suites(suites.into_values());
    let mut text = report.to_string()?;
    text.push('\n');
    Ok(text)
}

fn case(counted: &Counted) -> TestCase {
    let name = format!("{} {}", counted.kernel, counted.launch);
    let findings: Vec<&Finding> = counted
        .findings
        .iter()
        .filter(|finding| finding.accepted.is_none())
        .collect();
    TestCase::new(name.trim(), status(&findings))
}

/// A failure where a limit is exceeded or nothing could be checked; skipped, with why, where something is not counted.
fn status(findings: &[&Finding]) -> TestCaseStatus {
    let line = |one: &&Finding| format!("{}:{}: {}", one.file, one.region.line, message(one));
    let failing: Vec<String> = findings
        .iter()
        .filter(|finding| fails(finding))
        .map(line)
        .collect();
    let others: Vec<String> = findings
        .iter()
        .filter(|finding| !fails(finding))
        .map(line)
        .collect();
    let mut status = match (failing.is_empty(), others.is_empty()) {
        (true, true) => return TestCaseStatus::success(),
        (true, false) => TestCaseStatus::skipped(),
        (false, _) => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    status.set_message(
        failing
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    status
}
