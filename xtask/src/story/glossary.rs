//! The glossary: a text for each term, in each language; `## NAME` and a line.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use lanescope_gallery::Language;

use super::expression::Scope;
use super::place::Place;
use super::teller::Teller;
use super::{FOLDER, prose, read};

/// The stem of its file, which is no story's.
pub(super) const NAME: &str = "glossary";

pub(super) fn of(language: Language) -> Result<BTreeMap<String, String>> {
    let text = read(&format!("{FOLDER}/{}/{NAME}.md", language.tag()))?;
    let mut terms = BTreeMap::new();
    for part in text.split("## ").skip(1) {
        let (name, says) = part
            .split_once('\n')
            .with_context(|| format!("`## {part}` says nothing"))?;
        terms.insert(name.trim().to_owned(), says.trim().to_owned());
    }
    Ok(terms)
}

/// What opens where a term of the page is pressed.
pub(super) fn popovers(teller: &Teller<'_>, scope: Scope<'_>, place: &Place) -> Result<String> {
    let mut out = String::new();
    for name in teller.terms.borrow().iter() {
        let says = teller.glossary.get(name).map_or("", String::as_str);
        let place = Place {
            file: format!("{FOLDER}/{}/{NAME}.md", teller.language.tag()),
            line: place.line,
        };
        let says = prose::line(teller, scope, says, &place)?;
        out += &format!("<div popover id=\"term-{name}\" class=\"says\"><p>{says}</p></div>\n");
    }
    Ok(out)
}
