//! The fixes under the verdict, the simplest first, each proved on the changed source and applied by one click.

use std::sync::Arc;
use std::time::Duration;

use lanescope_draw::Tone;
use lanescope_fixes::{Advice, Note};
use lanescope_frontend::{Diagnostic, Severity};
use lanescope_locale::Language;
use lanescope_locale::page::{self, PageWords};
use lanescope_share::Source;
use leptos::prelude::*;

use super::fix_chip::Chip;
use super::fix_log::{Applied, FixLog, FixLogList, edit_lines, focus_soon};
use super::fixable::{Fixable, best_of};
use crate::answer::{Question, has_fixes, simplest_first, with_fix};
use crate::debounce::Debounce;
use crate::page::Page;
use crate::session::{Gain, Session};
use crate::words::{self, fixes};
use crate::work::{Client, Failure, Heard, Response, Task};

/// The most lines of an edit that a card shows; its title has all.
const MOST_LINES: usize = 4;

/// How long what is found first for an expression waits for what stands before it in the row: nearly always all is found by
/// then, and nothing that is shown moves.
const GATHERING: Duration = Duration::from_millis(400);

/// What was found, and of which question.
type Finding = Option<(Question, Arc<Advice>)>;

/// Where the search stands. A handle: copies are the same search.
#[derive(Clone, Copy)]
pub(super) struct Search {
    session: Session,
    /// What was found so far, and of which question.
    found: RwSignal<Finding>,
    /// What was found since, while it waits to be shown.
    gathered: StoredValue<Finding>,
    /// Whether that is all there is.
    is_whole: RwSignal<bool>,
    /// The question whose fixes are searched.
    asked: RwSignal<Option<Question>>,
    progress: RwSignal<Option<(u64, u64)>>,
    failure: RwSignal<Option<Failure>>,
    /// What was changed by fixes, to take it back.
    log: FixLog,
    /// The accesses that have a row, whose best fix stands there.
    in_rows: RwSignal<Vec<Fixable>>,
}

/// The row of fixes.
#[component]
pub(super) fn FixChips(search: Search) -> impl IntoView {
    view! {
        <section
            class="fixes"
            data-testid="fixes"
            // Room for what will probably be found: it moves nothing when it comes.
            data-expected=search.session.of_page(|page| (page.verdict.ways > 1).then_some("true"))
            aria-label=search.session.word(|words| words.fix)
        >
            <Found search />
        </section>
    }
}

impl Search {
    /// A search that begins once the source rests, whenever that is another.
    pub(super) fn follow(session: Session) -> Self {
        let search = Self {
            session,
            found: RwSignal::new(None),
            gathered: StoredValue::new(None),
            is_whole: RwSignal::new(false),
            asked: RwSignal::new(None),
            progress: RwSignal::new(None),
            failure: RwSignal::new(None),
            log: FixLog::new(),
            in_rows: RwSignal::new(Vec::new()),
        };
        let client = Client::new(Task::Fix, move |heard| search.hear(heard));
        let debounce = Debounce::default();
        session.follow_late(move |page, before| {
            search.log.follow(page, before);
            if page.is_blank() {
                search.found.set(None);
            }
            let is_asked =
                before.is_some_and(|before| before.latest_question() == page.latest_question());
            if !is_asked {
                client.cancel();
                search.leave();
            }
            let has_come = before.is_none_or(|before| before.is_awaited() != page.is_awaited());
            if !is_asked || has_come {
                let client = client.clone();
                debounce.then(move || search.begin(&client));
            }
        });
        search
    }

    /// The fix to make first of those that make an access cheaper; `None` without any, or before they are found.
    pub(super) fn best(self, access: &Fixable) -> Option<Chip> {
        let language = self.session.language();
        self.found.with(|found| {
            let (of, advice) = found.as_ref()?;
            let index = best_of(&advice.suggestions, access)?;
            let suggestion = advice.suggestions.get(index)?;
            Some(Chip::of(index, (of, suggestion), language))
        })
    }

    /// The same, by its number, as it is now.
    pub(super) fn best_now(self, access: &Fixable) -> Option<usize> {
        untrack(|| self.best(access)).map(|chip| chip.index)
    }

    /// Whether the search has ended for the source on screen.
    pub(super) fn has_ended(self) -> bool {
        self.is_current() && self.asked.with(Option::is_none)
    }

    /// Whether there is a change to take back.
    pub(super) fn has_before(self) -> bool {
        !self.log.is_empty()
    }

    /// Says which accesses have a row.
    pub(super) fn told_in(self, rows: Vec<Fixable>) {
        if self.in_rows.with_untracked(|old| *old != rows) {
            self.in_rows.set(rows);
        }
    }

    /// What was found is of another source now.
    fn leave(self) {
        self.gathered.set_value(None);
        if self.progress.get_untracked().is_some() {
            self.progress.set(None);
        }
        if self.failure.get_untracked().is_some() {
            self.failure.set(None);
        }
        if self.asked.with_untracked(Option::is_some) {
            self.asked.set(None);
        }
        self.session.propose(None);
        self.session.gain.set(None);
    }

    /// Asks for the fixes of what the page shows, where it may have some.
    fn begin(self, client: &Client) {
        let page = self.session.page();
        let question = page.question();
        let is_found = self.is_whole.get_untracked() && self.is_current_now();
        if page.is_awaited() || is_found || self.asked.with_untracked(Option::is_some) {
            return;
        }
        if has_fixes(question) {
            self.asked.set(Some(question.clone()));
            client.ask(question);
        } else {
            self.found.set(None);
        }
    }

    fn hear(self, heard: Heard) {
        let asked = self.asked.get_untracked();
        let heard = match heard {
            Heard::Response(Response::Progress { done, total }) => {
                return self.progress.set(Some((done, total)));
            }
            Heard::Response(Response::Found(advice)) => {
                return self.gather(asked.map(|asked| (asked, Arc::new(advice))));
            }
            Heard::Response(_) | Heard::Failed(_) => heard,
        };
        let (found, failure) = match heard {
            Heard::Response(Response::Fixed(advice)) => {
                (asked.map(|asked| (asked, Arc::new(advice))), None)
            }
            Heard::Response(_) => (None, Some(Failure::Broken)),
            Heard::Failed(failure) => (None, Some(failure)),
        };
        self.asked.set(None);
        self.progress.set(None);
        self.find(found, true);
        self.failure.set(failure);
    }

    /// Shows what is found so far: of an expression, whose fixes follow each other quickly, a moment later.
    fn gather(self, found: Finding) {
        let is_expression =
            |(of, _): &(Question, _)| matches!(of.state.source, Source::Expression { .. });
        if !found.as_ref().is_some_and(is_expression) {
            return self.find(found, false);
        }
        let is_waiting = self.gathered.with_value(Option::is_some);
        self.gathered.set_value(found);
        if !is_waiting {
            let show = move || {
                if let Some(found) = self.gathered.try_update_value(Option::take).flatten() {
                    self.find(Some(found), false);
                }
            };
            set_timeout(show, GATHERING);
        }
    }

    /// Shows what is found, whether or not that is all there is.
    fn find(self, found: Finding, is_whole: bool) {
        self.gathered.set_value(None);
        self.session.gain.set(
            found
                .as_ref()
                .and_then(|(_, advice)| gain(&self.session.page(), advice)),
        );
        self.is_whole.set(is_whole);
        self.found.set(found);
    }

    /// Whether what was found is of the source on screen.
    fn is_current(self) -> bool {
        self.found.with(|found| {
            found.as_ref().is_some_and(|(of, _)| {
                let pages = self.session.late_pages();
                pages.with(|page| page.question() == of && !page.is_awaited())
            })
        })
    }

    /// The same of the source that the page shows now, unless another is awaited.
    fn is_current_now(self) -> bool {
        let page = self.session.page();
        let is_of = |(of, _): &(Question, Arc<Advice>)| of == page.question();
        !page.is_awaited()
            && self
                .found
                .with_untracked(|found| found.as_ref().is_some_and(is_of))
    }

    fn chips(self) -> Vec<Chip> {
        let language = self.session.language();
        if self.session.pages().with(|page| page.is_blank()) {
            return Vec::new();
        }
        self.found.with(|found| {
            let Some((of, advice)) = found else {
                return Vec::new();
            };
            let all = &advice.suggestions;
            // What a row shows is not shown again.
            let in_rows: Vec<usize> = self.in_rows.with(|rows| {
                let best = rows.iter().filter_map(|access| best_of(all, access));
                best.collect()
            });
            let order = simplest_first(all).into_iter();
            order
                .filter(|index| !in_rows.contains(index))
                .filter_map(|index| Some(Chip::of(index, (of, all.get(index)?), language)))
                .collect()
        })
    }

    /// Whether there are fixes, as rows or as chips.
    fn has_found(self) -> bool {
        let has = |(_, advice): &(Question, Arc<Advice>)| !advice.suggestions.is_empty();
        let is_blank = self.session.pages().with(|page| page.is_blank());
        !is_blank && self.found.with(|found| found.as_ref().is_some_and(has))
    }

    fn notes(self, has_chips: bool) -> Vec<String> {
        let language = self.session.language();
        let mut said: Vec<String> = self.found.with(|found| {
            let advice = found.as_ref().filter(|(_, advice)| is_worth_saying(advice));
            let notes = advice
                .map(|(_, advice)| &advice.notes[..])
                .unwrap_or_default();
            let say = |note: &Note| fixes::note(language, note);
            // That a chip's gain is the best there is needs no line of its own.
            let is_told = |note: &&Note| !matches!(note, Note::Bound { .. }) || !has_chips;
            notes.iter().filter(is_told).map(say).collect()
        });
        if self
            .session
            .late_pages()
            .with(|page| !has_fixes(page.question()))
        {
            said.clear();
        } else if self.asked.with(Option::is_some) && !has_chips {
            said = vec![PageWords::of(language).searching_fixes.to_owned()];
        } else if self.is_current() && said.is_empty() && !has_chips && !self.is_wrong() {
            said.push(PageWords::of(language).no_fixes.to_owned());
        }
        said
    }

    /// Whether there is a mistake to be set right.
    fn is_wrong(self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        let pages = self.session.late_pages();
        pages.with(|page| page.answer.diagnostics.iter().any(is_error))
    }

    /// Makes the fix, unless the source is another by now.
    pub(super) fn apply(self, index: usize) {
        let page = self.session.page();
        let next = self.found.with_untracked(|found| {
            let (of, advice) = found.as_ref()?;
            let suggestion = advice.suggestions.get(index)?;
            let is_current = of == page.question() && !page.is_awaited();
            let next = is_current.then(|| with_fix(&page.state, of, suggestion))?;
            Some((next?, suggestion.clone()))
        });
        if let Some((next, suggestion)) = next {
            let chip = Chip::of(
                index,
                (page.question(), &suggestion),
                self.session.language_now(),
            );
            self.log.push(Applied {
                before: page.state.clone(),
                after: next.source.clone(),
                snippet: chip.snippet,
                about: chip.about,
            });
            self.session.move_to(next);
        }
    }

    /// Takes the last fix back.
    pub(super) fn undo(self) {
        if let Some(before) = self.log.pop() {
            self.session.move_to(before);
        }
    }

    /// Shows the banks as the fix leaves them, over those of now.
    pub(super) fn propose(self, index: usize) {
        let banks = self.found.with_untracked(|found| {
            let (_, advice) = found.as_ref()?;
            let suggestion = advice.suggestions.get(index)?;
            Some(Arc::new(suggestion.banks.clone()))
        });
        self.session.propose(banks.filter(|_| self.is_current()));
    }
}

/// What was found so far.
#[component]
fn Found(search: Search) -> impl IntoView {
    let session = search.session;
    let chips = Memo::new(move |_| search.chips());
    let has_fixes = Memo::new(move |_| search.has_found());
    let notes = Memo::new(move |_| search.notes(has_fixes.get()));
    let is_former = Memo::new(move |_| !search.is_current());
    let failure = move || {
        let failure = search.failure.get()?;
        Some(session.word(words::failure(failure))())
    };
    let part = move |read: fn((u64, u64)) -> u64| {
        search
            .progress
            .with(|progress| progress.map(|progress| read(progress).to_string()))
    };
    view! {
        <progress
            data-testid="fix-progress"
            aria-label=session.word(|words| words.fix)
            hidden=move || search.asked.with(Option::is_none)
            max=move || part(|(_, total)| total)
            value=move || part(|(done, _)| done)
        ></progress>
        <div class="fix-list" inert=move || is_former.get()>
            <For each=move || chips.get() key=Chip::clone let:chip>
                <FixChip search chip />
            </For>
        </div>
        <FixLogList session log=search.log undo=Callback::new(move |()| search.undo()) />
        <For each=move || notes.get() key=String::clone let:note>
            <p class="hint">{note}</p>
        </For>
        {move || {
            failure().map(|said| view! { <p data-testid="fix-fault" role="alert">{said}</p> })
        }}
    }
}

/// The n-way that a fix leaves.
pub(super) fn ways_badge(ways: u32, language: Language) -> impl IntoView {
    let said = page::ways(language, ways, false);
    view! { <span class=format!("chip {}", Tone::of_ways(ways).class())>{said}</span> }
}

#[component]
fn FixChip(search: Search, chip: Chip) -> impl IntoView {
    let Chip {
        index,
        snippet,
        ways,
        about,
        title,
        edit,
    } = chip;
    let language = search.session.language_now();
    let whole = edit.iter().map(|(sign, line)| format!("{sign} {line}"));
    let title = std::iter::once(title)
        .chain(whole)
        .collect::<Vec<_>>()
        .join("\n");
    let lines = edit_lines(edit.into_iter().take(MOST_LINES).collect());
    let ways = ways.map(|ways| ways_badge(ways, language));
    view! {
        <article
            class="fix"
            data-testid="fix"
            title=title
            on:pointerenter=move |_| search.propose(index)
            on:pointerleave=move |_| search.session.propose(None)
            on:focusin=move |_| search.propose(index)
            on:focusout=move |_| search.session.propose(None)
        >
            <button
                type="button"
                data-testid="apply-fix"
                data-apply=index.to_string()
                on:click=move |_| {
                    search.apply(index);
                    focus_soon("[data-testid=undo]");
                }
            >
                <span class="change"><code>{snippet}</code>" "{ways}</span>
                <span class="about">{about}</span>
                <span class="edit" data-testid="fix-edit">{lines}</span>
            </button>
        </article>
    }
}

/// What the first fix of the costliest access gains; of what is no kernel, the first of all.
fn gain(page: &Page, advice: &Advice) -> Option<Gain> {
    let all = &advice.suggestions;
    let costliest = page.ranked.first().filter(|_| page.is_kernel());
    let access = costliest.and_then(|one| Fixable::of(&page.answer, one.tally.site));
    let first = match access {
        Some(access) => best_of(all, &access),
        None => simplest_first(all).first().copied(),
    };
    let suggestion = all.get(first?)?;
    let ways = suggestion
        .banks
        .each_ref()
        .map(|banks| banks.iter().copied().max().unwrap_or(0));
    Some(Gain {
        change: suggestion.snippet.clone(),
        ways,
        totals: suggestion.totals,
    })
}

fn is_worth_saying(advice: &Advice) -> bool {
    let is_silent = |note: &Note| matches!(note, Note::NothingToFix);
    !advice.suggestions.is_empty() || advice.notes.iter().any(|note| !is_silent(note))
}
