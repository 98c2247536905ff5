//! The answer: one sentence, and the numbers it stands on.

use std::cmp::Reverse;
use std::mem::discriminant;

use lanescope_frontend::{Diagnostic, DiagnosticKind, Language as SourceLanguage, Severity};
use lanescope_locale::page::{self, PageWords};
use lanescope_locale::{Language, compiler, hardware, verdict};
use lanescope_model::Operation;

use leptos::prelude::*;

use super::count_all::CountAll;
use super::fix_chips::{FixChips, Search};
use super::launch_fault::fault;
use super::need_bars::NeedBars;
use super::next_step::{self, NextStepLine};
use super::ranked_list::RankedList;
use super::reasons::Reasons;
use super::whole_need::whole;
use crate::answer::{
    Answer, Headline, Metric, Need, Picture, Status, global_totals, metrics, shared_totals,
};
use crate::page::Page;
use crate::reader;
use crate::session::{Session, UnreadShape};
use crate::words::kinds;

/// The devices for which what a compiler does was compared with its machine code (`docs/COMPILER.md`).
const COMPARED: [&str; 4] = ["cc8.0", "cc9.0", "cc10.x", "cc12.x"];

/// What the card says.
#[derive(Clone, PartialEq)]
struct Summary {
    /// n of n-way.
    ways: u32,
    status: &'static str,
    tone: &'static str,
    headline: String,
    place: String,
    /// Whether the headline is about all accesses together.
    is_whole: bool,
    /// How much of what all take is needed, where the headline says that.
    need: Option<Need>,
    /// How far it can be relied on, where nothing else says so.
    state: Option<String>,
    sentences: String,
}

/// The verdict and its metrics; below them the fixes, where the page offers any.
#[component]
pub(crate) fn VerdictCard(session: Session, has_fixes: bool) -> impl IntoView {
    let summary = Memo::new(move |_| {
        let unread = session.unread.get();
        session.pages().with(|page| {
            let is_whole = has_fixes && page.is_kernel();
            summary(page, unread.as_ref(), is_whole)
        })
    });
    let is_without_kernel = next_step::is_without_kernel(session);
    let search = has_fixes.then(|| Search::follow(session));
    // What a kernel wastes is told by access; the profiler's names are folded below.
    let is_ranked = Memo::new(move |_| has_fixes && session.pages().with(|page| page.is_kernel()));
    let amounts = Memo::new(move |_| {
        session
            .pages()
            .with(|page| metrics(page.counted_page().answer.counted()))
    });
    let tiles = move || {
        let language = session.language();
        let tile = |metric: &Metric| tile(metric, language);
        amounts.with(|amounts| amounts.iter().map(tile).collect_view())
    };
    view! {
        <section class="card verdict" id="answer" tabindex="-1">
            <div role="status" aria-live="polite" aria-atomic="true">
                <h1
                    class:whole=move || summary.with(|summary| summary.is_whole)
                    data-testid="verdict"
                    data-ways=move || summary.with(|summary| summary.ways.to_string())
                    data-status=move || summary.with(|summary| summary.status)
                >
                    <span class=move || {
                        summary.with(|summary| summary.tone)
                    }>{move || summary.with(|summary| summary.headline.clone())}</span>
                    <span>{move || summary.with(|summary| summary.place.clone())}</span>
                </h1>
            </div>
            <NeedBars session need=Signal::derive(move || summary.with(|summary| summary.need)) />
            <div role="status" aria-live="polite" aria-atomic="true">
                <p class="state" data-testid="state" hidden=move || summary.with(|summary| summary.state.is_none())>
                    {move || summary.with(|summary| summary.state.clone())}
                </p>
                <Reasons session />
            </div>
            <NextStepLine session />
            {search.map(|search| view! { <RankedList session search /> })}
            <details class="names" prop:open=move || !is_ranked.get() hidden=is_without_kernel>
                <summary hidden=move || !is_ranked.get()>
                    {session.word(|words| words.finding.profiler_names)}
                </summary>
                <p data-testid="sentence">{move || summary.with(|summary| summary.sentences.clone())}</p>
                <div
                    class="tiles"
                    data-testid="metrics"
                    role="group"
                    aria-label=session.word(|words| words.label.metrics)
                >
                    {tiles}
                </div>
            </details>
            <CountAll session />
            <div hidden=is_without_kernel>{search.map(|search| view! { <FixChips search /> })}</div>
        </section>
    }
}

/// What is said of `page`, one of whose fields may be `unread`; `is_whole`: of a kernel, how much of it is needed.
fn summary(page: &Page, unread: Option<&UnreadShape>, is_whole: bool) -> Summary {
    let shown = page.counted_page();
    let (said, standing) = (&shown.verdict.headline, shown.answer.standing());
    let status = standing.status;
    let summary = Summary {
        ways: shown.verdict.ways,
        status: status.key(),
        tone: tone(shown),
        headline: said.qualified(&standing, page.language),
        // A line of the listing is none of the source.
        place: page
            .code
            .as_ref()
            .map_or_else(|| line(page), |_| String::new()),
        is_whole: false,
        need: None,
        state: None,
        sentences: sentences(shown),
    };
    if let Some(step) = next_step::of(page) {
        return Summary {
            tone: "",
            headline: kinds::unread(page.language, &step.unread),
            place: String::new(),
            ..summary
        };
    }
    let of_launch = fault(page, unread).map(|fault| (fault.text, String::new()));
    if let Some((headline, place)) = of_launch.or_else(|| error(page)) {
        return Summary {
            tone: "bad",
            headline,
            place,
            ..summary
        };
    }
    // Another status has its reasons beside it.
    let is_counted = page.code.is_some() && status == Status::Counted;
    let predicted = is_counted.then(|| {
        let standing = page.answer.standing();
        let predicted = page.verdict.headline.qualified(&standing, page.language);
        compiler::counted_beside(page.language, &predicted)
    });
    match is_whole.then(|| whole(shown)).flatten() {
        Some((headline, tone)) => Summary {
            tone: tone.unwrap_or(summary.tone),
            headline,
            place: String::new(),
            is_whole: true,
            need: Some(Need::of(&shown.answer.sites)),
            // Another status has its reasons beside it.
            state: predicted.or_else(|| {
                (status == Status::Counted).then(|| status.text(page.language).to_owned())
            }),
            ..summary
        },
        None => Summary {
            state: predicted,
            ..summary
        },
    }
}

/// How the headline is coloured: what is predicted to waste nothing is green where the kernel as written wastes nothing
/// either.
fn tone(page: &Page) -> &'static str {
    let standing = page.answer.standing();
    let is_sure = standing.status == Status::Predicted && standing.is_free_as_written();
    let status = if is_sure {
        Status::Counted
    } else {
        standing.status
    };
    page.verdict.headline.tone(status)
}

/// What is wrong comes before what it costs: a header that is missing, where something else is wrong for want of it; an
/// address that is none; of a text without accesses, its first mistake. With its line.
fn error(page: &Page) -> Option<(String, String)> {
    let of_text = page.answer.text_diagnostics();
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity() == Severity::Error;
    let first = of_text.iter().find(is_error);
    let is_header =
        |diagnostic: &&Diagnostic| matches!(diagnostic.kind, DiagnosticKind::MissingInclude { .. });
    let header = first.and_then(|_| of_text.iter().find(is_header));
    let run = || {
        page.answer
            .diagnostics
            .iter()
            .find(|diagnostic| is_impossible(&diagnostic.kind))
    };
    let has_text = !page.answer.source.trim().is_empty();
    let unread = || first.filter(|_| has_text && page.answer.program.sites().is_empty());
    let error = header.or_else(run).or_else(unread)?;
    let line = error.line.saturating_sub(page.answer.lines_before);
    let place = (line > 0).then(|| verdict::on_line(page.language, line));
    let said = error.kind.text(page.language);
    let is_guessed = page.answer.standing().guessed_shape().is_some();
    let said = match is_guessed && is_impossible(&error.kind) {
        true => verdict::guessed(page.language, &said),
        false => said,
    };
    Some((said, place.unwrap_or_default()))
}

/// Whether no GPU does what was found.
const fn is_impossible(kind: &DiagnosticKind) -> bool {
    matches!(
        kind,
        DiagnosticKind::OutOfRange { .. }
            | DiagnosticKind::OutOfBounds { .. }
            | DiagnosticKind::WildPointer { .. }
            | DiagnosticKind::Misaligned { .. }
    )
}

fn has_errors(page: &Page) -> bool {
    let errors = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
    page.answer.text_diagnostics().iter().any(errors) && page.verdict.headline != Headline::Nothing
}

/// The line the headline is about, where there are several.
fn line(page: &Page) -> String {
    let is_one = page.answer.program.sites().len() <= 1;
    let line = page
        .verdict
        .site
        .filter(|_| !is_one)
        .map(|site| page.answer.line(site));
    line.map(|line| verdict::on_line(page.language, line))
        .unwrap_or_default()
}

/// What is said of shared memory, a sentence each; how many matrices an instruction has makes none of its own.
const SHARED: [Operation; 6] = [
    Operation::Load,
    Operation::Store,
    Operation::Atomic,
    Operation::MatrixLoad { matrices: 1 },
    Operation::MatrixStore { matrices: 1 },
    Operation::AsyncCopy,
];

/// What stands under the headline.
pub(crate) fn sentences(page: &Page) -> String {
    let (answer, language) = (&page.answer, page.language);
    let mut all = Vec::new();
    if let Headline::Unknown(unknown) = &page.verdict.headline {
        all.push(hardware::unknown(language, *unknown));
    }
    if has_errors(page) {
        all.push(PageWords::of(language).with_errors.to_owned());
    }
    all.extend(worst_bank(page));
    for operation in SHARED {
        let is_same = |other| discriminant(&other) == discriminant(&operation);
        if let Some(totals) = shared_totals(answer.counted(), is_same) {
            all.push(totals.sentence(operation, language));
        }
    }
    if let Some(totals) = global_totals(answer.counted(), |_| true) {
        all.push(totals.sentence(language));
    }
    if page.verdict.headline != Headline::Nothing {
        all.extend(extent(answer, language));
    }
    all.extend(as_compiled(answer, language));
    all.extend(followed_compiler(answer, language).map(str::to_owned));
    all.join(language.between_sentences())
}

/// Who meets whom in the bank that needs the most wavefronts of the request on screen.
fn worst_bank(page: &Page) -> Option<String> {
    let inside = page
        .insides
        .iter()
        .find(|inside| Some(inside.site) == page.verdict.site)?;
    let Ok(Picture::Banks(report)) = &inside.picture else {
        return None;
    };
    let banks = report.phases.iter().flat_map(|phase| &phase.banks);
    let worst = banks.max_by_key(|bank| (bank.words.len(), Reverse(bank.bank)))?;
    let lanes = worst
        .words
        .iter()
        .fold(0, |all, word| all | word.lanes.0)
        .count_ones();
    let (words, bank) = (worst.words.len(), worst.bank);
    (words > 1).then(|| verdict::worst_bank(page.language, lanes, words, bank))
}

/// What a compiler leaves out, joins or moves, where a prediction says so.
fn as_compiled(answer: &Answer, language: Language) -> Option<String> {
    let standing = answer.standing();
    let is_prediction = standing.status == Status::Predicted;
    let need = Need::of(&answer.sites);
    let said = standing.as_compiled(&need, language);
    said.filter(|_| is_prediction)
}

/// Which compiler's doing the counts follow, where that was not measured for the device.
fn followed_compiler(answer: &Answer, language: Language) -> Option<&'static str> {
    if answer.program.name().is_empty() {
        return None;
    }
    match reader::language(&answer.source) {
        SourceLanguage::Wgsl => return Some(PageWords::of(language).as_written),
        SourceLanguage::Ptx => return Some(PageWords::of(language).as_ptx),
        // Nothing is left to a compiler.
        SourceLanguage::Sass => return None,
        SourceLanguage::Cuda => {}
    }
    let device = answer.device.as_ref()?;
    (!COMPARED.contains(&device.id())).then(|| PageWords::of(language).other_compiler)
}

fn extent(answer: &Answer, language: Language) -> Option<String> {
    let outcome = answer.outcome.as_ref()?;
    if outcome.end.is_cut() {
        return Some(page::stopped(language, outcome.requests));
    }
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    if done < total && answer.is_extrapolated {
        return Some(verdict::extrapolated(language, done, total));
    }
    if done < total {
        return Some(verdict::extent(language, done, total));
    }
    let is_whole = total > 1 && answer.standing().status != Status::Partial;
    is_whole.then(|| verdict::exact(language, total))
}

fn tile(metric: &Metric, language: Language) -> impl IntoView + use<> {
    let (amount, operation) = (&metric.amount, metric.operation);
    let label = amount.text(operation, language);
    view! {
        <div class="tile" data-value=amount.value() data-metric=metric.name>
            <b>{amount.figure()}</b>
            <span>{label}</span>
            {metric.name.map(|name| view! { <code title=name>{name}</code> })}
        </div>
    }
}
