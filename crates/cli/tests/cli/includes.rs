//! Sources that include local files.

use crate::run::lanescope;

const SOURCE: &str = "#include \"sizes.h\"
#include \"tile.h\"
#include \"absent.h\"
__global__ void k(float* out) {
  fill(out);
}
";
const TILE: &str = "#pragma once
__device__ void fill(float* out) {
  out[threadIdx.x * STRIDE] = unknown;
}
";

#[test]
fn files_beside_the_source_and_in_folders_are_read() {
    let folder = std::env::temp_dir().join(format!("lanescope-includes-{}", std::process::id()));
    let at = |name: &str| folder.join(name);
    std::fs::create_dir_all(at("inc")).expect("a folder");
    std::fs::write(at("k.cu"), SOURCE).expect("a file");
    std::fs::write(at("tile.h"), TILE).expect("a file");
    std::fs::write(at("inc/sizes.h"), "#define STRIDE 8\n").expect("a file");
    let source = at("k.cu");
    let source = source.to_str().expect("a path");
    let include = at("inc");
    let include = include.to_str().expect("a path");
    let args = [
        "kernel", source, "-I", include, "--grid", "1", "--block", "32", "--format", "json",
    ];
    let ran = lanescope(&args, b"");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["totals"]["global_store_sectors"], 32);
    assert_eq!(json["lines"][0]["file"], "tile.h");
    assert_eq!(json["lines"][0]["line"], 3);
    assert_eq!(json["diagnostics"][0]["code"], "missing-include");
    assert_eq!(json["diagnostics"][0]["line"], 3);
    assert_eq!(json["diagnostics"][1]["code"], "unknown-name");
    assert_eq!(json["diagnostics"][1]["file"], "tile.h");
    assert_eq!(json["diagnostics"][1]["line"], 3);
    assert!(ran.err.contains("tile.h:3:31"), "{}", ran.err);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}
