//! Which characters of a value are escaped, and how they are read back.
//!
//! A link must pass through chat programs, Markdown, HTML and mail. They end a link at white space,
//! quotes, `<`, `>`, `|`, at a bracket without its partner or (where brackets may not nest) at the
//! second closing one, and leave out punctuation at the very end. So: letters, digits and
//! [`PLAIN`] stand for themselves; so do `()` and `[]` in a well-nested value, but for a pair that
//! holds another pair of its kind; all else is `%XX` of its UTF-8.

/// The punctuation that no program we know stumbles over inside a link.
const PLAIN: &str = "-._~!$*+,;:@/?=^";

/// Appends `value` as it stands in a link. With `last`, the link ends with it, and its last
/// character is escaped unless it is a letter or a digit.
pub(crate) fn write(value: &str, last: bool, link: &mut String) {
    let escaped = escaped_ends(value, last);
    let brackets = kept_brackets(value, escaped);
    for (at, c) in value.char_indices() {
        let plain =
            c.is_ascii_alphanumeric() || PLAIN.contains(c) || brackets.binary_search(&at).is_ok();
        if plain && escaped != Some(at) {
            link.push(c);
        } else {
            write_escaped(c, link);
        }
    }
}

/// Where the last character stands if it must be escaped.
fn escaped_ends(value: &str, last: bool) -> Option<usize> {
    let (at, end) = value.char_indices().next_back()?;
    (last && !end.is_ascii_alphanumeric()).then_some(at)
}

fn write_escaped(c: char, link: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        link.push('%');
        link.push(hex_digit(byte >> 4));
        link.push(hex_digit(byte & 15));
    }
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).map_or('0', |digit| digit.to_ascii_uppercase())
}

/// A bracket that waits for its partner.
struct Open {
    at: usize,
    /// 0: round, 1: square.
    kind: usize,
    holds_own_kind: bool,
}

/// Where brackets stand that may stay, ascending; none when the value is not well nested.
fn kept_brackets(value: &str, escaped: Option<usize>) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    // By kind, where in `open` its brackets stand: the nearest enclosing one is found without a search.
    let mut of_kind: [Vec<usize>; 2] = Default::default();
    for (at, c) in value.char_indices() {
        let kind = usize::from(matches!(c, '[' | ']'));
        match c {
            '(' | '[' => {
                of_kind[kind].push(open.len());
                open.push(Open {
                    at,
                    kind,
                    holds_own_kind: false,
                });
            }
            ')' | ']' => {
                let Some(pair) = open.pop().filter(|pair| pair.kind == kind) else {
                    return Vec::new();
                };
                of_kind[kind].pop();
                if !pair.holds_own_kind && escaped != Some(at) {
                    kept.extend([pair.at, at]);
                }
                let outer = of_kind[kind].last().and_then(|place| open.get_mut(*place));
                if let Some(outer) = outer {
                    outer.holds_own_kind = true;
                }
            }
            _ => {}
        }
    }
    if !open.is_empty() {
        kept.clear();
    }
    kept.sort_unstable();
    kept
}

/// The value that `written` stands for.
///
/// An escape that no program writes, of a letter, a digit or a control character other than tab
/// and line ends, stands for itself, and so does `%` without two hexadecimal digits: people write
/// `tid%32` by hand. Bytes that are no UTF-8 become `U+FFFD`.
pub(crate) fn read(written: &str) -> String {
    let mut bytes = Vec::with_capacity(written.len());
    let mut rest = written.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match escaped_byte(byte, after) {
            Some((escaped, after)) => {
                bytes.push(escaped);
                rest = after;
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn escaped_byte(byte: u8, after: &[u8]) -> Option<(u8, &[u8])> {
    let (&[high, low], after) = after.split_first_chunk()?;
    let value = hex_value(high)? << 4 | hex_value(low)?;
    (byte == b'%' && is_ever_escaped(value)).then_some((value, after))
}

fn hex_value(digit: u8) -> Option<u8> {
    u8::try_from(char::from(digit).to_digit(16)?).ok()
}

fn is_ever_escaped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
        || !(byte.is_ascii_alphanumeric() || byte.is_ascii_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &str, last: bool) -> String {
        let mut link = String::new();
        write(value, last, &mut link);
        link
    }

    #[test]
    fn only_what_programs_stumble_over_is_escaped() {
        let cases = [
            ("tile[tx][ty]", "tile[tx][ty]"),
            ("(ty*8+k)*33+tx^1", "(ty*8+k)*33+tx^1"),
            ("float a", "float%20a"),
            ("a|b<c>\"`{}'\\", "a%7Cb%3Cc%3E%22%60%7B%7D%27%5C"),
            ("tid%32&#", "tid%2532%26%23"),
            ("((a+1)*2)", "%28(a+1)*2%29"),
            ("a[b[i]]", "a%5Bb[i]%5D"),
            ("a[(i)]", "a[(i)]"),
            ("a[(i])", "a%5B%28i%5D%29"),
            ("a)", "a%29"),
            ("共", "%E5%85%B1"),
        ];
        for (value, link) in cases {
            assert_eq!(written(value, false), link);
            assert_eq!(read(link), value);
        }
    }

    #[test]
    fn the_end_of_a_link_is_no_punctuation() {
        for (value, link) in [
            ("a[tx]", "a%5Btx%5D"),
            ("a_", "a%5F"),
            ("a.", "a%2E"),
            ("a[1][2]", "a[1]%5B2%5D"),
        ] {
            assert_eq!(written(value, true), link);
            assert_eq!(read(link), value);
        }
    }

    #[test]
    fn per_cent_signs_written_by_hand_stand() {
        for text in [
            "tid%32", "tid%4+1", "tid%16", "tid%8)", "a%", "a%2", "tid%64%7",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn broken_utf8_is_shown() {
        assert_eq!(read("a%FFb%E5"), "a\u{fffd}b\u{fffd}");
    }
}
