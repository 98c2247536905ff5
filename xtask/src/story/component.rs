//! Components: which directive is told by what.

use anyhow::Result;
use lanescope_draw::escape_xml;

use super::block::{Block, Directive};
use super::expression::Scope;
use super::place::Place;
use super::teller::Teller;
use super::{ask, bank_rows, bits, flow, goal, prose, run, scene, score, source, wires};

/// Names of the directives, for who writes one that there is not.
pub(super) const NAMES: [&str; 16] = [
    "ask",
    "can",
    "card",
    "check",
    "drag",
    "flow",
    "goal",
    "picture",
    "published",
    "rows",
    "run",
    "score",
    "source",
    "sum",
    "why",
    "wires",
];
/// Those that stand in `drag` alone.
pub(super) const NAMES_IN_DRAG: [&str; 2] = ["curve", "film"];

/// The blocks as HTML, one after the other.
pub(super) fn blocks(teller: &Teller<'_>, scope: Scope<'_>, blocks: &[Block]) -> Result<String> {
    blocks
        .iter()
        .map(|block| one(teller, scope, block))
        .collect()
}

/// One block as HTML.
pub(super) fn one(teller: &Teller<'_>, scope: Scope<'_>, block: &Block) -> Result<String> {
    match block {
        Block::Prose(text, place) => prose::paragraphs(teller, scope, text, place),
        Block::Directive(directive) => directive_html(teller, scope, directive),
    }
}

fn directive_html(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let made = match directive.name.as_str() {
        "ask" => return ask::ask(teller, scope, directive),
        "drag" => return scene::drag(teller, scope, directive),
        "goal" => goal::goal(teller, scope, directive),
        "card" => {
            return Ok(format!(
                "<lane-card id=\"{}\" class=\"card\">\n{}</lane-card>\n",
                teller.figure("card"),
                blocks(teller, scope, &directive.body)?
            ));
        }
        "can" => {
            let body = blocks(teller, scope, &directive.body)?;
            teller.anchor("can", &directive.place)?;
            return Ok(format!(
                "<h2 id=\"can\">{}</h2>\n<div class=\"can\">{body}</div>\n",
                teller.words.can
            ));
        }
        "published" => {
            let body = blocks(teller, scope, &directive.body)?;
            let mark = format!("<p class=\"mark\">{}</p>\n", teller.words.published);
            return Ok(format!("<div class=\"card pub\">\n{mark}{body}</div>\n"));
        }
        "rows" => bank_rows::rows(teller, scope, directive),
        "why" => bits::why(teller, scope, directive),
        "wires" => wires::wires(scope, directive),
        "flow" => flow::flow(teller, scope, directive),
        "score" => score::score(teller, scope, directive),
        "sum" => score::sum(teller, scope, directive),
        "source" => source::source(teller, scope, directive),
        "run" => run::run(teller, directive),
        "picture" => source::picture(teller, scope, directive),
        "check" => check(scope, &directive.arguments).map(|()| String::new()),
        "curve" | "film" => Err(anyhow::anyhow!("this belongs straight into `:::drag`")),
        name => Err(anyhow::anyhow!("{}", no_component(name))),
    };
    made.map_err(|error| within(&directive.place, &error))
}

/// What is said of a component that there is not.
pub(super) fn no_component(name: &str) -> String {
    if name == "next" {
        return "the card of the next story comes by itself: leave `:::next` out".to_owned();
    }
    format!(
        "there is no `:::{name}`: there are {}; in `:::drag` also {}",
        NAMES.join(", "),
        NAMES_IN_DRAG.join(" and ")
    )
}

/// The fault with its place before it.
pub(super) fn within(place: &Place, error: &anyhow::Error) -> anyhow::Error {
    place.fault(format!("{error:#}"))
}

/// `EXPR = EXPR`: what was published, held against what is counted.
fn check(scope: Scope<'_>, text: &str) -> Result<()> {
    let (left, right) = text
        .split_once(" = ")
        .ok_or_else(|| anyhow::anyhow!("a check is `:::check EXPR = EXPR`"))?;
    let (a, b) = (scope.value(left)?, scope.value(right)?);
    anyhow::ensure!(
        a == b,
        "{left} is {}, {right} is {}",
        told_number(a),
        told_number(b)
    );
    Ok(())
}

fn told_number(value: super::ratio::Ratio) -> String {
    value
        .exact()
        .or_else(|| value.decimal(6))
        .unwrap_or_default()
}

/// What stands under a figure: for each subject the way to the page, and its live picture at a press.
pub(super) fn foot(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    subjects: &[&str],
    place: &Place,
) -> Result<String> {
    let link = |subject: &&str| {
        let name = if subjects.len() > 1 {
            format!(": {}", escape_xml(teller.called(subject)))
        } else {
            String::new()
        };
        let link = link(teller, scope, subject, &name, place)?;
        let live = teller.words.live;
        Ok(format!(
            "{link} <button type=\"button\" class=\"shows\" aria-expanded=\"false\">{live}{name}</button> "
        ))
    };
    let links = subjects.iter().map(link).collect::<Result<String>>()?;
    Ok(format!("<p class=\"foot\">{links}</p>\n"))
}

/// The way to the page with `subject`.
pub(super) fn link(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    subject: &str,
    name: &str,
    place: &Place,
) -> Result<String> {
    let address = escape_xml(&teller.address(subject, scope, place)?);
    Ok(format!(
        "<a href=\"{address}\">{}{name}</a>",
        teller.words.open
    ))
}
