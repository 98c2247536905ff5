//! `lanescope check --compile`: what a compiler makes of the sources is held to the limits.

use crate::check::{Ran, folder};
use crate::run::golden;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use tempfile::TempDir;

/// An nvcc that gives an object, and an nvdisasm that gives the listing that NVIDIA's gave of the same source.
pub(crate) const NVCC: &str = "for one; do [ \"$last\" = -o ] && OUT=$one; last=$one; echo \"$one\" >> \"$BENCH/flags\"; done\n\
                    cp \"$BENCH/k.cubin\" \"$OUT\"";
const NVDISASM: &str = "cat \"$BENCH/listing\"";

const SETTINGS: &str = "[[launch]]\nkernel = \"transpose\"\ngrid = [4, 4]\nblock = [32, 8]\narguments = { width = 128 }\n\n\
                        [[launch]]\nkernel = \"strided\"\ngrid = 4\nblock = 256\narguments = { limit = 1024, step = 2 }\n";

/// A repository with the source, beside tools of ours.
pub(crate) fn bench(nvcc: &str) -> TempDir {
    let source = fs::read_to_string(golden("compiled/transpose.cu")).expect("a source");
    let listing =
        fs::read_to_string(golden("compiled/transpose.sm_90.nvdisasm")).expect("a listing");
    let bench = folder(&[
        ("repository/transpose.cu", &source),
        ("repository/lanescope.toml", SETTINGS),
        ("listing", &listing),
        ("bin/nvcc", &format!("#!/bin/sh\n{nvcc}\n")),
        ("bin/nvdisasm", &format!("#!/bin/sh\n{NVDISASM}\n")),
        ("scratch/keep", ""),
    ]);
    for tool in ["bin/nvcc", "bin/nvdisasm"] {
        let tool = bench.path().join(tool);
        fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    fs::write(bench.path().join("k.cubin"), object()).expect("an object");
    bench
}

/// An object of NVIDIA's without a section: an ELF header for their machine, which leaves all to the listing.
fn object() -> Vec<u8> {
    let mut header = vec![0; 64];
    header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    header[16..20].copy_from_slice(&[2, 0, 190, 0]);
    header[52] = 64;
    header
}

fn check(bench: &TempDir, args: &[&str]) -> Ran {
    lanescope_at(bench, &[&["check", "--compile"], args].concat())
}

/// The command line in the repository, with our tools.
pub(crate) fn lanescope_at(bench: &TempDir, args: &[&str]) -> Ran {
    let at = |name: &str| bench.path().join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(args)
        .current_dir(at("repository"))
        .env("PATH", format!("{}:/usr/bin:/bin", at("bin").display()))
        .env_remove("CUDA_HOME")
        .env("BENCH", bench.path())
        .env("TMPDIR", at("scratch"))
        .output()
        .expect("it runs");
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn the_compilers_code_is_held_to_the_limit_at_the_lines_of_the_source() {
    let bench = bench(NVCC);
    let ran = check(&bench, &["--format", "json", "-D", "TILE=32"]);
    assert_eq!(ran.code, Some(4), "{}{}", ran.out, ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = report["findings"].as_array().expect("findings");
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding["rule"], "bank-conflict", "{finding}");
        assert_eq!(finding["line"], 12, "{finding}");
    }
    let flags = fs::read_to_string(bench.path().join("flags")).expect("flags");
    for flag in ["-cubin", "-lineinfo", "-arch=sm_90", "-DTILE=32"] {
        assert!(flags.lines().any(|one| one == flag), "{flag}: {flags}");
    }
    let left = fs::read_dir(bench.path().join("scratch")).expect("a folder");
    assert_eq!(left.count(), 1, "only what was there is left");
}

#[test]
fn a_source_that_the_compiler_refuses_is_not_checked_and_says_why() {
    let bench = bench("echo 'transpose.cu(5): error: identifier \"y\" is undefined' >&2; exit 2");
    let ran = check(&bench, &[]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let said = ran.out + &ran.err;
    assert!(said.contains("identifier \"y\" is undefined"), "{said}");
}
