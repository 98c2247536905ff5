//! What the components of one story in one language share.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use lanescope_draw::escape_xml;
use lanescope_gallery::{Language, preset};
use lanescope_locale::story::StoryWords;
use lanescope_share::encode;

use super::expression::Scope;
use super::place::Place;
use super::vars::Vars;

/// The way from a story's page to the folder of `index.html`.
pub(super) const ROOT: &str = "../../";

/// Schemes of links that leave the site.
const OUTSIDE: &str = "https://";

/// A link to a story: checked once all stories are told.
#[derive(Debug)]
pub(super) struct StoryLink {
    pub(super) story: String,
    pub(super) anchor: Option<String>,
    pub(super) place: Place,
}

/// What the components of one story in one language share.
pub(super) struct Teller<'a> {
    pub(super) language: Language,
    pub(super) words: &'static StoryWords,
    /// Names with digits in them.
    pub(super) names: &'a [String],
    /// What the story calls its subjects, where that is not their name in the head.
    pub(super) called: &'a BTreeMap<String, String>,
    /// The glossary: a text for each term.
    pub(super) glossary: &'a BTreeMap<String, String>,
    pub(super) anchors: RefCell<BTreeSet<String>>,
    pub(super) links: RefCell<Vec<StoryLink>>,
    pub(super) terms: RefCell<BTreeSet<String>>,
    /// Pictures, by their file in the story's folder.
    pub(super) files: RefCell<BTreeMap<String, Vec<u8>>>,
    pub(super) ids: Cell<u32>,
    /// How many figures of each kind there are so far.
    pub(super) figures: RefCell<BTreeMap<&'static str, u32>>,
}

impl Teller<'_> {
    /// What the story calls a subject.
    pub(super) fn called<'b>(&'b self, subject: &'b str) -> &'b str {
        self.called.get(subject).map_or(subject, String::as_str)
    }

    /// An id that nothing else on the page has.
    pub(super) fn id(&self, stem: &str) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("{stem}-{}", self.ids.get())
    }

    /// The id of a figure, by which other pages name it: its kind, and which of its kind it is.
    pub(super) fn figure(&self, kind: &'static str) -> String {
        let mut figures = self.figures.borrow_mut();
        let count = figures.entry(kind).or_default();
        *count += 1;
        format!("{kind}-{count}")
    }

    /// Notes a place that links can name.
    pub(super) fn anchor(&self, id: &str, place: &Place) -> Result<()> {
        if self.anchors.borrow_mut().insert(id.to_owned()) {
            return Ok(());
        }
        Err(place.fault(format!(
            "`#{id}` stands twice: give one another name (headings do not go into `:::drag`)"
        )))
    }

    /// The opening tag of a link, and whether it is a term of the glossary.
    pub(super) fn link(
        &self,
        to: &str,
        title: &str,
        scope: Scope<'_>,
        place: &Place,
    ) -> Result<(String, bool)> {
        if !title.is_empty() {
            return Err(place.fault("a link has no title here"));
        }
        let (kind, rest) = to.split_once(':').unwrap_or(("", to));
        let file = crate::gallery::page_file(self.language);
        let address = match kind {
            "term" => return Ok((self.term(rest, place)?, true)),
            "story" => {
                let (story, anchor) = rest
                    .split_once('#')
                    .map_or((rest, None), |(story, anchor)| (story, Some(anchor)));
                self.links.borrow_mut().push(StoryLink {
                    story: story.to_owned(),
                    anchor: anchor.map(str::to_owned),
                    place: place.clone(),
                });
                let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
                format!("../{story}/{file}{anchor}")
            }
            "pattern" => {
                preset(rest).ok_or_else(|| {
                    place.fault(format!("there is no pattern `{rest}`: gallery/ lists them"))
                })?;
                format!("{ROOT}gallery/{rest}/{file}")
            }
            "open" => self.address(rest, scope, place)?,
            "lab" => format!("{ROOT}lab.html"),
            _ if to.starts_with(OUTSIDE) => to.to_owned(),
            _ => {
                return Err(place.fault(format!(
                    "`{to}` is no link: write story:NAME#ANCHOR, pattern:ID, term:NAME, open:SUBJECT, lab: or https://…"
                )));
            }
        };
        Ok((format!("<a href=\"{}\">", escape_xml(&address)), false))
    }

    fn term(&self, name: &str, place: &Place) -> Result<String> {
        if !self.glossary.contains_key(name) {
            let known: Vec<&str> = self.glossary.keys().map(String::as_str).collect();
            return Err(place.fault(format!(
                "the glossary has no `{name}`: add it to glossary.md of each language (it has {})",
                known.join(", ")
            )));
        }
        self.terms.borrow_mut().insert(name.to_owned());
        Ok(format!(
            "<button type=\"button\" class=\"term\" popovertarget=\"term-{name}\">"
        ))
    }

    /// The page with a subject in it.
    pub(super) fn address(&self, subject: &str, scope: Scope<'_>, place: &Place) -> Result<String> {
        let state = scope
            .subject(subject)
            .and_then(|subject| subject.state(scope.vars));
        let mut state = state.map_err(|error| place.fault(format!("{error:#}")))?;
        state.language = (self.language != Language::DEFAULT).then_some(self.language);
        Ok(format!("{ROOT}#{}", encode(&state)))
    }

    /// Prose types no number: each is computed, or belongs to a name.
    pub(super) fn holds_no_number(&self, prose: &str, place: &Place) -> Result<()> {
        let mut text = without_targets(prose);
        for name in self.names {
            text = text.replace(name.as_str(), "");
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || ('０'..='９').contains(&c);
        for word in text.split(|c| !is_part(c)) {
            let is_typed = word.starts_with(|c: char| !c.is_ascii_alphabetic());
            if is_typed && !word.is_empty() {
                return Err(place.fault(format!(
                    "`{word}` is typed: compute it as `{{…}}`, put it into the head as published, or add the name it belongs to to `names:`"
                )));
            }
        }
        Ok(())
    }
}

/// `text` without the targets of links.
fn without_targets(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("](") {
        out += before;
        out.push(']');
        rest = after.split_once(')').map_or("", |(_, behind)| behind);
    }
    out + rest
}

/// No number of the reader's.
pub(super) const NO_VARS: &Vars = &Vars::new();

#[cfg(test)]
mod tests {
    use super::without_targets;

    #[test]
    fn targets_of_links_are_not_prose() {
        assert_eq!(
            without_targets("see [it](https://a/2) and 3"),
            "see [it] and 3"
        );
    }
}
