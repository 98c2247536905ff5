//! Tests that nothing would run: a file of `tests/` that the crate's one program of tests does not name, and a unit test in a
//! library that is said to have none.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use walkdir::WalkDir;

use crate::workspace;

/// The program of a crate that does not leave it to cargo to make one of each file.
const PROGRAM: &str = "main.rs";

/// Checks that each test of the crates is run.
///
/// # Errors
/// Names the files that are not.
pub(crate) fn check() -> Result<()> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(workspace::root().join("crates"))? {
        faults.extend(faults_of(&entry?.path())?);
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

fn faults_of(package: &Path) -> Result<Vec<String>> {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let mut faults = Vec::new();
    if manifest.contains("\nautotests = false\n") {
        let tests = package.join("tests");
        let program = fs::read_to_string(tests.join(PROGRAM))?;
        let mut names = Vec::new();
        for entry in fs::read_dir(&tests)? {
            names.extend(entry?.file_name().into_string());
        }
        let forgotten = names.iter().filter(|name| is_forgotten(&program, name));
        faults.extend(forgotten.map(|name| {
            let program = tests.join(PROGRAM);
            format!("{}: it does not name {name}", program.display())
        }));
    }
    if manifest.contains("\n[lib]\ntest = false\n") {
        for entry in WalkDir::new(package.join("src")) {
            let entry = entry?;
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            if text.contains("#[test]") {
                let path = entry.path().display();
                faults.push(format!("{path}: its crate's [lib] has `test = false`"));
            }
        }
    }
    Ok(faults)
}

/// Whether the program of tests leaves out the file `name` that stands beside it.
fn is_forgotten(program: &str, name: &str) -> bool {
    name != PROGRAM
        && name.strip_suffix(".rs").is_some_and(|module| {
            let named = format!("mod {module};");
            !program.lines().any(|line| line == named)
        })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{check, faults_of, is_forgotten};

    #[test]
    fn a_file_that_is_not_named_is_forgotten() {
        let program = "mod golden;\nmod results;\n";
        assert!(!is_forgotten(program, "golden.rs"));
        assert!(!is_forgotten(program, "main.rs"));
        assert!(!is_forgotten(program, "cases"));
        assert!(is_forgotten(program, "gold.rs"));
    }

    #[test]
    fn a_test_in_a_library_without_tests_is_a_fault() -> anyhow::Result<()> {
        let package = std::env::temp_dir().join(format!("lanescope-tests-{}", std::process::id()));
        let write = |path: &str, text| fs::write(package.join(path), text);
        fs::create_dir_all(package.join("src"))?;
        write("src/lib.rs", "#[test]\nfn works() {}\n")?;
        write("Cargo.toml", "[package]\n\n[lib]\ntest = false\n")?;
        let without = faults_of(&package)?;
        write("Cargo.toml", "[package]\n")?;
        let with = faults_of(&package)?;
        fs::remove_dir_all(&package)?;
        assert_eq!((without.len(), with.len()), (1, 0));
        Ok(())
    }

    #[test]
    fn every_test_of_the_workspace_is_run() {
        check().unwrap();
    }
}
