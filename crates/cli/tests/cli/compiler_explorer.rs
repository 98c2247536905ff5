//! The tool of Compiler Explorer, called as it calls tools: options and the visitor's arguments, then the source's file, in
//! the file's folder, with standard input.

use crate::check::{LAUNCH, Ran, TRANSPOSE, folder};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn package(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../packages/compiler-explorer")
        .join(name)
}

/// Runs the tool on a source, with what the visitor wrote.
fn tool(source: &str, arguments: &[&str]) -> Ran {
    let folder = folder(&[("example.cu", source)]);
    let file = folder.path().join("example.cu");
    let output = Command::new(package("lanescope.sh"))
        .args(arguments)
        .arg(&file)
        .current_dir(folder.path())
        .env("LANESCOPE", env!("CARGO_BIN_EXE_lanescope"))
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "nothing is written beside the source");
    let shown = |text: Vec<u8>| {
        let text = String::from_utf8(text).expect("text");
        text.replace(&file.display().to_string(), "<source>")
    };
    Ran {
        code: output.status.code(),
        out: shown(output.stdout),
        err: shown(output.stderr),
    }
}

/// The lines that Compiler Explorer makes links of: `lib/utils.ts` has the expression.
fn linked(said: &str) -> Vec<u32> {
    let line = Regex::new(r"^\s*(?:<source>|[\w.]*)[(:](\d+)(?::?,?(\d+):?)?[):]*\s*(.*)");
    let line = line.expect("an expression");
    let found = said.lines().filter_map(|text| line.captures(text));
    found.filter_map(|found| found[1].parse().ok()).collect()
}

#[test]
fn findings_are_links_to_their_lines() {
    let ran = tool(&format!("{LAUNCH}\n{TRANSPOSE}"), &[]);
    assert_eq!(ran.code, Some(4), "{}{}", ran.out, ran.err);
    assert_eq!(linked(&ran.out), [9], "{}", ran.out);
    assert!(ran.out.contains("32-way bank conflict"), "{}", ran.out);
}

#[test]
fn what_the_visitor_writes_is_the_launch() {
    let launch = ["--grid", "4,4", "--block", "32,32", "--arg", "n=128"];
    let ran = tool(TRANSPOSE, &launch);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("16,384") && ran.out.contains("32-way"),
        "{}",
        ran.out
    );
}

#[test]
fn arguments_that_reach_further_than_the_source_are_refused() {
    for reaching in [
        "-o/tmp/x",
        "--output=x",
        "--compile",
        "--launch=/etc/passwd",
        "-I/etc",
        "in=@/etc/passwd",
        "--",
    ] {
        let ran = tool(TRANSPOSE, &["--arg", reaching]);
        assert_eq!(ran.code, Some(2), "{reaching}");
        assert!(
            ran.err.contains("is not for this tool") && ran.out.is_empty(),
            "{reaching}"
        );
    }
}

#[test]
fn the_definition_names_the_wrapper() {
    let definition = fs::read_to_string(package("lanescope.properties")).expect("a definition");
    let value = |key: &str| {
        let key = format!("tools.lanescope.{key}=");
        definition
            .lines()
            .find_map(|line| line.strip_prefix(key.as_str()))
    };
    let wrapper = Path::new(value("exe").expect("a program"))
        .file_name()
        .expect("a name");
    assert!(package(&wrapper.to_string_lossy()).exists());
    assert_eq!(
        (value("type"), value("class")),
        (Some("independent"), Some("base-tool"))
    );
    assert!(definition.lines().any(|line| line == "tools=lanescope"));
}
