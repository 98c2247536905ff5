//! Links made to harm.

use std::fmt::Write as _;

use lanescope_share::{LinkError, MAX_FRAGMENT_BYTES, Notice, Opened, decode};

/// `outcome<TAB>link` a line, with Rust's escapes for characters that cannot stand in a file.
const LINKS: &str = include_str!("data/hostile.txt");

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        let (digits, after) = after.split_once('}').expect("a closed escape");
        let code = u32::from_str_radix(digits, 16).expect("hexadecimal digits");
        plain.push_str(before);
        plain.push(char::from_u32(code).expect("a character"));
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// What became of a link, in one word.
fn outcome(result: &Result<Opened, LinkError>) -> String {
    match result {
        Ok(opened) => opened
            .notices
            .iter()
            .fold("Ok".to_owned(), |mut all, notice| {
                let text = format!("{notice:?}");
                let name = text.split([' ', '(']).next().unwrap_or_default();
                let _ = write!(all, "+{name}");
                all
            }),
        Err(LinkError::CutOff(cause)) => format!("CutOff+{}", outcome(&Err((**cause).clone()))),
        Err(error) => format!("{error:?}")
            .split([' ', '('])
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

#[test]
fn each_hostile_link_ends_as_listed() {
    for line in LINKS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
    {
        let (expected, link) = line.split_once('\t').expect(line);
        let result = decode(&unescaped(link));
        assert_eq!(outcome(&result), expected, "{line}: {result:?}");
    }
}

#[test]
fn a_megabyte_is_refused_unread() {
    for unit in ["a", "%41", "&", "e=[&", "((", "é", "&zz=1"] {
        let link = unit.repeat((1 << 20) / unit.len());
        assert!(
            matches!(decode(&link), Err(LinkError::TooLong { .. })),
            "{unit}"
        );
    }
}

#[test]
fn the_longest_links_are_read_in_bounded_work() {
    for unit in [
        "e=&",
        "x=a=1&",
        "zz=1&",
        "(",
        "[",
        ")",
        "%E2%80%AE",
        "m==&",
        "k=&",
        "%",
        "\u{202e}",
    ] {
        let link = format!("e={}", unit.repeat(MAX_FRAGMENT_BYTES / unit.len() - 1));
        let result = decode(&link);
        if let Ok(opened) = &result {
            assert!(opened.state.unknown.len() <= 32);
            let again = lanescope_share::encode(&opened.state);
            assert!(again.len() <= 4 * MAX_FRAGMENT_BYTES);
        }
    }
}

#[test]
fn errors_show_little_of_what_they_refuse() {
    let link = format!("b={}", "<script>".repeat(1_000));
    let message = decode(&link).expect_err("no block").to_string();
    assert!(message.len() < 200, "{message}");
}

#[test]
fn a_newer_link_shows_its_raw_values() {
    let Err(LinkError::Newer { version, raw }) = decode("v=2&q=tile&e=a\u{202e}") else {
        panic!()
    };
    assert_eq!(version, 2);
    let values: Vec<&str> = raw.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["2", "tile", "a\u{fffd}"]);
}

#[test]
fn unknown_keys_are_said_and_kept() {
    let opened = decode("v=1&e=a[tx]&zoom=3&glow").expect("it opens");
    assert_eq!(
        opened.notices,
        [Notice::Unknown {
            keys: vec!["zoom".to_owned(), "glow".to_owned()]
        }]
    );
    let link = lanescope_share::encode(&opened.state);
    assert!(link.ends_with("&zoom=3&glow="), "{link}");
}

#[test]
fn a_text_that_grows_too_large_when_shown_is_refused() {
    let mut state = lanescope_share::State::default();
    let texts = [("x", true), ("\u{7}", true)];
    for (unit, opens) in texts {
        state.source = lanescope_share::Source::Kernel(unit.repeat(20_000));
        assert_eq!(
            decode(&lanescope_share::encode(&state)).is_ok(),
            opens,
            "{unit:?}"
        );
    }
    // Deflated 65,536 controls, as no link of this project has them.
    let link = include_str!("data/controls.txt");
    assert_eq!(outcome(&decode(link.trim_end())), "TooLarge");
}
