//! The head of a story: `key: value` lines between two lines of `---`.
//!
//! ```text
//! title: The same 255 additions in half the time
//! short: Reduction
//! about: one line for previews
//! order: 1
//! names: CC 1.0; GTX 580
//! kernel interleaved: reduce_interleaved.cu block=256 in=256
//! access strided: block=32 | __shared__ float a[256]; | a[{stride} * tid]
//! layout tile: device=cc9.0 | type f16; tma<128B>(16,64) | ldmatrix.x2
//! published first_us: 3118.4
//! word interleaved: what a figure calls it
//! ```
//!
//! What is counted (`kernel`, `access`, `published`) and the order stand in the English head; a translation has words alone.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::place::Place;
use super::ratio::Ratio;
use super::subject::Subject;

/// What the head says.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) short: String,
    pub(super) about: String,
    pub(super) order: u32,
    pub(super) minutes: u32,
    /// Names of things with digits in them, which prose may say.
    pub(super) names: Vec<String>,
    pub(super) subjects: BTreeMap<String, Subject>,
    pub(super) published: BTreeMap<String, Ratio>,
    /// What the story calls its subjects, where that is not their name.
    pub(super) called: BTreeMap<String, String>,
}

/// The head of `text`, and the rest with the number of its first line.
pub(super) fn split(text: &str, file: &str) -> Result<(Head, String, usize)> {
    let top = Place {
        file: file.to_owned(),
        line: 1,
    };
    let rest = text
        .strip_prefix("---\n")
        .ok_or_else(|| top.fault("a story begins with a line `---`, its head, and a line `---`"))?;
    let (head, body) = rest
        .split_once("\n---\n")
        .ok_or_else(|| top.fault("the head does not end: write a line `---` after it"))?;
    let mut read = Head::default();
    for (index, line) in head.lines().enumerate() {
        take(&mut read, line, &top.below(index + 1))?;
    }
    for (key, value) in [
        ("title", &read.title),
        ("short", &read.short),
        ("about", &read.about),
    ] {
        if value.is_empty() {
            return Err(top.fault(format!("the head has no `{key}:`")));
        }
    }
    Ok((read, body.to_owned(), head.lines().count() + 3))
}

fn take(head: &mut Head, line: &str, place: &Place) -> Result<()> {
    let (key, value) = line
        .split_once(": ")
        .ok_or_else(|| place.fault("a line of the head is `key: value`"))?;
    let number = || {
        value
            .parse()
            .map_err(|_| place.fault(format!("`{key}` is a number")))
    };
    match key.split_once(' ') {
        None => match key {
            "title" => value.clone_into(&mut head.title),
            "short" => value.clone_into(&mut head.short),
            "about" => value.clone_into(&mut head.about),
            "order" => head.order = number()?,
            "minutes" => head.minutes = number()?,
            "names" => head.names = value.split("; ").map(str::to_owned).collect(),
            _ => return Err(unknown(key, place)),
        },
        Some((kind, name)) => {
            if kind != "word"
                && (head.subjects.contains_key(name) || head.published.contains_key(name))
            {
                return Err(place.fault(format!("`{name}` stands twice in the head")));
            }
            match kind {
                "word" => {
                    head.called.insert(name.to_owned(), value.to_owned());
                }
                "kernel" => {
                    let kernel = Subject::kernel(value).with_context(|| line_of(place))?;
                    head.subjects.insert(name.to_owned(), kernel);
                }
                "access" => {
                    let access = Subject::access(value).with_context(|| line_of(place))?;
                    head.subjects.insert(name.to_owned(), access);
                }
                "layout" => {
                    let layout = Subject::layout(value).with_context(|| line_of(place))?;
                    head.subjects.insert(name.to_owned(), layout);
                }
                "published" => {
                    let value = Ratio::read(value).ok_or_else(|| {
                        place.fault(format!(
                            "`{value}` is no number: digits with at most one point"
                        ))
                    })?;
                    head.published.insert(name.to_owned(), value);
                }
                _ => return Err(unknown(kind, place)),
            }
        }
    }
    Ok(())
}

fn line_of(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn unknown(key: &str, place: &Place) -> anyhow::Error {
    place.fault(format!(
        "the head knows no `{key}`: it has title, short, about, order, minutes, names, kernel NAME, access NAME, layout NAME, published NAME, word NAME"
    ))
}
