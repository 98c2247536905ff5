//! A drawing as one SVG text that needs nothing else.

use std::fmt::{self, Write as _};

use crate::drawing::{About, Drawing, Group, Mark, Rect, Shape};
use crate::escape::escape_xml;
use crate::palette::{PALETTE, Theme, declarations};

/// The style rules of a picture's marks, over the tokens of [`crate::PALETTE`]; the page's own
/// style sheet holds the same text.
pub const SHARED_RULES: &str = include_str!("picture.css");

const MARGIN: i32 = 12;

/// `drawing` as SVG: light or dark as the viewer's system wishes, with its title and
/// description. All text is escaped; there is no script and no link.
#[must_use]
pub fn to_svg(drawing: &Drawing) -> String {
    text_of(drawing, &style())
}

/// `drawing` as SVG in one theme only, every colour written out: for programs that know neither
/// CSS variables nor media queries.
#[must_use]
pub fn to_svg_in(drawing: &Drawing, theme: Theme) -> String {
    text_of(drawing, &plain_style(theme))
}

fn text_of(drawing: &Drawing, style: &str) -> String {
    let mut out = String::with_capacity(16 * 1024);
    // Writing into a string cannot fail.
    let _ = write_svg(&mut out, drawing, style);
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

fn write_svg(out: &mut String, drawing: &Drawing, style: &str) -> fmt::Result {
    let (width, height) = (drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"{} {} {width} {height}\" role=\"img\" \
         aria-labelledby=\"t d\"><title id=\"t\">{}</title><desc id=\"d\">{}</desc>\
         <style>{}</style><rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{width}\" \
         height=\"{height}\"/>",
        -MARGIN,
        -MARGIN,
        escape_xml(&drawing.title),
        escape_xml(&drawing.description),
        style,
        -MARGIN,
        -MARGIN,
    )?;
    drawing
        .groups
        .iter()
        .try_for_each(|group| write_group(out, group))?;
    out.write_str("</svg>\n")
}

fn style() -> String {
    let rules: String = SHARED_RULES.lines().map(str::trim).collect();
    format!(
        ".picture{{{}}}@media(prefers-color-scheme:dark){{.picture{{{}}}}}\
         .ground{{fill:var(--surface)}}{rules}",
        declarations(Theme::Light),
        declarations(Theme::Dark),
    )
}

/// The same rules with the colours of `theme` in place of its tokens.
pub(crate) fn plain_style(theme: Theme) -> String {
    let rules: String = SHARED_RULES.lines().map(str::trim).collect();
    let rules = format!(".ground{{fill:var(--surface)}}{rules}");
    PALETTE.iter().fold(rules, |rules, swatch| {
        rules.replace(&format!("var(--{})", swatch.token), swatch.of(theme))
    })
}

pub(crate) fn write_group(out: &mut String, group: &Group) -> fmt::Result {
    out.write_str("<g>")?;
    group
        .marks
        .iter()
        .try_for_each(|mark| write_mark(out, mark))?;
    out.write_str("</g>")
}

fn write_mark(out: &mut String, mark: &Mark) -> fmt::Result {
    let (class, label) = (mark.style.classes(), mark.label.as_str());
    match &mark.shape {
        shape @ Shape::Tiles { first, .. } => write_tiles(out, shape, first.height),
        Shape::Text { x, y, anchor, text } => {
            write!(
                out,
                "<text class=\"{class} {}\" x=\"{x}\" y=\"{y}\">",
                anchor.class()
            )?;
            write_title(out, label)?;
            write!(out, "{}</text>", escape_xml(text))
        }
        Shape::Box { rect, lines } if !mark.about.is_something() && lines.is_empty() => {
            write_rect(out, class, *rect)
        }
        Shape::Box { rect, lines } => {
            write!(out, "<g class=\"{class}\"")?;
            write_about(out, &mark.about)?;
            out.write_str(">")?;
            write_title(out, label)?;
            write_rect(out, "", *rect)?;
            write_lines(out, *rect, lines)?;
            out.write_str("</g>")
        }
    }
}

fn write_title(out: &mut String, label: &str) -> fmt::Result {
    if label.is_empty() {
        Ok(())
    } else {
        write!(out, "<title>{}</title>", escape_xml(label))
    }
}

fn write_rect(out: &mut String, class: &str, rect: Rect) -> fmt::Result {
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
        " x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>",
        rect.radius()
    )
}

/// A row of tiles is one dashed line as thick as they are high.
fn write_tiles(out: &mut String, shape: &Shape, thickness: i32) -> fmt::Result {
    let (path, dashes) = shape.tile_path().unwrap_or_default();
    write!(
        out,
        "<path class=\"empty\" d=\"{path}\" stroke-width=\"{thickness}\" \
         stroke-dasharray=\"{dashes}\"/>"
    )
}

fn write_lines(out: &mut String, rect: Rect, lines: &[String]) -> fmt::Result {
    let class = if rect.is_tight(lines) {
        " class=\"tight\""
    } else {
        ""
    };
    let x = rect.middle();
    for (index, line) in lines.iter().enumerate() {
        let y = rect.baseline(index, lines.len());
        write!(
            out,
            "<text{class} x=\"{x}\" y=\"{y}\">{}</text>",
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
