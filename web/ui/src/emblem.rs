//! The small pictures of the bar at the top.

use crate::element::{El, svg};

/// The name's: four banks, one of them busy.
#[must_use]
pub fn banks() -> El {
    let bars = [("1", ".25"), ("6.3", ".25"), ("11.6", "1"), ("17", ".25")];
    picture("0 0 22 22").with_all(&bars.map(|(x, opacity)| bar(x, opacity)))
}

/// Of the switch between light and dark: a disc, half of it dark.
#[must_use]
pub fn half_dark() -> El {
    let ring = svg("circle")
        .set("cx", "8")
        .set("cy", "8")
        .set("r", "6.2")
        .set("fill", "none")
        .set("stroke", "currentColor")
        .set("stroke-width", "1.6");
    let half = svg("path")
        .set("d", "M8 1.8a6.2 6.2 0 0 1 0 12.4z")
        .set("fill", "currentColor");
    picture("0 0 16 16").with(&ring).with(&half)
}

fn picture(view: &str) -> El {
    svg("svg").set("viewBox", view).set("aria-hidden", "true")
}

fn bar(x: &str, opacity: &str) -> El {
    svg("rect")
        .set("x", x)
        .set("y", "1")
        .set("width", "4")
        .set("height", "20")
        .set("rx", "1")
        .set("opacity", opacity)
        .set("fill", "currentColor")
}
