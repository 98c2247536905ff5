//! Every package that is published has the licences of the repository: copies, which this holds to the originals.

use std::fs;

use crate::workspace;

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What is published by itself.
const PACKAGES: [&str; 7] = [
    "crates/model",
    "crates/ir",
    "crates/layouts",
    "crates/locale",
    "packages/python",
    "packages/element",
    "packages/js",
];

#[test]
fn packages_have_the_licences_of_the_repository() {
    let root = workspace::root();
    for package in PACKAGES {
        for licence in LICENCES {
            let read = |path: String| fs::read(root.join(&path)).expect(&path);
            let copy = read(format!("{package}/{licence}"));
            assert!(copy == read(licence.to_owned()), "{package}/{licence}");
        }
    }
}
