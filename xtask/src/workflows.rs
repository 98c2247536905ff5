//! What continuous integration and releases may do: actions pinned by commit, and nothing to write where code runs.

use crate::workspace;
use std::fs;

/// The workflows by name.
fn workflows() -> Vec<(String, String)> {
    let folder = workspace::root().join(".github/workflows");
    let entries = fs::read_dir(folder).expect("the folder of workflows");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found: Vec<_> = paths
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a workflow");
            (path.display().to_string(), text)
        })
        .collect();
    assert!(!found.is_empty());
    found
}

/// The jobs of a workflow, each with its lines.
fn jobs(text: &str) -> Vec<String> {
    let (_, jobs) = text.split_once("\njobs:\n").expect("jobs");
    let is_name = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    jobs.lines().fold(Vec::new(), |mut all: Vec<String>, line| {
        if is_name(line) {
            all.push(String::new());
        }
        if let Some(job) = all.last_mut() {
            job.push_str(line);
            job.push('\n');
        }
        all
    })
}

#[test]
fn actions_are_pinned_by_commit() {
    for (name, text) in workflows() {
        let used = text.lines().filter_map(|line| line.split_once("uses:"));
        for (_, action) in used {
            let (commit, version) = action
                .split_once('@')
                .and_then(|(_, pin)| pin.split_once(" # "))
                .unwrap_or_else(|| {
                    panic!("{name}: {action} is not pinned, or does not say its version")
                });
            let is_commit =
                commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && version.starts_with('v'), "{name}: {action}");
        }
    }
}

#[test]
fn what_runs_the_code_can_write_nothing() {
    for (name, text) in workflows() {
        let (head, _) = text.split_once("\njobs:\n").expect("jobs");
        assert!(
            head.contains("\npermissions:"),
            "{name} says no permissions"
        );
        assert!(!head.contains(": write"), "{name} may write in every job");
        for job in jobs(&text).iter().filter(|job| job.contains("run: cargo")) {
            assert!(!job.contains(": write"), "{name}: {job}");
            assert!(job.contains("persist-credentials: false"), "{name}: {job}");
        }
    }
}
