//! The page of one preset.

use anyhow::{Context, Result};
use lanescope_draw::{CARD_SIZE, escape_xml};
use lanescope_gallery::{Language, Preset, Subject, fill, lesson};
use lanescope_locale::gallery::GalleryWords;
use lanescope_share::{Source, State};

use super::figures::Figures;
use super::html::{self, Nav, Page, absolute, page_file, paragraphs};
use super::{Entry, Frame, picture, tables};

/// The way from a page's folder to that of `index.html`.
const ROOT: &str = "../../";

pub(super) fn page(
    frame: &Frame<'_>,
    entry: &Entry,
    language: Language,
    figures: &mut Figures,
) -> Result<String> {
    let preset = entry.preset;
    let lesson = fill(lesson(preset.id, language), &mut |name| {
        figures.figure(preset, name)
    })?;
    let description = lesson
        .split("\n\n")
        .next()
        .unwrap_or_default()
        .replace('`', "");
    let body = body(entry, language, &lesson, figures)?;
    let folder = format!("gallery/{}/", preset.id);
    Ok(html::page(
        frame,
        &Page {
            language,
            root: ROOT,
            folder: &folder,
            title: preset.title(language),
            description: &description,
            head: &head(frame, entry, &folder, language),
            body: &body,
            nav: Nav::Story,
        },
    ))
}

/// The picture for previews, the answer for readers of oEmbed, the script of the live copy.
fn head(frame: &Frame<'_>, entry: &Entry, folder: &str, language: Language) -> String {
    let image = absolute(frame, folder, &picture::card(language));
    let oembed = absolute(frame, folder, "oembed.json");
    let alt = escape_xml(&entry.pictures.drawing(language).title);
    let [width, height] = CARD_SIZE;
    let script = frame.element;
    format!(
        "<meta property=\"og:image\" content=\"{image}\">\n<meta property=\"og:image:width\" content=\"{width}\">\n\
         <meta property=\"og:image:height\" content=\"{height}\">\n\
         <meta property=\"og:image:alt\" content=\"{alt}\">\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\">\n\
         <link rel=\"alternate\" type=\"application/json+oembed\" href=\"{oembed}\" title=\"{title}\">\n\
         <script type=\"module\" src=\"{ROOT}{path}\" integrity=\"{integrity}\" crossorigin></script>\n",
        title = escape_xml(entry.preset.title(Language::English)),
        path = script.path,
        integrity = script.integrity(),
    )
}

fn body(entry: &Entry, language: Language, lesson: &str, figures: &mut Figures) -> Result<String> {
    let preset = entry.preset;
    let state = preset.state();
    let analysed = figures.of(&state).context("it cannot be analysed")?;
    let device = analysed.analysis.question.device.name();
    Ok(format!(
        "<main>\n<p class=\"subject\">{subject}</p>\n<h1>{title}</h1>\n{lesson}{source}{live}{links}\
         <h2>{counts}</h2>\n<p class=\"device\">{on} {device}</p>\n{lines}{elsewhere}</main>\n{around}",
        subject = escape_xml(preset.subject.title(language)),
        title = escape_xml(preset.title(language)),
        lesson = paragraphs(lesson),
        source = source(&state),
        live = live(entry, language) + &beside(entry, language),
        links = links(entry, language),
        counts = GalleryWords::of(language).counts,
        on = GalleryWords::of(language).on,
        device = escape_xml(device),
        lines = tables::lines(&analysed, language),
        elsewhere = tables::elsewhere(&state, language, figures),
        around = around(entry, language),
    ))
}

fn source(state: &State) -> String {
    let text = match &state.source {
        Source::Expression {
            declarations,
            accesses,
        } => format!("{declarations}\n\n{accesses}"),
        Source::Kernel(text) | Source::Trace(text) => text.clone(),
        Source::Layout { layout, .. } => layout.clone(),
    };
    let lines: Vec<String> = text.trim_end().lines().map(escape_xml).collect();
    let lines = lines.join("\n");
    format!("<pre tabindex=\"0\"><code>{lines}</code></pre>\n")
}

/// The live copy, and the picture for where it cannot be.
fn live(entry: &Entry, language: Language) -> String {
    let drawing = entry.pictures.drawing(language);
    let [width, height] = entry.pictures.size();
    format!(
        "<figure>\n<lane-scope src=\"#{link}\" lang=\"{lang}\" title=\"Lanescope: {name}\">\n\
         <div class=\"wide\" tabindex=\"0\"><img src=\"{file}\" alt=\"{alt}\" width=\"{width}\" \
         height=\"{height}\"></div>\n</lane-scope>\n\
         <figcaption>{alt}</figcaption>\n</figure>\n",
        link = escape_xml(&entry.link),
        lang = language.tag(),
        name = escape_xml(entry.preset.title(language)),
        file = picture::file(language),
        alt = escape_xml(&drawing.title),
    )
}

/// The access that is compared with the first picture's.
fn beside(entry: &Entry, language: Language) -> String {
    let Some(pictures) = &entry.beside else {
        return String::new();
    };
    let [width, height] = pictures.size();
    format!(
        "<figure>\n<div class=\"wide\" tabindex=\"0\"><img src=\"{file}\" alt=\"{alt}\" width=\"{width}\" \
         height=\"{height}\"></div>\n<figcaption>{alt}</figcaption>\n</figure>\n",
        file = picture::beside(language),
        alt = escape_xml(&pictures.drawing(language).title),
    )
}

fn links(entry: &Entry, language: Language) -> String {
    let open = GalleryWords::of(language).open;
    let link = escape_xml(&entry.link);
    let lab = if has_kernel_in_the_lab(entry.preset) {
        let lab = GalleryWords::of(language).lab;
        format!(" <a href=\"{ROOT}lab.html\">{lab}</a>")
    } else {
        String::new()
    };
    format!("<p class=\"links\"><a class=\"open\" href=\"{ROOT}#{link}\">{open}</a>{lab}</p>\n")
}

fn has_kernel_in_the_lab(preset: &Preset) -> bool {
    preset.subject == Subject::Reductions
        || (preset.subject == Subject::Tiles && preset.id != "small-tile")
        || preset.id.starts_with("kernel-transpose")
        || preset.id == "kernel-reduction"
}

/// To the entries before and after.
fn around(entry: &Entry, language: Language) -> String {
    let (file, words) = (page_file(language), GalleryWords::of(language));
    let way = |preset: Option<&Preset>, rel: &str, word: &str| {
        preset.map_or_else(String::new, |preset| {
            format!(
                "<a rel=\"{rel}\" href=\"../{}/{file}\"><span>{}</span> {}</a>",
                preset.id,
                word,
                escape_xml(preset.title(language))
            )
        })
    };
    format!(
        "<nav class=\"around\" aria-label=\"{} / {}\">{}{}</nav>\n",
        words.previous,
        words.next,
        way(entry.previous, "prev", words.previous),
        way(entry.next, "next", words.next)
    )
}
