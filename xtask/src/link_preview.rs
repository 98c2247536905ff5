//! What a page says of itself to programs that show a preview of a link.

use anyhow::{Context, Result};

use crate::bundle::replaced;

/// The gallery's first card, by its path under `dist/`: what previews of the page itself show.
pub(crate) const CARD: &str = "gallery/column-of-tile/card.png";

/// Its width and height in pixels.
pub(crate) const CARD_SIZE: [i32; 2] = [1200, 630];

/// A page as previews of links show it, which need whole addresses: its title, its description and a picture.
///
/// # Errors
/// When the page lacks one of them.
pub(crate) fn added(text: &str, name: &str, base: &str) -> Result<String> {
    if base.is_empty() {
        return Ok(text.to_owned());
    }
    let between = |start: &str, end: &str| {
        let found = text
            .split_once(start)
            .and_then(|(_, rest)| rest.split_once(end));
        found
            .map(|(found, _)| found)
            .context("the page lacks what its preview says")
    };
    let title = between("<title>", "</title>")?;
    let description = between("<meta name=\"description\" content=\"", "\"")?;
    let address = if name == "index.html" {
        base.to_owned()
    } else {
        format!("{base}{name}")
    };
    let [width, height] = CARD_SIZE;
    let tags = format!(
        "<meta property=\"og:site_name\" content=\"Lanescope\">\n<meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{description}\">\n\
         <meta property=\"og:url\" content=\"{address}\">\n\
         <meta property=\"og:image\" content=\"{base}{CARD}\">\n\
         <meta property=\"og:image:width\" content=\"{width}\">\n\
         <meta property=\"og:image:height\" content=\"{height}\">\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\">\n</head>"
    );
    replaced(text, "</head>", &tags)
}

#[cfg(test)]
mod tests {
    use super::added;

    #[test]
    fn previews_have_whole_addresses() {
        let page = "<title>T</title><meta name=\"description\" content=\"D\"></head>";
        let base = "https://example.org/lanescope/";
        let lab = added(page, "lab.html", base).unwrap();
        assert!(lab.contains("og:url\" content=\"https://example.org/lanescope/lab.html\""));
        assert!(lab.contains("og:image\" content=\"https://example.org/lanescope/gallery/"));
        assert_eq!(added(page, "lab.html", "").unwrap(), page);
    }
}
