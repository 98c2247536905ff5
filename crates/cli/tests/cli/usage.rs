use crate::run::lanescope;

#[test]
fn every_command_helps_with_examples() {
    for command in ["expr", "kernel", "trace", "devices", "link", "svg"] {
        let ran = lanescope(&[command, "--help"], b"");
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.out.contains("Examples:") && ran.out.contains(&format!("lanescope {command}")),
            "{}",
            ran.out
        );
    }
}

#[test]
fn bad_usage_is_told_apart() {
    let bad: [&[&str]; 7] = [
        &[],
        &["nonsense"],
        &["kernel"],
        &["kernel", "x.cu", "--grid", "1", "--block", "0"],
        &["expr", "a[tx]", "--op", "swap"],
        &["expr", "a[tx]", "--block", "1,2,3,4"],
        &["trace", "x.csv", "--format", "xml"],
    ];
    for args in bad {
        let ran = lanescope(args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(
            ran.err.contains("Usage") || ran.err.contains("--help"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_file_that_is_not_there_is_a_failure() {
    let ran = lanescope(
        &["kernel", "/nowhere.cu", "--grid", "1", "--block", "32"],
        b"",
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("cannot open /nowhere.cu"), "{}", ran.err);
}

/// Waits for what never comes, and touches memory while it waits.
const SPIN: &[u8] = b"
__global__ void spin(const int *flag) {
    while (flag[threadIdx.x] != 1) {}
}";

#[test]
fn a_limit_of_time_leaves_what_was_counted() {
    let most = u64::MAX.to_string();
    let flag = "flag=32,random:1";
    let limits = [
        "--max-requests",
        &most,
        "--max-seconds",
        "0.2",
        "--format",
        "json",
    ];
    let launch = ["kernel", "-", "--grid", "1", "--block", "32", "--arg", flag];
    let written = ["--compiler", "none"];
    let ran = lanescope(&[&launch[..], &limits, &written].concat(), SPIN);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.out.contains("\"status\": \"partial\""), "{}", ran.out);
}

#[test]
fn a_limit_of_no_time_is_refused() {
    for seconds in ["-1", "soon"] {
        let time = format!("--max-seconds={seconds}");
        let ran = lanescope(&["kernel", "-", &time], SPIN);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
    }
}

#[test]
fn an_argument_that_the_kernel_does_not_have_is_bad_usage() {
    let text = b"__global__ void scale(float *data, int count) { if (threadIdx.x < count) data[threadIdx.x] *= 2; }";
    let launch = ["kernel", "-", "--grid", "1", "--block", "32", "--arg"];
    let ran = |argument| lanescope(&[&launch[..], &[argument]].concat(), text);
    let known = ran("count=16");
    assert_eq!(known.code, Some(0), "{}", known.err);
    let misspelt = ran("cuont=16");
    assert_eq!((misspelt.code, misspelt.out.as_str()), (Some(2), ""));
    let said =
        "--arg cuont: `scale` has no such parameter; did you mean `count`? there are data, count";
    assert!(misspelt.err.contains(said), "{}", misspelt.err);
    let other = ran("width=16");
    assert_eq!(other.code, Some(2));
    assert!(!other.err.contains("did you mean"), "{}", other.err);
}

#[test]
fn an_argument_that_compiled_code_does_not_have_is_bad_usage() {
    let text = b".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry k(.param .u64 data, .param .u32 count)\n{\n ret;\n}\n";
    let launch = ["kernel", "-", "--grid", "1", "--block", "32", "--arg"];
    let ran = lanescope(&[&launch[..], &["coutn=16"]].concat(), text);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("did you mean `count`?"), "{}", ran.err);
}

#[test]
fn an_answer_goes_to_a_file_that_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answer.json");
    let path = file.to_str().expect("text");
    let asked = [
        "expr",
        "s[32 * tid]",
        "--decl",
        "float s[1024]",
        "--format",
        "json",
    ];
    let printed = lanescope(&asked, b"");
    let ran = lanescope(&[&asked[..], &["-o", path]].concat(), b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(
        std::fs::read_to_string(&file).expect("written"),
        printed.out
    );
    let nowhere = folder.path().join("no/such/folder");
    let ran = lanescope(
        &[&asked[..], &["-o", nowhere.to_str().expect("text")]].concat(),
        b"",
    );
    assert!(
        ran.code == Some(1) && ran.err.contains("cannot write"),
        "{}",
        ran.err
    );
}

#[test]
fn colour_is_as_asked_for() {
    for (when, is_coloured) in [("always", true), ("never", false), ("auto", false)] {
        let ran = lanescope(
            &["expr", "s[tid", "--decl", "float s[32]", "--color", when],
            b"",
        );
        assert_eq!(
            ran.err.contains('\u{1b}'),
            is_coloured,
            "{when}: {}",
            ran.err
        );
    }
}

#[test]
fn numbers_for_people_have_separators_and_totals_no_zeros() {
    let kernel = "__global__ void k(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
    let ran = lanescope(
        &["kernel", "-", "--grid", "4096", "--block", "256"],
        kernel.as_bytes(),
    );
    assert!(
        ran.out.contains("global_store_sectors   131,072"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("4,096 blocks") && !ran.out.contains("shared_load"),
        "{}",
        ran.out
    );
}
