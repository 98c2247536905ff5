//! A sentence under a picture: what its numbers assume or lack.

use crate::drawing::{Anchor, Drawing, Group, GroupKind, Mark, Style, coordinate};
use crate::lane_list::length;

/// Pixels from one line of text to the next.
const LINE: i32 = 16;
/// Pixels of a character, about.
const CHARACTER: i32 = 7;
/// The most lines; the rest is left to the description.
const MOST_LINES: usize = 6;
/// Characters of a line at least, however narrow the picture.
const LEAST: i32 = 40;

/// `drawing` with `text` under it, broken into lines of its width, and at the head of its description.
#[must_use]
pub fn with_note(mut drawing: Drawing, text: &str) -> Drawing {
    let characters = (drawing.width / CHARACTER).max(LEAST);
    let (mut y, mut marks) = (drawing.height + 8, Vec::new());
    for line in lines(text, usize::try_from(characters).unwrap_or(1)) {
        y += LINE;
        drawing.width = drawing.width.max(coordinate(length(&line)) * CHARACTER);
        marks.push(Mark::text(0, y, Anchor::Start, line, Style::Axis));
    }
    drawing.height = y + 4;
    drawing.description = format!("{text}. {}", drawing.description);
    drawing.groups.push(Group {
        kind: GroupKind::Legend,
        label: String::new(),
        marks,
    });
    drawing
}

/// Greedy line breaking at blanks.
fn lines(text: &str, characters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= characters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.chars().take(characters).collect()),
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines.push("…".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_stands_under_the_picture_in_lines_of_its_width() {
        let drawing = Drawing {
            width: 280,
            height: 100,
            ..Drawing::default()
        };
        let text = "not fully counted (line 3: an asynchronous copy is not analysed; line 4: unknown name `x`)";
        let noted = with_note(drawing, text);
        let marks = noted.groups.first().map_or(0, |group| group.marks.len());
        assert_eq!((noted.width, noted.height, marks), (280, 160, 3));
        assert!(noted.description.starts_with(text));
    }
}
