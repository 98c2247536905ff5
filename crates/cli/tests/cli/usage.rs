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
