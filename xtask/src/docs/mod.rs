//! The documentation as static pages: `docs/NAME/index.html` and `zh.html`. The guide, the repository's own documents and
//! the reference, which is made of the command line, the schemas and the docstrings, with an index that the browser searches.

mod anchors;
mod frame;
mod links;
mod preview;
mod schema;
mod text;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use lanescope_gallery::Language;
use lanescope_locale::docs::DocsWords;
use serde_json::json;
use strum::VariantArray;

use crate::asset::Asset;
use crate::esbuild::Script;
use crate::gallery::{Frame, page_file};
use crate::minify::{Loader, minified};
use crate::workspace;
use links::Target;
use text::{Section, Text};

pub(crate) use preview::{Options, preview};

/// A part of the list of pages.
#[derive(Clone, Copy, PartialEq, Eq, VariantArray)]
enum Part {
    /// The first page, and a door for each kind of reader.
    FirstSteps,
    /// A task a page.
    HowTo,
    /// Where numbers come from, and where they end.
    Trust,
    /// Every option and field.
    Reference,
}

impl Part {
    const ALL: &'static [Self] = Self::VARIANTS;

    fn title(self, language: Language) -> &'static str {
        let words = DocsWords::of(language);
        match self {
            Self::FirstSteps => words.first_steps,
            Self::HowTo => words.how_to,
            Self::Trust => words.trust,
            Self::Reference => words.reference,
        }
    }
}

/// What a page is made of, by its path in the repository.
enum Source {
    /// A page of `docs/guide/`, in each language in which it is there.
    Guide(&'static str),
    /// A document of the repository.
    Document(&'static str),
    /// A JSON schema.
    Schema(&'static str),
}

/// A page: the folder under `docs/`, where it stands in the list, its source.
struct Entry {
    slug: &'static str,
    part: Part,
    source: Source,
}

const fn entry(slug: &'static str, part: Part, source: Source) -> Entry {
    Entry { slug, part, source }
}

/// Every page, in order.
const ENTRIES: [Entry; 27] = [
    entry("", Part::FirstSteps, Source::Guide("index.md")),
    entry("cuda", Part::FirstSteps, Source::Guide("cuda.md")),
    entry("triton", Part::FirstSteps, Source::Guide("triton.md")),
    entry("teach", Part::FirstSteps, Source::Guide("teach.md")),
    entry("ci", Part::FirstSteps, Source::Guide("ci.md")),
    entry("report", Part::HowTo, Source::Guide("report.md")),
    entry("gate", Part::HowTo, Source::Document("docs/CHECK.md")),
    entry(
        "embed",
        Part::HowTo,
        Source::Document("packages/element/README.md"),
    ),
    entry(
        "write-a-story",
        Part::HowTo,
        Source::Document("docs/STORIES.md"),
    ),
    entry(
        "compiler-explorer",
        Part::HowTo,
        Source::Document("packages/compiler-explorer/README.md"),
    ),
    entry("host", Part::HowTo, Source::Document("docs/HOSTING.md")),
    entry("trust", Part::Trust, Source::Guide("trust.md")),
    entry("limits", Part::Trust, Source::Guide("limits.md")),
    entry("faq", Part::Trust, Source::Guide("faq.md")),
    entry("hardware", Part::Trust, Source::Document("docs/MODEL.md")),
    entry(
        "compiler",
        Part::Trust,
        Source::Document("docs/COMPILER.md"),
    ),
    entry(
        "reliability",
        Part::Trust,
        Source::Document("docs/RELIABILITY.md"),
    ),
    entry("measured", Part::Trust, Source::Document("docs/RESULTS.md")),
    entry(
        "command-line",
        Part::Reference,
        Source::Document("docs/reference/command-line.md"),
    ),
    entry(
        "python",
        Part::Reference,
        Source::Document("docs/reference/python.md"),
    ),
    entry(
        "python-package",
        Part::Reference,
        Source::Document("packages/python/README.md"),
    ),
    entry(
        "module",
        Part::Reference,
        Source::Document("packages/js/README.md"),
    ),
    entry(
        "question",
        Part::Reference,
        Source::Schema("packages/js/question.schema.json"),
    ),
    entry(
        "report-json",
        Part::Reference,
        Source::Schema("packages/js/report.schema.json"),
    ),
    entry(
        "check-json",
        Part::Reference,
        Source::Schema("packages/action/check.schema.json"),
    ),
    entry(
        "layouts",
        Part::Reference,
        Source::Document("docs/LAYOUTS.md"),
    ),
    entry(
        "links",
        Part::Reference,
        Source::Document("docs/SHARE_FORMAT.md"),
    ),
];

impl Entry {
    /// Its source in a language, by the path in the repository; where there is none, that of the default language.
    fn path(&self, root: &Path, language: Language) -> (String, Language) {
        match self.source {
            Source::Guide(name) => {
                let path = |language: Language| format!("docs/guide/{}/{name}", language.tag());
                if root.join(path(language)).exists() {
                    return (path(language), language);
                }
                (path(Language::DEFAULT), Language::DEFAULT)
            }
            Source::Document(path) | Source::Schema(path) => (path.to_owned(), Language::DEFAULT),
        }
    }

    /// Its folder as an address from the folder `docs/`, with a slash at the end; empty for the first page.
    fn folder(&self) -> String {
        if self.slug.is_empty() {
            return String::new();
        }
        format!("{}/", self.slug)
    }

    /// The way from its folder to `docs/`.
    const fn up(&self) -> &'static str {
        if self.slug.is_empty() { "" } else { "../" }
    }

    fn read(&self, root: &Path, language: Language) -> Result<Text> {
        let (path, written) = self.path(root, language);
        let source = fs::read_to_string(root.join(&path)).with_context(|| path.clone())?;
        let source = match self.source {
            Source::Schema(_) => schema::markdown(&source).with_context(|| path.clone())?,
            Source::Guide(_) | Source::Document(_) => source,
        };
        let lead = |link: &str| links::target(root, &path, link);
        let up = format!("{}../", self.up());
        let leads = |link: &str| Ok(lead(link)?.address(&up, language));
        let mut text = text::read(&source, &leads).with_context(|| path.clone())?;
        text.language = written;
        text.targets = links::all(&source, &lead)?;
        Ok(text)
    }
}

/// What the documentation's pages have besides what the gallery's have.
pub(crate) struct Dress<'a> {
    pub(crate) frame: Frame<'a>,
    pub(crate) script: &'a Asset,
}

/// The style sheet and the script.
///
/// # Errors
/// When Node or the library of the search is missing.
pub(crate) fn parts(root: &Path) -> Result<(Asset, Asset)> {
    let read = |path: &str| fs::read_to_string(root.join(path));
    let style = [read("web/gallery.css")?, read("web/docs/docs.css")?].concat();
    Ok((
        Asset::hashed("docs", "css", minified(&style, Loader::Style)?),
        Asset::hashed("docs", "js", SCRIPT.bundled()?),
    ))
}

/// The script with the library of the search.
const SCRIPT: Script = Script {
    entry: "web/docs/docs.js",
    about: "MiniSearch",
    licence: "node_modules/minisearch/LICENSE.txt",
};

/// Every file of the documentation.
///
/// # Errors
/// With the source, where a link leads nowhere or a page cannot be read.
pub(crate) fn build(dress: &Dress<'_>) -> Result<Vec<Asset>> {
    let root = workspace::root();
    let mut files = Vec::new();
    for &language in Language::ALL {
        let texts = ENTRIES
            .iter()
            .map(|entry| entry.read(&root, language))
            .collect::<Result<Vec<_>>>()?;
        check_anchors(&root, &texts, language)?;
        let index = Asset::hashed("docs", "json", index(&texts, language)?);
        for (at, entry) in ENTRIES.iter().enumerate() {
            let page = frame::page(dress, &texts, at, language, &index.path);
            let file = file(language);
            let path = format!("docs/{}{file}", entry.folder());
            files.push(Asset::named(&path, page.into_bytes()));
        }
        files.push(index);
        if language == Language::DEFAULT {
            files.extend(pictures(&root, &texts)?);
        }
    }
    Ok(files)
}

/// The pictures that documents show.
fn pictures(root: &Path, texts: &[Text]) -> Result<Vec<Asset>> {
    let targets = texts.iter().flat_map(|text| &text.targets);
    let paths: BTreeSet<&String> = targets
        .filter_map(|target| match target {
            Target::Picture(path) => Some(path),
            Target::Page { .. } | Target::Beside(_) | Target::Elsewhere(_) | Target::Repository => {
                None
            }
        })
        .collect();
    let read = |path: &String| Ok(Asset::named(path, fs::read(root.join(path))?));
    paths.into_iter().map(read).collect()
}

/// The file of a language in a folder of pages.
fn file(language: Language) -> String {
    if language == Language::DEFAULT {
        return "index.html".to_owned();
    }
    page_file(language)
}

/// Every link to a heading finds it.
fn check_anchors(root: &Path, texts: &[Text], language: Language) -> Result<()> {
    let anchors: Vec<BTreeSet<&str>> = texts
        .iter()
        .map(|text| text.sections.iter().map(|s| s.anchor.as_str()).collect())
        .collect();
    for (entry, text) in ENTRIES.iter().zip(texts) {
        for target in &text.targets {
            let Target::Page {
                at,
                anchor: Some(anchor),
            } = target
            else {
                continue;
            };
            let (path, _) = entry.path(root, language);
            ensure!(
                anchors[*at].contains(anchor.as_str()),
                "{path}: no heading of {} is #{anchor}",
                ENTRIES[*at].path(root, language).0
            );
        }
    }
    Ok(())
}

/// What is searched: a record for each heading with the text under it.
fn index(texts: &[Text], language: Language) -> Result<Vec<u8>> {
    let mut records = Vec::new();
    for (entry, text) in ENTRIES.iter().zip(texts) {
        for Section {
            anchor,
            title,
            text: words,
        } in &text.sections
        {
            let page = format!("{}{}", entry.folder(), page_file(language));
            let address = if anchor.is_empty() {
                page
            } else {
                format!("{page}#{anchor}")
            };
            records.push(json!({
                "id": records.len(), "address": address, "page": text.title, "title": title, "text": words,
            }));
        }
    }
    Ok(serde_json::to_vec(&records)?)
}

#[cfg(test)]
mod tests {
    use super::{ENTRIES, Part, check_anchors, index};
    use crate::workspace;
    use lanescope_gallery::Language;

    #[test]
    fn every_page_reads_and_every_link_in_it_leads_somewhere() {
        let root = workspace::root();
        for &language in Language::ALL {
            let texts: Vec<_> = ENTRIES
                .iter()
                .map(|entry| entry.read(&root, language).unwrap())
                .collect();
            check_anchors(&root, &texts, language).unwrap();
            let records: Vec<serde_json::Value> =
                serde_json::from_slice(&index(&texts, language).unwrap()).unwrap();
            assert!(records.len() > 150, "{}", records.len());
        }
    }

    #[test]
    fn first_steps_are_in_both_languages() {
        let root = workspace::root();
        for entry in ENTRIES
            .iter()
            .filter(|entry| entry.part == Part::FirstSteps)
        {
            for &language in Language::ALL {
                assert_eq!(entry.path(&root, language).1, language, "{}", entry.slug);
            }
        }
    }
}
