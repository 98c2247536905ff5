//! A drawing as one SVG text that needs nothing else.

use std::fmt::{self, Write as _};

use crate::drawing::{About, Anchor, Drawing, Group, Mark, Rect, Shape};
use crate::escape::escape_xml;
use crate::ink;
use crate::palette::{PALETTE, Theme};
use lanescope_model::LaneMask;

/// The style rules of a picture's marks, over the tokens of [`crate::PALETTE`]; the page's own
/// style sheet holds the same text.
pub const SHARED_RULES: &str = include_str!("picture.css");

const MARGIN: i32 = 12;

/// `drawing` as SVG with its title and description: every mark has the colours of a light ground written out, and a
/// style sheet has those of a dark one, for viewers whose system wishes it. All text is escaped; there is no script
/// and no link.
#[must_use]
pub fn to_svg(drawing: &Drawing) -> String {
    let dark = rules(Theme::Dark);
    let style = format!("<style>@media(prefers-color-scheme:dark){{{dark}}}</style>");
    text_of(drawing, Theme::Light, &style, &[])
}

/// `drawing` as SVG in one theme only, every colour written out and no style sheet: for programs that know none.
#[must_use]
pub fn to_svg_in(drawing: &Drawing, theme: Theme) -> String {
    text_of(drawing, theme, "", &[])
}

/// Seconds that a wavefront is shown, and that all of them are at the end.
const STEP: f64 = 0.35;
const REST: f64 = 1.6;

/// The most wavefronts that are animated; the others are shown with the last.
const MOST_STEPS: usize = 128;

/// `drawing` as SVG that plays its wavefronts one after another, for ever: what the lanes of `steps`, one set for each
/// wavefront, touch stands out from the rest in its turn. It is still where the viewer wishes less motion, and in
/// programs that read no style sheet.
#[must_use]
pub fn to_animated_svg(drawing: &Drawing, theme: Theme, steps: &[LaneMask]) -> String {
    let steps = steps.get(..MOST_STEPS).unwrap_or(steps);
    let style = format!("<style>{}</style>", film(steps.len()));
    text_of(drawing, theme, &style, steps)
}

/// The animations of `count` wavefronts: dim, bright in its turn, dim, and bright with all at the end.
fn film(count: usize) -> String {
    let mut played = 0.0;
    let whole = STEP * (0..count).map(|_| 1.0).sum::<f64>() + REST;
    let mut out = String::new();
    let percent = |seconds: f64| 100.0 * seconds / whole;
    for step in 0..count {
        let [from, to, end] = [played, played + STEP, whole - REST].map(percent);
        let _ = write!(
            out,
            "@keyframes s{step}{{0%{{opacity:.2}}{from:.3}%{{opacity:1}}{to:.3}%{{opacity:.2}}{end:.3}%,100%{{opacity:1}}}}\
             @media(prefers-reduced-motion:no-preference){{.s{step}{{animation:s{step} {whole:.2}s step-end infinite}}}}",
        );
        played += STEP;
    }
    out
}

/// Width and height of the SVG of `drawing` in pixels.
#[must_use]
pub const fn svg_size(drawing: &Drawing) -> [i32; 2] {
    [drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN]
}

fn text_of(drawing: &Drawing, theme: Theme, style: &str, steps: &[LaneMask]) -> String {
    let mut out = String::with_capacity(16 * 1024);
    // Writing into a string cannot fail.
    let _ = write_svg(&mut out, drawing, (theme, steps), style);
    out
}

/// An SVG of [`to_svg`] with the link to what it shows among its metadata, where programs that
/// keep the file can find it. It is text: nothing in the picture leads anywhere.
///
/// ```
/// use lanescope_draw::{Drawing, to_svg, with_link};
///
/// let svg = with_link(&to_svg(&Drawing::default()), "https://example.org/#e=a[tx]&b=32");
/// assert!(svg.contains("<metadata>https://example.org/#e=a[tx]&amp;b=32</metadata>"));
/// ```
#[must_use]
pub fn with_link(svg: &str, link: &str) -> String {
    let metadata = format!("</desc><metadata>{}</metadata>", escape_xml(link));
    svg.replacen("</desc>", &metadata, 1)
}

/// How marks are written: in which theme, and in which wavefront each has its turn.
pub(crate) type Look<'a> = (Theme, &'a [LaneMask]);

fn write_svg(out: &mut String, drawing: &Drawing, look: Look<'_>, style: &str) -> fmt::Result {
    let [width, height] = svg_size(drawing);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"{} {} {width} {height}\" role=\"img\" \
         aria-labelledby=\"t d\" {}><title id=\"t\">{}</title><desc id=\"d\">{}</desc>\
         {}<rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{width}\" \
         height=\"{height}\" fill=\"{}\"/>",
        -MARGIN,
        -MARGIN,
        ink::TYPE,
        escape_xml(&drawing.title),
        escape_xml(&drawing.description),
        style,
        -MARGIN,
        -MARGIN,
        ink::colour(look.0, "surface"),
    )?;
    drawing
        .groups
        .iter()
        .try_for_each(|group| write_group(out, group, look))?;
    out.write_str("</svg>\n")
}

/// The shared rules with the colours of `theme` in place of its tokens.
fn rules(theme: Theme) -> String {
    let rules: String = SHARED_RULES.lines().map(str::trim).collect();
    let rules = format!(".ground{{fill:var(--surface)}}{rules}");
    PALETTE.iter().fold(rules, |rules, swatch| {
        rules.replace(&format!("var(--{})", swatch.token), swatch.of(theme))
    })
}

pub(crate) fn write_group(out: &mut String, group: &Group, look: Look<'_>) -> fmt::Result {
    out.write_str("<g>")?;
    group
        .marks
        .iter()
        .try_for_each(|mark| write_mark(out, mark, look))?;
    out.write_str("</g>")
}

fn write_mark(out: &mut String, mark: &Mark, look: Look<'_>) -> fmt::Result {
    let (label, theme, style) = (mark.label.as_str(), look.0, mark.style);
    let class = format!("{}{}", style.classes(), turn(mark, look.1));
    match &mark.shape {
        shape @ Shape::Tiles { first, .. } => write_tiles(out, shape, first.height, theme),
        Shape::Text { x, y, anchor, text } => {
            write!(
                out,
                "<text class=\"{class} {}\" x=\"{x}\" y=\"{y}\" {}{} xml:space=\"preserve\">",
                anchor.class(),
                ink::of_text(theme, style),
                anchored(*anchor),
            )?;
            write_title(out, label)?;
            write!(out, "{}</text>", escape_xml(text))
        }
        Shape::Box { rect, lines } if !mark.about.is_something() && lines.is_empty() => {
            write_rect(out, &class, *rect, &ink::of_box(theme, style))
        }
        Shape::Box { rect, lines } => {
            write!(out, "<g class=\"{class}\"")?;
            write_about(out, &mark.about)?;
            out.write_str(">")?;
            write_title(out, label)?;
            write_rect(out, "", *rect, &ink::of_box(theme, style))?;
            write_lines(out, *rect, lines, &ink::of_line(theme, style))?;
            out.write_str("</g>")
        }
    }
}

/// The class of the wavefront in which a mark has its turn; empty for what has none, or several.
fn turn(mark: &Mark, steps: &[LaneMask]) -> String {
    let lanes = mark.about.lanes.0;
    let mut turns = (0..)
        .zip(steps)
        .filter(|(_, step)| step.0 & lanes != 0)
        .map(|(turn, _): (usize, _)| turn);
    match (turns.next(), turns.next()) {
        (Some(turn), None) => format!(" s{turn}"),
        _ => String::new(),
    }
}

/// Where a text stands that is not centred.
const fn anchored(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => " text-anchor=\"start\"",
        Anchor::Middle => "",
        Anchor::End => " text-anchor=\"end\"",
    }
}

fn write_title(out: &mut String, label: &str) -> fmt::Result {
    if label.is_empty() {
        Ok(())
    } else {
        write!(out, "<title>{}</title>", escape_xml(label))
    }
}

fn write_rect(out: &mut String, class: &str, rect: Rect, colours: &str) -> fmt::Result {
    out.write_str("<rect")?;
    if !class.is_empty() {
        write!(out, " class=\"{class}\"")?;
    }
    let Rect {
        x,
        y,
        width,
        height,
    } = rect;
    write!(
        out,
        " x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\" {colours}/>",
        rect.radius()
    )
}

/// A row of tiles is one dashed line as thick as they are high.
fn write_tiles(out: &mut String, shape: &Shape, thickness: i32, theme: Theme) -> fmt::Result {
    let (path, dashes) = shape.tile_path().unwrap_or_default();
    write!(
        out,
        "<path class=\"empty\" d=\"{path}\" stroke-width=\"{thickness}\" \
         stroke-dasharray=\"{dashes}\" fill=\"none\" {}/>",
        ink::of_tiles(theme),
    )
}

fn write_lines(out: &mut String, rect: Rect, lines: &[String], colour: &str) -> fmt::Result {
    let class = if rect.is_tight(lines) {
        " class=\"tight\" font-size=\"9\""
    } else {
        ""
    };
    let x = rect.middle();
    for (index, line) in lines.iter().enumerate() {
        let y = rect.baseline(index, lines.len());
        write!(
            out,
            "<text{class} x=\"{x}\" y=\"{y}\" {colour}>{}</text>",
            escape_xml(line)
        )?;
    }
    Ok(())
}

fn write_about(out: &mut String, about: &About) -> fmt::Result {
    about
        .attributes()
        .iter()
        .try_for_each(|(name, value)| write!(out, " {name}=\"{value}\""))
}
