//! One clock over all that a command does.

use crate::run::{Ran, lanescope};
use std::time::{Duration, Instant};

/// A loop in which data decides where each access goes: nothing of it is proved, all of it is run.
const ENDLESS: &str = "__global__ void k(float *p) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 1000000000; ++i) { x = x * 1664525u + 1013904223u; p[x & 1048575] = p[(x >> 3) & 1048575]; }
}";

/// What a run took beyond its limit, at most: starting a process on a busy machine.
const SLACK: Duration = Duration::from_millis(1_500);

fn timed(args: &[&str], text: &str, limit: Duration) -> Ran {
    let started = Instant::now();
    let ran = lanescope(args, text.as_bytes());
    let took = started.elapsed();
    assert!(took < limit + limit / 10 + SLACK, "{args:?} took {took:?}");
    ran
}

fn nest(depth: usize) -> String {
    let loops = (0..depth).map(|at| format!("for (int a{at} = 0; a{at} < 3; ++a{at}) "));
    format!(
        "__global__ void k(float *p) {{ {} p[threadIdx.x] += 1; }}",
        loops.collect::<String>()
    )
}

#[test]
fn every_command_takes_a_limit_of_time() {
    let commands = [
        "expr", "kernel", "fix", "trace", "compare", "layout", "devices", "link", "svg", "png",
    ];
    for command in commands {
        let ran = lanescope(&[command, "--help"], b"");
        assert!(ran.out.contains("--max-seconds"), "{command}");
    }
}

#[test]
fn a_count_of_the_l1_is_cut_off_and_says_so() {
    let args = [
        "kernel",
        "-",
        "--l1",
        "--grid",
        "65536",
        "--block",
        "1024",
        "--max-seconds",
        "0.5",
    ];
    let ran = timed(&args, ENDLESS, Duration::from_millis(500));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(
        ran.out.contains("only as far as the run came"),
        "{}",
        ran.out
    );
    let args = [&args[..], &["--format", "json"]].concat();
    let ran = timed(&args, ENDLESS, Duration::from_millis(500));
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["l1"]["whole"], false);
}

#[test]
fn a_search_for_fixes_ends_in_time() {
    let args = [
        "fix",
        "-",
        "--grid",
        "65536",
        "--block",
        "1024",
        "--max-seconds",
        "0.5",
    ];
    let ran = timed(&args, ENDLESS, Duration::from_millis(500));
    assert!(
        ran.err.contains("stopped") || ran.err.contains("not done within"),
        "{}",
        ran.err
    );
}

#[test]
fn passes_over_deep_nests_end_in_time() {
    for depth in [8, 16, 24, 60] {
        let text = nest(depth);
        for command in ["kernel", "svg"] {
            let file = if command == "svg" {
                &["--file", "-"][..]
            } else {
                &["-"]
            };
            let args = [&[command], file, &["--block", "32", "--max-seconds", "4"]].concat();
            let ran = timed(&args, &text, Duration::from_secs(4));
            assert!(matches!(ran.code, Some(0 | 3)), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_by_its_size() {
    let path = std::env::temp_dir().join(format!("lanescope-large-{}", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(1 << 40).expect("a size");
    let name = path.to_str().expect("a path");
    for args in [
        &["link", "--file", name][..],
        &["svg", "--file", name],
        &["fix", name, "--grid", "1", "--block", "32"],
        &["kernel", name],
    ] {
        let ran = timed(args, "", Duration::ZERO);
        assert_eq!(ran.code, Some(1), "{args:?}");
        assert!(ran.err.contains("holds more than"), "{}", ran.err);
    }
    std::fs::remove_file(path).expect("the file goes");
}
