//! The text for each host.

use lanescope_draw::escape_xml;

use super::{Host, Snippet, Still};

/// What `host` takes; `article` is the whole answer in Markdown.
pub(crate) fn text(host: Host, snippet: &Snippet, article: &str) -> String {
    match host {
        Host::Element => element(snippet),
        Host::Frame
        | Host::Jekyll
        | Host::VitePress
        | Host::Astro
        | Host::MkDocs
        | Host::MdBook => frame(snippet),
        Host::Markdown => article.to_owned(),
        Host::Hugo => hugo(snippet),
        Host::Docusaurus => jsx_frame(snippet),
        Host::Sphinx => format!(".. raw:: html\n\n   {}", frame(snippet)),
        Host::Myst => format!("```{{raw}} html\n{}```\n", frame(snippet)),
        Host::Jupyter => notebook_cell(snippet),
        Host::WordPress => format!("<!-- wp:html -->\n{}<!-- /wp:html -->\n", frame(snippet)),
        Host::Notion => snippet.embed() + "\n",
        Host::Medium => snippet.link() + "\n",
        Host::Zhihu => format!("{}\n{}\n", snippet.headline, snippet.link()),
        Host::Juejin => format!("[{}]({})\n", plain(&snippet.headline), snippet.link()),
    }
}

/// What comes before an address in a frame, and after it, less the style.
fn attributes(snippet: &Snippet) -> String {
    format!(
        "src=\"{}\" width=\"100%\" height=\"{}\" loading=\"lazy\" title=\"{}\"",
        escape_xml(&snippet.embed()),
        snippet.height,
        in_attribute(&snippet.headline),
    )
}

fn frame(snippet: &Snippet) -> String {
    let attributes = attributes(snippet);
    format!("<iframe {attributes} style=\"border:0;max-width:100%\"></iframe>\n")
}

/// JSX wants a style as an object, and every element closed.
fn jsx_frame(snippet: &Snippet) -> String {
    let attributes = attributes(snippet);
    format!("<iframe {attributes} style={{{{border: 0, maxWidth: '100%'}}}} />\n")
}

/// The element, and in it what stands there where scripts do not run.
fn element(snippet: &Snippet) -> String {
    let Snippet { folder, height, .. } = snippet;
    let option = |name: &str, value: &str| match value {
        "" => String::new(),
        value => format!(" {name}=\"{value}\""),
    };
    let chosen = option("theme", snippet.theme) + &option("options", snippet.editable.option());
    let link = escape_xml(&snippet.link());
    let headline = in_attribute(&snippet.headline);
    let still = match &snippet.still {
        Some(Still { address, size }) => {
            let [width, height] = size;
            format!(
                "<img src=\"{}\" width=\"{width}\" height=\"{height}\" style=\"max-width:100%;height:auto\" \
                 alt=\"{headline}\">",
                escape_xml(address),
            )
        }
        None => headline,
    };
    format!(
        "<script type=\"module\" src=\"{}lane-scope.js\"></script>\n\
         <lane-scope src=\"{link}\" height=\"{height}\"{chosen} \
         style=\"display:block;min-height:{height}px\"><a href=\"{link}\">{still}</a></lane-scope>\n",
        escape_xml(folder),
    )
}

/// A shortcode, which Hugo needs for any HTML, and its use.
fn hugo(snippet: &Snippet) -> String {
    format!(
        "<!-- once: layouts/shortcodes/lanescope.html -->\n\
         <iframe src=\"{{{{ .Get \"src\" }}}}\" width=\"100%\" height=\"{{{{ .Get \"height\" }}}}\" \
         loading=\"lazy\" title=\"{{{{ .Get \"title\" }}}}\" style=\"border:0;max-width:100%\"></iframe>\n\n\
         <!-- in the article -->\n\
         {{{{< lanescope src=\"{}\" height=\"{}\" title=\"{}\" >}}}}\n",
        snippet.embed(),
        snippet.height,
        plain(&snippet.headline),
    )
}

/// A cell whose output is the embed.
fn notebook_cell(snippet: &Snippet) -> String {
    format!(
        "from IPython.display import IFrame\n\nIFrame(\"{}\", width=\"100%\", height={})\n",
        snippet.embed(),
        snippet.height,
    )
}

/// `text` in an attribute, with no brace that JSX, Liquid or Vue could take for its own.
fn in_attribute(text: &str) -> String {
    escape_xml(&text.replace(['{', '}'], ""))
}

/// `text` without what Markdown and shortcodes take for their own.
fn plain(text: &str) -> String {
    text.replace(['[', ']', '"', '\\', '{', '}', '<', '>'], "")
}

#[cfg(test)]
mod tests {
    use super::{Host, Snippet, Still, text};
    use crate::snippet::Editable;

    fn snippet() -> Snippet {
        Snippet {
            folder: "https://example.org/lanescope/".into(),
            fragment: "v=1&e=a[{{tx}}]%2B(1)&d=float a[\"32\"] <b>".into(),
            headline: "32-way \"bank\" {conflict}".into(),
            still: Some(Still {
                address: "data:image/svg+xml,%3Csvg/%3E".into(),
                size: [900, 300],
            }),
            height: 320,
            theme: "dark",
            editable: Editable::Source,
        }
    }

    #[test]
    fn no_address_holds_what_a_template_takes_for_its_own() {
        let snippet = snippet();
        for address in [snippet.embed(), snippet.link()] {
            assert!(
                !address.contains(['{', '}', '[', ']', '(', ')', '"', '<', '>', ' ', '\'', '|']),
                "{address}"
            );
            assert!(
                address.contains("a%5B%7B%7Btx%7D%7D%5D%2B%281%29"),
                "{address}"
            );
        }
        assert!(snippet.embed().ends_with("&theme=dark&embed=source"));
    }

    #[test]
    fn every_live_host_names_the_embed_and_its_height() {
        for host in Host::ALL.iter().copied().filter(|host| host.is_live()) {
            let text = text(host, &snippet(), "");
            assert!(text.contains("https://example.org/lanescope/"), "{text}");
            assert!(host == Host::Notion || text.contains("320"), "{text}");
            assert_eq!(Host::of_key(host.key()), Some(host));
        }
    }

    #[test]
    fn without_a_picture_the_headline_leads_to_the_page() {
        let with = text(Host::Element, &snippet(), "");
        assert!(with.contains("<img src=\"data:"), "{with}");
        let snippet = Snippet {
            still: None,
            ..snippet()
        };
        let without = text(Host::Element, &snippet, "");
        assert!(!without.contains("<img"), "{without}");
        assert!(
            without.contains("\">32-way &quot;bank&quot; conflict</a></lane-scope>"),
            "{without}"
        );
    }

    #[test]
    fn jsx_closes_its_tags_and_has_its_style_as_an_object() {
        let text = text(Host::Docusaurus, &snippet(), "");
        assert!(
            text.ends_with("style={{border: 0, maxWidth: '100%'}} />\n"),
            "{text}"
        );
        assert!(!text.contains("style=\""));
    }

    #[test]
    fn the_frame_has_no_script_and_no_relative_picture() {
        for host in [Host::VitePress, Host::Astro, Host::MkDocs, Host::Jekyll] {
            let text = text(host, &snippet(), "");
            assert!(
                text.starts_with("<iframe ") && !text.contains("<script"),
                "{text}"
            );
        }
    }
}
