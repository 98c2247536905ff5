//! An expression as one text: its declarations, then its accesses.

/// What begins a declaration.
const TYPES: [&str; 24] = [
    "__shared__",
    "__device__",
    "__constant__",
    "const",
    "volatile",
    "extern",
    "static",
    "struct",
    "typedef",
    "using",
    "#define",
    "constexpr",
    "float",
    "double",
    "int",
    "unsigned",
    "half",
    "char",
    "short",
    "long",
    "uint",
    "bool",
    "auto",
    "size_t",
];

/// What begins a statement with a word behind it that is none of a declaration.
const STATEMENTS: [&str; 7] = ["if", "else", "for", "while", "do", "return", "asm"];

/// The declarations that a text begins with, and what follows them: [`lanescope_share::joined`] makes the text of both again.
pub(crate) fn parted(text: &str) -> (String, String) {
    let (mut end, mut has_declaration, mut depth) = (0, false, 0_usize);
    let mut is_comment = false;
    for line in text.split_inclusive('\n') {
        let code = code_of(line, &mut is_comment);
        let line_code = code.trim();
        let is_declared =
            depth > 0 || begins_with_type(line_code) || begins_with_two_words(line_code);
        if !line_code.is_empty() && !is_declared {
            break;
        }
        has_declaration |= is_declared;
        for one in code.chars() {
            match one {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        end += line.len();
    }
    let (before, after) = text.split_at(end);
    if !has_declaration {
        return (String::new(), text.to_owned());
    }
    if after.is_empty() {
        return (text.to_owned(), String::new());
    }
    let declarations = before.strip_suffix('\n').unwrap_or(before);
    (declarations.to_owned(), after.to_owned())
}

/// A line without its comments; whether one is open at its end goes on.
fn code_of(line: &str, is_comment: &mut bool) -> String {
    let (mut code, mut rest) = (String::new(), line);
    loop {
        if *is_comment {
            let Some(end) = rest.find("*/") else {
                return code;
            };
            *is_comment = false;
            rest = &rest[end + 2..];
        }
        let line_comment = rest.find("//").unwrap_or(rest.len());
        let Some(start) = rest[..line_comment].find("/*") else {
            code.push_str(&rest[..line_comment]);
            return code;
        };
        code.push_str(&rest[..start]);
        *is_comment = true;
        rest = &rest[start + 2..];
    }
}

/// Whether a line begins with the name of a type.
pub(super) fn begins_with_type(line: &str) -> bool {
    let (word, _) = first_word(line);
    let is_vector = || {
        let scalar = word.trim_end_matches(|one: char| one.is_ascii_digit());
        scalar != word && TYPES.contains(&scalar)
    };
    TYPES.contains(&word) || word.ends_with("_t") || word.starts_with("__nv") || is_vector()
}

/// Whether a line begins with two words: a type that is declared elsewhere, and a name.
fn begins_with_two_words(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let name = rest.trim_start_matches([' ', '\t', '*', '&']);
    let is_name = name.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_');
    let is_apart = rest.starts_with([' ', '\t']);
    !word.is_empty() && is_apart && is_name && !STATEMENTS.contains(&word)
}

/// The word that a line begins with, and what follows it.
fn first_word(line: &str) -> (&str, &str) {
    let is_of_word = |one: char| one.is_ascii_alphanumeric() || "_#".contains(one);
    line.split_at(line.find(|one| !is_of_word(one)).unwrap_or(line.len()))
}

#[cfg(test)]
mod tests {
    use super::parted;
    use lanescope_share::joined;

    fn parts(text: &str) -> (String, String) {
        let (declarations, accesses) = parted(text);
        assert_eq!(joined(&declarations, &accesses), text, "nothing is lost");
        (declarations, accesses)
    }

    #[test]
    fn a_text_is_parted_where_its_declarations_end() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            parts("float tile[32][32]\ntile[tx][ty]"),
            pair("float tile[32][32]", "tile[tx][ty]")
        );
        assert_eq!(parts("tile[tx]"), pair("", "tile[tx]"));
        assert_eq!(parts("\ntile[tx]"), pair("", "\ntile[tx]"));
        assert_eq!(parts("float a[8]\n"), pair("float a[8]\n", ""));
        assert_eq!(parts(""), pair("", ""));
        assert_eq!(
            parts("// One row.\nfloat a[8];\n\na[tx]\n"),
            pair("// One row.\nfloat a[8];\n", "a[tx]\n")
        );
        assert_eq!(
            parts("struct Pair {\n  float x;\n  float y;\n};\nPair p[32];\np[tx].x = 1"),
            pair(
                "struct Pair {\n  float x;\n  float y;\n};\nPair p[32];",
                "p[tx].x = 1"
            )
        );
        assert_eq!(
            parts("/* float\n a */ float4 a[8]\nif (tid < 4) a[tid]\nint b = 1"),
            pair(
                "/* float\n a */ float4 a[8]",
                "if (tid < 4) a[tid]\nint b = 1"
            )
        );
        assert_eq!(
            parts("uint32_t *a;\r\na[tx]"),
            pair("uint32_t *a;\r", "a[tx]")
        );
        assert_eq!(parts("float a[8]\nreturn a[tx]").1, "return a[tx]");
        assert_eq!(parts("out = in[tx]").0, "");
    }
}
