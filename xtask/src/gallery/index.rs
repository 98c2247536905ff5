//! The page that lists the gallery.

use lanescope_draw::escape_xml;
use lanescope_gallery::{Language, SUBJECTS, Subject};
use lanescope_locale::gallery::GalleryWords;

use super::html::{self, Nav, Page, page_file};
use super::{Entry, Frame, picture};

pub(super) fn page(frame: &Frame<'_>, language: Language, entries: &[Entry]) -> String {
    let subjects: String = SUBJECTS
        .iter()
        .map(|subject| part(*subject, language, entries))
        .collect();
    let title = GalleryWords::of(language).gallery;
    let about = GalleryWords::of(language).about;
    html::page(
        frame,
        &Page {
            language,
            root: "../",
            folder: "gallery/",
            title,
            description: about,
            head: "",
            body: &format!("<main>\n<h1>{title}</h1>\n<p>{about}</p>\n{subjects}</main>\n"),
            nav: Nav::Story,
        },
    )
}

fn part(subject: Subject, language: Language, entries: &[Entry]) -> String {
    let cards: String = entries
        .iter()
        .filter(|entry| entry.preset.subject == subject)
        .map(|entry| card(entry, language))
        .collect();
    let title = escape_xml(subject.title(language));
    format!("<h2>{title}</h2>\n<ul class=\"cards\">\n{cards}</ul>\n")
}

fn card(entry: &Entry, language: Language) -> String {
    let id = entry.preset.id;
    let file = page_file(language);
    format!(
        "<li><a href=\"{id}/{file}\"><img src=\"{id}/{picture}\" alt=\"\" \
         loading=\"lazy\"><b>{title}</b><span>{says}</span></a></li>\n",
        picture = picture::SMALL,
        title = escape_xml(entry.preset.title(language)),
        says = escape_xml(&entry.pictures.drawing(language).title),
    )
}
