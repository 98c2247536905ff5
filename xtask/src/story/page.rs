//! The page of a story, and the page that lists them.

use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use lanescope_locale::story::StoryWords;

use super::{Dress, Rendered, Story};
use crate::gallery::{Nav, Page, page as framed};

/// The file of a language in a folder of pages.
pub(super) fn file(language: Language) -> String {
    if language == Language::DEFAULT {
        return "index.html".to_owned();
    }
    crate::gallery::page_file(language)
}

pub(super) fn page(
    dress: &Dress<'_>,
    stories: &[Story],
    index: usize,
    rendered: &Rendered,
) -> String {
    let language = rendered.language;
    let (story, words) = (&stories[index], StoryWords::of(language));
    let head = story.words(language);
    let which = (words.which)(index + 1, stories.len(), story.head.minutes);
    let body = format!(
        "<div class=\"shell\">\n<main>\n<p class=\"subject\">{short} · {which}</p>\n<h1>{title}</h1>\n{rendered}{next}\
         <p class=\"numbers\">{numbers}</p>\n</main>\n{path}</div>\n",
        short = escape_xml(&head.short),
        title = escape_xml(&head.title),
        rendered = rendered.body,
        next = next(stories, index, language),
        numbers = words.numbers,
        path = path(stories, index, language),
    );
    let script = format!(
        "<script type=\"module\" src=\"../../{}\" integrity=\"{}\" crossorigin></script>\n",
        dress.script.path,
        dress.script.integrity()
    );
    framed(
        &dress.frame,
        &Page {
            language,
            root: "../../",
            folder: &format!("stories/{}/", story.name),
            title: &head.title,
            description: &head.about,
            head: &script,
            body: &body,
            nav: Nav::Story,
        },
    )
}

/// The card of the story behind this one; behind the last, the patterns.
fn next(stories: &[Story], index: usize, language: Language) -> String {
    let words = StoryWords::of(language);
    let page = crate::gallery::page_file(language);
    let (href, title, about) = match stories.get(index + 1) {
        Some(story) => {
            let head = story.words(language);
            (
                format!("../{}/{page}", story.name),
                head.title.as_str(),
                head.about.as_str(),
            )
        }
        None => (
            format!("../../gallery/{page}"),
            words.all_patterns,
            words.about_patterns,
        ),
    };
    format!(
        "<a class=\"card next\" rel=\"next\" href=\"{href}\"><small>{}</small><b>{}</b><span>{}</span></a>\n",
        words.next,
        escape_xml(title),
        escape_xml(about)
    )
}

fn path(stories: &[Story], index: usize, language: Language) -> String {
    let words = StoryWords::of(language);
    let page = crate::gallery::page_file(language);
    let items: String = stories
        .iter()
        .enumerate()
        .map(|(at, story)| {
            let head = story.words(language);
            let here = if at == index {
                " aria-current=\"page\""
            } else {
                ""
            };
            format!(
                "<li><a href=\"../{}/{page}\"{here}>{}</a></li>\n",
                story.name,
                escape_xml(&head.short)
            )
        })
        .collect();
    format!(
        "<nav class=\"path\" aria-label=\"{path}\"><h2>{path}</h2>\n<ol>\n{items}</ol>\n\
         <p><a href=\"../../gallery/{page}\">{}</a></p></nav>\n",
        words.all_patterns,
        path = words.path,
    )
}

/// The list of stories, with the way to the patterns.
pub(super) fn index(dress: &Dress<'_>, stories: &[Story], language: Language) -> String {
    let words = StoryWords::of(language);
    let page = crate::gallery::page_file(language);
    let cards: String = stories
        .iter()
        .map(|story| {
            let head = story.words(language);
            format!(
                "<li><a href=\"{}/{page}\"><small>{}</small><b>{}</b><span>{}</span></a></li>\n",
                story.name,
                escape_xml(&head.short),
                escape_xml(&head.title),
                escape_xml(&head.about)
            )
        })
        .collect();
    let body = format!(
        "<main class=\"list\">\n<h1>{stories}</h1>\n<p>{about}</p>\n<ol class=\"chapters\">\n{cards}</ol>\n\
         <h2>{patterns}</h2>\n<p>{about_patterns} <a href=\"../gallery/{page}\">{all}</a></p>\n</main>\n",
        stories = words.stories,
        about = words.about,
        patterns = words.patterns,
        about_patterns = words.about_patterns,
        all = words.all_patterns,
    );
    framed(
        &dress.frame,
        &Page {
            language,
            root: "../",
            folder: "stories/",
            title: words.stories,
            description: words.about,
            head: "",
            body: &body,
            nav: Nav::Stories,
        },
    )
}
