use crate::run::{Ran, golden, lanescope};
use serde_json::Value;

/// `lanescope kernel` of a golden entry, as JSON, with `more` arguments.
fn analysed(entry: &Value, more: &[&str]) -> Ran {
    let file = golden(entry["file"].as_str().expect("a file"));
    let extent = |name: &str| {
        let numbers = entry[name]
            .as_array()
            .expect("numbers")
            .iter()
            .map(Value::to_string);
        numbers.collect::<Vec<_>>().join(",")
    };
    let mut args: Vec<String> = ["kernel", file.to_str().expect("a path"), "--format", "json"]
        .map(String::from)
        .into();
    args.extend([
        "--grid".to_owned(),
        extent("grid"),
        "--block".to_owned(),
        extent("block"),
    ]);
    let launch = entry["launch"]
        .as_str()
        .or(entry["kernel"].as_str())
        .expect("a name");
    args.extend(["--kernel".to_owned(), launch.to_owned()]);
    if let Some(bytes) = entry["dynamic_shared_bytes"].as_u64() {
        args.extend(["--dynamic-shared".to_owned(), bytes.to_string()]);
    }
    for argument in entry["arguments"].as_str().expect("a list").split(' ') {
        args.extend([
            "--arg".to_owned(),
            argument.replacen(':', "=", usize::from(argument.contains(':'))),
        ]);
    }
    let args = args.iter().map(String::as_str).chain(more.iter().copied());
    lanescope(&args.collect::<Vec<_>>(), b"")
}

fn entries(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(golden(file)).expect("the golden kernels");
    serde_json::from_str(&text).expect("JSON")
}

/// Kernels whose blocks read the same sectors, of which a multiprocessor's cache spares some: the hardware fetched 254,464
/// sectors where each block alone fetches 262,144.
const SHARING: [&str; 4] = [
    "matmul_naive",
    "matmul_tiled",
    "matmul_naive_unrolled",
    "matmul_tiled_unrolled",
];

/// With caches flushed before the launch, what L1 fetches are the sectors that it does not hit.
fn l1_difference(entry: &Value, json: &Value) -> Option<String> {
    let measured = |name: &str| entry["measured"][name].as_u64();
    let hits = measured("global_load_l1_sector_hits")?; // not counted with atomics
    let fetched = measured("global_load_sectors").expect("a count") - hits;
    let is_sharing = SHARING.iter().any(|name| entry["kernel"] == *name);
    let expected = if is_sharing { 262_144 } else { fetched };
    (json["l1"]["fetched"] != expected || is_sharing == (fetched == expected)).then(|| {
        let (name, found) = (&entry["kernel"], &json["l1"]);
        format!("{name}: L1 {found}, measured {fetched}")
    })
}

/// What differs from what was measured: totals, and what an L1 fetches.
fn differences(entry: &Value) -> Vec<String> {
    let ran = analysed(entry, &["--l1"]);
    let name = &entry["kernel"];
    let Ok(json) = serde_json::from_str::<Value>(&ran.out) else {
        return vec![format!("{name}: {:?} {}", ran.code, ran.err)];
    };
    let totals = json["totals"].as_object().expect("totals");
    let measured = entry["measured"].as_object().expect("counters");
    // Not all kernels were measured with all counters.
    let is_measured = |key: &str| measured.contains_key(key);
    let differ = totals
        .iter()
        .filter(|(key, count)| is_measured(key) && entry["measured"][key.as_str()] != **count);
    let mut found: Vec<String> = differ
        .map(|(key, count)| format!("{name}: {key} {count}, measured {}", entry["measured"][key]))
        .collect();
    found.extend(l1_difference(entry, &json));
    let text = std::fs::read_to_string(golden(entry["file"].as_str().expect("a file")));
    found.extend(crate::engine::difference(
        entry,
        &text.expect("the source"),
        &json,
    ));
    // Their buffers hold what the run takes them to hold; what the compiler did with their loops was measured, too.
    let is_of_contents = |reasons: &Vec<Value>| {
        let holds = ["contents", "no-contention", "unrolling", "prediction"];
        let does_hold = |reason: &Value| holds.iter().any(|code| reason["code"] == *code);
        reasons.iter().all(does_hold)
    };
    let is_expected = json["reasons"].as_array().is_some_and(is_of_contents);
    if !is_expected || ran.code != Some(0) {
        found.push(format!(
            "{name}: {}, exit {:?}, {}",
            json["reasons"], ran.code, ran.err
        ));
    }
    found
}

#[test]
fn every_measured_kernel_agrees() {
    let found: Vec<String> = entries("h200_kernels.json")
        .iter()
        .flat_map(differences)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_further_measured_kernel_agrees() {
    let found: Vec<String> = entries("h200_more_kernels.json")
        .iter()
        .flat_map(differences)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn kernels_that_are_not_predicted_are_those_that_are_known() {
    let entries = entries("h200_apart_kernels.json");
    let surprises = entries.iter().filter_map(|entry| {
        let is_known = entry["passes_agree"] == true;
        let found = differences(entry);
        (found.is_empty() != is_known).then(|| format!("{}: {found:?}", entry["kernel"]))
    });
    let surprises: Vec<String> = surprises.collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn an_access_that_a_neighbour_takes_along_says_why_it_counts_nothing() {
    let source = b"__global__ void k(float* out) {\n\
          __shared__ float s[256];\n\
          s[threadIdx.x] = 1;\n\
          __syncthreads();\n\
          float a = s[4 * threadIdx.x];\n\
          float b = s[4 * threadIdx.x + 1];\n\
          out[threadIdx.x] = a + b;\n\
        }";
    let ran = lanescope(&["kernel", "-", "--grid", "1", "--block", "64"], source);
    let note = "line 6, s[4 * threadIdx.x + 1]: joined with s[4 * threadIdx.x] of line 5 into one wider access";
    assert!(ran.out.contains(note), "{} {}", ran.out, ran.err);
    let line = ran
        .out
        .lines()
        .find(|line| line.contains("+ 1]"))
        .expect("its line");
    assert_eq!(
        line.split_whitespace().take(4).collect::<Vec<_>>(),
        ["6", "shared", "load", "0"]
    );
    let alone = source
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.ends_with(b"+ 1];"));
    let alone = alone.collect::<Vec<_>>().join(&b'\n');
    let alone = String::from_utf8(alone)
        .expect("text")
        .replace("a + b", "a");
    let ran = lanescope(
        &["kernel", "-", "--grid", "1", "--block", "64"],
        alone.as_bytes(),
    );
    assert!(!ran.out.contains("joined with"), "{}", ran.out);
}

#[test]
fn what_cannot_be_analysed_is_said_and_the_rest_is_counted() {
    let source = b"__global__ void k(float* a, int n) {\n\
        __shared__ float s[64];\n  asm(\"nop;\");\n  s[threadIdx.x * 2] = a[threadIdx.x * n];\n}\n";
    let args = [
        "kernel", "-", "--grid", "1", "--block", "32", "--arg", "n=1", "--format", "json",
    ];
    let ran = lanescope(&args, source);
    assert_eq!(ran.code, Some(3));
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (&json["status"], &json["exact"]),
        (&"partial".into(), &false.into())
    );
    assert_eq!(json["reasons"][0]["code"], "unread");
    assert_eq!(json["diagnostics"][0]["line"], 3);
    assert_eq!(json["diagnostics"][0]["severity"], "error");
    assert_eq!(json["totals"]["shared_store_wavefronts"], 2);
    assert_eq!(json["totals"]["global_load_sectors"], 4);
    assert!(ran.err.contains("<stdin>:3:"), "{}", ran.err);
}

#[test]
fn a_source_without_a_kernel_is_a_failure() {
    let ran = lanescope(
        &[
            "kernel", "-", "--grid", "1", "--block", "32", "--format", "json",
        ],
        b"int x;",
    );
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["diagnostics"][0]["code"], "no-kernel");
}

#[test]
fn an_endless_loop_is_stopped() {
    let source = b"__global__ void k() { __shared__ int s[32]; while (true) { s[threadIdx.x] = 1; __syncthreads(); } }";
    let args = [
        "kernel",
        "-",
        "--grid",
        "9",
        "--block",
        "32",
        "--max-requests",
        "1000",
        "--format",
        "json",
    ];
    let ran = lanescope(&args, source);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &json["exact"]), (Some(3), &Value::from(false)));
    assert_eq!(json["status"], "partial");
    assert!(
        json["totals"]["shared_store_wavefronts"]
            .as_u64()
            .is_some_and(|count| count <= 1000)
    );
    assert!(
        ran.err.contains("stopped after 1000 requests"),
        "{}",
        ran.err
    );
}

#[test]
fn the_table_and_the_csv_of_a_kernel() {
    let file = golden("kernels/transpose_tiled.cu");
    let file = file.to_str().expect("a path");
    let args = [
        "kernel", file, "--grid", "32,32", "--block", "32,32", "--arg", "nx=1024", "--arg",
        "ny=1024",
    ];
    insta::assert_snapshot!("kernel_table", lanescope(&args, b"").out);
    let csv = lanescope(&[&args[..], &["--format", "csv"]].concat(), b"");
    insta::assert_snapshot!("kernel_csv", csv.out);
}

#[test]
fn the_first_blocks_alone_are_no_whole_launch() {
    let file = golden("kernels/copy_row.cu");
    let file = file.to_str().expect("a path");
    let args = [
        "kernel", file, "--grid", "32,32", "--block", "32,32", "--arg", "nx=1024", "--arg",
        "ny=1024",
    ];
    let ran = lanescope(&[&args[..], &["--blocks", "2"]].concat(), b"");
    assert!(
        ran.out.contains("2 of 1,024 blocks, not the whole launch:"),
        "{}",
        ran.out
    );
}

#[test]
fn wgsl_is_told_by_the_files_ending_and_says_its_block_itself() {
    let file = golden("wgsl/reduce_interleaved.wgsl");
    let file = file.to_str().expect("a path");
    let args = ["kernel", file, "--dispatch", "64", "--format", "json"];
    let n = ["--arg", "params.n=8192", "--define", "BLOCK=128"];
    let ran = lanescope(&[&args[..], &n[..]].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["kernel"], "reduce_interleaved");
    let cuda = golden("kernels/reduce_interleaved.cu");
    let cuda = cuda.to_str().expect("a path");
    let args = ["kernel", cuda, "--grid", "64", "--block", "128"];
    let n = ["--arg", "n=8192", "--format", "json"];
    let twin = lanescope(&[&args[..], &n[..]].concat(), b"");
    let twin: Value = serde_json::from_str(&twin.out).expect("JSON");
    assert_eq!(json["totals"], twin["totals"]);
}

#[test]
fn what_naga_refuses_stands_at_its_place() {
    let file = std::env::temp_dir().join("lanescope-refused.wgsl");
    std::fs::write(
        &file,
        "@compute @workgroup_size(1)\nfn f() { let x = y; }\n",
    )
    .expect("a file");
    let file = file.to_str().expect("a path");
    let ran = lanescope(&["kernel", file, "--grid", "1", "--format", "json"], b"");
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    let said = &json["diagnostics"][0];
    assert_eq!((&said["code"], &said["line"]), (&"wgsl".into(), &2.into()));
}

#[test]
fn a_fix_that_needs_another_launch_says_so() {
    let source = b"__global__ void copy(const float* in, float* out, int n) {
  if (threadIdx.x < n) out[blockIdx.x * n + threadIdx.x] = in[blockIdx.x * n + threadIdx.x];
}";
    let arguments = [
        "fix", "-", "--grid", "8", "--block", "128", "--arg", "n=99", "--format", "diff",
    ];
    let ran = lanescope(&arguments, source);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("note: launch it with --arg pitch=104"),
        "{}",
        ran.err
    );
    assert!(
        ran.out
            .contains("+__global__ void copy(const float* in, float* out, int n, int pitch) {")
    );
}

const WGSL_TILE: &str = "var<workgroup> tile: array<array<f32, 16>, 16>;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) me: vec3u) {
  tile[me.y][me.x] = data[me.y * 16u + me.x];
  workgroupBarrier();
  data[me.y * 16u + me.x] = tile[me.x][me.y];
}
";

#[test]
fn fixes_of_wgsl_are_proved_on_the_changed_text() {
    let file = std::env::temp_dir().join("lanescope-fixed.wgsl");
    std::fs::write(&file, WGSL_TILE).expect("a file");
    let file = file.to_str().expect("a path");
    let ran = lanescope(&["fix", file, "--grid", "1", "--format", "json"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    let fixes = json["fixes"].as_array().expect("fixes");
    let snippets: Vec<&str> = fixes
        .iter()
        .filter_map(|one| one["source"].as_str())
        .collect();
    assert!(
        snippets.contains(&"tile[me.y][me.x ^ me.y]"),
        "{snippets:?}"
    );
    assert!(
        snippets.contains(&"tile: array<array<f32, 18>, 16>"),
        "{snippets:?}"
    );
}

#[test]
fn a_flat_tile_of_wgsl_gets_longer_rows() {
    let flat = WGSL_TILE
        .replace("array<array<f32, 16>, 16>", "array<f32, 256>")
        .replace("tile[me.y][me.x]", "tile[me.y * 16u + me.x]")
        .replace("tile[me.x][me.y]", "tile[me.x * 16u + me.y]");
    let ran = lanescope(
        &["fix", "-", "--grid", "1", "--format", "json"],
        flat.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    let fixes = json["fixes"].as_array().expect("fixes");
    let longer = |one: &&Value| one["source"] == "tile[me.y * 17u + me.x]";
    let found = fixes.iter().find(longer).expect("longer rows");
    let edits = found["edits"].as_array().expect("edits");
    let texts = edits.iter().filter_map(|edit| edit["replacement"].as_str());
    let texts: Vec<&str> = texts.collect();
    assert_eq!(texts, ["17u", "17u", "272"], "{fixes:#?}");
}

const COLUMNS: &[u8] = b"__global__ void f(const float* a, float* b, int n) {\n\
    b[threadIdx.x] = a[threadIdx.x * n] + a[threadIdx.x * n + 1];\n}\n";

#[test]
fn what_an_l1_fetches_stands_in_every_format() {
    let run = |format: &str, device: &str| {
        let args = [
            "kernel", "-", "--grid", "1", "--block", "32", "--arg", "n=8", "--l1", "--device",
            device, "--format", format,
        ];
        lanescope(&args, COLUMNS).out
    };
    let table = run("table", "cc9.0");
    assert!(table.contains("with 262144 bytes of it"), "{table}");
    let json: Value = serde_json::from_str(&run("json", "cc9.0")).expect("JSON");
    assert_eq!(json["l1"]["lines"][0]["line"], 2);
    assert_eq!(json["l1"]["lines"][0]["requested"], 64);
    assert_eq!(json["l1"]["distinct"], 32);
    assert_eq!(json["l1"]["fetched"], 32);
    let csv = run("csv", "cc9.0");
    assert!(
        csv.contains("ideal_sectors,l1_requested,l1_distinct,l1_fetched\n"),
        "{csv}"
    );
    assert!(
        csv.lines()
            .any(|line| line.contains("global_load") && line.ends_with(",64,64,32")),
        "{csv}"
    );
    assert!(
        csv.lines()
            .any(|line| line.contains("global_store") && line.ends_with(",,,")),
        "{csv}"
    );
    let unknown: Value = serde_json::from_str(&run("json", "cdna3")).expect("JSON");
    assert_eq!(unknown["l1"]["fetched"], Value::Null);
    assert!(run("table", "cdna3").contains("not known"));
}

/// The status, the codes of its reasons and the exit status of a kernel run over one block.
fn standing(source: &str, more: &[&str]) -> (Option<i32>, String, Vec<String>) {
    let mut args = vec![
        "kernel", "-", "--grid", "2", "--block", "64", "--format", "json",
    ];
    args.extend(more);
    let ran = lanescope(&args, source.as_bytes());
    let json: Value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    let reasons = json["reasons"].as_array().cloned().unwrap_or_default();
    let codes = reasons
        .iter()
        .map(|one| one["code"].as_str().unwrap_or("").to_owned());
    let status = json["status"].as_str().unwrap_or("none").to_owned();
    assert_eq!(json["exact"] == true, status == "counted", "{json}");
    (ran.code, status, codes.collect())
}

#[test]
fn the_three_states_are_told_apart() {
    let source = "__global__ void k(int *a, int n) { __shared__ int s[64]; s[threadIdx.x] = n; if (a[0] != 0) a[1] = s[0]; }
        __global__ void plain(int *a) { a[threadIdx.x] = 1; }
        void host() { unknown_type x; k<<<1, y>>>(z); }";
    let of = |more: &[&str]| standing(source, more);
    assert_eq!(
        of(&["--kernel", "plain"]),
        (Some(0), "counted".into(), vec![])
    );
    let (code, status, reasons) = of(&["--kernel", "k"]);
    assert_eq!((code, status.as_str()), (Some(0), "assumed"));
    assert_eq!(reasons.iter().filter(|one| *one == "contents").count(), 1);
    assert!(reasons.contains(&"argument".to_owned()), "{reasons:?}");
    let (code, status, reasons) = of(&["--kernel", "plain", "--blocks", "1"]);
    assert_eq!(
        (code, status.as_str(), reasons),
        (Some(3), "partial", vec!["blocks".to_owned()])
    );
}

#[test]
fn an_unknown_kernel_is_a_failure() {
    let source = "__global__ void k(int *a) { a[threadIdx.x] = 1; }";
    let (code, status, reasons) = standing(source, &["--kernel", "kk"]);
    assert_eq!(
        (code, status.as_str(), reasons),
        (Some(1), "partial", vec!["unread".to_owned()])
    );
}

#[test]
fn the_sentence_says_first_what_is_in_doubt() {
    let said = |source: &str| {
        let ran = lanescope(
            &["kernel", "-", "--grid", "1", "--block", "32"],
            source.as_bytes(),
        );
        ran.out.lines().next().unwrap_or("").to_owned()
    };
    let partial = said("__global__ void k(int *a) { a[threadIdx.x] = mystery(a); }");
    assert!(
        partial.starts_with("not fully counted (line 1: unknown function `mystery`"),
        "{partial}"
    );
    let assumed = said("__global__ void k(int *a, int n) { a[threadIdx.x * n] = 1; }");
    assert!(assumed.starts_with("counted if n = 32: "), "{assumed}");
    let counted = said("__global__ void k(int *a) { a[threadIdx.x] = 1; }");
    assert!(
        counted.starts_with("no shared memory; global memory"),
        "{counted}"
    );
}
