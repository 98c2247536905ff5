//! Stories as static pages: Markdown with components, every number computed by the engine while they are built.
//! `stories/NAME/index.html` and `zh.html`; docs/STORIES.md is the guide for who writes one.

mod ask;
mod bank_rows;
mod bits;
mod block;
mod component;
mod counts;
#[cfg(test)]
mod curriculum;
mod expression;
mod film;
mod flow;
mod glossary;
mod goal;
mod head;
mod page;
mod place;
mod preview;
mod prose;
mod ratio;
mod run;
mod scene;
mod score;
mod source;
mod subject;
mod teller;
mod vars;
mod wires;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lanescope_gallery::Language;
use lanescope_locale::story::StoryWords;

use crate::asset::Asset;
use crate::gallery::Frame;
use crate::minify::{Loader, minified};
use crate::workspace;
use block::Block;
use counts::Runs;
use expression::Scope;
use head::Head;
use lanescope_tally::grouped;
use place::Place;
use teller::{NO_VARS, StoryLink, Teller};

pub(crate) use preview::{Options, preview};

/// Where stories are, a folder a language.
const FOLDER: &str = "web/stories";

/// What the pages of stories have besides what the gallery's have.
pub(crate) struct Dress<'a> {
    pub(crate) frame: Frame<'a>,
    pub(crate) script: &'a Asset,
}

/// A story in every language.
struct Story {
    name: String,
    /// What is counted, and the order: of the default language.
    head: Head,
    texts: Vec<Text>,
}

/// A story in one language.
struct Text {
    language: Language,
    file: String,
    head: Head,
    blocks: Vec<Block>,
}

/// A story as it is told in one language.
struct Rendered {
    language: Language,
    body: String,
    anchors: BTreeSet<String>,
    links: Vec<StoryLink>,
    files: BTreeMap<String, Vec<u8>>,
}

/// The words that a class of colour is given by: how many ways.
fn heat(ways: u64) -> &'static str {
    match ways {
        0 => "n0",
        1 => "n1",
        2..=3 => "n2",
        4..=7 => "n4",
        8..=15 => "n8",
        16..=31 => "n16",
        _ => "n32",
    }
}

/// The stories, in their order.
fn stories() -> Result<Vec<Story>> {
    let folder = workspace::root().join(FOLDER).join(Language::DEFAULT.tag());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("no {FOLDER}"))? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = file
            .strip_suffix(".md")
            .filter(|name| *name != glossary::NAME)
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    let mut stories = names.into_iter().map(story).collect::<Result<Vec<_>>>()?;
    stories.sort_by_key(|story| story.head.order);
    has_own_orders(&stories)?;
    Ok(stories)
}

/// Each story has a place of its own on the path.
fn has_own_orders(stories: &[Story]) -> Result<()> {
    let mut pairs = stories.windows(2);
    match pairs.find(|two| two[0].head.order == two[1].head.order) {
        None => Ok(()),
        Some(two) => bail!(
            "{FOLDER}/{}/{}.md:1: `order: {}` is that of `{}` too: take another",
            Language::DEFAULT.tag(),
            two[1].name,
            two[1].head.order,
            two[0].name
        ),
    }
}

fn story(name: String) -> Result<Story> {
    let texts = Language::ALL
        .iter()
        .copied()
        .map(|language| text(&name, language))
        .collect::<Result<Vec<_>>>()?;
    let own = texts
        .iter()
        .position(|text| text.language == Language::DEFAULT);
    let file = format!("{FOLDER}/{}/{name}.md", Language::DEFAULT.tag());
    let (head, ..) = head::split(&read(&file)?, &file)?;
    own.context("the default language is one of all")?;
    Ok(Story { name, head, texts })
}

fn text(name: &str, language: Language) -> Result<Text> {
    let file = format!("{FOLDER}/{}/{name}.md", language.tag());
    let (head, body, first) = head::split(&read(&file)?, &file)?;
    Ok(Text {
        language,
        blocks: block::read(&body, &file, first)?,
        file,
        head,
    })
}

fn read(file: &str) -> Result<String> {
    let text = fs::read_to_string(workspace::root().join(file));
    text.with_context(|| format!("{file} is missing: a story stands in every language"))
}

impl Story {
    fn text(&self, language: Language) -> Option<&Text> {
        self.texts.iter().find(|text| text.language == language)
    }

    /// The head in `language`, for its words.
    fn words(&self, language: Language) -> &Head {
        self.text(language).map_or(&self.head, |text| &text.head)
    }

    /// The story in `language`, its numbers computed.
    fn rendered(
        &self,
        text: &Text,
        runs: &Runs,
        glossary: &BTreeMap<String, String>,
    ) -> Result<Rendered> {
        let names = [&self.head.names[..], &text.head.names[..]].concat();
        let teller = Teller {
            language: text.language,
            words: StoryWords::of(text.language),
            names: &names,
            called: &text.head.called,
            glossary,
            anchors: RefCell::default(),
            links: RefCell::default(),
            terms: RefCell::default(),
            files: RefCell::default(),
            ids: Cell::new(0),
            figures: RefCell::default(),
        };
        let scope = Scope {
            subjects: &self.head.subjects,
            published: &self.head.published,
            runs,
            vars: NO_VARS,
        };
        let mut body = component::blocks(&teller, scope, &text.blocks)?;
        let place = Place {
            file: text.file.clone(),
            line: 1,
        };
        teller.holds_no_number(&format!("{} {}", text.head.title, text.head.about), &place)?;
        body += &glossary::popovers(&teller, scope, &place)?;
        Ok(Rendered {
            language: text.language,
            body,
            anchors: teller.anchors.into_inner(),
            links: teller.links.into_inner(),
            files: teller.files.into_inner(),
        })
    }
}

/// All stories told in all languages; links between them lead somewhere. Of `only` one story the others are told as far as
/// its links lead into them.
fn all_rendered(stories: &[Story], only: Option<&str>) -> Result<Vec<Vec<Rendered>>> {
    let runs = Runs::default();
    let mut all = Vec::new();
    for story in stories {
        let mut rendered = Vec::new();
        for text in &story.texts {
            if only.is_none_or(|only| only == story.name) {
                rendered.push(story.rendered(text, &runs, &glossary::of(text.language)?)?);
            }
        }
        has_same_anchors(story, &rendered)?;
        all.push(rendered);
    }
    let names: Vec<&str> = stories.iter().map(|story| story.name.as_str()).collect();
    for index in led_into(&names, &all) {
        let story = &stories[index];
        if let Some(text) = story.texts.first() {
            all[index].push(story.rendered(text, &runs, &glossary::of(text.language)?)?);
        }
    }
    for link in all.iter().flatten().flat_map(|rendered| &rendered.links) {
        let there = names
            .iter()
            .position(|name| *name == link.story)
            .ok_or_else(|| {
                link.place.fault(format!(
                    "there is no story `{}`: there are {}",
                    link.story,
                    names.join(", ")
                ))
            })?;
        let rendered = all[there].first();
        if let (Some(anchor), Some(rendered)) = (&link.anchor, rendered)
            && !rendered.anchors.contains(anchor)
        {
            return Err(link
                .place
                .fault(format!("`{}` has no `#{anchor}`", link.story)));
        }
    }
    Ok(all)
}

/// The stories that are not told, and into which a link of another leads.
fn led_into(names: &[&str], all: &[Vec<Rendered>]) -> BTreeSet<usize> {
    let links = all.iter().flatten().flat_map(|rendered| &rendered.links);
    let anchored = links.filter(|link| link.anchor.is_some());
    let there = anchored.filter_map(|link| names.iter().position(|name| *name == link.story));
    there.filter(|index| all[*index].is_empty()).collect()
}

/// Links name places by the same name in each language.
fn has_same_anchors(story: &Story, rendered: &[Rendered]) -> Result<()> {
    let Some((first, others)) = rendered.split_first() else {
        return Ok(());
    };
    for other in others {
        let differ: Vec<_> = first.anchors.symmetric_difference(&other.anchors).collect();
        anyhow::ensure!(
            differ.is_empty(),
            "{FOLDER}/{}/{}.md:1: `#{}` is not in each language: a translation has the same headings",
            other.language.tag(),
            story.name,
            differ[0]
        );
    }
    Ok(())
}

/// The style sheet and the script of the stories.
///
/// # Errors
/// When one cannot be read or minified.
pub(crate) fn parts(root: &Path) -> Result<(Asset, Asset)> {
    let read = |path: &str| fs::read_to_string(root.join(path));
    // In other people's pages the same rules stand in a shadow root, whose root is its host.
    let style = [read("web/gallery.css")?, read("web/stories/story.css")?].concat();
    let style = style.replace(":root{", ":root,:host{");
    let script = read("web/stories/lane-story.js")?;
    Ok((
        Asset::named("lane-story.css", minified(&style, Loader::Style)?),
        Asset::named("lane-story.js", minified(&script, Loader::Module)?),
    ))
}

/// Every file of the stories.
///
/// # Errors
/// With file, line and the way to mend it: a number that cannot be computed, a link that leads nowhere.
pub(crate) fn build(dress: &Dress<'_>) -> Result<Vec<Asset>> {
    let stories = stories()?;
    let rendered = all_rendered(&stories, None)?;
    let mut files = Vec::new();
    for (index, rendered) in rendered.iter().enumerate() {
        files.extend(story_files(dress, &stories, index, rendered));
    }
    for &language in Language::ALL {
        let page = page::index(dress, &stories, language);
        files.push(Asset::named(
            &format!("stories/{}", page::file(language)),
            page.into_bytes(),
        ));
    }
    Ok(files)
}

fn story_files(
    dress: &Dress<'_>,
    stories: &[Story],
    index: usize,
    rendered: &[Rendered],
) -> Vec<Asset> {
    let folder = format!("stories/{}", stories[index].name);
    let mut files = Vec::new();
    for rendered in rendered {
        let page = page::page(dress, stories, index, rendered);
        files.push(Asset::named(
            &format!("{folder}/{}", page::file(rendered.language)),
            page.into_bytes(),
        ));
        for (file, bytes) in &rendered.files {
            files.push(Asset::named(&format!("{folder}/{file}"), bytes.clone()));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a story that says `text`.
    fn fault(text: &str) -> String {
        let head = "---\ntitle: T\nshort: S\nabout: A\nnames: CC 1.0\n\
                    access a: block=32 | __shared__ float t[32]; | t[tid]\n---\n";
        let whole = format!("{head}{text}");
        let (head, body, first) = head::split(&whole, "s.md").unwrap();
        let text = Text {
            language: Language::DEFAULT,
            blocks: block::read(&body, "s.md", first).unwrap(),
            file: "s.md".to_owned(),
            head: head::split(&whole, "s.md").unwrap().0,
        };
        let story = Story {
            name: "s".to_owned(),
            head,
            texts: Vec::new(),
        };
        let rendered = story.rendered(&text, &Runs::default(), &BTreeMap::new());
        rendered
            .err()
            .map_or_else(String::new, |error| format!("{error:#}"))
    }

    #[test]
    fn a_fault_names_its_line_and_the_way_to_mend_it() {
        let cases = [
            ("on CC 1.0 `7` and {a.wavefronts}\n", ""),
            ("fine\n\nit takes 3 passes\n", "s.md:10: `3` is typed"),
            ("{a.speed}\n", "s.md:8: `{a.speed}`"),
            ("{b.requests}\n", "the head has a"),
            ("# no name\n", "write `{#name}`"),
            ("<b>x</b>\n", "a story has no HTML"),
            ("[x](pattern:none)\n", "there is no pattern `none`"),
            ("[x](http://x)\n", "is no link"),
            ("[x](term:bank)\n", "the glossary has no `bank`"),
            (":::check a.wavefronts = 2\n", "a.wavefronts is 1, 2 is 2"),
            (":::ask\nq\n- [ ] x\n:::\n", "one answer is right"),
            (":::run dance\n", "there is no experiment `dance`"),
            (
                ":::run reduce kernels=transpose_padded\n",
                "`reduce` has no kernel `transpose_padded`",
            ),
            (":::run reduce size=2^24\n", "takes no size `2^24`"),
            (":::run transpose size=4096\n", "takes no size `4096`"),
            (":::run transpose size=64x32\n", ""),
            (":::rows a\n", "say how many: words=256"),
            ("{a.wavefronts / 3}\n", "say how many decimals"),
        ];
        for (text, expected) in cases {
            let got = fault(text);
            assert!(
                got.contains(expected) && got.is_empty() == expected.is_empty(),
                "{text}: {got}"
            );
        }
    }
}
