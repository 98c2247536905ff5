//! `lanescope check`.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A tile read along its columns: 32-way.
pub(crate) const TRANSPOSE: &str = "\
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
";

/// How it is launched.
pub(crate) const LAUNCH: &str = "// lanescope: grid=(4,4) block=(32,32) n=2^7";

/// Copies with a stride.
const STRIDED: &str = "\
// lanescope: grid=8 block=256 max-sectors-per-request=4 max-waste=50%
__global__ void strided(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[8 * i];
}
";

pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn check(folder: &TempDir, args: &[&str]) -> Ran {
    check_in(folder.path(), args)
}

fn check_in(folder: &Path, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .arg("check")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it runs");
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn launched() -> String {
    format!("{LAUNCH}\n{TRANSPOSE}")
}

fn json(folder: &TempDir, args: &[&str]) -> Value {
    let ran = check(folder, &[&["--format", "json"], args].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

#[test]
fn a_conflict_over_the_limit_is_an_error_with_a_proved_fix() {
    let folder = folder(&[("a.cu", &launched())]);
    let ran = check(&folder, &["a.cu"]);
    assert_eq!(ran.code, Some(4), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("a.cu:9:"), "{}", ran.out);
    assert!(
        ran.out
            .contains("32-way bank conflict, at most 1-way is allowed"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("proved fix: ") && ran.out.contains("+ "),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("1 launch of 1 file: 1 finding over a limit"),
        "{}",
        ran.out
    );
    let allowed = check(&folder, &["a.cu", "--max-ways", "32"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.out);
}

#[test]
fn the_fix_of_the_report_makes_the_check_pass() {
    let folder = folder(&[("a.cu", &launched())]);
    let report = json(&folder, &[]);
    let edits = report["findings"][0]["fix"]["edits"]
        .as_array()
        .expect("edits")
        .clone();
    let mut lines: Vec<String> = launched().lines().map(str::to_owned).collect();
    let number = |edit: &Value, key: &str| {
        usize::try_from(edit[key].as_u64().expect("a number")).expect("small")
    };
    for edit in edits.iter().rev() {
        assert_eq!(edit["line"], edit["end_line"]);
        let (from, to) = (number(edit, "column") - 1, number(edit, "end_column") - 1);
        lines[number(edit, "line") - 1]
            .replace_range(from..to, edit["replacement"].as_str().expect("text"));
    }
    fs::write(folder.path().join("a.cu"), lines.join("\n")).expect("written");
    let ran = check(&folder, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

#[test]
fn sectors_and_waste_have_limits_of_their_own() {
    let folder = folder(&[("s.cu", STRIDED)]);
    let report = json(&folder, &[]);
    let found = report["findings"].as_array().expect("findings");
    let rules: Vec<&str> = found
        .iter()
        .filter_map(|one| one["rule"].as_str())
        .collect();
    assert_eq!(rules, ["sectors-per-request", "wasted-sectors"], "{report}");
    // Of 32 sectors 4 would do.
    assert_eq!(
        (found[0]["value"].as_f64(), found[1]["value"].as_f64()),
        (Some(32.0), Some(0.875))
    );
}

#[test]
fn a_guessed_launch_is_said_and_fails_no_limit() {
    let folder = folder(&[("a.cu", TRANSPOSE)]);
    let ran = check(&folder, &["a.cu"]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(
        ran.out
            .contains("note: `transpose`: nobody gives the launch")
            && ran.out.contains("[guessed-launch]"),
        "{}",
        ran.out
    );
    assert_eq!(check(&folder, &["--allow-uncounted"]).code, Some(0));
}

#[test]
fn what_is_not_counted_is_said() {
    let text = "// lanescope: grid=1 block=32\n__global__ void k(float *a) { a[unknown_function(threadIdx.x)] = 1; }\n";
    let folder = folder(&[("a.cu", text)]);
    let ran = check(&folder, &[]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(
        ran.out.contains("[not-counted]") && ran.out.contains("1 not fully counted"),
        "{}",
        ran.out
    );
    let report = json(&folder, &[]);
    assert_eq!(report["launches"][0]["status"], "partial");
}

#[test]
fn host_code_and_settings_give_launches() {
    let host = format!(
        "{TRANSPOSE}\nvoid f(float *a, float *b) {{ transpose<<<dim3(4, 4), dim3(32, 32)>>>(a, b, 128); }}\n"
    );
    let settings = "exclude = [\"old/**\"]\n[[launch]]\nfile = \"b.cu\"\nkernel = \"transpose\"\ngrid = [4, 4]\nblock = [32, 32]\narguments = { n = 128 }\nmax-ways = 32\n";
    let folder = folder(&[
        ("a.cu", &host),
        ("b.cu", TRANSPOSE),
        ("old/c.cu", TRANSPOSE),
        ("lanescope.toml", settings),
    ]);
    let report = json(&folder, &[]);
    let launches = report["launches"].as_array().expect("launches");
    let files: Vec<&str> = launches
        .iter()
        .filter_map(|one| one["file"].as_str())
        .collect();
    assert_eq!(files, ["a.cu", "b.cu"]);
    assert!(
        launches.iter().all(|one| one["is_launch_guessed"] == false),
        "{report}"
    );
    let found = report["findings"].as_array().expect("findings");
    assert!(
        found.iter().all(|one| one["file"] == "a.cu") && found.len() == 1,
        "{report}"
    );
}

#[test]
fn comments_accept_lines_and_leave_kernels_out() {
    let accepted = launched().replace(
        "[threadIdx.y];\n",
        "[threadIdx.y]; // lanescope: allow=bank-conflict\n",
    );
    let other = launched().replace(
        "[threadIdx.y];\n",
        "[threadIdx.y]; // lanescope: allow=wasted-sectors\n",
    );
    let skipped = format!("// lanescope: skip\n{TRANSPOSE}");
    for (text, code) in [
        (accepted.as_str(), 0),
        (other.as_str(), 4),
        (skipped.as_str(), 0),
    ] {
        let folder = folder(&[("a.cu", text)]);
        let ran = check(&folder, &[]);
        assert_eq!(ran.code, Some(code), "{}", ran.out);
    }
}

#[test]
fn a_baseline_accepts_what_is_old_and_no_worse() {
    let folder = folder(&[("a.cu", &launched())]);
    assert_eq!(
        check(&folder, &["--write-baseline", "base.json"]).code,
        Some(0)
    );
    // Lines above change nothing.
    fs::write(
        folder.path().join("a.cu"),
        format!("// new\n\n{}", launched()),
    )
    .expect("written");
    let ran = check(&folder, &["--baseline", "base.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("1 accepted"), "{}", ran.out);
    let worse = fs::read_to_string(folder.path().join("base.json"))
        .expect("read")
        .replace("32.0", "16.0");
    fs::write(folder.path().join("base.json"), worse).expect("written");
    assert_eq!(check(&folder, &["--baseline", "base.json"]).code, Some(4));
}

#[test]
fn slips_are_bad_usage_or_errors_that_name_their_line() {
    let folder = folder(&[
        (
            "a.cu",
            &format!("// lanescope: grid=0 block=32\n{TRANSPOSE}"),
        ),
        ("lanescope.toml", "max-way = 1\n"),
    ]);
    assert_eq!(check(&folder, &[]).code, Some(2));
    fs::remove_file(folder.path().join("lanescope.toml")).expect("removed");
    let ran = check(&folder, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(
        ran.out
            .contains("a.cu:1:1: error: this comment cannot be read"),
        "{}",
        ran.out
    );
    let missing = check(&folder, &["no/such/*.cu"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("no/such/*.cu"), "{}", missing.err);
    let unknown = format!("// lanescope: grid=4 block=32 m=7\n{TRANSPOSE}");
    fs::write(folder.path().join("a.cu"), unknown).expect("written");
    let ran = check(&folder, &[]);
    assert!(
        ran.code == Some(1) && ran.out.contains("`transpose` has no such parameter"),
        "{}",
        ran.out
    );
}

#[test]
fn globs_and_folders_name_files_once() {
    let folder = folder(&[
        ("a.cu", &launched()),
        ("sub/b.cu", &launched()),
        ("sub/plain.h", "int x;"),
        ("sub/c.txt", ""),
    ]);
    let report = json(&folder, &["*.cu", "sub", "a.cu", "sub/*.cu", "--no-fixes"]);
    assert_eq!(
        (
            report["summary"]["files"].as_u64(),
            report["summary"]["launches"].as_u64()
        ),
        (Some(2), Some(2)),
        "{report}"
    );
}

#[test]
fn json_keeps_its_schema() {
    let schema = include_str!("../../../../packages/action/check.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let folder = folder(&[
        ("a.cu", &launched()),
        ("b.cu", TRANSPOSE),
        ("c.cu", "// lanescope: grid=x\n__global__ void c() {}\n"),
    ]);
    let report = json(&folder, &[]);
    let faults: Vec<String> = validator
        .iter_errors(&report)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:?}\n{report}");
    let mut broken = report;
    broken["findings"][0]["rule"] = "other".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn sarif_names_rules_places_and_fixes() {
    let folder = folder(&[("a b.cu", &launched())]);
    let ran = check(&folder, &["--format", "sarif", "--output", "out.sarif"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    let text = fs::read_to_string(folder.path().join("out.sarif")).expect("written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
    assert_eq!(
        (result["ruleId"].as_str(), result["level"].as_str()),
        (Some("bank-conflict"), Some("error"))
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        (
            place["artifactLocation"]["uri"].as_str(),
            place["region"]["startLine"].as_u64()
        ),
        (Some("a%20b.cu"), Some(9))
    );
    let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert!(
        change["insertedContent"]["text"].is_string()
            && change["deletedRegion"]["startLine"].is_u64(),
        "{text}"
    );
}

#[test]
fn annotations_carry_the_suggestion_in_one_line() {
    let folder = folder(&[("a.cu", &launched())]);
    let ran = check(&folder, &["--format", "github"]);
    let line = ran.out.lines().next().expect("an annotation");
    assert!(
        line.starts_with("::error file=a.cu,line=9,endLine=9,title=bank-conflict::"),
        "{line}"
    );
    assert!(
        line.contains("%0AProved fix: ") && line.contains("Suggestion:%0A"),
        "{line}"
    );
}

#[test]
fn junit_has_a_suite_a_file_and_a_test_a_launch() {
    let folder = folder(&[("a.cu", &launched()), ("b.cu", TRANSPOSE)]);
    let ran = check(&folder, &["--format", "junit"]);
    assert!(
        ran.out.contains("<testsuite name=\"a.cu\" tests=\"1\""),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("<failure message=\"a.cu:9: ") && ran.out.contains("<skipped message="),
        "{}",
        ran.out
    );
}
