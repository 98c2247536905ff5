//! The state of the page, who may change it, and who follows it.

mod measured;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lanescope_fixes::Totals;
use lanescope_frontend::SiteId;
use lanescope_locale::Language;
use lanescope_locale::page::PageWords;
use lanescope_model::{LaneMask, Space};
use lanescope_share::{Launch, Source, State};
use leptos::prelude::*;

use crate::answer::{Answer, Question, View};
use crate::compiled::{Compiled, CompiledAnswer};
use crate::link_notice::{FileFault, LinkNotice};
use crate::measured_column::Measurements;
use crate::page::Page;
use crate::words::Word;
use crate::{address, examples, painted, recent, tasks};

/// What the pointer, the focus or a click points at in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointed {
    /// Lanes to light up wherever they stand.
    pub(crate) lanes: LaneMask,
    /// What is said of the place.
    pub(crate) label: String,
    /// Index of the picture it is in.
    pub(crate) picture: usize,
}

/// What a fix makes of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gain {
    /// What it changes, as in `tile[32][33]`.
    pub(crate) change: String,
    /// n of n-way, before and after; equal where it is about global memory.
    pub(crate) ways: [u32; 2],
    /// All of the source, before and after.
    pub(crate) totals: [Totals; 2],
}

/// A field of the launch whose text is no shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreadShape {
    /// The id of the field.
    pub(crate) field: &'static str,
    /// What stands in it.
    pub(crate) typed: String,
}

/// An answer over every block, and the question it answers.
type Counted = (Question, Arc<Answer>);

/// The page's state, and everything that follows from it. A handle: copies are the same session.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    state: RwSignal<State>,
    page: Memo<Arc<Page>>,
    /// The page a frame later: what may come after verdict and picture follows it.
    late_page: RwSignal<Arc<Page>>,
    language: Memo<Language>,
    pub(crate) notices: RwSignal<Vec<LinkNotice>>,
    pub(crate) pointed: RwSignal<Option<Pointed>>,
    pub(crate) pinned: RwSignal<Option<Pointed>>,
    /// The access that is pointed at in the source, its margin or the table.
    pointed_access: RwSignal<Option<SiteId>>,
    /// Something that names accesses was drawn as it came into view.
    pub(crate) redrawn: Trigger,
    /// How requests to shared memory are drawn.
    pub(crate) view: RwSignal<View>,
    /// What the banks would take with the fix that is pointed at: `[bank]` in wavefronts, before and after.
    pub(crate) proposed: RwSignal<Option<Arc<[Vec<u32>; 2]>>>,
    /// What the simplest fix of the source on screen gains.
    pub(crate) gain: RwSignal<Option<Gain>>,
    /// The state that a fix, or taking it back, led to: its words come from their places before.
    pub(crate) moved_to: RwSignal<Option<State>>,
    /// The field of the launch that cannot be read, if any.
    pub(crate) unread: RwSignal<Option<UnreadShape>>,
    counted: RwSignal<Option<Counted>>,
    recorded: RwSignal<Option<Arc<str>>>,
    /// A profiler's export beside the kernel that is open.
    measured: RwSignal<Option<Arc<str>>>,
    /// What came of an export.
    measurements: RwSignal<Option<Arc<Measurements>>>,
    /// The text that came last as a whole, and the source that it made.
    taken: RwSignal<Option<(Arc<str>, Source)>>,
    /// What the compiler of this machine made of the kernel.
    compiled: RwSignal<Option<Arc<Compiled>>>,
    /// What that costs.
    code: RwSignal<Option<Arc<CompiledAnswer>>>,
    /// What is read elsewhere has come.
    again: RwSignal<()>,
}

impl Session {
    /// A session in the state that the address tells.
    pub(crate) fn start() -> Self {
        let (opened, notices) = address::open();
        tasks::follow(&opened.source);
        let state = RwSignal::new(opened);
        let counted: RwSignal<Option<Counted>> = RwSignal::new(None);
        let again = RwSignal::new(());
        let view = RwSignal::new(View::default());
        let code: RwSignal<Option<Arc<CompiledAnswer>>> = RwSignal::new(None);
        let page = Memo::new(move |before: Option<&Arc<Page>>| {
            let before = before.map(Arc::as_ref);
            again.track();
            let counted = counted.get();
            let (view, code) = (view.get(), code.get());
            let page = state.with(|state| Page::of(state, view, counted.as_ref(), before));
            Arc::new(page.beside_code(code.as_deref(), before))
        });
        let session = Self {
            state,
            page,
            late_page: RwSignal::new(page.get_untracked()),
            language: Memo::new(move |_| page.with(|page| page.language)),
            notices: RwSignal::new(notices),
            pointed: RwSignal::new(None),
            pinned: RwSignal::new(None),
            pointed_access: RwSignal::new(None),
            redrawn: Trigger::new(),
            view,
            proposed: RwSignal::new(None),
            gain: RwSignal::new(None),
            moved_to: RwSignal::new(None),
            unread: RwSignal::new(None),
            counted,
            recorded: RwSignal::new(None),
            measured: RwSignal::new(None),
            measurements: RwSignal::new(None),
            taken: RwSignal::new(None),
            compiled: RwSignal::new(None),
            code,
            again,
        };
        session.come_late();
        session
    }

    /// Has the late page follow the page once that is painted; of changes in between only the last is seen.
    fn come_late(self) {
        let is_waiting = StoredValue::new(false);
        let catch_up = move || {
            tasks::begin();
            is_waiting.try_set_value(false);
            if let Some(page) = self.page.try_get_untracked() {
                self.late_page.try_set(page);
            }
        };
        Effect::new(move |before: Option<()>| {
            self.page.track();
            if before.is_some() && !is_waiting.get_value() {
                is_waiting.set_value(true);
                painted::then(catch_up);
            }
        });
    }

    /// The state, of which the page may still be to come.
    pub(crate) fn state(self) -> State {
        self.state.get_untracked()
    }

    /// What the page shows now.
    pub(crate) fn page(self) -> Arc<Page> {
        self.page.get_untracked()
    }

    /// A text of the page, as components follow it.
    pub(crate) fn word(self, word: Word) -> impl Fn() -> &'static str + Copy + Send + Sync {
        move || word(PageWords::of(self.language()))
    }

    /// The language, followed.
    pub(crate) fn language(self) -> Language {
        self.language.get()
    }

    /// The language as it is now.
    pub(crate) fn language_now(self) -> Language {
        self.language.get_untracked()
    }

    /// Shows what the banks would take, over what they take; `None`: no more.
    pub(crate) fn propose(self, banks: Option<Arc<[Vec<u32>; 2]>>) {
        if self.proposed.with_untracked(|old| *old != banks) {
            self.proposed.set(banks);
        }
    }

    /// The page as components follow it.
    pub(crate) const fn pages(self) -> Memo<Arc<Page>> {
        self.page
    }

    /// The page as components follow it that may come a frame after verdict and picture; of changes in between only the
    /// last is seen.
    pub(crate) const fn late_pages(self) -> RwSignal<Arc<Page>> {
        self.late_page
    }

    /// What the page says of a message that depends on what it shows, as components follow it.
    pub(crate) fn of_page<T>(
        self,
        read: impl Fn(&Page) -> T + Send + Clone + 'static,
    ) -> impl Fn() -> T + Send + Clone + 'static {
        move || self.page.with(|page| read(page))
    }

    /// The same for what may come a frame later.
    pub(crate) fn of_late_page<T>(
        self,
        read: impl Fn(&Page) -> T + Send + Clone + 'static,
    ) -> impl Fn() -> T + Send + Clone + 'static {
        move || self.late_page.with(|page| read(page))
    }

    /// Has `follow` called with the page, now and after each change (then with the page before): for what is no view.
    pub(crate) fn follow(self, follow: impl FnMut(&Page, Option<&Page>) + 'static) {
        each(self.page.into(), follow);
    }

    /// The same for what may come a frame after verdict and picture; where that takes long, in a task of its own.
    pub(crate) fn follow_late(self, follow: impl FnMut(&Page, Option<&Page>) + 'static) {
        let following = Rc::new(RefCell::new((follow, None::<Arc<Page>>)));
        let catch_up = move || {
            let Some(page) = self.late_page.try_get_untracked() else {
                return; // the page is gone
            };
            let (follow, before) = &mut *following.borrow_mut();
            if before
                .as_ref()
                .is_none_or(|before| !Arc::ptr_eq(before, &page))
            {
                follow(&page, before.as_deref());
                *before = Some(page);
            }
        };
        Effect::new(move |before: Option<()>| {
            self.late_page.track();
            match before {
                Some(()) => tasks::then(catch_up.clone()),
                None => catch_up(),
            }
        });
    }

    /// Changes the state as a keystroke does: the entry in the browser's history is replaced.
    pub(crate) fn edit(self, change: impl FnOnce(&mut State)) {
        let now = self.state.get_untracked();
        let mut next = now.clone();
        change(&mut next);
        keep_results(&now, &mut next);
        self.become_state(next);
    }

    /// Visits a state in which the words of this one stand elsewhere: they are seen to move.
    pub(crate) fn move_to(self, next: State) {
        self.moved_to.set(Some(next.clone()));
        self.visit(next);
    }

    /// Whether a fix, or taking it back, led to what `state` shows.
    pub(crate) fn has_moved_to(self, state: &State) -> bool {
        self.moved_to.with_untracked(|moved| {
            moved
                .as_ref()
                .is_some_and(|moved| moved.source == state.source && moved.launch == state.launch)
        })
    }

    /// Opens another state as a link does: a new entry in the browser's history.
    pub(crate) fn visit(self, next: State) {
        let now = self.state.get_untracked();
        let next = State {
            language: now.language,
            theme: now.theme,
            embed: now.embed,
            ..next
        };
        self.notices.set(Vec::new());
        recent::remember(&now);
        address::settle(&now);
        address::push(&next);
        self.become_state(next);
    }

    /// Takes what the address says, after somebody changed it.
    pub(crate) fn reopen(self) {
        let (opened, notices) = address::open();
        self.notices.set(notices);
        self.become_state(opened);
    }

    /// Says, or no longer says, that the link to what is shown is too long to be sent.
    pub(crate) fn say_too_long(self, is_long: bool) {
        let is_noticed = |notices: &Vec<LinkNotice>| notices.contains(&LinkNotice::TooLong);
        if self.notices.with_untracked(is_noticed) != is_long {
            self.notices.update(|notices| {
                notices.retain(|notice| *notice != LinkNotice::TooLong);
                notices.extend(is_long.then_some(LinkNotice::TooLong));
            });
        }
    }

    /// Says why a file opens nothing, in place of what was said of another.
    pub(crate) fn say_file(self, fault: FileFault) {
        self.notices.update(|notices| {
            notices.retain(|notice| !matches!(notice, LinkNotice::File(_)));
            notices.push(LinkNotice::File(fault));
        });
    }

    /// Takes the answer over every block to `question`.
    pub(crate) fn take_whole(self, question: Question, answer: Answer) {
        self.counted.set(Some((question, Arc::new(answer))));
    }

    /// The trace that is too long for the state.
    pub(crate) fn recorded(self) -> Option<Arc<str>> {
        self.recorded.get_untracked()
    }

    /// The same, as components follow it.
    pub(crate) const fn records(self) -> RwSignal<Option<Arc<str>>> {
        self.recorded
    }

    /// Keeps a trace beside the state; the page shows it where the state's own is empty.
    pub(crate) fn record(self, text: Option<String>) {
        self.recorded.set(text.map(Into::into));
    }

    /// What the compiler of this machine made of a kernel, as components follow it.
    pub(crate) const fn compiled(self) -> RwSignal<Option<Arc<Compiled>>> {
        self.compiled
    }

    /// Takes what compiled code costs; a page that it is not of does not show it.
    pub(crate) fn take_code(self, code: Option<CompiledAnswer>) {
        if code.is_some() || self.code.with_untracked(Option::is_some) {
            self.code.set(code.map(Arc::new));
        }
    }

    /// Keeps the text that the source on screen was read from.
    pub(crate) fn take(self, text: Arc<str>) {
        self.taken.set(Some((text, self.state().source)));
    }

    /// The text that the source on screen was read from, where that came as a whole and is as it was read.
    pub(crate) fn taken(self) -> Option<Arc<str>> {
        let (text, source) = self.taken.get_untracked()?;
        (self.state().source == source).then_some(text)
    }

    /// Changes the state as a keystroke does, in an entry of its own in the browser's history.
    pub(crate) fn edit_as_step(self, change: impl FnOnce(&mut State)) {
        let now = self.state();
        address::settle(&now);
        recent::remember(&now);
        address::push(&now);
        self.edit(change);
    }

    /// Looks again at the same state, when something read elsewhere has come.
    pub(crate) fn look_again(self) {
        self.again.set(());
    }

    fn become_state(self, next: State) {
        if self.pinned.with_untracked(Option::is_some) {
            self.pinned.set(None);
        }
        tasks::follow(&next.source);
        if !tasks::is_long(&next.source) {
            return self.state.set(next);
        }
        // Nothing is lost should the page go now; what it shows follows in a task of its own.
        self.state.update_untracked(|state| *state = next);
        let show = move || {
            tasks::begin();
            self.state.notify();
        };
        set_timeout(show, Duration::ZERO);
    }

    /// Points at an access, wherever it is named; `None`: at none.
    pub(crate) fn point_at(self, access: Option<SiteId>) {
        if self.pointed_access.with_untracked(|old| *old != access) {
            self.pointed_access.set(access);
        }
    }

    /// The access that lights up: the one that is pointed at, else the one whose request is.
    pub(crate) fn lit_access(self) -> Option<SiteId> {
        self.pointed_access.get().or_else(|| {
            let space = space(self.lit()?.picture)?;
            self.page.with(|page| Some(page.inside(space)?.site))
        })
    }

    /// The lanes that light up in picture `index`: those that are pointed at, else all of the access that is.
    pub(crate) fn lit_lanes(self, index: usize) -> LaneMask {
        if let Some(pointed) = self.lit() {
            return pointed.lanes;
        }
        let access = self.pointed_access.get();
        self.page.with(|page| {
            let inside = space(index).and_then(|space| page.inside(space));
            let inside = inside.filter(|inside| Some(inside.site) == access);
            inside.map_or(LaneMask::NONE, |inside| inside.active)
        })
    }

    /// What lights up: what is pointed at now, else what was clicked.
    pub(crate) fn lit(self) -> Option<Pointed> {
        self.pointed.get().or_else(|| self.pinned.get())
    }
}

fn each(pages: Signal<Arc<Page>>, mut follow: impl FnMut(&Page, Option<&Page>) + 'static) {
    Effect::new(move |before: Option<Arc<Page>>| {
        let page = pages.get();
        follow(&page, before.as_deref());
        page
    });
}

/// The memory of picture `index`.
const fn space(index: usize) -> Option<Space> {
    match index {
        0 => Some(Space::Shared),
        1 => Some(Space::Global),
        _ => None,
    }
}

/// `state`, or the first example where it has no source.
pub(crate) fn or_first_example(state: State) -> State {
    if state.source == Source::default() && state.launch == Launch::default() {
        let first = examples::first();
        return State {
            source: first.source,
            launch: first.launch,
            ..state
        };
    }
    state
}

/// Results that came with a link stay while text and launch are those that it had.
fn keep_results(before: &State, next: &mut State) {
    if next.source != before.source || next.launch != before.launch {
        next.lab.results = None;
    }
}
