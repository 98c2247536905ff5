//! What an editor knows of its text.

use super::MOST_LINES;
use crate::highlight::Underline;
use crate::view::code::{Code, Opener};
use crate::view::links::Link;
use lanescope_locale::Language;
use lanescope_ui::element::El;

/// What an editor knows of its text.
#[derive(Default)]
pub(super) struct Held {
    pub(super) text: String,
    pub(super) underlines: Vec<Underline>,
    pub(super) links: Vec<Link>,
    pub(super) language: Option<Language>,
    /// What was typed since another text was put, and when; only while a whole editor is awaited.
    pub(super) typed: Vec<(f64, String)>,
    pub(super) whole: Whole,
    /// The line that was to come into view last; 0: none.
    pub(super) revealed: u32,
}

/// How far the whole editor is.
#[derive(Default)]
pub(super) enum Whole {
    /// Nobody asked for it.
    #[default]
    Absent,
    /// The browser refused it: the plain field stays.
    Refused,
    /// Its file is on the way.
    Awaited,
    /// Its file is here, and a word is being composed in the field.
    Ready(Opener),
    /// It stands in `host`.
    Open { code: Code, host: El },
}

impl Held {
    /// Whether it is a plain field with too many lines for a number and a colour each. The whole editor draws those in
    /// view.
    pub(super) fn is_bare(&self) -> bool {
        let is_open = matches!(self.whole, Whole::Open { .. });
        !is_open && self.text.matches('\n').count() >= MOST_LINES as usize
    }
}
