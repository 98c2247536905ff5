//! The action and the hook for repositories, run.

use crate::check::{LAUNCH, TRANSPOSE, folder};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .expect("text")
        .trim()
        .to_owned()
}

/// Runs what a step of the action runs, with the variables that it sets.
fn step(folder: &Path, set: &[(&str, &str)]) -> Output {
    let action = fs::read_to_string(repository().join("action.yml")).expect("the action");
    let script = "packages/action/check.sh";
    assert!(
        action.contains(&format!("$GITHUB_ACTION_PATH/{script}")),
        "the action runs the script"
    );
    for (name, _) in set {
        assert!(
            action.contains(&format!("{name}:")),
            "the action sets {name}"
        );
    }
    Command::new("bash")
        .arg(repository().join(script))
        .env("LANESCOPE_PROGRAM", env!("CARGO_BIN_EXE_lanescope"))
        .envs(set.iter().copied())
        .current_dir(folder)
        .output()
        .expect("it runs")
}

#[test]
fn the_action_annotates_writes_sarif_and_compares_with_the_base() {
    let padded = TRANSPOSE.replace("tile[32][32]", "tile[32][33]");
    let folder = folder(&[("src/a.cu", &format!("{LAUNCH}\n{padded}"))]);
    let root = folder.path();
    git(root, &["init", "-q"]);
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "base"]);
    let base = git(root, &["rev-parse", "HEAD"]);
    fs::write(root.join("src/a.cu"), format!("{LAUNCH}\n{TRANSPOSE}")).expect("written");
    let ran = step(
        root,
        &[
            ("LANESCOPE_PATHS", "src\n"),
            ("LANESCOPE_OPTIONS", "--max-ways=2\n"),
            ("LANESCOPE_SARIF", "out.sarif"),
            ("LANESCOPE_COMMENT", "comment.md"),
            ("LANESCOPE_BASE", &base),
        ],
    );
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert_eq!(ran.status.code(), Some(4), "{out}{err}");
    assert!(out.contains("::error file=src/a.cu,line=9"), "{out}");
    assert!(
        fs::read_to_string(root.join("out.sarif"))
            .expect("SARIF")
            .contains("\"2.1.0\"")
    );
    let comment = fs::read_to_string(root.join("comment.md")).expect("a comment");
    assert!(
        comment.contains("| kernel | | A (base) | B (head) |"),
        "{comment}"
    );
    // 16 blocks of 32 warps store and load once: 1,024 wavefronts; 32-way loads make 512 of them 16,384.
    assert!(
        comment.contains("| | shared wavefronts | 1,024 | 16,896 |"),
        "{comment}"
    );
    assert!(
        comment.contains("| | bank conflicts | 0 | 15,872 |"),
        "{comment}"
    );
}

#[test]
fn the_hook_s_entry_runs_on_files_that_it_names() {
    let hooks = fs::read_to_string(repository().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "))
        .expect("an entry");
    let mut words = entry.split(' ');
    assert_eq!(words.next(), Some("lanescope"));
    let folder = folder(&[
        ("a.cu", &format!("{LAUNCH}\n{TRANSPOSE}")),
        ("b.cu", "__device__ int x;\n"),
    ]);
    let ran = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(words)
        .args(["a.cu", "b.cu"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    assert_eq!(
        ran.status.code(),
        Some(4),
        "{}",
        String::from_utf8_lossy(&ran.stdout)
    );
}
