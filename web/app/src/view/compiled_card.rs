//! Source and compiled code side by side: linked lines, and on each what its accesses cost.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_model::Unit;
use lanescope_share::Source;
use web_sys::wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement};

use super::list::List;
use super::source_card::choose;
use super::text_file;
use crate::answer::{LineCosts, SideBySide, SideLine, side_by_side, with_source};
use crate::element::{El, around, el, key, number_around, value_of};
use crate::session::Session;
use crate::words::{Language, grouped};

/// A linked line of either side.
const LINKED: &str = "tr[data-origin]";

/// The card; hidden where no compiled text names its source.
pub(crate) fn build(session: Session) -> El {
    let (title, file, about) = (el("h2"), el("code"), el("span").class("about"));
    let sides = [Side::new("source"), Side::new("code")];
    let switch = switch();
    let wanted = Wanted::new(session);
    let cut = el("p").class("hint");
    let card = el("section")
        .class("card compiled")
        .testid("compiled-card")
        .set("data-shown", "code")
        .set("hidden", "");
    let head = el("div").class("head").with_all(&[
        title.clone(),
        file.clone(),
        about.clone(),
        switch.clone(),
    ]);
    let [source, code] = &sides;
    let both = el("div").class("sides");
    both.add(&source.all.clone().with(&wanted.all));
    both.add(&code.all);
    let card = linked(session, card.with_all(&[head, both, cut.clone()]), &switch);
    let followed = card.clone();
    let mut lists = sides.each_ref().map(|side| List::new(side.body.clone()));
    session.follow_late(move |page, before| {
        let is_same = before.is_some_and(|before| {
            Arc::ptr_eq(&before.answer, &page.answer)
                && before.language == page.language
                && before.state.source == page.state.source
        });
        if is_same {
            return;
        }
        let shown = side_by_side(&page.state, &page.answer);
        followed.show(shown.is_some());
        let Some(shown) = shown else { return };
        let language = page.language;
        title.put_text(language.side_by_side());
        file.put_text(&shown.path);
        about.put_text(language.side_by_side_about());
        cut.put_text(if shown.is_cut {
            language.side_cut()
        } else {
            ""
        });
        name_switch(&switch, language);
        sides
            .iter()
            .for_each(|side| side.put_head(language, shown.unit));
        wanted.put(&shown, language);
        let [source, code] = &mut lists;
        source.put(rows(&shown.source), Row::build);
        code.put(rows(&shown.code), Row::build);
    });
    card
}

/// A table of lines.
struct Side {
    all: El,
    head: El,
    body: El,
}

impl Side {
    fn new(name: &str) -> Self {
        let (head, body) = (el("thead"), el("tbody"));
        let table = el("table").with_all(&[head.clone(), body.clone()]);
        let all = el("div")
            .class("side")
            .set("data-side", name)
            .testid(&format!("side-{name}"));
        let all = all.with(&el("div").class("lines").with(&table));
        Self { all, head, body }
    }

    fn put_head(&self, language: Language, unit: Option<Unit>) {
        let is_source = self
            .all
            .element()
            .is_some_and(|side| side.get_attribute("data-side").as_deref() == Some("source"));
        let name = if is_source {
            language.source_side()
        } else {
            language.code_side()
        };
        let row = el("tr")
            .with(&el("th"))
            .with(&el("th").set("scope", "col").text(name));
        let columns = language.cost_columns(unit);
        let row = row.with_each(
            columns.map(|column| el("th").set("scope", "col").class("number").text(column)),
        );
        self.head.put_all(&[row]);
    }
}

/// What asks for the source where its text is not at hand.
struct Wanted {
    all: El,
    hint: El,
}

impl Wanted {
    fn new(session: Session) -> Self {
        let (hint, said) = (
            el("label").set("for", "compiled-source"),
            el("p").class("hint"),
        );
        let field = el("textarea")
            .set("id", "compiled-source")
            .class("field recorded");
        let field = field
            .testid("compiled-source")
            .set("rows", "6")
            .set("spellcheck", "false");
        let field = field.on("input", move |event| take_source(session, &typed(&event)));
        let all = el("div")
            .class("source-wanted")
            .with_all(&[hint.clone(), field, said.clone()]);
        let take = move |text: String| take_source(session, &text);
        Self {
            all: text_file::dropping(session, all, said, take),
            hint,
        }
    }

    fn put(&self, shown: &SideBySide, language: Language) {
        self.all.show(shown.source.is_empty());
        self.hint.put_text(&language.source_wanted(&shown.path));
    }
}

/// What stands in the area that an event is of.
fn typed(event: &Event) -> String {
    let area = around(event, "textarea");
    area.map_or_else(|| value_of(event), |area| El::of(area).value())
}

/// Makes `source` travel with the compiled text.
pub(super) fn take_source(session: Session, source: &str) {
    let page = session.page();
    if source.trim().is_empty() {
        return;
    }
    if let (Source::Kernel(text), Some(shown)) =
        (&page.state.source, side_by_side(&page.state, &page.answer))
    {
        let both = with_source(text, &shown.path, source);
        session.edit(|state| state.source = Source::Kernel(both));
    }
}

/// On a narrow screen: which side is shown.
fn switch() -> El {
    let buttons =
        ["source", "code"].map(|side| el("button").set("type", "button").set("value", side));
    el("div")
        .class("segments sides-switch")
        .set("role", "group")
        .testid("sides-switch")
        .with_all(&buttons)
}

fn name_switch(switch: &El, language: Language) {
    let names = [language.source_side(), language.code_side()];
    switch.put("aria-label", language.side_by_side());
    for (button, name) in switch.children().iter().zip(names) {
        button.put_text(name);
    }
}

fn show_side(card: &El, switch: &El, side: &str) {
    card.put("data-shown", side);
    for (button, name) in switch.children().iter().zip(["source", "code"]) {
        button.put("aria-pressed", if name == side { "true" } else { "false" });
    }
}

/// Has the lines of `card` light up with those they belong to.
fn linked(session: Session, card: El, switch: &El) -> El {
    show_side(&card, switch, "code");
    let shown: Rc<RefCell<Option<String>>> = Rc::default();
    let light = {
        let card = card.clone();
        move |origin: Option<String>| {
            if *shown.borrow() != origin {
                light_up(&card, origin.as_deref());
                *shown.borrow_mut() = origin;
            }
        }
    };
    let (over, focused, left) = (light.clone(), light.clone(), light);
    let (revealed, picked, moved, switched) =
        (card.clone(), card.clone(), card.clone(), switch.clone());
    card.on("pointerover", move |event| over(origin(&event)))
        .on("focusin", move |event| {
            focused(origin(&event));
            reveal(&revealed, &event);
        })
        .on("pointerleave", move |_| left(None))
        .on("click", move |event| {
            if let Some(side) = around(&event, ".sides-switch button") {
                show_side(
                    &picked,
                    &switched,
                    &side.get_attribute("value").unwrap_or_default(),
                );
            } else if around(&event, LINKED).is_some() {
                reveal(&picked, &event);
                look_into(session, &event);
            }
        })
        .on("keydown", move |event| step(session, &moved, &event))
}

fn origin(event: &Event) -> Option<String> {
    around(event, LINKED)?.get_attribute("data-origin")
}

fn light_up(card: &El, origin: Option<&str>) {
    while let Some(left) = card.find("tr[data-lit]") {
        left.put_option("data-lit", None);
    }
    let Some(origin) = origin else { return };
    let unlit = format!("tr[data-origin='{origin}']:not([data-lit])");
    while let Some(row) = card.find(&unlit) {
        row.put("data-lit", "");
    }
}

/// Scrolls the other side to the first line that belongs to the one of an event.
fn reveal(card: &El, event: &Event) {
    let (Some(row), Some(side)) = (around(event, LINKED), around(event, ".side")) else {
        return;
    };
    let other = match side.get_attribute("data-side").as_deref() {
        Some("source") => "code",
        _ => "source",
    };
    let Some(origin) = row.get_attribute("data-origin") else {
        return;
    };
    let lines = card.find(&format!("[data-side='{other}'] .lines"));
    let first = card.find(&format!("[data-side='{other}'] tr[data-origin='{origin}']"));
    if let (Some(lines), Some(first)) = (lines, first)
        && let (Some(lines), Some(first)) = (lines.element(), first.element())
    {
        let top = first.unchecked_ref::<HtmlElement>().offset_top();
        lines.set_scroll_top(top - lines.client_height() / 3);
    }
}

fn look_into(session: Session, event: &Event) {
    if let Some(site) = number_around(event, "data-site") {
        choose(session, site);
    }
}

/// The arrow keys go from one linked line to the next; Enter looks into its access.
fn step(session: Session, card: &El, event: &Event) {
    let Some(row) = around(event, LINKED) else {
        return;
    };
    let pressed = key(event);
    let next = |row: &Element| match pressed.as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        _ => None,
    };
    if pressed == "Enter" {
        return look_into(session, event);
    }
    let rows = std::iter::successors(next(&row), next);
    let mut linked = rows.filter(|row| row.has_attribute("data-origin"));
    if let Some(found) = linked.next() {
        event.prevent_default();
        El::of(found).focus();
    } else if pressed == "ArrowLeft" || pressed == "ArrowRight" {
        let side = if pressed == "ArrowLeft" {
            "source"
        } else {
            "code"
        };
        let origin = row.get_attribute("data-origin").unwrap_or_default();
        if let Some(found) = card.find(&format!("[data-side='{side}'] tr[data-origin='{origin}']"))
        {
            event.prevent_default();
            found.focus();
        }
    }
}

/// A line as a row.
#[derive(PartialEq)]
struct Row {
    line: SideLine,
    /// Whether the Tab key stops at it: one line of a side does.
    is_stop: bool,
}

fn rows(lines: &[SideLine]) -> Vec<Row> {
    let first = lines.iter().position(|line| line.origin.is_some());
    let rows = lines.iter().enumerate().map(|(at, line)| Row {
        line: line.clone(),
        is_stop: Some(at) == first,
    });
    rows.collect()
}

impl Row {
    fn build(&self) -> El {
        let line = &self.line;
        let row = el("tr").with_all(&[
            el("td").class("number hint").text(&line.number.to_string()),
            el("td").with(&el("code").text(&line.text)),
        ]);
        if let Some(origin) = line.origin {
            row.put("data-origin", &origin.to_string());
            row.put("tabindex", if self.is_stop { "0" } else { "-1" });
        }
        match &line.costs {
            Some(costs) => {
                row.put("data-site", &costs.site.0.to_string());
                row.with_all(&cells(costs))
            }
            None => row.with(&el("td").set("colspan", "4")),
        }
    }
}

/// Requests, wavefronts, sectors, the fewest.
fn cells(costs: &LineCosts) -> [El; 4] {
    let number = |text: String| el("td").class("number").text(&text);
    let shared = costs.shared.filter(|shared| shared.requests > 0);
    let global = costs.global.filter(|global| global.requests > 0);
    let wavefronts = shared.map_or_else(String::new, |shared| grouped(shared.wavefronts));
    let chip = match costs.tone().map(Tone::class) {
        Some(tone) => el("td")
            .class("number")
            .with(&el("span").class(&format!("chip {tone}")).text(&wavefronts)),
        None => number(wavefronts),
    };
    let ideal: Vec<String> = [
        shared.map(|shared| shared.ideal),
        global.map(|global| global.ideal),
    ]
    .into_iter()
    .flatten()
    .map(grouped)
    .collect();
    let mark = if costs.is_unknown { "?" } else { "" };
    [
        number(format!("{}{mark}", grouped(costs.requests))),
        chip,
        number(global.map_or_else(String::new, |global| grouped(global.units))),
        number(ideal.join(" + ")),
    ]
}
