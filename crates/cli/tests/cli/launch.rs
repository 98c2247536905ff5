//! Recorded launches.

use crate::run::{Ran, lanescope};
use serde_json::Value;
use std::path::PathBuf;

/// A file of this content that the tests may use.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the temporary folder can be written");
    path
}

const SOURCE: &str = "template <int STEP, typename T> __global__ void gather(const T *in, T *out, int n, float scale) {
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && scale > 1) { s[threadIdx.x] = in[i * STEP]; out[i] = s[threadIdx.x]; }
}
__global__ void other(int *p) { p[0] = 1; }";

const LAUNCHES: &str = r#"{"kernel":"other","grid":[1,1,1],"block":[32,1,1],"arguments":[]}
{"kernel":"gather","template_arguments":["2","float"],"grid":[4,1,1],"block":[64,1,1],"dynamic_shared":256,"arguments":[{"bytes":8,"hex":"0002000000000000","pointer":{"base_off":4,"range":4096,"mod":4}},{"bytes":8,"pointer":{"base_off":0,"range":4096,"mod":0}},{"name":"n","bytes":4,"hex":"80000000"},{"name":"scale","bytes":4,"hex":"00000040"}]}
"#;

/// `lanescope kernel` with the second launch, as JSON, with `more` options.
fn launched(name: &str, more: &[&str]) -> (Ran, Value) {
    let source = file(&format!("{name}.cu"), SOURCE);
    let launches = file(&format!("{name}.jsonl"), LAUNCHES);
    let launch = format!("{}#2", launches.display());
    let path = source.display().to_string();
    let mut args = vec!["kernel", &path, "--launch", &launch, "--format", "json"];
    args.extend(more);
    let ran = lanescope(&args, b"");
    let json = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    (ran, json)
}

#[test]
fn a_recorded_launch_gives_all_that_a_run_needs() {
    let (ran, json) = launched("recorded", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(json["kernel"], "gather");
    let totals = &json["totals"];
    // 128 of 256 threads; every other float, 4 bytes past a sector's beginning: 256 bytes of a warp touch 9 sectors.
    assert_eq!(totals["global_load_requests"], 4);
    assert_eq!(totals["global_load_sectors"], 4 * 8);
    assert_eq!(totals["global_store_sectors"], 4 * 4);
    assert_eq!(totals["shared_store_wavefronts"], 4);
}

#[test]
fn fixes_are_searched_for_a_recorded_launch() {
    let text = SOURCE.replace(
        "s[threadIdx.x]",
        "s[threadIdx.x * 32 % 64 + threadIdx.x / 2]",
    );
    let source = file("fixed.cu", &text).display().to_string();
    let launches = file("fixed.jsonl", LAUNCHES);
    let launch = format!("{}#2", launches.display());
    let args = ["fix", &source, "--launch", &launch, "--format", "json"];
    let ran = lanescope(&args, b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    // 128 of 256 threads, as the record says; dynamic shared memory as it says too.
    assert_eq!(json["now"]["global_units"], 4 * 8 + 4 * 4);
    assert!(json["now"]["shared_conflicts"].as_u64() > Some(0));
}

#[test]
fn options_win_over_a_recorded_launch() {
    let more = ["--arg", "n=32", "--grid", "2", "--block", "32"];
    let (ran, json) = launched("options", &more);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(json["totals"]["global_load_requests"], 1);
    let (_, json) = launched("kernel", &["--kernel", "other"]);
    assert_eq!(json["kernel"], "other");
}

#[test]
fn a_launch_that_cannot_be_read_is_a_failure() {
    let source = file("unread.cu", SOURCE);
    let launches = file("unread.jsonl", LAUNCHES);
    let path = source.display().to_string();
    for (number, error) in [
        ("#3", "no launch 3; the file has 2"),
        ("", "the file has 2 launches; choose one"),
    ] {
        let launch = format!("{}{number}", launches.display());
        let ran = lanescope(&["kernel", &path, "--launch", &launch], b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{number}");
        assert!(ran.err.contains(error), "{}", ran.err);
    }
}

/// `lanescope kernel` of a text without options, as JSON.
fn unasked(source: &str) -> Value {
    let ran = lanescope(&["kernel", "-", "--format", "json"], source.as_bytes());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err))
}

#[test]
fn a_launch_is_read_from_the_host_code_of_the_text() {
    let json = unasked(
        "template <int STEP> __global__ void k(float *a, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i * STEP] = 1; }
        int main() { const int n = 256, threads = 64; dim3 grid((n + threads - 1) / threads); k<8><<<grid, threads>>>(p, n); }",
    );
    assert_eq!(
        (&json["status"], &json["reasons"]),
        (&"counted".into(), &Value::Array(vec![]))
    );
    assert_eq!(json["totals"]["global_store_requests"], 8);
    assert_eq!(json["totals"]["global_store_sectors"], 256);
}

#[test]
fn a_launch_that_nobody_gave_is_a_guess_that_is_said() {
    let json =
        unasked("__global__ void k(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }");
    assert_eq!(
        (&json["status"], &json["exact"]),
        (&"assumed".into(), &false.into())
    );
    assert_eq!(json["reasons"][0]["code"], "launch-shape");
    // Threads along x alone.
    assert_eq!(json["totals"]["global_store_requests"], 64 * 8);
}

const HISTOGRAM: &str = "__global__ void histogram(const unsigned char *in, int *out) {
    __shared__ int bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], out[threadIdx.x]);
}";

/// NumPy's file of these bytes as `descr`.
fn npy(descr: &str, count: usize, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}\n");
    let length = u16::try_from(header.len()).expect("a short header");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend(length.to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// `lanescope kernel` of the histogram with one block of one warp and `more` options, as JSON.
fn histogram(name: &str, more: &[&str]) -> (Ran, Value) {
    let path = file(&format!("{name}.cu"), HISTOGRAM).display().to_string();
    let mut args = vec!["kernel", &path, "--format", "json"];
    args.extend(more);
    let ran = lanescope(&args, b"");
    let json = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    (ran, json)
}

fn bytes_file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the temporary folder can be written");
    path.display().to_string()
}

const WARP: [&str; 4] = ["--grid", "1", "--block", "32"];

#[test]
fn files_of_contents_are_counted_and_not_assumed() {
    // Every fourth bin in turn: lanes 8 apart share a bank.
    let spread: Vec<u8> = (0..32).map(|lane| lane * 4).collect();
    let [all, raw] = [npy("|u1", 32, &spread), spread.clone()];
    let all = format!("in=@{}", bytes_file("spread.npy", &all));
    let raw = format!("in=@{}:u8", bytes_file("spread.bin", &raw));
    for given in [&all, &raw] {
        let mut more = vec!["--arg", given];
        more.extend(WARP);
        let (ran, json) = histogram("spread", &more);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{given}");
        // What nvcc makes of it is predicted; nothing is assumed.
        assert_eq!(json["status"], "predicted", "{given}");
        assert_eq!(json["totals"]["shared_atomic_wavefronts"], 4, "{given}");
    }
    let (_, json) = histogram("unsaid", &WARP);
    assert_eq!(json["status"], "assumed");
}

#[test]
fn numbers_behind_a_file_s_end_are_assumed() {
    let given = format!("in=@{}:u8", bytes_file("short.bin", &[1; 16]));
    let mut more = vec!["--arg", &given];
    more.extend(WARP);
    let (_, json) = histogram("short", &more);
    assert_ne!(json["status"], "counted");
}

#[test]
fn a_record_names_files_that_stand_beside_it() {
    let spread: Vec<u8> = (0..32).map(|lane| lane * 4).collect();
    bytes_file("beside.npy", &npy("|u1", 32, &spread));
    let record = file(
        "beside.json",
        r#"{"kernel":"histogram","grid":1,"block":32,"arguments":[
            {"bytes":8,"pointer":{"range":32},"contents":"beside.npy"},{"bytes":8,"pointer":{"range":128}}]}"#,
    );
    let record = record.display().to_string();
    let (ran, json) = histogram("beside", &["--launch", &record]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(json["status"], "predicted");
    assert_eq!(json["totals"]["shared_atomic_wavefronts"], 4);
    let (_, json) = histogram("beside", &["--launch", &record, "--arg", "in=32"]);
    assert_eq!(json["status"], "assumed", "options win");
}

#[test]
fn files_that_give_no_contents_are_errors() {
    let floats = bytes_file("floats.npy", &npy("<f4", 2, &[0; 8]));
    let odd = bytes_file("odd.bin", &[0; 6]);
    for (given, said) in [
        (
            format!("in=@{floats}"),
            "holds floats of 32 bits, the array integers of 8 bits (unsigned char); save it with astype('uint8')",
        ),
        (format!("out=@{odd}:i32"), "has 6 bytes of numbers"),
        (format!("in=@{floats}x"), "cannot open"),
    ] {
        let mut more = vec!["--arg", &given];
        more.extend(WARP);
        let (ran, json) = histogram("wrong", &more);
        assert_eq!((ran.code, json), (Some(1), Value::Null), "{given}");
        assert!(ran.err.contains(said), "{given}: {}", ran.err);
    }
    let unknown = format!("inn=@{floats}");
    let mut more = vec!["--arg", &unknown];
    more.extend(WARP);
    let (ran, json) = histogram("unknown", &more);
    assert_eq!((ran.code, json), (Some(2), Value::Null));
    assert!(ran.err.contains("did you mean"), "{}", ran.err);
}
