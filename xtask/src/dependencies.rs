//! Who may depend on whom: pure at the bottom, the GPU and the browser each named by one crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use walkdir::WalkDir;

use crate::{process, workspace};

/// What each package may depend on among the project's own. A package that is not listed may on any.
const OWN: &[(&str, &[&str])] = &[
    ("lanescope-launches", &[]),
    ("lanescope-object", &[]),
    ("lanescope-locale", &["lanescope-model"]),
    ("lanescope-profiler", &["lanescope-locale"]),
    ("lanescope-model", &[]),
    ("lanescope-ir", &["lanescope-model"]),
    ("lanescope-simt", IR),
    ("lanescope-sass", CODE),
    ("lanescope-ptx", CODE),
    ("lanescope-optimizer", IR),
    (
        "lanescope-emit",
        &["lanescope-ir", "lanescope-locale", "lanescope-model"],
    ),
    (
        "lanescope-compiled",
        &[
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-launches",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-object",
            "lanescope-optimizer",
            "lanescope-ptx",
            "lanescope-sass",
            "lanescope-simt",
        ],
    ),
    (
        "lanescope-layouts",
        &["lanescope-locale", "lanescope-model"],
    ),
    ("lanescope-trace", &["lanescope-locale", "lanescope-model"]),
    (
        "lanescope-wire",
        &[
            "lanescope-ir",
            "lanescope-layouts",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-simt",
        ],
    ),
    // Text alone: `layouts` because a diagnostic may carry a fault of a layout.
    (
        "lanescope-syntax",
        &["lanescope-layouts", "lanescope-locale", "lanescope-wire"],
    ),
    // What every front end gives, below all of them.
    (
        "lanescope-frontend",
        &[
            "lanescope-ir",
            "lanescope-layouts",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-simt",
            "lanescope-syntax",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-cuda",
        &[
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-model",
            "lanescope-simt",
            "lanescope-syntax",
        ],
    ),
    ("lanescope-draw", &["lanescope-locale", "lanescope-model"]),
    ("lanescope-share", &["lanescope-locale", "lanescope-model"]),
    (
        "lanescope-preview",
        &[
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-model",
            "lanescope-simt",
            "lanescope-syntax",
        ],
    ),
    (
        "lanescope-tally",
        &[
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-simt",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-fixes",
        &[
            "lanescope-frontend",
            "lanescope-layouts",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-syntax",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-query",
        &[
            "lanescope-cuda",
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-model",
            "lanescope-draw",
            "lanescope-fixes",
            "lanescope-launches",
            "lanescope-layouts",
            "lanescope-locale",
            "lanescope-optimizer",
            "lanescope-profiler",
            "lanescope-share",
            "lanescope-simt",
            "lanescope-syntax",
            "lanescope-tally",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-report",
        &[
            "lanescope-fixes",
            "lanescope-frontend",
            "lanescope-layouts",
            "lanescope-locale",
            "lanescope-model",
            "lanescope-query",
            "lanescope-share",
            "lanescope-syntax",
            "lanescope-trace",
            "lanescope-wgsl",
        ],
    ),
    (
        "lanescope-gallery",
        &["lanescope-locale", "lanescope-share"],
    ),
    ("lanescope-raster", &["lanescope-draw"]),
    (
        "lanescope-wgsl",
        &[
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-model",
            "lanescope-syntax",
        ],
    ),
    ("lanescope-kernels", &["lanescope-model", "lanescope-cuda"]),
    (
        "lanescope-lab",
        &[
            "lanescope-emit",
            "lanescope-kernels",
            "lanescope-locale",
            "lanescope-frontend",
            "lanescope-model",
            "lanescope-query",
            "lanescope-tally",
        ],
    ),
    (
        "lanescope-run",
        &[
            "lanescope-emit",
            "lanescope-frontend",
            "lanescope-ir",
            "lanescope-kernels",
            "lanescope-lab",
            "lanescope-locale",
            "lanescope-query",
            "lanescope-simt",
            "lanescope-tally",
            "lanescope-wgsl",
        ],
    ),
];

/// What knows no CUDA, not even in its tests: those that need a kernel from CUDA source stand in a crate above.
const NO_LANGUAGE: [&str; 13] = [
    "lanescope-model",
    "lanescope-ir",
    "lanescope-simt",
    "lanescope-optimizer",
    "lanescope-frontend",
    "lanescope-tally",
    "lanescope-preview",
    "lanescope-compiled",
    "lanescope-layouts",
    "lanescope-trace",
    "lanescope-wire",
    "lanescope-draw",
    "lanescope-wgsl",
];

/// What stands on the intermediate representation: languages, compilers and warps know nothing of each other.
const IR: &[&str] = &["lanescope-ir", "lanescope-model"];

/// Compiled code: its functions are called by the names that launches are recorded under, and its faults are `locale`'s,
/// whose words every page of a language has.
const CODE: &[&str] = &[
    "lanescope-ir",
    "lanescope-launches",
    "lanescope-locale",
    "lanescope-model",
];

/// The names of compilers, which only the optimizer's code may say.
const COMPILERS: [&str; 2] = ["nvcc", "ptxas"];

/// Crates whose code may name compilers: beside the optimizer, the command line, `query` and `compiled` choose a profile
/// by its name, which `share` writes into links and `locale` tells readers.
const MAY_NAME_COMPILERS: [&str; 6] = ["optimizer", "cli", "query", "compiled", "share", "locale"];

/// The packages that know a browser.
const PAGES: &[&str] = &[
    "lanescope-app",
    "lanescope-weblab",
    "lanescope-webrun",
    "lanescope-ui",
    "lanescope-webpreview",
    "lanescope-reader",
    "lanescope-js",
    "lanescope-lab",
];

/// Who may name a package of the platform.
const PLATFORM: [(&str, &[&str]); 9] = [
    ("naga", &["lanescope-wgsl"]),
    ("pyo3", &["lanescope-python"]),
    ("numpy", &["lanescope-python"]),
    ("wgpu", &["lanescope-lab"]),
    (
        "leptos",
        &["lanescope-app", "lanescope-weblab", "lanescope-webrun"],
    ),
    ("web-sys", PAGES),
    ("js-sys", PAGES),
    ("wasm-bindgen", PAGES),
    ("wasm-bindgen-futures", PAGES),
];

/// What no pure crate may have below it, however far.
const IMPURE: [&str; 6] = [
    "wgpu",
    "leptos",
    "web-sys",
    "js-sys",
    "wasm-bindgen",
    "libc",
];

/// The crates that must not know on what they run; the tests of most run in WASM too.
pub(crate) const PURE: &[&str] = &[
    "lanescope-sass",
    "lanescope-ptx",
    "lanescope-optimizer",
    "lanescope-emit",
    "lanescope-ir",
    "lanescope-simt",
    "lanescope-frontend",
    "lanescope-layouts",
    "lanescope-trace",
    "lanescope-wire",
    "lanescope-launches",
    "lanescope-locale",
    "lanescope-object",
    "lanescope-profiler",
    "lanescope-model",
    "lanescope-syntax",
    "lanescope-cuda",
    "lanescope-draw",
    "lanescope-share",
    "lanescope-preview",
    "lanescope-tally",
    "lanescope-fixes",
    "lanescope-query",
    "lanescope-report",
    "lanescope-gallery",
    "lanescope-wgsl",
];

const WASM: &str = "wasm32-unknown-unknown";

/// What must not reach a page's WASM.
const NOT_IN_THE_PAGE: [&str; 3] = ["naga", "wgpu-core", "wgpu-hal"];

/// What must not reach the ES module, which reads WGSL.
const GPU_IMPLEMENTATIONS: [&str; 2] = ["wgpu-core", "wgpu-hal"];

/// Holds the direction of dependencies.
///
/// # Errors
/// Names the dependencies that point where they must not.
pub(crate) fn check() -> Result<()> {
    let packages = packages()?;
    let mut faults: Vec<String> = packages.iter().flat_map(direct_faults).collect();
    for package in PURE
        .iter()
        .filter(|name| packages.iter().any(|package| package.name == **name))
    {
        faults.extend(below(package, "all", &IMPURE)?);
    }
    for page in ["lanescope-app", "lanescope-weblab", "lanescope-webpreview"] {
        faults.extend(below(page, WASM, &NOT_IN_THE_PAGE)?);
    }
    faults.extend(below("lanescope-js", WASM, &GPU_IMPLEMENTATIONS)?);
    faults.extend(compilers_named(&workspace::root().join("crates"))?);
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

struct Package {
    name: String,
    /// What it depends on itself, tests and build scripts left out.
    dependencies: BTreeSet<String>,
    /// What its tests and build scripts depend on beside that.
    of_tests: BTreeSet<String>,
}

fn packages() -> Result<Vec<Package>> {
    let text = process::output(&mut process::cargo(&[
        "metadata",
        "--format-version=1",
        "--no-deps",
        "--locked",
    ]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?
        .iter()
        .map(package)
        .collect()
}

fn package(value: &Value) -> Result<Package> {
    let name = value["name"]
        .as_str()
        .context("a package without a name")?
        .to_owned();
    let all = value["dependencies"]
        .as_array()
        .context("a package without dependencies")?;
    let (normal, of_tests): (Vec<_>, Vec<_>) = all
        .iter()
        .partition(|dependency| dependency["kind"].is_null());
    let names = |list: Vec<&Value>| {
        let names = list.iter().filter_map(|one| one["name"].as_str());
        names.map(str::to_owned).collect()
    };
    Ok(Package {
        name,
        dependencies: names(normal),
        of_tests: names(of_tests),
    })
}

fn direct_faults(package: &Package) -> Vec<String> {
    let allowed = OWN
        .iter()
        .find(|(name, _)| *name == package.name)
        .map(|(_, allowed)| *allowed);
    let refused = |dependency: &&String| {
        let own = dependency.starts_with("lanescope-")
            && allowed.is_some_and(|allowed| !allowed.contains(&dependency.as_str()));
        let platform = PLATFORM
            .iter()
            .any(|(name, users)| name == dependency && !users.contains(&package.name.as_str()));
        own || platform
    };
    let reads_cuda =
        |dependency: &&String| reads_no_language(package) && *dependency == "lanescope-cuda";
    let of_tests = package.of_tests.iter().filter(reads_cuda);
    package
        .dependencies
        .iter()
        .filter(refused)
        .chain(of_tests)
        .map(|dependency| format!("{} must not name {dependency}", package.name))
        .collect()
}

fn reads_no_language(package: &Package) -> bool {
    NO_LANGUAGE.contains(&package.name.as_str())
}

fn below(package: &str, target: &str, refused: &[&str]) -> Result<Vec<String>> {
    let arguments = [
        "tree",
        "--locked",
        "--package",
        package,
        "--target",
        target,
        "--edges",
        "normal",
        "--prefix",
        "none",
    ];
    let tree = process::output(process::cargo(&arguments).args(["--format", "{p}"]))?;
    let names: BTreeSet<_> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let found = refused.iter().filter(|name| names.contains(**name));
    Ok(found
        .map(|name| format!("{package} must not have {name} below it"))
        .collect())
}

/// The lines of code, comments left out, that name a compiler where none may be named.
fn compilers_named(crates: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for entry in WalkDir::new(crates).sort_by_file_name() {
        let entry = entry?;
        let path = entry.path().strip_prefix(crates)?;
        let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
        let [name, "src", ..] = parts[..] else {
            continue;
        };
        if path.extension().is_none_or(|kind| kind != "rs") || MAY_NAME_COMPILERS.contains(&name) {
            continue;
        }
        let text = fs::read_to_string(entry.path())?;
        let lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| names_compiler(line));
        faults.extend(
            lines.map(|(line, _)| format!("crates/{}:{line} names a compiler", path.display())),
        );
    }
    Ok(faults)
}

/// Whether a line's code, without its comment, names a compiler.
fn names_compiler(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line).to_lowercase();
    COMPILERS.iter().any(|name| code.contains(name))
}

#[cfg(test)]
mod tests;
