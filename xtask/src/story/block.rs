//! The blocks of a story: prose and directives.
//!
//! A directive is a line `:::NAME ARGUMENTS`. One that holds others ends with a line `:::`.

use anyhow::Result;

use super::component::{NAMES, NAMES_IN_DRAG, no_component};
use super::place::Place;

/// A piece of a story.
#[derive(Debug)]
pub(super) enum Block {
    /// Markdown.
    Prose(String, Place),
    /// A component.
    Directive(Directive),
}

/// A component as it is written.
#[derive(Debug)]
pub(super) struct Directive {
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) body: Vec<Block>,
    pub(super) place: Place,
}

/// Directives that end with a line `:::`.
const HOLD_OTHERS: [&str; 6] = ["ask", "drag", "card", "published", "can", "goal"];

/// The blocks of `text`, whose first line is line `first` of `file`.
pub(super) fn read(text: &str, file: &str, first: usize) -> Result<Vec<Block>> {
    let mut open: Vec<Directive> = Vec::new();
    let mut blocks = Vec::new();
    let mut prose = String::new();
    let place = |index: usize| Place {
        file: file.to_owned(),
        line: first + index,
    };
    let mut prose_start = 0;
    for (index, line) in text.lines().enumerate() {
        let Some(directive) = line.strip_prefix(":::") else {
            if prose.is_empty() {
                prose_start = index;
            }
            prose += line;
            prose.push('\n');
            continue;
        };
        put_prose(&mut prose, place(prose_start), here(&mut open, &mut blocks));
        if directive.trim().is_empty() {
            let done = open.pop().ok_or_else(|| {
                place(index).fault(
                    "this `:::` ends nothing: leave it out, or write the directive that it ends",
                )
            })?;
            here(&mut open, &mut blocks).push(Block::Directive(done));
            continue;
        }
        let (name, arguments) = directive.split_once(' ').unwrap_or((directive, ""));
        if !NAMES.contains(&name) && !NAMES_IN_DRAG.contains(&name) {
            return Err(place(index).fault(no_component(name)));
        }
        let directive = Directive {
            name: name.to_owned(),
            arguments: arguments.trim().to_owned(),
            body: Vec::new(),
            place: place(index),
        };
        if HOLD_OTHERS.contains(&name) {
            open.push(directive);
        } else {
            here(&mut open, &mut blocks).push(Block::Directive(directive));
        }
    }
    put_prose(&mut prose, place(prose_start), here(&mut open, &mut blocks));
    match open.pop() {
        Some(left) => Err(left.place.fault(format!(
            "`:::{}` does not end: write a line `:::` after it",
            left.name
        ))),
        None => Ok(blocks),
    }
}

fn here<'a>(open: &'a mut [Directive], blocks: &'a mut Vec<Block>) -> &'a mut Vec<Block> {
    match open.last_mut() {
        Some(directive) => &mut directive.body,
        None => blocks,
    }
}

fn put_prose(prose: &mut String, place: Place, blocks: &mut Vec<Block>) {
    let text = std::mem::take(prose);
    if !text.trim().is_empty() {
        blocks.push(Block::Prose(text, place));
    }
}

impl Directive {
    /// The words before the first `name=value`.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.arguments
            .split_whitespace()
            .filter(|word| !word.contains('='))
    }

    /// The value of option `name`.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        self.arguments
            .split_whitespace()
            .filter_map(|word| word.split_once('='))
            .find(|(own, _)| *own == name)
            .map(|(_, value)| value)
    }

    /// The prose in it, as it is written; a component there is a fault.
    pub(super) fn prose(&self) -> Result<&str> {
        match &self.body[..] {
            [Block::Prose(text, _)] => Ok(text),
            _ => Err(self
                .place
                .fault(format!("`:::{}` holds text, and text alone", self.name))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_hold_others_and_know_their_lines() {
        let blocks = read(
            "a\n\n:::drag s 0..3 = 1\nb\n:::rows x words=64\n:::\nc\n",
            "s.md",
            9,
        )
        .unwrap();
        let [
            Block::Prose(..),
            Block::Directive(drag),
            Block::Prose(last, place),
        ] = &blocks[..]
        else {
            panic!("{blocks:?}");
        };
        assert_eq!(
            (drag.arguments.as_str(), drag.place.line),
            ("s 0..3 = 1", 11)
        );
        assert_eq!((last.as_str(), place.line), ("c\n", 15));
        let [Block::Prose(..), Block::Directive(rows)] = &drag.body[..] else {
            panic!("{drag:?}");
        };
        assert_eq!(
            (rows.words().next(), rows.option("words")),
            (Some("x"), Some("64"))
        );
    }

    #[test]
    fn what_does_not_end_is_named_with_its_line() {
        let fault = |text| read(text, "s.md", 1).unwrap_err().to_string();
        assert!(fault("a\n:::ask\nb\n").starts_with("s.md:2: `:::ask` does not end"));
        assert!(fault("a\n:::\n").starts_with("s.md:2:"));
        let unknown = fault("a\n:::cann\nb\n:::\n");
        assert!(
            unknown.starts_with("s.md:2: there is no `:::cann`"),
            "{unknown}"
        );
        assert!(fault(":::next\n").contains("comes by itself"));
    }
}
