//! A card of 1200 by 630 pixels, the size that previews of links have: code with its line marked, verdict, picture.

use std::fmt::{self, Write as _};

use crate::drawing::Drawing;
use crate::escape::escape_xml;
use crate::ink;
use crate::palette::Theme;
use crate::svg::write_group;

/// Width and height of a card in pixels.
pub const CARD_SIZE: [i32; 2] = [1200, 630];

/// Lines of code that fit.
const LINES: usize = 14;

/// Characters of a line that fit.
const COLUMNS: usize = 44;

/// What a card says.
#[derive(Clone, Debug, Default)]
pub struct Card<'a> {
    /// The one sentence.
    pub verdict: &'a str,
    /// What a fix makes of it, as in `tile[32][33]: 32-way → 1-way`; empty where none was found.
    pub gain: &'a str,
    /// The source.
    pub code: &'a str,
    /// The line the verdict is about, from 1.
    pub line: Option<u32>,
    /// For which device it was counted.
    pub device: &'a str,
    /// Where it opens.
    pub link: &'a str,
    /// The request.
    pub drawing: Option<&'a Drawing>,
}

/// `card` as SVG in one theme, every colour written out.
///
/// ```
/// use lanescope_draw::{Card, Theme, card_svg};
///
/// let card = Card { verdict: "2-way bank conflict", code: "a < b", line: Some(1), ..Card::default() };
/// let svg = card_svg(&card, Theme::Dark);
/// assert!(svg.contains("2-way bank conflict") && svg.contains("a &lt; b"));
/// assert!(!svg.contains("var("));
/// ```
#[must_use]
pub fn card_svg(card: &Card<'_>, theme: Theme) -> String {
    let mut out = String::with_capacity(16 * 1024);
    // Writing into a string cannot fail.
    let _ = write_card(&mut out, card, theme);
    out
}

fn write_card(out: &mut String, card: &Card<'_>, theme: Theme) -> fmt::Result {
    let colour = |token: &str| ink::colour(theme, token);
    let [width, height] = CARD_SIZE;
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"t d\">\
         <title id=\"t\">{}</title><desc id=\"d\">{}</desc>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        escape_xml(card.verdict),
        escape_xml(card.gain),
        colour("surface"),
    )?;
    let mut text = |at: [i32; 2], size: i32, fill: &str, rest: &str, said: &str| {
        write!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" fill=\"{}\" {rest} xml:space=\"preserve\">{}</text>",
            at[0],
            at[1],
            colour(fill),
            escape_xml(said),
        )
    };
    let sans = "font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,Noto Sans CJK SC,sans-serif\"";
    let bold = format!("{sans} font-weight=\"700\"");
    let mono = "font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\"";
    let right = format!("{mono} text-anchor=\"end\"");
    text([48, 88], 46, "ink", &bold, &shortened(card.verdict, 44))?;
    text([48, 132], 24, "muted", sans, &shortened(card.gain, 84))?;
    text([48, 598], 20, "muted", sans, &shortened(card.device, 44))?;
    text([1152, 598], 18, "faint", &right, &shortened(card.link, 56))?;
    for (row, (number, line)) in (0..).zip(window(card.code, card.line)) {
        let is_marked = Some(number) == card.line;
        let y = 190 + 26 * row;
        let ink = if is_marked { "ink" } else { "muted" };
        let marker = if is_marked { "▸" } else { "" };
        text([48, y], 17, "w16", mono, marker)?;
        text([106, y], 17, "faint", &right, &number.to_string())?;
        text([118, y], 17, ink, mono, &shortened(line, COLUMNS))?;
    }
    card.drawing
        .map_or(Ok(()), |drawing| write_picture(out, drawing, theme))?;
    out.write_str("</svg>\n")
}

/// The picture in the right half, as large as fits.
fn write_picture(out: &mut String, drawing: &Drawing, theme: Theme) -> fmt::Result {
    write!(
        out,
        "<svg class=\"picture\" x=\"612\" y=\"160\" width=\"540\" height=\"390\" \
         viewBox=\"0 0 {} {}\" preserveAspectRatio=\"xMidYMin meet\" {}>",
        drawing.width.max(1),
        drawing.height.max(1),
        ink::TYPE,
    )?;
    drawing
        .groups
        .iter()
        .try_for_each(|group| write_group(out, group, (theme, &[])))?;
    out.write_str("</svg>")
}

/// As many lines of `code` as fit, numbered from 1, the marked one among them.
fn window(code: &str, line: Option<u32>) -> impl Iterator<Item = (u32, &str)> {
    let marked = usize::try_from(line.unwrap_or(1)).unwrap_or(1);
    let lines = code.trim_end().split('\n').count();
    let first = marked
        .saturating_sub(1 + LINES / 2)
        .min(lines.saturating_sub(LINES));
    (1..)
        .zip(code.trim_end().split('\n'))
        .skip(first)
        .take(LINES)
}

/// `text` in at most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let text = text.trim_end().replace('\t', "    ");
    if text.chars().count() <= most {
        return text;
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::{shortened, window};

    #[test]
    fn the_marked_line_is_shown() {
        let code: String = (1..=40).map(|line| format!("line {line}\n")).collect();
        for marked in [1, 7, 20, 40] {
            let shown: Vec<u32> = window(&code, Some(marked))
                .map(|(number, _)| number)
                .collect();
            assert_eq!(shown.len(), super::LINES);
            assert!(shown.contains(&marked), "{marked}");
        }
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(shortened("größer", 4), "grö…");
        assert_eq!(shortened("größer", 6), "größer");
    }
}
