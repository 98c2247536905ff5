//! Markdown with numbers in it, as HTML.

use anyhow::Result;
use lanescope_draw::escape_xml;
use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd, html};

use super::expression::Scope;
use super::place::Place;
use super::ratio::Ratio;
use super::teller::Teller;

/// Around the number of an expression while Markdown is read: characters that it leaves alone.
const MARKS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// The columns of a table: narrow screens name them in each cell.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    at: usize,
    is_body: bool,
}

impl Columns {
    /// Takes a text of the head.
    fn names(&mut self, text: &str) {
        self.names.resize(self.at + 1, String::new());
        self.names[self.at] += text;
    }

    /// The opening tag of the next cell of the body.
    fn cell(&mut self) -> String {
        let at = self.at;
        self.at += 1;
        let name = self.names.get(at).map_or("", String::as_str);
        format!("<td data-h=\"{}\">", escape_xml(name))
    }
}

/// `text` as HTML.
pub(super) fn paragraphs(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    text: &str,
    place: &Place,
) -> Result<String> {
    let (marked, numbers) = with_marks(teller, scope, text, place)?;
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut events = Vec::new();
    let mut is_term = Vec::new();
    let mut columns = Columns::default();
    for event in Parser::new_ext(&marked, options) {
        let event = match event {
            Event::Start(Tag::Link {
                dest_url, title, ..
            }) => {
                let (open, term) = teller.link(&dest_url, &title, scope, place)?;
                is_term.push(term);
                Event::Html(open.into())
            }
            Event::End(TagEnd::Link) => {
                let close = if is_term.pop() == Some(true) {
                    "</button>"
                } else {
                    "</a>"
                };
                Event::Html(close.into())
            }
            Event::Start(Tag::Heading { ref id, .. }) => {
                let id = id.as_deref().ok_or_else(|| {
                    place.fault("a heading has no name: write `{#name}` behind it, the same in all languages")
                })?;
                teller.anchor(id, place)?;
                event
            }
            Event::Start(Tag::Table(all)) => {
                columns = Columns::default();
                events.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                // The style sheet aligns: the page's policy takes no style of an element's own.
                Event::Start(Tag::Table(vec![Alignment::None; all.len()]))
            }
            Event::End(TagEnd::TableHead) => {
                (columns.is_body, columns.at) = (true, 0);
                event
            }
            Event::Start(Tag::TableCell) if columns.is_body => Event::Html(columns.cell().into()),
            Event::End(TagEnd::TableCell) if columns.is_body => Event::Html("</td>".into()),
            Event::End(TagEnd::TableCell) => {
                columns.at += 1;
                event
            }
            Event::End(TagEnd::TableRow) => {
                columns.at = 0;
                event
            }
            Event::Text(ref text) if !columns.is_body => {
                columns.names(text);
                event
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                Event::Html("</div>".into())
            }
            Event::Html(ref html) | Event::InlineHtml(ref html) => {
                return Err(place.fault(format!(
                    "`{}`: a story has no HTML of its own; use a directive",
                    html.trim()
                )));
            }
            _ => event,
        };
        events.push(event);
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    Ok(without_marks(&out, &numbers))
}

/// The same of one line, without a paragraph around it.
pub(super) fn line(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    text: &str,
    place: &Place,
) -> Result<String> {
    let html = paragraphs(teller, scope, text, place)?;
    let html = html.trim();
    let inner = html
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"));
    Ok(inner.unwrap_or(html).to_owned())
}

/// `text` with a mark for each expression, and the HTML of each.
fn with_marks(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    text: &str,
    place: &Place,
) -> Result<(String, Vec<String>)> {
    let mut numbers = Vec::new();
    let mut out = String::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let place = place.below(index);
        let mut prose = String::new();
        for (part, piece) in line.split('`').enumerate() {
            if part > 0 {
                out.push('`');
            }
            if part % 2 == 1 {
                out += piece;
                continue;
            }
            let mut rest = piece;
            while let Some((before, after)) = rest.split_once('{') {
                out += before;
                prose += before;
                let (inside, behind) = after
                    .split_once('}')
                    .ok_or_else(|| place.fault("`{` without `}` in this line"))?;
                if inside.starts_with('#') {
                    out += &format!("{{{inside}}}");
                } else {
                    let shown = number(teller, scope, inside)
                        .map_err(|error| place.fault(format!("`{{{inside}}}`: {error:#}")))?;
                    out += &format!("{}{}{}", MARKS[0], numbers.len(), MARKS[1]);
                    numbers.push(shown);
                }
                rest = behind;
            }
            out += rest;
            prose += rest;
        }
        teller.holds_no_number(&prose, &place)?;
    }
    Ok((out, numbers))
}

fn without_marks(html: &str, numbers: &[String]) -> String {
    let (mut out, mut rest) = (String::new(), html);
    while let Some((before, after)) = rest.split_once(MARKS[0]) {
        let (index, behind) = after.split_once(MARKS[1]).unwrap_or((after, ""));
        out += before;
        out += index
            .parse()
            .ok()
            .and_then(|index: usize| numbers.get(index))
            .map_or("", String::as_str);
        rest = behind;
    }
    out + rest
}

/// `EXPR`, `EXPR : DECIMALS`, `EXPR : bBITS`, `EXPR | one | many`, `=NAME`; raised behind a `^`.
fn number(teller: &Teller<'_>, scope: Scope<'_>, text: &str) -> Result<String> {
    if let Some(raised) = text.strip_prefix('^') {
        return Ok(format!("<sup>{}</sup>", number(teller, scope, raised)?));
    }
    if let Some(name) = text.strip_prefix('=') {
        let value = scope.value(name)?;
        return Ok(format!("<b class=\"knob\">{}</b>", shown(value, None)?));
    }
    if let Some((expr, bits)) = text.split_once(" : b") {
        let (value, bits) = (scope.integer(expr)?, bits.trim().parse::<usize>()?);
        return Ok(format!("<code>{value:0bits$b}</code>"));
    }
    let mut parts = text.split('|').map(str::trim);
    let (expr, decimals) = text_and_decimals(parts.next().unwrap_or_default())?;
    let value = scope.value(expr)?;
    let mut html = shown(value, decimals)?;
    if let (Some(one), Some(many)) = (parts.next(), parts.next()) {
        let word = if value == Ratio::whole(1) { one } else { many };
        html += &format!(" {}", escape_xml(word));
    }
    if scope.published.contains_key(expr) {
        html = format!(
            "<span class=\"published\" title=\"{}\">{html}</span>",
            teller.words.published
        );
    }
    Ok(html)
}

pub(super) fn text_and_decimals(text: &str) -> Result<(&str, Option<u32>)> {
    match text.split_once(" : ") {
        Some((expr, decimals)) => Ok((expr.trim(), Some(decimals.trim().parse()?))),
        None => Ok((text.trim(), None)),
    }
}

pub(super) fn shown(value: Ratio, decimals: Option<u32>) -> Result<String> {
    let text = match decimals {
        Some(places) => value.decimal(places),
        None => value.exact(),
    };
    text.ok_or_else(|| anyhow::anyhow!("it has no end: say how many decimals, as in `: 2`"))
}
