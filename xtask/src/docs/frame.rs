//! What a page of the documentation has around its text: the list of pages, the search, the ways on.

use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use lanescope_locale::docs::DocsWords;

use super::text::Text;
use super::{Dress, ENTRIES, Part};
use crate::gallery::{self, Nav, Page, page as framed, page_file};

/// The page of the text at `at`, whose search reads the file `index` of the built page's folder.
pub(super) fn page(
    dress: &Dress<'_>,
    texts: &[Text],
    at: usize,
    language: Language,
    index: &str,
) -> String {
    let (entry, text) = (&ENTRIES[at], &texts[at]);
    let root = format!("{}../", entry.up());
    let words = DocsWords::of(language);
    let body = format!(
        "<div class=\"docs\">\n<div class=\"side\">{search}{contents}</div>\n<main{lang}>\n<p class=\"subject\">{part}</p>\n\
         {note}<h1>{title}</h1>\n{text}{around}</main>\n</div>\n",
        search = search(&root, entry.up(), index, words),
        contents = contents(texts, at, language),
        lang = if entry.slug.is_empty() {
            " class=\"first\""
        } else {
            ""
        },
        part = entry.part.title(language),
        note = note(text, language),
        title = escape_xml(&text.title),
        text = written(text, language, &root),
        around = around(texts, at, language),
    );
    framed(
        &dress.frame,
        &Page {
            language,
            root: &root,
            folder: &format!("docs/{}", entry.folder()),
            title: &text.title,
            description: &text.about,
            head: &head(dress, text, &root),
            body: &body,
            nav: Nav::Docs,
        },
    )
}

/// The script of the search, and that of the live element where there is one.
fn head(dress: &Dress<'_>, text: &Text, root: &str) -> String {
    let has_element = text.body.contains("<lane-scope");
    let element = has_element.then_some(dress.frame.element);
    element
        .into_iter()
        .chain([dress.script])
        .map(|script| {
            format!(
                "<script type=\"module\" src=\"{root}{}\" integrity=\"{}\" crossorigin></script>\n",
                script.path,
                script.integrity()
            )
        })
        .collect()
}

/// The text, with its language where it is not the page's, and what a live element shows until it lives.
fn written(text: &Text, language: Language, root: &str) -> String {
    let body = text.body.replace(
        "</lane-scope>",
        &format!("{}</lane-scope>", still(language, root)),
    );
    if text.language == language {
        return body;
    }
    format!("<div lang=\"{}\">\n{body}</div>\n", text.language.bcp47())
}

/// The gallery's picture of what the elements of the guide show.
fn still(language: Language, root: &str) -> String {
    let file = gallery::first_picture(language);
    format!("<span class=\"wide\" tabindex=\"0\"><img src=\"{root}{file}\" alt=\"\"></span>")
}

fn note(text: &Text, language: Language) -> String {
    if text.language == language {
        return String::new();
    }
    let words = DocsWords::of(language);
    format!("<p class=\"note\">{}</p>\n", words.other_language)
}

/// The field, which a script makes work: without one it is not shown.
fn search(root: &str, up: &str, index: &str, words: &DocsWords) -> String {
    format!(
        "<search hidden data-index=\"{root}{index}\" data-docs=\"{up}\" data-nothing=\"{nothing}\" data-copy=\"{copy}\" \
         data-copied=\"{copied}\"><input type=\"search\" id=\"search\" data-testid=\"search\" role=\"combobox\" \
         aria-label=\"{label}\" aria-expanded=\"false\" aria-controls=\"found\" aria-autocomplete=\"list\" \
         placeholder=\"{placeholder}\" autocomplete=\"off\" spellcheck=\"false\"><kbd>/</kbd>\
         <div id=\"found\" role=\"listbox\" aria-label=\"{label}\" hidden></div></search>\n",
        nothing = escape_xml(words.nothing),
        copy = words.copy,
        copied = words.copied,
        label = words.search,
        placeholder = words.search_short,
    )
}

/// The list of all pages: open beside the text, folded above it where there is no room beside.
fn contents(texts: &[Text], here: usize, language: Language) -> String {
    let words = DocsWords::of(language);
    let parts: String = Part::ALL
        .iter()
        .copied()
        .map(|part| {
            let items: String = (0..ENTRIES.len())
                .filter(|at| ENTRIES[*at].part == part)
                .map(|at| item(texts, at, here, language))
                .collect();
            format!("<h2>{}</h2>\n<ul>\n{items}</ul>\n", part.title(language))
        })
        .collect();
    format!(
        "<nav class=\"contents\" aria-label=\"{label}\"><details open><summary>{label}</summary>\n{parts}</details></nav>\n",
        label = words.contents
    )
}

fn item(texts: &[Text], at: usize, here: usize, language: Language) -> String {
    let current = if at == here {
        " aria-current=\"page\""
    } else {
        ""
    };
    format!(
        "<li><a href=\"{}\"{current}>{}</a></li>\n",
        address(at, here, language),
        escape_xml(&texts[at].title)
    )
}

/// The page at `at` as an address from that at `here`.
fn address(at: usize, here: usize, language: Language) -> String {
    let file = page_file(language);
    let address = format!("{}{}{file}", ENTRIES[here].up(), ENTRIES[at].folder());
    if address.is_empty() {
        return "./".to_owned();
    }
    address
}

fn around(texts: &[Text], here: usize, language: Language) -> String {
    let words = DocsWords::of(language);
    let link = |at: usize, rel: &str, label: &str| {
        format!(
            "<a rel=\"{rel}\" href=\"{}\"><span>{label}</span>{}</a>\n",
            address(at, here, language),
            escape_xml(&texts[at].title)
        )
    };
    let previous = here
        .checked_sub(1)
        .map_or_else(String::new, |at| link(at, "prev", words.previous));
    let next = if here + 1 < ENTRIES.len() {
        link(here + 1, "next", words.next)
    } else {
        String::new()
    };
    format!("<nav class=\"around\">{previous}{next}</nav>\n")
}
