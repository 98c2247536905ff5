//! What the guide shows is what happens: its commands are run, on the files that it gives, and say what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A block of code of a page: what stands behind the fence, and the lines in it, without the fence's indentation.
struct Block {
    line: usize,
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut indentation = None;
    for (line, text) in (1..).zip(page.lines()) {
        let plain = text.trim_start();
        match (plain.strip_prefix("```"), indentation) {
            (Some(_), Some(_)) => indentation = None,
            (Some(info), None) => {
                indentation = Some(text.len() - plain.len());
                blocks.push(Block {
                    line,
                    info: info.to_owned(),
                    text: String::new(),
                });
            }
            (None, Some(indentation)) => {
                if let Some(block) = blocks.last_mut() {
                    block
                        .text
                        .push_str(text.get(indentation..).unwrap_or(plain));
                    block.text.push('\n');
                }
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Every page of the guide.
fn pages() -> Vec<PathBuf> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let languages = ["en", "zh"].map(|language| guide.join(language));
    let mut pages: Vec<PathBuf> = languages
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder of pages"))
        .map(|entry| entry.expect("a page").path())
        .collect();
    pages.sort();
    pages
}

/// Runs a line as a shell does that finds the command line first.
fn run(line: &str, folder: &Path) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_lanescope"));
    let here = program.parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{here}:{path}"))
        .output()
        .expect("a shell");
    let said =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    (output.status.success(), said.concat())
}

#[test]
fn its_commands_say_what_it_says() {
    let (mut commands, mut expected) = (0, 0);
    for page in pages() {
        let folder = TempDir::new().expect("a folder");
        let text = fs::read_to_string(&page).expect("a page");
        let page = page.display();
        let mut said = String::new();
        for block in blocks(&text) {
            let place = format!("{page}:{}", block.line);
            if let Some(name) = block.info.strip_prefix("cuda file=") {
                fs::write(folder.path().join(name), &block.text).expect("a kernel");
            } else if block.info == "sh run" {
                for line in block.text.lines() {
                    let (is_good, output) = run(line, folder.path());
                    assert!(is_good, "{place}: {line}\n{output}");
                    said = output;
                    commands += 1;
                }
            } else if block.info == "text" {
                for line in block.text.lines() {
                    assert!(said.contains(line), "{place}: {line}\nis not in\n{said}");
                    expected += 1;
                }
            }
        }
    }
    assert!(
        commands >= 15 && expected >= 10,
        "{commands} commands, {expected} lines"
    );
}

/// The address of a heading within its page.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|one| one.is_alphanumeric() || " -_".contains(*one));
    kept.map(|one| if one == ' ' { '-' } else { one }).collect()
}

#[test]
fn its_links_lead_somewhere() {
    let links = |text: &str| -> Vec<String> {
        let parts = text.split("](").skip(1);
        parts
            .filter_map(|part| part.split_once(')'))
            .map(|(link, _)| link.to_owned())
            .collect()
    };
    let mut followed = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for link in links(&text) {
            if link.contains("://") || link.contains("gallery/") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
            let to = page.parent().expect("a folder").join(path);
            assert!(to.exists(), "{}: {link}", page.display());
            if !heading.is_empty() {
                let text = fs::read_to_string(&to).expect("a page");
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|line| anchor(line) == heading);
                assert!(is_there, "{}: {link}", page.display());
            }
            followed += 1;
        }
    }
    assert!(followed >= 15, "{followed}");
}
