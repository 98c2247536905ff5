//! Links of every version open for ever, as the same thing.

use lanescope_share::{VERSION, decode, encode};

/// `name<TAB>link` a line; lines are only ever added.
const V1: &str = include_str!("data/v1.txt");

fn goldens(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.split_once('\t').expect(line))
}

#[test]
fn links_of_version_1_open_as_they_did() {
    for (name, link) in goldens(V1) {
        let opened = decode(link).unwrap_or_else(|error| panic!("{name}: {error}"));
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!(format!("v1_{name}"), opened);
        });
    }
}

#[test]
fn links_of_this_version_are_canonical() {
    assert_eq!(VERSION, 1);
    // WGSL has been written under the key of any kernel since version 1 knows that.
    let is_canonical = |name: &str| !name.starts_with("hand_") && name != "wgsl";
    for (name, link) in goldens(V1).filter(|(name, _)| is_canonical(name)) {
        let state = decode(link)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .state;
        assert_eq!(encode(&state), link, "{name}");
    }
}

#[test]
fn links_written_by_hand_lead_to_a_stable_canonical_link() {
    for (name, link) in goldens(V1) {
        let state = decode(link)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .state;
        let canonical = decode(&encode(&state)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(canonical.state, state, "{name}");
        assert_eq!(encode(&canonical.state), encode(&state), "{name}");
    }
}
