//! The document of the format says what the code does.

use lanescope_share::KEYS;

const DOCUMENT: &str = include_str!("../../../docs/SHARE_FORMAT.md");

#[test]
fn the_table_of_keys_is_the_list_of_keys() {
    let documented: Vec<&str> = DOCUMENT
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let listed: Vec<String> = KEYS.iter().map(row).collect();
    assert_eq!(
        documented,
        listed,
        "the table should read:\n{}",
        listed.join("\n")
    );
}

fn row(key: &lanescope_share::Key) -> String {
    let times = if key.repeats { "many" } else { "once" };
    format!(
        "| `{}` | {} | `{}` | {} | {times} |",
        key.name, key.meaning, key.example, key.default
    )
}

#[test]
fn every_example_of_a_key_opens() {
    for key in KEYS.iter().filter(|key| key.name != "c") {
        let link = format!("{}={}", key.name, key.example);
        let opened =
            lanescope_share::decode(&link).unwrap_or_else(|error| panic!("{link}: {error}"));
        assert!(opened.notices.is_empty(), "{link}: {:?}", opened.notices);
    }
}

#[test]
fn every_link_of_the_document_opens() {
    let links: Vec<&str> = DOCUMENT
        .lines()
        .filter(|line| line.starts_with("    #"))
        .map(str::trim)
        .collect();
    assert!(links.len() >= 3);
    for link in links {
        let opened =
            lanescope_share::decode(link).unwrap_or_else(|error| panic!("{link}: {error}"));
        assert!(opened.notices.is_empty(), "{link}: {:?}", opened.notices);
    }
}
