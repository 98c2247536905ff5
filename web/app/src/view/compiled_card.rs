//! Source and compiled code side by side: linked lines, and on each what its accesses cost.

use lanescope_draw::Tone;
use lanescope_locale::compiler::CompilerWords;
use lanescope_locale::{Language, compiler};
use lanescope_share::Source;
use leptos::prelude::*;
use strum::VariantArray;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement};

use super::chosen_site::choose;
use super::text_file::DropArea;
use crate::answer::{LineCosts, SideBySide, SideLine, side_by_side, with_source};
use crate::page::Page;
use crate::session::Session;
use crate::words::grouped;
use lanescope_ui::element::{El, around, key, number_around};

/// A linked line of either side.
const LINKED: &str = "tr[data-origin]";

/// One of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
enum Side {
    Source,
    Code,
}

impl Side {
    const ALL: &'static [Self] = Self::VARIANTS;

    const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Code => "code",
        }
    }

    const fn label(self, language: Language) -> &'static str {
        match self {
            Self::Source => CompilerWords::of(language).source_side,
            Self::Code => CompilerWords::of(language).code_side,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Source => Self::Code,
            Self::Code => Self::Source,
        }
    }
}

/// What the card follows. A handle: copies are the same card.
#[derive(Clone, Copy)]
struct Card {
    session: Session,
    /// Both texts, where the compiled one names its source.
    shown: Memo<Option<SideBySide>>,
    /// The line of the source that is pointed at.
    pointed: RwSignal<Option<u32>>,
    /// Whether a line lights up: those that belong to it are told, none of the others.
    lit: StoredValue<Selector<Option<u32>>>,
    /// The side that a narrow screen shows.
    side: RwSignal<Side>,
}

/// The card; hidden where no compiled text names its source.
#[component]
pub(crate) fn CompiledCard(session: Session) -> impl IntoView {
    let pointed = RwSignal::new(None);
    let card = Card {
        session,
        pointed,
        lit: StoredValue::new(Selector::new(move || pointed.get())),
        shown: Memo::new(move |_| session.late_pages().with(|page| shown(page))),
        side: RwSignal::new(Side::Code),
    };
    let is_cut = move || {
        card.shown
            .with(|shown| shown.as_ref().is_some_and(|shown| shown.is_cut))
    };
    let path = move || card.shown.with(|shown| Some(shown.as_ref()?.path.clone()));
    let pressed = move |event: leptos::ev::KeyboardEvent| card.step(&event);
    view! {
        <section
            class="card compiled"
            data-testid="compiled-card"
            data-shown=move || card.side.get().name()
            hidden=move || card.shown.with(Option::is_none)
            on:pointerover=move |event| card.pointed.set(origin(&event))
            on:pointerleave=move |_| card.pointed.set(None)
            on:focusin=move |event| {
                card.pointed.set(origin(&event));
                reveal(&event);
            }
            on:click=move |event| {
                reveal(&event);
                card.look_into(&event);
            }
            on:keydown=pressed
        >
            <div class="head">
                <h2>{session.word(|words| words.compiler.side_by_side)}</h2>
                <code>{path}</code>
                <span class="about">{session.word(|words| words.compiler.side_by_side_about)}</span>
                <Switch card />
            </div>
            <div class="sides">
                <div class="side" data-side="source" data-testid="side-source">
                    <Lines card side=Side::Source />
                    <SourceWanted card />
                </div>
                <div class="side" data-side="code" data-testid="side-code">
                    <Lines card side=Side::Code />
                </div>
            </div>
            <p class="hint">{move || is_cut().then(|| CompilerWords::of(session.language()).side_cut)}</p>
        </section>
    }
}

/// Both texts of `page`: of a listing that is open, or of what the compiler of this machine made of its source, whose
/// instructions are then told as accesses of that.
fn shown(page: &Page) -> Option<SideBySide> {
    let counted = page.counted_page();
    let mut both = side_by_side(&counted.state, &counted.answer)?;
    if let Some(code) = &page.code {
        let lines = both.source.iter_mut().chain(&mut both.code);
        for costs in lines.filter_map(|line| line.costs.as_mut()) {
            let site = costs.site.take();
            costs.site = site.and_then(|site| code.source_site(&page.answer, site));
        }
    }
    Some(both)
}

/// On a narrow screen: which side is shown.
#[component]
fn Switch(card: Card) -> impl IntoView {
    let button = move |side: Side| {
        view! {
            <button
                type="button"
                value=side.name()
                aria-pressed=move || (card.side.get() == side).to_string()
                on:click=move |_| card.side.set(side)
            >
                {move || side.label(card.session.language())}
            </button>
        }
    };
    view! {
        <div
            class="segments sides-switch"
            role="group"
            data-testid="sides-switch"
            aria-label=card.session.word(|words| words.compiler.side_by_side)
        >
            {Side::ALL.iter().copied().map(button).collect_view()}
        </div>
    }
}

/// The lines of one side.
#[component]
fn Lines(card: Card, side: Side) -> impl IntoView {
    let lines = Memo::new(move |_| {
        card.shown.with(|shown| {
            let shown = shown.as_ref();
            let lines = shown.map(|shown| match side {
                Side::Source => shown.source.clone(),
                Side::Code => shown.code.clone(),
            });
            lines.unwrap_or_default()
        })
    });
    let unit = move || card.shown.with(|shown| shown.as_ref()?.unit);
    let columns = move || {
        let columns = compiler::cost_columns(card.session.language(), unit());
        let column = |column| {
            view! {
                <th scope="col" class="number">
                    {column}
                </th>
            }
        };
        columns.map(column).collect_view()
    };
    let rows = move || {
        lines.with(|lines| {
            let first = lines.iter().position(|line| line.origin.is_some());
            let row = |(at, line)| row(card, line, Some(at) == first);
            lines.iter().enumerate().map(row).collect_view()
        })
    };
    view! {
        <div class="lines">
            <table>
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">{move || side.label(card.session.language())}</th>
                        {columns}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// A line as a row; the Tab key stops at one line of a side.
fn row(card: Card, line: &SideLine, is_stop: bool) -> impl IntoView + use<> {
    let origin = line.origin;
    let is_lit = move || origin.is_some() && card.lit.with_value(|lit| lit.selected(&origin));
    let costs = match &line.costs {
        Some(costs) => cells(costs).into_any(),
        None => view! { <td colspan="4"></td> }.into_any(),
    };
    view! {
        <tr
            data-origin=origin.map(|origin| origin.to_string())
            tabindex=origin.map(|_| if is_stop { "0" } else { "-1" })
            data-site=line
                .costs
                .as_ref()
                .and_then(|costs| Some(costs.site?.0.to_string()))
            data-lit=is_lit
        >
            <td class="number hint">{line.number.to_string()}</td>
            <td>
                <code>{line.text.clone()}</code>
            </td>
            {costs}
        </tr>
    }
}

/// Asks for the source where its text is not at hand.
#[component]
fn SourceWanted(card: Card) -> impl IntoView {
    let session = card.session;
    let said = RwSignal::new(String::new());
    let is_wanted = Memo::new(move |_| {
        card.shown
            .with(|shown| shown.as_ref().is_some_and(|shown| shown.source.is_empty()))
    });
    let wanted = move || {
        card.shown.with(|shown| {
            let path = &shown.as_ref()?.path;
            Some(compiler::source_wanted(session.language(), path))
        })
    };
    let field = move || {
        view! {
            <label for="compiled-source">{wanted}</label>
            <textarea
                id="compiled-source"
                class="field recorded"
                data-testid="compiled-source"
                rows="6"
                spellcheck="false"
                on:input=move |event| take_source(session, &event_target_value(&event))
            ></textarea>
            <p class="hint">{move || said.get()}</p>
        }
    };
    view! {
        <Show when=move || is_wanted.get()>
            <DropArea
                session
                class="source-wanted"
                notice=said
                take=move |text: String| take_source(session, &text)
            >
                {field()}
            </DropArea>
        </Show>
    }
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

impl Card {
    fn look_into(self, event: &Event) {
        if let Some(site) = number_around(event, "data-site") {
            choose(self.session, site);
        }
    }

    /// The arrow keys go from one linked line to the next; Enter looks into its access.
    fn step(self, event: &Event) {
        let Some(row) = around(event, LINKED) else {
            return;
        };
        match key(event).as_str() {
            "Enter" => self.look_into(event),
            "ArrowDown" => focus_next(event, &row, Element::next_element_sibling),
            "ArrowUp" => focus_next(event, &row, Element::previous_element_sibling),
            "ArrowLeft" => focus_on(event, &row, Side::Source),
            "ArrowRight" => focus_on(event, &row, Side::Code),
            _ => {}
        }
    }
}

/// The line of the source that an event's line belongs to.
fn origin(event: &Event) -> Option<u32> {
    let origin = around(event, LINKED)?.get_attribute("data-origin")?;
    origin.parse().ok()
}

/// Focuses the next linked line of the same side.
fn focus_next(event: &Event, row: &Element, next: fn(&Element) -> Option<Element>) {
    let mut rows = std::iter::successors(next(row), next);
    if let Some(found) = rows.find(|row| row.has_attribute("data-origin")) {
        event.prevent_default();
        El::of(found).focus();
    }
}

/// Focuses the first line of a side that belongs to `row`.
fn focus_on(event: &Event, row: &Element, side: Side) {
    if let Some(found) = counterpart(row, side) {
        event.prevent_default();
        found.focus();
    }
}

/// The first line of a side that belongs to the source line of `row`.
fn counterpart(row: &Element, side: Side) -> Option<El> {
    let card = El::of(row.closest("section").ok()??);
    let origin = row.get_attribute("data-origin")?;
    card.find(&format!(
        "[data-side='{}'] tr[data-origin='{origin}']",
        side.name()
    ))
}

/// Scrolls the other side to the first line that belongs to the one of an event.
fn reveal(event: &Event) {
    let (Some(row), Some(side)) = (around(event, LINKED), around(event, ".side")) else {
        return;
    };
    let is_source = side.get_attribute("data-side").as_deref() == Some(Side::Source.name());
    let side = if is_source { Side::Source } else { Side::Code };
    let found = counterpart(&row, side.other());
    let Some(found) = found.as_ref().and_then(El::element) else {
        return;
    };
    if let Ok(Some(lines)) = found.closest(".lines") {
        let top = found.unchecked_ref::<HtmlElement>().offset_top();
        lines.set_scroll_top(top - lines.client_height() / 3);
    }
}

/// Requests, wavefronts, sectors, the fewest.
fn cells(costs: &LineCosts) -> impl IntoView + use<> {
    let shared = costs.shared.filter(|shared| shared.requests > 0);
    let global = costs.global.filter(|global| global.requests > 0);
    let wavefronts = shared.map(|shared| grouped(shared.wavefronts));
    let wavefronts = match costs.tone().map(Tone::class) {
        Some(tone) => view! { <span class=format!("chip {tone}")>{wavefronts}</span> }.into_any(),
        None => wavefronts.into_any(),
    };
    let least = [
        shared.map(|shared| shared.ideal),
        global.map(|global| global.ideal),
    ];
    let least: Vec<String> = least.into_iter().flatten().map(grouped).collect();
    let mark = if costs.is_unknown { "?" } else { "" };
    view! {
        <td class="number">{format!("{}{mark}", grouped(costs.requests))}</td>
        <td class="number">{wavefronts}</td>
        <td class="number">{global.map(|global| grouped(global.units))}</td>
        <td class="number">{least.join(" + ")}</td>
    }
}
