//! Who may depend on whom: pure at the bottom, the GPU and the browser each named by one crate.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;

/// What each package may depend on among the project's own. A package that is not listed may on any.
const OWN: &[(&str, &[&str])] = &[
    ("lanescope-launches", &[]),
    ("lanescope-model", &[]),
    ("lanescope-ir", &["lanescope-model"]),
    ("lanescope-simt", &["lanescope-ir", "lanescope-model"]),
    ("lanescope-layouts", &["lanescope-model"]),
    ("lanescope-trace", &["lanescope-model"]),
    ("lanescope-wire", &["lanescope-model", "lanescope-layouts"]),
    (
        "lanescope-lang",
        &["lanescope-model", "lanescope-layouts", "lanescope-wire"],
    ),
    (
        "lanescope-cuda",
        &["lanescope-ir", "lanescope-lang", "lanescope-model"],
    ),
    ("lanescope-draw", &["lanescope-model"]),
    ("lanescope-share", &["lanescope-model"]),
    ("lanescope-preview", &["lanescope-model", "lanescope-lang"]),
    (
        "lanescope-tally",
        &[
            "lanescope-model",
            "lanescope-lang",
            "lanescope-draw",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-fixes",
        &[
            "lanescope-model",
            "lanescope-lang",
            "lanescope-layouts",
            "lanescope-wire",
        ],
    ),
    (
        "lanescope-query",
        &[
            "lanescope-model",
            "lanescope-lang",
            "lanescope-draw",
            "lanescope-launches",
            "lanescope-share",
            "lanescope-tally",
        ],
    ),
    ("lanescope-gallery", &["lanescope-share"]),
    ("lanescope-raster", &["lanescope-draw"]),
    ("lanescope-wgsl", &["lanescope-model", "lanescope-lang"]),
    ("lanescope-kernels", &["lanescope-model", "lanescope-lang"]),
    (
        "lanescope-lab",
        &[
            "lanescope-kernels",
            "lanescope-model",
            "lanescope-lang",
            "lanescope-tally",
        ],
    ),
];

/// The packages that know a browser.
const PAGES: &[&str] = &[
    "lanescope-app",
    "lanescope-weblab",
    "lanescope-ui",
    "lanescope-webpreview",
    "lanescope-wgsl-worker",
    "lanescope-js",
    "lanescope-lab",
];

/// Who may name a package of the platform.
const PLATFORM: [(&str, &[&str]); 7] = [
    ("naga", &["lanescope-wgsl"]),
    ("wgpu", &["lanescope-lab"]),
    ("leptos", &["lanescope-app"]),
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

/// The crates that must not know on what they run; their tests run in WASM too.
pub(crate) const PURE: &[&str] = &[
    "lanescope-ir",
    "lanescope-simt",
    "lanescope-cuda",
    "lanescope-layouts",
    "lanescope-trace",
    "lanescope-wire",
    "lanescope-launches",
    "lanescope-model",
    "lanescope-lang",
    "lanescope-draw",
    "lanescope-share",
    "lanescope-preview",
    "lanescope-tally",
    "lanescope-fixes",
    "lanescope-query",
    "lanescope-gallery",
    "lanescope-wgsl",
];

/// What must not reach a page's WASM.
const NOT_IN_THE_PAGE: [&str; 3] = ["naga", "wgpu-core", "wgpu-hal"];

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
    for page in [
        "lanescope-app",
        "lanescope-weblab",
        "lanescope-webpreview",
        "lanescope-js",
    ] {
        faults.extend(below(page, "wasm32-unknown-unknown", &NOT_IN_THE_PAGE)?);
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

struct Package {
    name: String,
    /// What it depends on itself, tests and build scripts left out.
    dependencies: BTreeSet<String>,
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
    let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
    let dependencies = normal
        .filter_map(|dependency| Some(dependency["name"].as_str()?.to_owned()))
        .collect();
    Ok(Package { name, dependencies })
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
    package
        .dependencies
        .iter()
        .filter(refused)
        .map(|dependency| format!("{} must not name {dependency}", package.name))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::{Package, check, direct_faults};

    fn package(name: &str, dependency: &str) -> Package {
        Package {
            name: name.into(),
            dependencies: [dependency.to_owned()].into(),
        }
    }

    #[test]
    fn the_workspace_keeps_the_directions() {
        check().unwrap();
    }

    #[test]
    fn a_dependency_that_points_back_is_a_fault() {
        assert_eq!(
            direct_faults(&package("lanescope-model", "lanescope-lang")).len(),
            1
        );
        assert_eq!(
            direct_faults(&package("lanescope-lang", "lanescope-model")).len(),
            0
        );
        assert_eq!(direct_faults(&package("lanescope-draw", "wgpu")).len(), 1);
        assert_eq!(direct_faults(&package("lanescope-lab", "wgpu")).len(), 0);
    }
}
