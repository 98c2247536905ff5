//! `drag`: a number that the reader changes, and all that follows from it.
//!
//! ```text
//! :::drag stride 1..8 = 8 Stride in words
//! Lane *t* asks for word {=stride} · *t*: {strided.wavefronts | wavefront | wavefronts}.
//! :::rows strided.load words=256
//! :::curve strided.wavefronts
//! :::
//! ```
//!
//! The build tells the body once for each value; the page shows the one chosen. `curve` and `film` stand once, for all.

use anyhow::{Context, Result};
use lanescope_draw::escape_xml;

use super::block::{Block, Directive};
use super::component::{one, within};
use super::expression::Scope;
use super::ratio::Ratio;
use super::teller::Teller;
use super::{film, heat};

/// A number's name and its values.
pub(super) struct Range {
    pub(super) name: String,
    pub(super) from: i128,
    pub(super) to: i128,
    pub(super) at: i128,
    label: String,
}

/// Values that one number may have: each is told by the build.
const MOST_VALUES: i128 = 80;

impl Range {
    fn read(text: &str) -> Result<Self> {
        const SHAPE: &str = "write `:::drag NAME FROM..TO = START LABEL`";
        let (name, rest) = text.split_once(' ').context(SHAPE)?;
        let (range, rest) = rest.split_once(" = ").context(SHAPE)?;
        let (from, to) = range.split_once("..").context(SHAPE)?;
        let (at, label) = rest.split_once(' ').context(SHAPE)?;
        let range = Self {
            name: name.to_owned(),
            from: from.trim().parse().context(SHAPE)?,
            to: to.trim().parse().context(SHAPE)?,
            at: at.parse().context(SHAPE)?,
            label: label.to_owned(),
        };
        anyhow::ensure!(
            range.from <= range.at && range.at <= range.to && range.to - range.from < MOST_VALUES,
            "the number starts between its ends, and has at most {MOST_VALUES} values"
        );
        Ok(range)
    }
}

pub(super) fn drag(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let place = &directive.place;
    let range = Range::read(&directive.arguments).map_err(|error| within(place, &error))?;
    let mut body = String::new();
    let is_shared = |block: &&Block| matches!(block, Block::Directive(one) if ["curve", "film"].contains(&one.name.as_str()));
    for group in directive
        .body
        .chunk_by(|a, b| is_shared(&a) == is_shared(&b))
    {
        if group.first().as_ref().is_some_and(is_shared) {
            for block in group {
                let Block::Directive(directive) = block else {
                    continue;
                };
                let made = if directive.name == "film" {
                    film::film(teller, scope, directive, &range)
                } else {
                    curve(teller, scope, directive, &range)
                };
                body += &made.map_err(|error| within(&directive.place, &error))?;
            }
            continue;
        }
        body += "<div class=\"states\">\n";
        for value in range.from..=range.to {
            let mut vars = scope.vars.clone();
            vars.insert(range.name.clone(), value);
            let html: String = group
                .iter()
                .map(|block| one(teller, scope.with(&vars), block))
                .collect::<Result<_>>()?;
            let hidden = if value == range.at { "" } else { " hidden" };
            body += &format!("<div data-at=\"{value}\"{hidden}>\n{html}</div>\n");
        }
        body += "</div>\n";
    }
    let hand = hand(teller, &range, false);
    let is_film = |block: &Block| matches!(block, Block::Directive(one) if one.name == "film");
    let kind = if directive.body.iter().any(is_film) {
        "film"
    } else {
        "drag"
    };
    let id = teller.figure(kind);
    Ok(format!(
        "<lane-{kind} id=\"{id}\" class=\"card scene\">\n{hand}{body}</lane-{kind}>\n"
    ))
}

/// What the number is changed with.
pub(super) fn hand(teller: &Teller<'_>, range: &Range, plays: bool) -> String {
    let Range {
        from,
        to,
        at,
        label,
        ..
    } = range;
    let (label, words) = (escape_xml(label), teller.words);
    let play = if plays {
        format!(
            "<button type=\"button\" class=\"btn play\" data-stop=\"{}\">{}</button>",
            words.stop, words.play
        )
    } else {
        String::new()
    };
    format!(
        "<div class=\"hand\"><button type=\"button\" class=\"btn\" data-by=\"-1\" aria-label=\"{back}\">‹</button>\
         <input type=\"range\" min=\"{from}\" max=\"{to}\" value=\"{at}\" aria-label=\"{label}\">\
         <button type=\"button\" class=\"btn\" data-by=\"1\" aria-label=\"{on}\">›</button>\
         <span class=\"name\">{label}</span><output>{at}</output>{play}</div>\n",
        back = words.back,
        on = words.forward,
    )
}

/// A hand for `to + 1` steps from nothing done.
pub(super) fn steps(label: &str, to: i128, at: i128) -> Range {
    Range {
        name: "step".to_owned(),
        from: 0,
        to,
        at,
        label: label.to_owned(),
    }
}

/// Bars that the digits of fit above.
const MOST_WIDE_BARS: i128 = 12;

/// `curve EXPR …`: a bar for each value of the number.
fn curve(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    directive: &Directive,
    range: &Range,
) -> Result<String> {
    let mut rows = Vec::new();
    for expr in directive.arguments.split("; ") {
        let (expr, name) = expr.split_once(" as ").unwrap_or((expr, ""));
        let mut values = Vec::new();
        for value in range.from..=range.to {
            let mut vars = scope.vars.clone();
            vars.insert(range.name.clone(), value);
            values.push((value, scope.with(&vars).integer(expr)?));
        }
        rows.push((name, values));
    }
    let most = rows
        .iter()
        .flat_map(|(_, values)| values)
        .map(|(_, height)| *height)
        .max()
        .unwrap_or(1)
        .max(1);
    let is_wide = range.to - range.from < MOST_WIDE_BARS;
    let mut out = String::new();
    for (name, values) in rows {
        let list: Vec<String> = values
            .iter()
            .map(|(value, height)| format!("{value}: {height}"))
            .collect();
        let bars: String = values
            .iter()
            .map(|(value, height)| bar(*value, *height, most, is_wide, *value == range.at))
            .collect();
        let head = if name.is_empty() {
            String::new()
        } else {
            format!("<b class=\"of\">{}</b>", escape_xml(name))
        };
        let ends = if is_wide {
            String::new()
        } else {
            let (from, to) = (range.from, range.to);
            format!("<span class=\"ends\" aria-hidden=\"true\"><i>{from}</i><i>{to}</i></span>")
        };
        let kind = if is_wide { "wide-bars" } else { "thin-bars" };
        // The hand does from the keyboard what a bar does; who cannot see the bars hears the list.
        out += &format!(
            "<div class=\"curve\">{head}<p class=\"sr\">{}: {}</p><div class=\"{kind}\" aria-hidden=\"true\">{bars}</div>{ends}</div>\n",
            teller.words.each_value,
            list.join(", ")
        );
    }
    Ok(out)
}

/// One value of a curve, `most` being the tallest.
fn bar(value: i128, height: i128, most: i128, is_wide: bool, is_current: bool) -> String {
    const TALL: i128 = 60;
    let share = Ratio::whole(height).thousandths_of(Ratio::whole(most));
    let tall = (share * TALL / 1_000).max(3);
    let class = heat(u64::try_from(height).unwrap_or(0));
    let [digits, axis] = if is_wide {
        [format!("<b>{height}</b>"), format!("<span>{value}</span>")]
    } else {
        [String::new(), String::new()]
    };
    format!(
        "<button type=\"button\" tabindex=\"-1\" data-go=\"{value}\" aria-pressed=\"{is_current}\">{digits}\
         <svg class=\"bar\" viewBox=\"0 0 1 {TALL}\" preserveAspectRatio=\"none\">\
         <rect class=\"{class}\" y=\"{y}\" width=\"1\" height=\"{tall}\"/></svg>{axis}</button>",
        y = TALL - tall,
    )
}
