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
    for seconds in ["0", "-1", "soon"] {
        let time = format!("--max-seconds={seconds}");
        let ran = lanescope(&["kernel", "-", &time], SPIN);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
    }
}
