//! What every page of the gallery has around its own.

use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use lanescope_locale::docs::DocsWords;
use lanescope_locale::gallery::GalleryWords;
use lanescope_locale::story::StoryWords;

use super::Frame;

/// Where a page stands among those that the header names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nav {
    /// The list of stories.
    Stories,
    /// A story, or a pattern: under the list of stories.
    Story,
    /// A page of the documentation.
    Docs,
}

/// One page.
pub(crate) struct Page<'a> {
    pub(crate) language: Language,
    /// The way from the page's folder to that of `index.html`.
    pub(crate) root: &'a str,
    /// The page's folder under that, with a slash at the end.
    pub(crate) folder: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    /// More for the head.
    pub(crate) head: &'a str,
    pub(crate) body: &'a str,
    /// Where it stands.
    pub(crate) nav: Nav,
}

/// The page of a language in its folder; that of the default language is the folder itself.
pub(crate) fn page_file(language: Language) -> String {
    if language == Language::DEFAULT {
        return String::new();
    }
    format!("{}.html", language.tag())
}

/// The same as an address from within the folder.
fn address(language: Language) -> String {
    if language == Language::DEFAULT {
        return "./".to_owned();
    }
    page_file(language)
}

/// `file` of a page's folder as others may name it: whole where the base is known.
pub(super) fn absolute(frame: &Frame<'_>, folder: &str, file: &str) -> String {
    if frame.base.is_empty() {
        return file.to_owned();
    }
    format!("{}{folder}{}", frame.base, file.trim_start_matches("./"))
}

/// The emblem of the name: four banks, one of them busy.
const BANKS: &str = "<svg viewBox=\"0 0 22 22\" aria-hidden=\"true\" fill=\"currentColor\">\
     <path opacity=\".25\" d=\"M1 1h4v20h-4zM6.3 1h4v20h-4zM17 1h4v20h-4z\"/>\
     <path d=\"M11.6 1h4v20h-4z\"/></svg>";

/// The whole text.
pub(crate) fn page(frame: &Frame<'_>, page: &Page<'_>) -> String {
    let &Page {
        language,
        root,
        folder,
        head,
        body,
        ..
    } = page;
    let [title, description] = [page.title, page.description].map(escape_xml);
    let (policy, style, icon) = (frame.policy, frame.style, frame.icon);
    let canonical = absolute(frame, folder, &address(language));
    let others: String = Language::ALL
        .iter()
        .copied()
        .map(|other| {
            let there = absolute(frame, folder, &address(other));
            format!(
                "<link rel=\"alternate\" hreflang=\"{}\" href=\"{there}\">\n",
                other.bcp47()
            )
        })
        .collect();
    let other = language.next();
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; frame-src 'self'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title} · Lanescope</title>\n<meta name=\"description\" content=\"{description}\">\n\
         <link rel=\"canonical\" href=\"{canonical}\">\n{others}\
         <meta property=\"og:site_name\" content=\"Lanescope\">\n<meta property=\"og:type\" content=\"article\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{description}\">\n\
         <meta property=\"og:url\" content=\"{canonical}\">\n{head}\
         <link rel=\"icon\" href=\"{root}{icon}\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{root}{style}\" integrity=\"{integrity}\" crossorigin>\n\
         </head>\n<body>\n<header><a class=\"logo\" href=\"{root}\">{BANKS}Lanescope</a>\
         <nav aria-label=\"Lanescope\"><a href=\"{root}\">{playground}</a><a href=\"{root}stories/{home}\"{current}>{stories}</a>\
         <a href=\"{root}lab.html\">{lab}</a></nav>\
         <a class=\"docs-link\" href=\"{root}docs/{home}\"{docs_current}>{docs}</a>\
         <a class=\"language\" href=\"{there}\" lang=\"{there_lang}\" hreflang=\"{there_lang}\">{language_name}</a>\
         </header>\n{body}</body>\n</html>\n",
        lang = language.bcp47(),
        integrity = style.integrity(),
        style = style.path,
        icon = icon.path,
        home = page_file(language),
        current = match page.nav {
            Nav::Stories => " aria-current=\"page\"",
            Nav::Story => " aria-current=\"true\"",
            Nav::Docs => "",
        },
        docs_current = match page.nav {
            Nav::Docs => " aria-current=\"true\"",
            Nav::Stories | Nav::Story => "",
        },
        docs = DocsWords::of(language).docs,
        playground = GalleryWords::of(language).playground,
        stories = StoryWords::of(language).stories,
        lab = GalleryWords::of(language).lab_page,
        there = address(other),
        there_lang = other.bcp47(),
        language_name = other.name(),
    )
}

/// Prose with code between backticks, as paragraphs.
pub(super) fn paragraphs(text: &str) -> String {
    text.split("\n\n")
        .map(|paragraph| format!("<p>{}</p>\n", with_code(paragraph)))
        .collect()
}

fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = escape_xml(part);
        if index % 2 == 1 {
            format!("<code>{part}</code>")
        } else {
            part
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn code_stands_apart_and_markup_is_text() {
        let html = "<p>a <code>b&lt;c</code> &lt;d></p>\n<p>e</p>\n";
        let got = paragraphs("a `b<c` <d>\n\ne");
        assert_eq!(got.replace("&gt;", ">"), html);
    }
}
