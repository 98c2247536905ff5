//! Directions that must be refused.

use std::collections::BTreeSet;

use super::{NO_LANGUAGE, Package, check, direct_faults, names_compiler};

fn package(name: &str, dependency: &str) -> Package {
    Package {
        name: name.into(),
        dependencies: [dependency.to_owned()].into(),
        of_tests: BTreeSet::new(),
    }
}

#[test]
fn what_knows_no_language_knows_none_in_its_tests_either() {
    for name in NO_LANGUAGE {
        let direct = package(name, "lanescope-cuda");
        assert_eq!(direct_faults(&direct).len(), 1, "{name}");
        let of_tests = Package {
            dependencies: BTreeSet::new(),
            of_tests: direct.dependencies,
            name: direct.name,
        };
        assert_eq!(direct_faults(&of_tests).len(), 1, "{name}");
    }
    let above = Package {
        name: "lanescope-emit".into(),
        dependencies: BTreeSet::new(),
        of_tests: ["lanescope-cuda".to_owned()].into(),
    };
    assert_eq!(direct_faults(&above).len(), 0);
}

#[test]
fn the_workspace_keeps_the_directions() {
    check().unwrap();
}

#[test]
fn a_dependency_that_points_back_is_a_fault() {
    assert_eq!(
        direct_faults(&package("lanescope-model", "lanescope-cuda")).len(),
        1
    );
    assert_eq!(
        direct_faults(&package("lanescope-cuda", "lanescope-model")).len(),
        0
    );
    assert_eq!(direct_faults(&package("lanescope-draw", "wgpu")).len(), 1);
    assert_eq!(direct_faults(&package("lanescope-lab", "wgpu")).len(), 0);
}

#[test]
fn simulators_and_compilers_do_not_know_each_other() {
    for (one, other) in [
        ("lanescope-simt", "lanescope-optimizer"),
        ("lanescope-optimizer", "lanescope-simt"),
        ("lanescope-sass", "lanescope-ptx"),
        ("lanescope-ir", "lanescope-simt"),
        ("lanescope-trace", "lanescope-cuda"),
    ] {
        assert_eq!(direct_faults(&package(one, other)).len(), 1, "{one}");
    }
}

#[test]
fn a_compiler_is_named_in_code_and_not_in_a_comment() {
    assert!(names_compiler("let profile = \"nvcc-13\";"));
    assert!(names_compiler("fn as_ptxas_does() {}"));
    assert!(!names_compiler("/// As nvcc does."));
    assert!(!names_compiler("let a = 1; // ptxas"));
}
