//! Acceptance cases: inputs of users with what is right about them, as lists in `accept/*.json`.
//!
//! A case is `{"kind", "name", "why", "run": [arguments], "expect": {…}}`; `{here}` in an argument is the lists' folder. All
//! of what it expects must hold:
//!
//! - `status`, `not_status`: the status of the JSON is one of these, or none of them;
//! - `totals`: equal to the unit; `totals_or_not_counted`: so, or the answer is called neither counted nor predicted;
//! - `fix`: one of the first two fixes matches; `fixes_to`: some fix reaches these figures, or less;
//! - `says`, `lacks`: what is printed on both streams matches, or does not;
//! - `exit`: the exit status is one of these.
//!
//! The figures are those of SASS of nvcc 13 for sm_90, of an H200, or arithmetic. A further case is a further line of a list.

use regex::{Regex, RegexBuilder};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accept")
}

/// A regular expression whose `.` is any character.
fn pattern(text: &str) -> Regex {
    let built = RegexBuilder::new(text).dot_matches_new_line(true).build();
    built.unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// What a case's `expect` has under a key: one or several.
fn several<'v>(expect: &'v Value, key: &str) -> Option<Vec<&'v Value>> {
    match expect.get(key)? {
        Value::Array(list) => Some(list.iter().collect()),
        one => Some(vec![one]),
    }
}

/// What a run printed.
struct Ran {
    said: String,
    answer: Value,
    exit: Option<i32>,
}

fn run(case: &Value) -> Ran {
    let here = folder();
    let here = here.to_str().expect("a path of characters");
    let words = case["run"].as_array().expect("arguments").iter();
    let mut words: Vec<String> = words
        .map(|word| word.as_str().expect("text").replace("{here}", here))
        .collect();
    let keys = [
        "status",
        "not_status",
        "totals",
        "totals_or_not_counted",
        "fix",
        "fixes_to",
    ];
    let wants_json = matches!(words[0].as_str(), "kernel" | "expr" | "fix")
        && keys.iter().any(|key| case["expect"].get(key).is_some());
    if wants_json && !words.iter().any(|word| word == "--format") {
        words.extend(["--format", "json"].map(str::to_owned));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanescope"));
    let command = command.args(&words).stdin(Stdio::null());
    let done = command.output().expect("the binary starts");
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    let answer = match serde_json::from_str(&out) {
        Ok(Value::Array(fixes)) if wants_json => serde_json::json!({ "fixes": fixes }),
        Ok(answer) if wants_json => answer,
        _ => Value::Null,
    };
    Ran {
        said: out + &String::from_utf8_lossy(&done.stderr),
        answer,
        exit: done.status.code(),
    }
}

/// In what a case falls short.
fn faults(case: &Value) -> Vec<String> {
    let (expect, ran) = (&case["expect"], run(case));
    let mut faults = Vec::new();
    let status = &ran.answer["status"];
    if let Some(allowed) = several(expect, "status")
        && !allowed.contains(&status)
    {
        faults.push(format!("status {status}, not {allowed:?}"));
    }
    if let Some(barred) = several(expect, "not_status")
        && (barred.contains(&status) || (status.is_null() && ran.exit == Some(0)))
    {
        faults.push(format!("status {status}"));
    }
    faults.extend(unequal(&expect["totals"], &ran.answer["totals"]));
    let claims = status.is_null() || status == "counted" || status == "predicted";
    if claims {
        faults.extend(unequal(
            &expect["totals_or_not_counted"],
            &ran.answer["totals"],
        ));
    }
    faults.extend(fix_faults(expect, &ran.answer["fixes"]));
    for (key, wanted) in [("says", true), ("lacks", false)] {
        if let Some(text) = expect[key].as_str()
            && pattern(text).is_match(&ran.said) != wanted
        {
            faults.push(format!("{key} {text:?} does not hold"));
        }
    }
    let exits = several(expect, "exit");
    let is_crash = ran.exit.is_none_or(|code| code == 101);
    if is_crash || exits.is_some_and(|codes| !codes.contains(&&Value::from(ran.exit))) {
        faults.push(format!("exit status {:?}", ran.exit));
    }
    faults
}

fn unequal(wanted: &Value, totals: &Value) -> Vec<String> {
    let wanted = wanted.as_object().into_iter().flatten();
    let wrong = wanted.filter(|(name, count)| totals[name] != **count);
    wrong
        .map(|(name, count)| format!("{name} {}, not {count}", totals[name]))
        .collect()
}

fn fix_faults(expect: &Value, fixes: &Value) -> Vec<String> {
    let none = Vec::new();
    let fixes = fixes.as_array().unwrap_or(&none);
    let mut faults = Vec::new();
    if let Some(text) = expect["fix"].as_str() {
        let pattern = pattern(text);
        let mut first = fixes.iter().take(2);
        if !first.any(|fix| pattern.is_match(&fix.to_string())) {
            faults.push(format!(
                "no fix like {text:?} among the first two of {}",
                fixes.len()
            ));
        }
    }
    if let Some(wanted) = expect["fixes_to"].as_object() {
        let reaches = |fix: &Value| {
            let after = fix
                .get("after")
                .or(fix.get("totals"))
                .unwrap_or(&Value::Null);
            let is_less = |(name, most): (&String, &Value)| {
                let count = after[name].as_u64();
                count.is_some_and(|count| Some(count) <= most.as_u64())
            };
            wanted.iter().all(is_less)
        };
        if !fixes.iter().any(reaches) {
            faults.push(format!("no fix reaches {wanted:?}"));
        }
    }
    faults
}

#[test]
fn every_case_holds() {
    let lists = std::fs::read_dir(folder()).expect("the folder");
    let mut lists: Vec<PathBuf> = lists.map(|entry| entry.expect("an entry").path()).collect();
    lists.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    lists.sort();
    let (mut count, mut short) = (0, Vec::new());
    for list in lists {
        let text = std::fs::read_to_string(&list).expect("a list");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("cases");
        for case in cases {
            count += 1;
            let faults = faults(&case);
            if !faults.is_empty() {
                let (kind, name, why) = (&case["kind"], &case["name"], &case["why"]);
                short.push(format!(
                    "{kind}: {name}: {}\n    right: {why}",
                    faults.join("; ")
                ));
            }
        }
    }
    assert!(count > 100, "{count} cases");
    assert!(
        short.is_empty(),
        "{} of {count} fall short:\n{}",
        short.len(),
        short.join("\n")
    );
}
