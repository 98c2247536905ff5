//! A document as HTML, and as the words that a search finds.

use anyhow::{Context, Result, bail};
use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

use super::anchors::Anchors;
use super::links::Target;

/// A document in one language.
pub(super) struct Text {
    /// What it is written in.
    pub(super) language: Language,
    /// Its first heading.
    pub(super) title: String,
    /// Its first paragraph, in plain words.
    pub(super) about: String,
    /// The HTML behind the first heading.
    pub(super) body: String,
    /// The headings, the first one's with an empty anchor.
    pub(super) sections: Vec<Section>,
    /// Where its links lead.
    pub(super) targets: Vec<Target>,
}

/// A heading, and what stands under it.
pub(super) struct Section {
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) text: String,
}

/// Where a link leads on the site: nowhere where only the repository has it.
type Leads<'a> = dyn Fn(&str) -> Result<Option<String>> + 'a;

/// Reads a document.
///
/// # Errors
/// When a link leads nowhere, or the document has no heading.
pub(super) fn read(source: &str, leads: &Leads<'_>) -> Result<Text> {
    let mut reader = Reader {
        leads,
        anchors: Anchors::default(),
        sections: Vec::new(),
        about: None,
        events: Vec::new(),
        linked: Vec::new(),
    };
    let events: Vec<Event<'_>> = Parser::new_ext(source, Options::ENABLE_TABLES).collect();
    let mut at = 0;
    while at < events.len() {
        at = reader.take(&events, at)?;
    }
    let Some(first) = reader.sections.first() else {
        bail!("it has no heading");
    };
    let title = first.title.clone();
    let mut body = String::new();
    html::push_html(&mut body, reader.events.into_iter());
    Ok(Text {
        language: Language::DEFAULT,
        title,
        about: reader.about.unwrap_or_default(),
        body: scrolling_tables(&body),
        sections: reader.sections,
        targets: Vec::new(),
    })
}

/// Wide tables scroll by themselves, with the keyboard too.
fn scrolling_tables(body: &str) -> String {
    body.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
}

struct Reader<'a> {
    leads: &'a Leads<'a>,
    anchors: Anchors,
    sections: Vec<Section>,
    about: Option<String>,
    events: Vec<Event<'a>>,
    /// Whether each open link is one on the site.
    linked: Vec<bool>,
}

impl<'a> Reader<'a> {
    /// Takes the event at `at` and what belongs to it, and returns where to go on.
    fn take(&mut self, events: &[Event<'a>], at: usize) -> Result<usize> {
        match &events[at] {
            Event::Start(Tag::Heading { level, .. }) => return Ok(self.heading(events, at, *level)),
            Event::Start(Tag::CodeBlock(kind)) => return Ok(self.code(events, at, kind)),
            Event::Start(Tag::Image { dest_url, .. }) => {
                let address = (self.leads)(dest_url)?;
                let address =
                    address.with_context(|| format!("{dest_url} is not in docs/images"))?;
                let alt = escape_xml(&words(&events[at..], &TagEnd::Image));
                let image = format!(
                    "<img src=\"{}\" alt=\"{alt}\" loading=\"lazy\">",
                    escape_xml(&address)
                );
                self.events.push(Event::InlineHtml(image.into()));
                return Ok(behind(events, at, &TagEnd::Image));
            }
            Event::Start(Tag::Paragraph) if self.about.is_none() && !self.sections.is_empty() => {
                self.about = Some(words(&events[at..], &TagEnd::Paragraph));
                self.events.push(events[at].clone());
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let address = (self.leads)(dest_url)?;
                self.linked.push(address.is_some());
                if let Some(address) = address {
                    let open = format!("<a href=\"{}\">", escape_xml(&address));
                    self.events.push(Event::InlineHtml(open.into()));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.linked.pop() == Some(true) {
                    self.events.push(Event::InlineHtml("</a>".into()));
                }
            }
            event => {
                self.say(event);
                self.events.push(event.clone());
            }
        }
        Ok(at + 1)
    }

    /// Adds an event's words to what a search finds.
    fn say(&mut self, event: &Event<'_>) {
        let Some(section) = self.sections.last_mut() else {
            return;
        };
        match event {
            Event::Text(text) | Event::Code(text) => section.text.push_str(text),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => section.text.push(' '),
            _ => {}
        }
    }

    /// The first heading is the page's, which stands in its frame.
    fn heading(&mut self, events: &[Event<'a>], at: usize, level: HeadingLevel) -> usize {
        let end = TagEnd::Heading(level);
        let title = words(&events[at..], &end);
        let is_first = self.sections.is_empty();
        let name = self.anchors.name(&title);
        let behind = behind(events, at, &end);
        if !is_first {
            let open = format!("<{level} id=\"{}\">", escape_xml(&name));
            self.events.push(Event::Html(open.into()));
            self.events
                .extend(events[at + 1..behind - 1].iter().cloned());
            let close = format!(
                " <a class=\"anchor\" href=\"#{}\" aria-hidden=\"true\" tabindex=\"-1\">#</a></{level}>\n",
                escape_xml(&name)
            );
            self.events.push(Event::Html(close.into()));
        }
        self.sections.push(Section {
            anchor: if is_first { String::new() } else { name },
            title,
            text: String::new(),
        });
        behind
    }

    /// A block of code, under the name of its file where it has one; what a command prints is marked as such.
    fn code(&mut self, events: &[Event<'a>], at: usize, kind: &CodeBlockKind<'_>) -> usize {
        let mut code = String::new();
        let mut behind = at + 1;
        while let Some(Event::Text(text)) = events.get(behind) {
            code.push_str(text);
            behind += 1;
        }
        if let Some(section) = self.sections.last_mut() {
            section.text.push_str(&code);
        }
        let info: &str = match kind {
            CodeBlockKind::Fenced(info) => info,
            CodeBlockKind::Indented => "",
        };
        let name = info.split_once("file=").map_or("", |(_, name)| name);
        let label = if name.is_empty() {
            String::new()
        } else {
            format!("<figcaption>{}</figcaption>", escape_xml(name))
        };
        let class = if info == "text" { "said" } else { "code" };
        let block = format!(
            "<figure class=\"{class}\">{label}<pre tabindex=\"0\"><code>{}</code></pre></figure>\n",
            escape_xml(code.trim_end_matches('\n'))
        );
        self.events.push(Event::Html(CowStr::from(block)));
        behind + 1
    }
}

/// The place behind the next `end`.
fn behind(events: &[Event<'_>], at: usize, end: &TagEnd) -> usize {
    let is_end = |event: &Event<'_>| matches!(event, Event::End(tag) if tag == end);
    let length = events[at..].iter().position(is_end);
    at + length.unwrap_or(0) + 1
}

/// The words from here to `end`.
fn words(events: &[Event<'_>], end: &TagEnd) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::End(tag) if tag == end => break,
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_document_becomes_a_page_and_its_words() {
        let source = "# A\n\nFirst `x<y`\nline.\n\n## B 1.0\n\n[c](c.md), [d](d.md)\n\n```cuda file=k.cu\na<b;\n```\n";
        let leads = |link: &str| Ok((link == "c.md").then(|| "../c/".to_owned()));
        let text = read(source, &leads).unwrap();
        assert_eq!(text.title, "A");
        assert_eq!(text.about, "First x<y line.");
        assert!(text.body.starts_with("<p>First <code>x&lt;y</code>"));
        assert!(text.body.contains("<h2 id=\"b-10\">B 1.0 "));
        assert!(text.body.contains("<p><a href=\"../c/\">c</a>, d</p>"));
        assert!(
            text.body.contains("<figcaption>k.cu</figcaption>"),
            "{}",
            text.body
        );
        assert_eq!(text.sections.len(), 2);
        assert!(text.sections[1].text.contains("a<b;"));
        assert!(read("no heading", &leads).is_err());
        assert!(read("# A\n\n![p](p.png)", &leads).is_err());
    }
}
