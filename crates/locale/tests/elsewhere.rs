//! The languages that other files name are those that there are: files that no Rust code can generate.

use lanescope_locale::Language;

/// A file, what stands between its tags' quotes, and what joins them.
struct Named {
    file: &'static str,
    text: &'static str,
    before: &'static str,
    quote: char,
    join: &'static str,
    after: &'static str,
}

const NAMED: [Named; 7] = [
    Named {
        file: "packages/python/python/lanescope/result.py",
        text: include_str!("../../../packages/python/python/lanescope/result.py"),
        before: "language: Literal[",
        quote: '"',
        join: ", ",
        after: "]",
    },
    Named {
        file: "packages/js/lanescope.d.ts",
        text: include_str!("../../../packages/js/lanescope.d.ts"),
        before: "language?: ",
        quote: '"',
        join: " | ",
        after: " }",
    },
    Named {
        file: "packages/js/lanescope.js",
        text: include_str!("../../../packages/js/lanescope.js"),
        before: "`language`: ",
        quote: '"',
        join: " or ",
        after: ". */",
    },
    Named {
        file: "packages/element/README.md",
        text: include_str!("../../../packages/element/README.md"),
        before: "| `lang` | ",
        quote: '`',
        join: " or ",
        after: "; without it",
    },
    Named {
        file: "packages/element/lane-scope.d.ts",
        text: include_str!("../../../packages/element/lane-scope.d.ts"),
        before: "lang?: ",
        quote: '"',
        join: " | ",
        after: ";",
    },
    Named {
        file: "crates/share/src/keys.rs",
        text: include_str!("../../share/src/keys.rs"),
        before: "\"language: ",
        quote: '`',
        join: " or ",
        after: "\"",
    },
    Named {
        file: "web/still.js",
        text: include_str!("../../../web/still.js"),
        before: "line.lang = [",
        quote: '"',
        join: ", ",
        after: "][index]",
    },
];

#[test]
fn every_list_of_languages_is_whole() {
    let mut wrong = Vec::new();
    for Named {
        file,
        text,
        before,
        quote,
        join,
        after,
    } in NAMED
    {
        let quoted = |language: &Language| format!("{quote}{}{quote}", language.tag());
        let tags: Vec<String> = Language::ALL.iter().map(quoted).collect();
        let wanted = format!("{before}{}{after}", tags.join(join));
        if !text.contains(&wanted) {
            wrong.push(format!("{file} should say {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_page_that_does_not_start_says_so_in_every_language() {
    for page in [
        include_str!("../../../index.html"),
        include_str!("../../../lab.html"),
    ] {
        for &language in Language::ALL {
            let paragraph = if language == Language::DEFAULT {
                "<p>".to_owned()
            } else {
                format!("<p lang=\"{}\">", language.tag())
            };
            assert!(page.contains(&paragraph), "{paragraph}");
        }
    }
}
