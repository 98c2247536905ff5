//! What a text includes: its `#include` lines that may be read.
//!
//! Comments, literals and what stands under `#if 0` include nothing.

use crate::bundle::included;

/// What a text includes: each path as it stands between quotes or angles, and whether in quotes.
#[must_use]
pub fn includes(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut regions: Vec<Region> = Vec::new();
    for line in code(text).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        let length = directive.find(|sign: char| !sign.is_ascii_alphabetic() && sign != '_');
        let (word, rest) = directive.split_at(length.unwrap_or(directive.len()));
        let is_live = |regions: &[Region]| regions.iter().all(|region| region.is_live);
        match word {
            "if" => regions.push(Region::of(rest)),
            "ifdef" | "ifndef" => regions.push(Region::LIVE),
            "elif" => {
                if let Some(region) = regions.last_mut() {
                    *region = region.otherwise(Region::of(rest));
                }
            }
            "else" | "elifdef" | "elifndef" => {
                if let Some(region) = regions.last_mut() {
                    *region = region.otherwise(Region::LIVE);
                }
            }
            "endif" => drop(regions.pop()),
            "include" | "include_next" if is_live(&regions) => {
                let path = included(rest.trim_start());
                found.extend(path.map(|(path, quoted)| (path.to_owned(), quoted)));
            }
            _ => {}
        }
    }
    found
}

/// A part of an `#if`.
#[derive(Clone, Copy)]
struct Region {
    /// Whether it may be read.
    is_live: bool,
    /// Whether it, or a part before it, is read whatever macros say.
    is_certain: bool,
}

impl Region {
    /// A part that macros decide about.
    const LIVE: Self = Self {
        is_live: true,
        is_certain: false,
    };

    /// The part under a condition.
    fn of(condition: &str) -> Self {
        let condition = condition.trim().trim_matches(['(', ')', ' ', '\t']);
        let number = condition.trim_end_matches(['u', 'U', 'l', 'L']);
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let is_zero = is_number && number.bytes().all(|digit| digit == b'0');
        match condition {
            "false" => Self::dead(),
            "true" => Self::certain(),
            _ if is_zero => Self::dead(),
            _ if is_number => Self::certain(),
            _ => Self::LIVE,
        }
    }

    const fn dead() -> Self {
        Self {
            is_live: false,
            is_certain: false,
        }
    }

    const fn certain() -> Self {
        Self {
            is_live: true,
            is_certain: true,
        }
    }

    /// The part `next`, which follows this one.
    const fn otherwise(self, next: Self) -> Self {
        Self {
            is_live: next.is_live && !self.is_certain,
            is_certain: next.is_certain || self.is_certain,
        }
    }
}

/// A text without comments and continued lines; each line of a literal that runs over several begins with a quote.
fn code(text: &str) -> String {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut code = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            code.push(' ');
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_literal(rest, &code) {
            code.push_str("\"\"");
            length
        } else if first == '"' || first == '\'' && !ends_in_digit(&code) {
            let length = literal(rest, first);
            code.push_str(rest.get(..length).unwrap_or(rest));
            length
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or("");
    }
    code
}

/// Whether what stands before a quote is a number, which it parts.
fn ends_in_digit(code: &str) -> bool {
    code.ends_with(|sign: char| sign.is_ascii_hexdigit())
        && code
            .rsplit(|sign: char| !sign.is_ascii_alphanumeric() && sign != '\'')
            .next()
            .is_some_and(|word| word.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// Bytes of the literal at the beginning, as far as its line goes.
fn literal(rest: &str, quote: char) -> usize {
    let mut signs = rest.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\n' => return at,
            '\\' => drop(signs.next()),
            _ if sign == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Bytes of the raw literal at the beginning, behind an `R`.
fn raw_literal(rest: &str, before: &str) -> Option<usize> {
    if !before.ends_with('R') {
        return None;
    }
    let (mark, body) = rest.strip_prefix('"')?.split_once('(')?;
    if mark.len() > 16 || mark.contains(['"', '\n', ' ', ')']) {
        return None;
    }
    let end = format!("){mark}\"");
    let start = mark.len() + 2;
    Some(
        body.find(&end)
            .map_or(rest.len(), |at| start + at + end.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::includes;

    fn names(text: &str) -> Vec<String> {
        includes(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn includes_are_listed_as_they_are_written() {
        let text = "#include \"a.h\"\n  # include <b.h> // c\nint x;\n#include MACRO\n#inc\\\nlude \"c.h\"\n";
        let expected = [("a.h", true), ("b.h", false), ("c.h", true)];
        assert_eq!(
            includes(text),
            expected.map(|(name, quoted)| (name.to_owned(), quoted))
        );
    }

    #[test]
    fn dead_text_includes_nothing() {
        for dead in [
            "// #include \"a.h\"",
            "/*\n#include \"a.h\"\n*/",
            "// \\\n#include \"a.h\"",
            "#if 0\n#include \"a.h\"\n#endif",
            "#if (0)\n#ifdef X\n#include \"a.h\"\n#endif\n#endif",
            "#if 1\n#else\n#include \"a.h\"\n#endif",
            "#if X\n#elif true\n#elif Y\n#include \"a.h\"\n#endif",
            "auto s = R\"x(\n#include \"a.h\"\n)x\";",
        ] {
            assert_eq!(names(dead), [""; 0], "{dead}");
        }
    }

    #[test]
    fn what_macros_decide_about_may_be_read() {
        for live in [
            "#if 0\n#else\n#include \"a.h\"\n#endif",
            "#if X\n#else\n#include \"a.h\"\n#endif",
            "#ifndef X\n#include \"a.h\"\n#endif",
            "#if 0\n#endif\n#include \"a.h\"",
            "char c = '\"'; int n = 1'000'000;\n#include \"a.h\"\nchar d = '\"';",
            "\"/*\"\n#include \"a.h\"\n\"*/\"",
            "/* */ #include \"a.h\"",
        ] {
            assert_eq!(names(live), ["a.h"], "{live}");
        }
    }
}
