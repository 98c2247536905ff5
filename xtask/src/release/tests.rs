//! The installer is run as a person runs it, on a release of a folder.

use super::{Options, notes, prepare};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// A release of this machine's program, which here says no more than its name.
struct Release {
    folder: PathBuf,
}

impl Release {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lanescope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("release")).expect("a folder");
        let release = Self { folder };
        release.archive();
        release
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn archive(&self) {
        let program = self.path("lanescope");
        fs::write(&program, "#!/bin/sh\necho lanescope here\n").expect("a program");
        let (machine, system) = match (std::env::consts::ARCH, std::env::consts::OS) {
            (machine, "macos") => (machine, "macos"),
            (machine, _) => (machine, "linux"),
        };
        let archive = self.path(&format!(
            "release/lanescope-{TAG}-{machine}-{system}.tar.gz"
        ));
        let packed = Command::new("tar")
            .arg("-czf")
            .arg(&archive)
            .arg("-C")
            .arg(&self.folder)
            .arg("lanescope")
            .status()
            .expect("tar");
        assert!(packed.success());
    }

    fn prepare(&self) -> anyhow::Result<()> {
        prepare(&Options {
            tag: TAG.to_owned(),
            repository: "https://example.org/lanescope".to_owned(),
            folder: self.path("release"),
            downloads: Some(format!("file://{}", self.path("release").display())),
        })
    }

    fn install(&self) -> Output {
        Command::new("sh")
            .arg(self.path("release/install.sh"))
            .env("LANESCOPE_INSTALL", self.path("bin"))
            .output()
            .expect("a shell")
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The notes need the version's heading; before the first release there is none.
fn is_told_in_changelog() -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../CHANGELOG.md");
    let text = fs::read_to_string(path).expect("the changelog");
    notes(&text, env!("CARGO_PKG_VERSION")).is_ok()
}

#[test]
#[cfg(unix)]
fn a_release_is_installed_and_runs() {
    assert!(
        is_told_in_changelog(),
        "CHANGELOG.md has no heading for the version"
    );
    let release = Release::new("installed");
    release.prepare().expect("a release");
    let output = release.install();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let program = release.path("bin/lanescope");
    let said = Command::new(program).output().expect("the program").stdout;
    assert_eq!(String::from_utf8_lossy(&said), "lanescope here\n");
    // No formula without the archives that it names.
    assert!(!release.path("release/lanescope.rb").exists());
    let checksums = fs::read_to_string(release.path("release/SHA256SUMS")).expect("checksums");
    assert!(
        checksums.contains("install.sh") && checksums.contains(".tar.gz"),
        "{checksums}"
    );
}

#[test]
#[cfg(unix)]
fn what_was_changed_on_the_way_is_not_installed() {
    let release = Release::new("changed");
    release.prepare().expect("a release");
    let archives = fs::read_dir(release.path("release")).expect("a release");
    let archives = archives.map(|entry| entry.expect("an entry").path());
    for archive in archives.filter(|path| path.to_string_lossy().ends_with(".tar.gz")) {
        let mut bytes = fs::read(&archive).expect("an archive");
        bytes.push(0); // other bytes than SHA256SUMS says
        fs::write(&archive, bytes).expect("an archive");
    }
    let output = release.install();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(said.contains("is not what SHA256SUMS says"), "{said}");
    assert!(!release.path("bin/lanescope").exists());
}

#[test]
fn a_formula_names_each_archive_with_its_checksum() {
    let release = Release::new("formula");
    for machine in super::OF_FORMULA {
        let name = format!("release/lanescope-{TAG}-{machine}.tar.gz");
        fs::write(release.path(&name), machine).expect("an archive");
    }
    release.prepare().expect("a release");
    let formula = fs::read_to_string(release.path("release/lanescope.rb")).expect("a formula");
    assert!(!formula.contains('@'), "{formula}");
    assert_eq!(formula.matches("sha256 \"").count(), 4);
    assert_eq!(formula.matches(TAG).count(), 4, "{formula}");
}

#[test]
fn a_tag_that_is_not_the_version_is_refused() {
    let release = Release::new("tag");
    let error = prepare(&Options {
        tag: "v999.0.0".to_owned(),
        repository: String::new(),
        folder: release.path("release"),
        downloads: None,
    });
    let said = error.expect_err("another version").to_string();
    assert!(
        said.contains("v999.0.0") && said.contains(env!("CARGO_PKG_VERSION")),
        "{said}"
    );
}

#[test]
fn notes_are_what_stands_under_the_version() {
    let changelog = "# Changes\n\n## Unreleased\n\n- later\n\n## 1.2.3 (2026-01-01)\n\n- this\n\n## 1.2.2\n\n- old\n";
    assert_eq!(notes(changelog, "1.2.3").expect("notes"), "- this\n");
    assert!(notes(changelog, "9.9.9").is_err());
}
