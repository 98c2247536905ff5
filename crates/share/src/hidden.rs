//! Invisible characters made visible.

/// Stands for each character that must not pass unseen.
const SHOWN: char = char::REPLACEMENT_CHARACTER;

/// `text` with controls (but tab and line ends) and changes of direction shown as `U+FFFD`,
/// and how many of them there were.
pub(crate) fn shown(text: &str) -> (String, usize) {
    let mut count = 0;
    let shown = text
        .chars()
        .map(|c| {
            if is_hidden(c) {
                count += 1;
                SHOWN
            } else {
                c
            }
        })
        .collect();
    (shown, count)
}

fn is_hidden(c: char) -> bool {
    let layout = matches!(c, '\t' | '\n' | '\r');
    c.is_control() && !layout || turns_direction(c) || is_tag(c)
}

/// Characters that reorder what stands beside them (Unicode's bidirectional controls).
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Invisible letters, annotation marks and separators that editors disagree on.
fn is_tag(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_overrides_are_shown_and_counted() {
        let (text, count) = shown("a\u{202e}b\u{7}c\u{0}");
        assert_eq!(text, "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(count, 3);
    }

    #[test]
    fn line_ends_tabs_and_other_scripts_stay() {
        let text = "a\tb\r\nc 共享内存 العربية";
        assert_eq!(shown(text), (text.to_owned(), 0));
    }
}
