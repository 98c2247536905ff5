//! A card of 1200 by 630 pixels, the size that previews of links have: code with its access marked, verdict, picture,
//! before and after, status.

use std::fmt::{self, Write as _};

use crate::drawing::Drawing;
use crate::escape::escape_xml;
use crate::ink;
use crate::palette::Theme;
use crate::svg::write_group;

/// Width and height of a card in pixels.
pub const CARD_SIZE: [i32; 2] = [1200, 630];

/// Where text begins and ends.
const LEFT: i32 = 56;
const RIGHT: i32 = 1144;

/// Characters of the line of code that fit.
const COLUMNS: usize = 54;

/// Pixels of a character of code.
const ADVANCE_PX: i32 = 18;

/// Lines of code that are shown where none is marked.
const LINES: usize = 3;

/// Pixels of the longest bar.
const BAR_PX: u64 = 660;

const SANS: &str =
    "font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,Noto Sans CJK SC,sans-serif\"";
const MONO: &str = "font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\"";

/// What a card says.
#[derive(Clone, Debug, Default)]
pub struct Card<'a> {
    /// The one sentence.
    pub verdict: &'a str,
    /// Whether it is a finding.
    pub is_bad: bool,
    /// What is said below it, a line each: its share of the waste, and what a fix makes of it. The first three fit.
    pub about: &'a [String],
    /// The kernel and the device it was counted for.
    pub subject: &'a str,
    /// The source.
    pub code: &'a str,
    /// The line the verdict is about, from 1; the first few where it is about none.
    pub line: Option<u32>,
    /// The access in that line, which is marked.
    pub access: &'a str,
    /// Before and after.
    pub bars: &'a [Bar<'a>],
    /// How far the answer can be relied on.
    pub status: &'a str,
    /// Where it opens.
    pub link: &'a str,
    /// The request.
    pub drawing: Option<&'a Drawing>,
}

/// What a launch takes of the memory that the verdict is about.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// Before or after.
    pub name: &'a str,
    /// What is needed of it.
    pub needed: u64,
    /// All of it.
    pub all: u64,
    /// All of it, in words.
    pub said: &'a str,
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
    let pen = Pen {
        out: &mut out,
        theme,
    };
    // Writing into a string cannot fail.
    let _ = pen.write(card);
    out
}

struct Pen<'o> {
    out: &'o mut String,
    theme: Theme,
}

impl Pen<'_> {
    fn write(mut self, card: &Card<'_>) -> fmt::Result {
        let [width, height] = CARD_SIZE;
        let about = card.about.join(" ");
        write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"t d\">\
             <title id=\"t\">{}</title><desc id=\"d\">{}</desc>",
            escape_xml(card.verdict),
            escape_xml(&about),
        )?;
        self.fill([0, 0, width, height], "surface", 0)?;
        self.fill([0, 0, 12, height], "w32", 0)?;
        self.head(card)?;
        let below = self.code(card)?;
        self.verdict(card, below)?;
        if let Some(drawing) = card.drawing {
            self.picture(drawing, below)?;
        }
        self.bars(card.bars, below + 222)?;
        self.foot(card)?;
        self.out.write_str("</svg>\n")
    }

    /// The emblem, the name, the subject.
    fn head(&mut self, card: &Card<'_>) -> fmt::Result {
        for (at, token) in (0..).zip(["edge", "edge", "ink", "edge"]) {
            self.fill([LEFT + 10 * at, 43, 6, 28], token, 0)?;
        }
        let bold = format!("{SANS} font-weight=\"700\"");
        self.text([106, 66], 26, "ink", &bold, "Lanescope")?;
        let end = format!("{SANS} text-anchor=\"end\"");
        self.text([RIGHT, 65], 22, "muted", &end, &shortened(card.subject, 64))
    }

    /// The line with its access marked, or the first lines; returns where it ends.
    fn code(&mut self, card: &Card<'_>) -> Result<i32, fmt::Error> {
        let Some((number, line)) = card.line.and_then(|number| marked(card.code, number)) else {
            return self.first_lines(card.code);
        };
        self.fill([LEFT - 4, 101, RIGHT - LEFT + 4, 78], "empty", 12)?;
        let (digits, y) = (number.to_string(), 151);
        self.text([LEFT + 18, y - 1], 22, "faint", MONO, &digits)?;
        let left = LEFT + 36 + 14 * columns(&digits);
        let Cut { text, access } = cut(line, card.access);
        if let Some([from, to]) = access {
            let [x, width] = [left + ADVANCE_PX * from - 4, ADVANCE_PX * (to - from) + 8];
            self.fill([x, 116, width, 46], "w4", 6)?;
            self.fill([x, 160, width, 4], "w8", 0)?;
        }
        // Its width is given, so that the mark fits whatever the font is.
        let exact = match text.is_ascii() {
            true => format!("{MONO} textLength=\"{}\"", ADVANCE_PX * columns(&text)),
            false => MONO.to_owned(),
        };
        let [before, inside, after] = pieces(&text, access);
        let _ = write!(
            self.out,
            "<text x=\"{left}\" y=\"{y}\" font-size=\"30\" fill=\"{}\" {exact} xml:space=\"preserve\">{}\
             <tspan fill=\"{}\">{}</tspan>{}</text>",
            ink::colour(self.theme, "ink"),
            escape_xml(before),
            ink::colour(self.theme, "i4"),
            escape_xml(inside),
            escape_xml(after),
        );
        Ok(179)
    }

    fn first_lines(&mut self, code: &str) -> Result<i32, fmt::Error> {
        let lines: Vec<&str> = code
            .lines()
            .filter(|line| !line.trim().is_empty())
            .take(LINES)
            .collect();
        let height = 26 + 32 * i32::try_from(lines.len()).unwrap_or(0);
        self.fill([LEFT - 4, 101, RIGHT - LEFT + 4, height], "empty", 12)?;
        for (row, line) in (0..).zip(lines) {
            let at = [LEFT + 18, 137 + 32 * row];
            self.text(at, 23, "ink", MONO, &shortened(line, 76))?;
        }
        Ok(101 + height)
    }

    fn verdict(&mut self, card: &Card<'_>, below: i32) -> fmt::Result {
        let size = match card.verdict.chars().count() {
            0..=24 => 48,
            25..=34 => 36,
            _ => 28,
        };
        let ink = if card.is_bad { "w16" } else { "ink" };
        let bold = format!("{SANS} font-weight=\"700\"");
        let at = [LEFT, below + 72];
        self.text(at, size, ink, &bold, &shortened(card.verdict, 46))?;
        for (row, line) in (0..).zip(card.about.iter().take(3)) {
            let at = [LEFT, below + 114 + 32 * row];
            self.text(at, 23, "muted", SANS, &shortened(line, 58))?;
        }
        Ok(())
    }

    /// The picture on the right, as large as fits.
    fn picture(&mut self, drawing: &Drawing, below: i32) -> fmt::Result {
        write!(
            self.out,
            "<svg class=\"picture\" x=\"744\" y=\"{}\" width=\"400\" height=\"176\" \
             viewBox=\"0 0 {} {}\" preserveAspectRatio=\"xMaxYMin meet\" {}>",
            below + 26,
            drawing.width.max(1),
            drawing.height.max(1),
            ink::TYPE,
        )?;
        let mut groups = drawing.groups.iter();
        groups.try_for_each(|group| write_group(self.out, group, (self.theme, &[])))?;
        self.out.write_str("</svg>")
    }

    fn bars(&mut self, bars: &[Bar<'_>], top: i32) -> fmt::Result {
        let most = bars.iter().map(|bar| bar.all).max().unwrap_or(0).max(1);
        let length = |count: u64| {
            let pixels = u128::from(count.min(most)) * u128::from(BAR_PX) / u128::from(most);
            i32::try_from(pixels).unwrap_or(0)
        };
        for (row, bar) in (0..).zip(bars.iter().take(2)) {
            let y = top + 58 * row;
            let [needed, all] = [length(bar.needed.min(bar.all)), length(bar.all).max(2)];
            self.text([LEFT, y + 31], 22, "muted", SANS, bar.name)?;
            self.fill([160, y, all, 46], "w32", 4)?;
            self.fill([160, y, needed, 46], "used", 4)?;
            let bold = format!("{SANS} font-weight=\"700\"");
            self.text(
                [176 + all, y + 32],
                24,
                "ink",
                &bold,
                &shortened(
                    bar.said,
                    usize::try_from((RIGHT - 176 - all) / 13).unwrap_or(0),
                ),
            )?;
        }
        Ok(())
    }

    fn foot(&mut self, card: &Card<'_>) -> fmt::Result {
        self.fill([LEFT, 549, RIGHT - LEFT, 2], "empty", 0)?;
        self.text([LEFT, 592], 20, "used", SANS, &shortened(card.status, 62))?;
        let end = format!("{MONO} text-anchor=\"end\"");
        self.text([RIGHT, 592], 18, "faint", &end, &shortened(card.link, 44))
    }

    fn fill(&mut self, [x, y, width, height]: [i32; 4], token: &str, round: i32) -> fmt::Result {
        write!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" fill=\"{}\"/>",
            ink::colour(self.theme, token),
        )
    }

    fn text(
        &mut self,
        [x, y]: [i32; 2],
        size: i32,
        token: &str,
        rest: &str,
        said: &str,
    ) -> fmt::Result {
        write!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\" {rest} xml:space=\"preserve\">{}</text>",
            ink::colour(self.theme, token),
            escape_xml(said),
        )
    }
}

/// The line of that number, from 1.
fn marked(code: &str, number: u32) -> Option<(u32, &str)> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    code.split('\n').nth(at).map(|line| (number, line))
}

/// A line as it fits, and the columns of its access.
#[derive(Debug, PartialEq)]
struct Cut {
    text: String,
    access: Option<[i32; 2]>,
}

/// As much of `line` as fits, around its access.
fn cut(line: &str, access: &str) -> Cut {
    let line = line.trim().replace('\t', " ");
    let characters: Vec<char> = line.chars().collect();
    let place = line
        .find(access)
        .filter(|_| !access.is_empty())
        .map(|at| line.get(..at).unwrap_or_default().chars().count());
    let length = access.chars().count();
    let last = place.map_or(0, |place| place + length);
    // The access stays in view; what is before it may go.
    let first = match last > COLUMNS - 1 {
        true => place.unwrap_or(0).min(last - (COLUMNS - 1)),
        false => 0,
    };
    let kept: String = characters.iter().skip(first).collect();
    let kept = match first {
        0 => kept,
        _ => format!("…{}", kept.chars().skip(1).collect::<String>()),
    };
    let text = shortened(&kept, COLUMNS);
    let most = text.chars().count();
    let column = |at: usize| i32::try_from(at.saturating_sub(first).min(most)).unwrap_or(0);
    Cut {
        access: place.map(|place| [column(place), column(place + length)]),
        text,
    }
}

/// `text` before, in and after its access.
fn pieces(text: &str, access: Option<[i32; 2]>) -> [&str; 3] {
    let Some([from, to]) = access else {
        return [text, "", ""];
    };
    let byte = |column: i32| {
        let column = usize::try_from(column).unwrap_or(0);
        let mut bytes = text.char_indices().map(|(at, _)| at);
        bytes.nth(column).unwrap_or(text.len())
    };
    let (before, rest) = text.split_at(byte(from));
    let (inside, after) = rest.split_at(byte(to) - byte(from));
    [before, inside, after]
}

fn columns(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(0)
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
    use super::{COLUMNS, Cut, cut, marked, pieces, shortened};

    #[test]
    fn the_access_of_a_line_is_marked() {
        let Cut { text, access } = cut("    dot += Qs[t * D] * k;", "Qs[t * D]");
        assert_eq!(text, "dot += Qs[t * D] * k;");
        assert_eq!(pieces(&text, access), ["dot += ", "Qs[t * D]", " * k;"]);
        assert_eq!(marked("a\nb", 2), Some((2, "b")));
        assert_eq!(marked("a\nb", 3), None);
        assert_eq!(cut("a + b", "c").access, None);
    }

    #[test]
    fn the_access_of_a_long_line_stays_in_view() {
        let line = format!("{} = tile[x]; {}", "y + ".repeat(40), "// z".repeat(40));
        let Cut { text, access } = cut(&line, "tile[x]");
        assert!(text.chars().count() <= COLUMNS && text.starts_with('…') && text.ends_with('…'));
        assert_eq!(pieces(&text, access)[1], "tile[x]");
        let wide = "größe[".to_owned() + &"x".repeat(90) + "]";
        let Cut { text, access } = cut(&wide, &wide);
        assert!(pieces(&text, access)[1].starts_with("größe[x"));
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(shortened("größer", 4), "grö…");
        assert_eq!(shortened("größer", 6), "größer");
    }
}
