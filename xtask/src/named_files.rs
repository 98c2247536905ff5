//! Files that the documents for developers name in code spans, as `crates/simt/src/run.rs` or the end of such a path: each
//! has to be there, and each crate has its line in the architecture.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Result;
use walkdir::WalkDir;

use crate::workspace;

/// The documents.
const DOCUMENTS: [&str; 8] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/ARCHITECTURE.md",
    "docs/COMPILER.md",
    "docs/MODEL.md",
    "docs/RELIABILITY.md",
    "web/README.md",
    "xtask/README.md",
];

/// Folders of the repository that hold what is built or what others wrote.
const FOREIGN: [&str; 4] = [".git", "dist", "node_modules", "target"];

/// Endings of names of files.
const ENDINGS: [&str; 8] = [".css", ".cu", ".js", ".md", ".py", ".rs", ".toml", ".wgsl"];

/// What a user or a build makes: no file of the repository.
const MADE: [&str; 2] = ["lanescope.toml", "boot-0123456789abcdef.js"];

/// The paths that a document names and the repository does not have.
fn missing(document: &str, all: &BTreeSet<String>) -> Vec<String> {
    let mut is_fenced = false;
    let text = document.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence
    });
    let spans = text.flat_map(|line| line.split('`').skip(1).step_by(2));
    let named = spans.filter(|span| is_path(span)).flat_map(alternatives);
    named.filter(|path| !has(all, path)).collect()
}

/// Whether a code span names a file or a folder, and no pattern or placeholder such as `NAME.rs`.
fn is_path(span: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-/{},".contains(c);
    let starts_at_top = ["crates/", "docs/", "packages/", "tests/", "web/", "xtask/"]
        .iter()
        .any(|folder| span.starts_with(folder));
    let name = span.rsplit('/').next().unwrap_or(span);
    let is_file = ENDINGS
        .iter()
        .any(|ending| name.len() > ending.len() && name.ends_with(ending));
    let is_document = span.strip_suffix(".md").is_some_and(|stem| {
        stem.chars()
            .all(|c| is_plain(c) || c.is_ascii_uppercase() || c == '_')
            && !stem.ends_with("NAME")
    });
    let is_code = span.chars().all(is_plain) || is_document;
    is_code && (is_file || starts_at_top) && !MADE.contains(&span)
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn alternatives(path: &str) -> Vec<String> {
    let parts = path
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (list, behind))) => list
            .split(',')
            .map(|one| format!("{before}{one}{behind}"))
            .collect(),
        None => vec![path.to_owned()],
    }
}

/// Whether a path is one of the repository's, or the end of one.
fn has(all: &BTreeSet<String>, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    all.contains(path) || all.iter().any(|one| one.ends_with(&format!("/{path}")))
}

/// Every file and folder of ours, from the top folder on.
fn all(root: &Path) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    let entries = WalkDir::new(root).into_iter();
    let is_ours = |name: &str| !FOREIGN.contains(&name);
    for entry in entries.filter_entry(|entry| entry.file_name().to_str().is_some_and(is_ours)) {
        let entry = entry?;
        let path = entry.path().strip_prefix(root)?;
        all.insert(path.to_string_lossy().into_owned());
    }
    Ok(all)
}

#[test]
fn documents_name_files_that_are_there() {
    let root = workspace::root();
    let all = all(&root).unwrap();
    for path in DOCUMENTS {
        let document = fs::read_to_string(root.join(path)).unwrap();
        assert_eq!(missing(&document, &all), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn the_architecture_has_a_line_for_each_crate() {
    let root = workspace::root();
    let document = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<String> = rows
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|cell| cell.split(','))
        .map(|name| name.trim().trim_matches('`').to_owned())
        .collect();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(named.contains(&name), "{name} has no line");
    }
}

#[test]
fn a_file_that_is_not_there_is_found() {
    let all: BTreeSet<String> = ["crates/simt/src/machine/control.rs".to_owned()].into();
    let text =
        "See `machine/control.rs`, `machine/{control,gone}.rs`, `NAME.rs`, `trol.rs` and `x.y`.";
    assert_eq!(missing(text, &all), ["machine/gone.rs", "trol.rs"]);
}
