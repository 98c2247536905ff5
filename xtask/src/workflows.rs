//! What continuous integration and releases may do: actions pinned by commit, and nothing to write where code runs.

use crate::{process, workspace};
use std::fs;

/// The workflows by name.
fn workflows() -> Vec<(String, String)> {
    let folder = workspace::root().join(".github/workflows");
    let entries = fs::read_dir(folder).expect("the folder of workflows");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found: Vec<_> = paths
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a workflow");
            (path.display().to_string(), text)
        })
        .collect();
    assert!(!found.is_empty());
    found
}

/// The jobs of a workflow, each with its lines.
fn jobs(text: &str) -> Vec<String> {
    let (_, jobs) = text.split_once("\njobs:\n").expect("jobs");
    let is_name = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    jobs.lines().fold(Vec::new(), |mut all: Vec<String>, line| {
        if is_name(line) {
            all.push(String::new());
        }
        if let Some(job) = all.last_mut() {
            job.push_str(line);
            job.push('\n');
        }
        all
    })
}

#[test]
fn actions_are_pinned_by_commit() {
    for (name, text) in workflows() {
        let used = text.lines().filter_map(|line| line.split_once("uses:"));
        for (_, action) in used {
            let (commit, version) = action
                .split_once('@')
                .and_then(|(_, pin)| pin.split_once(" # "))
                .unwrap_or_else(|| {
                    panic!("{name}: {action} is not pinned, or does not say its version")
                });
            let is_commit =
                commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && version.starts_with('v'), "{name}: {action}");
        }
    }
}

#[test]
fn what_runs_the_code_can_write_nothing() {
    for (name, text) in workflows() {
        let (head, _) = text.split_once("\njobs:\n").expect("jobs");
        assert!(
            head.contains("\npermissions:"),
            "{name} says no permissions"
        );
        assert!(!head.contains(": write"), "{name} may write in every job");
        // What is packed without being built runs no code of the project.
        let runs = |job: &&String| {
            let lines = job.lines().filter(|line| line.contains("run: cargo"));
            lines
                .into_iter()
                .any(|line| !line.contains("cargo publish --locked --no-verify"))
        };
        for job in jobs(&text).iter().filter(runs) {
            assert!(!job.contains(": write"), "{name}: {job}");
            assert!(job.contains("persist-credentials: false"), "{name}: {job}");
        }
    }
}

#[test]
fn a_release_is_tested_and_checked_before_it_is_built() {
    let (_, text) = workflows()
        .into_iter()
        .find(|(name, _)| name.ends_with("release.yml"))
        .expect("the workflow of releases");
    let jobs = jobs(&text);
    let has = |command: &str| jobs.iter().any(|job| job.contains(command));
    assert!(has("run: cargo xtask test") && has("run: cargo deny check"));
    let needs = |name: &str, needed: &str| {
        let job = jobs
            .iter()
            .find(|job| job.starts_with(&format!("  {name}:")));
        job.is_some_and(|job| job.contains(&format!("    needs: {needed}\n")))
    };
    for (name, needed) in [
        ("page", "[test, dependencies]"),
        ("build", "page"),
        ("gather", "build"),
        ("publish", "gather"),
        ("wheels", "publish"),
        ("modules", "publish"),
        ("crates", "publish"),
    ] {
        assert!(needs(name, needed), "{name} does not wait for {needed}");
    }
}

#[test]
fn each_file_of_a_release_has_a_list_of_parts() {
    let (_, text) = workflows()
        .into_iter()
        .find(|(name, _)| name.ends_with("release.yml"))
        .expect("the workflow of releases");
    let packs = |line: &&str| {
        ["tar -czf", "7z a", "maturin build"]
            .iter()
            .any(|tool| line.contains(tool))
    };
    let made = text.lines().filter(packs);
    let attested: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once("sbom-path: release/"))
        .map(|(_, path)| path)
        .collect();
    assert_eq!(made.count(), 5);
    assert_eq!(attested.len(), 4, "{attested:?}");
    for archive in [
        "*-linux.tar.gz",
        "*-macos.tar.gz",
        "*-windows.zip",
        "*.whl",
        "page-*.tar.gz",
    ] {
        assert!(text.contains(&format!("{archive}\n")), "{archive}");
    }
    for path in attested {
        let path = path.replace("${{ github.ref_name }}", "$VERSION");
        assert!(
            text.contains(&format!("\"release/{path}\"")),
            "{path} is not made"
        );
    }
}

#[test]
fn dependencies_are_checked_everywhere() {
    for (name, text) in workflows() {
        let is_checking = text.contains("run: cargo deny check");
        let checks = name.ends_with("ci.yml") || name.ends_with("release.yml");
        assert_eq!(is_checking, checks, "{name}");
    }
    let read = |path: &str| fs::read_to_string(workspace::root().join(path)).expect(path);
    assert!(read("deny.toml").contains("yanked = \"deny\""));
    assert!(read("xtask/src/npm.rs").contains("\"--ignore-scripts\""));
    let dependabot = read(".github/dependabot.yml");
    for ecosystem in ["github-actions", "cargo", "npm"] {
        assert!(
            dependabot.contains(&format!("package-ecosystem: {ecosystem}")),
            "{ecosystem}"
        );
    }
}

#[test]
fn every_host_sends_the_same_headers() {
    for (file, places) in [("_headers", 1), ("htaccess", 1), ("nginx.conf", 2)] {
        let text = fs::read_to_string(workspace::root().join("hosting").join(file)).expect(file);
        for header in [
            "Cross-Origin-Opener-Policy",
            "Permissions-Policy",
            "Referrer-Policy",
        ] {
            assert_eq!(text.matches(header).count(), places, "{file}: {header}");
        }
    }
}

/// The crates that are published, which `cargo package` packs as the workflow's `cargo publish` does.
#[test]
fn crates_can_be_packed_with_their_licences() {
    let (_, release) = workflows()
        .into_iter()
        .find(|(name, _)| name.ends_with("release.yml"))
        .expect("the workflow of releases");
    let line = release
        .lines()
        .find(|line| line.contains("cargo publish"))
        .expect("crates");
    let crates: Vec<&str> = line.split("--package ").skip(1).map(str::trim).collect();
    assert_eq!(crates.len(), 4, "{crates:?}");
    for name in crates {
        let arguments = [
            "package",
            "--list",
            "--locked",
            "--allow-dirty",
            "--package",
            name,
        ];
        let listed = process::output(&mut process::cargo(&arguments)).expect("cargo");
        for file in [
            "Cargo.toml",
            "LICENSE-APACHE",
            "LICENSE-MIT",
            "README.md",
            "src/lib.rs",
        ] {
            assert!(listed.lines().any(|one| one == file), "{name}: {file}");
        }
    }
}

/// `cargo binstall` finds the archives where the workflow puts them.
#[test]
fn binstall_names_the_archives_of_a_release() {
    let read = |path: &str| fs::read_to_string(workspace::root().join(path)).expect(path);
    let (manifest, release) = (
        read("crates/cli/Cargo.toml"),
        read(".github/workflows/release.yml"),
    );
    let machines = release.lines().filter_map(|line| {
        let (name, rest) = line.split_once("{ name: ")?.1.split_once(", target: ")?;
        Some((name, rest.split_once(',')?.0))
    });
    let mut count = 0;
    for (name, target) in machines {
        let ending = if name.ends_with("windows") {
            "zip"
        } else {
            "tar.gz"
        };
        let of_target = format!("[package.metadata.binstall.overrides.{target}]\npkg-url = ");
        let (_, rest) = manifest.split_once(&of_target).expect(target);
        let address = rest.lines().next().expect("an address");
        let archive = format!("/lanescope-v{{ version }}-{name}.{ending}\"");
        assert!(address.ends_with(&archive), "{address} is not {archive}");
        count += 1;
    }
    assert_eq!(count, 5);
}
