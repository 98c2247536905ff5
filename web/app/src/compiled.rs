//! What a compiler made of the kernel on screen: as `lanescope serve` tells the page that it gives, or as somebody pasted it
//! beside the source (`second_text.rs`).
//!
//! The page counts the listing itself, as it counts any, in a worker of its own, and shows it once the sums are those that
//! the server counted, where there is a server.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use lanescope_frontend::SiteId;
use lanescope_locale::Language;
use lanescope_query::assumption;
use lanescope_share::{Selection, Source, State, decode_kept};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::answer::{
    Answer, CountedAccess, Question, View, counted_accesses, kind, sites_at, source_line, totals,
    with_source,
};
use crate::page::Page;
use crate::reader;
use crate::session::Session;
use crate::work::{At, Client, Heard, Response, Task};

/// What a page is told by: an event of the window, whose `detail` is a text of lines.
const EVENT: &str = "lanescope:compiled";

/// Listings that are kept with what they cost: who takes an edit back sees them at once.
const MOST_KEPT: usize = 8;

/// What was made of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Compiled {
    /// What was compiled: the text and its launch.
    state: State,
    /// Lines and what is wrong there.
    pub(crate) errors: Vec<(u32, String)>,
    /// The listing, with its source and its launch.
    code: Option<State>,
    /// The name of the source's file in the listing.
    file: String,
    /// Wavefronts or sectors of each operation, as the server counted them; `None` of a pasted listing.
    totals: Option<BTreeMap<String, u64>>,
    /// Numbers that nobody gave and that the listing's launch has, by the names of the source's parameters.
    assumed: Vec<(String, i64)>,
}

impl Compiled {
    /// Takes the lines apart, which have tabs in them: `link` with the fragment of the page's state first; then `file` with
    /// the source's name, `assumed` with a parameter that nobody gave and the number taken for it, `code` with the fragment
    /// that opens the listing, `total` with an operation and its sum, and `error` with a line and a text. `None` of another text.
    fn of(text: &str) -> Option<Self> {
        let (link, rest) = text.split_once('\n')?;
        let mut compiled = Self {
            state: decode_kept(link.strip_prefix("link\t")?).ok()?.state,
            totals: Some(BTreeMap::new()),
            ..Self::default()
        };
        for line in rest.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                ["file", name] => (*name).clone_into(&mut compiled.file),
                ["assumed", name, value] => {
                    compiled
                        .assumed
                        .push(((*name).to_owned(), value.parse().ok()?));
                }
                ["code", link] => compiled.code = Some(decode_kept(link).ok()?.state),
                ["total", op, units] => {
                    let totals = compiled.totals.get_or_insert_default();
                    totals.insert((*op).to_owned(), units.parse().ok()?);
                }
                ["error", line, text] => {
                    compiled
                        .errors
                        .push((line.parse().ok()?, (*text).to_owned()));
                }
                _ => return None,
            }
        }
        Some(compiled)
    }

    /// A listing of what `state` asks, with the lines of its source, whose file it calls `file`, and its launch.
    pub(crate) fn pasted(state: &State, code: State, file: String) -> Self {
        Self {
            state: state.clone(),
            code: Some(code),
            file,
            ..Self::default()
        }
    }

    /// Whether it is of what `state` asks.
    pub(crate) fn is_of(&self, state: &State) -> bool {
        let own = &self.state;
        own.source == state.source
            && own.launch == state.launch
            && own.device == state.device
            && own.repeated_reads == state.repeated_reads
    }

    /// Whether the same was made of the same.
    fn is_same(&self, other: &Self) -> bool {
        let Self {
            state: _,
            errors,
            code,
            file,
            totals,
            assumed,
        } = self;
        self.is_of(&other.state)
            && (errors, code) == (&other.errors, &other.code)
            && (file, totals, assumed) == (&other.file, &other.totals, &other.assumed)
    }

    /// The listing as a page's state; `None` where none came.
    fn listing(&self) -> Option<State> {
        let code = self.code.as_ref()?;
        match (&code.source, &self.state.source) {
            (Source::Kernel(text), Source::Kernel(source)) => Some(State {
                source: Source::Kernel(with_source(text, &self.file, source)),
                ..code.clone()
            }),
            _ => None,
        }
    }

    /// Whether sums by operation are those that the server counted, where one did.
    fn has_totals(&self, code: &Answer) -> bool {
        let Some(counted) = &self.totals else {
            return true;
        };
        let own = totals(code);
        let is_same =
            |(op, units): (&String, &u64)| own.get(op.as_str()).copied().unwrap_or(0) == *units;
        counted.iter().all(is_same) && own.keys().all(|op| counted.contains_key(*op))
    }
}

/// What a listing costs.
#[derive(Clone, Debug)]
pub(crate) struct CompiledAnswer {
    compiled: Arc<Compiled>,
    listing: State,
    question: Question,
    answer: Arc<Answer>,
}

impl CompiledAnswer {
    /// Whether it is of what `state` asks.
    pub(crate) fn is_of(&self, state: &State) -> bool {
        self.compiled.is_of(state)
    }
}

/// A listing as the page shows it, by the lines of its source.
#[derive(Clone, Debug)]
pub(crate) struct CountedCode {
    /// The page of the listing.
    pub(crate) page: Page,
    /// What its accesses cost, those that waste most first.
    pub(crate) accesses: Vec<CountedAccess>,
    /// The name of the source's file in it.
    file: String,
}

impl CountedCode {
    pub(crate) fn of(code: &CompiledAnswer, language: Language, view: View) -> Self {
        let state = State {
            language: Some(language),
            ..code.listing.clone()
        };
        let page = Page::of_whole(&state, view, code.question.clone(), &code.answer);
        let file = code.compiled.file.clone();
        Self {
            accesses: counted_accesses(&page.answer, &file, &page.ranked),
            page,
            file,
        }
    }

    /// Whether it shows `code` so.
    pub(crate) fn is_of(&self, code: &CompiledAnswer, language: Language, view: View) -> bool {
        Arc::ptr_eq(&self.page.answer, &code.answer)
            && self.page.language == language
            && self.page.view() == view
    }

    /// What became of an access of the source; `None` where the compiler left nothing of it.
    pub(crate) fn access(&self, source: &Answer, site: SiteId) -> Option<&CountedAccess> {
        let (line, kind) = (source.line(site), kind(source, site)?);
        let is_its = |one: &&CountedAccess| one.line == line && one.kind == kind;
        self.accesses.iter().find(is_its)
    }

    /// The access of the source that an instruction of the listing comes from.
    pub(crate) fn source_site(&self, source: &Answer, site: SiteId) -> Option<SiteId> {
        let line = source_line(&self.page.answer, site, &self.file)?;
        sites_at(source, line, kind(&self.page.answer, site)?).next()
    }
}

/// Follows what the page is told, and what was `pasted` beside the source of a page.
pub(crate) fn follow(session: Session, pasted: fn(&Page) -> Option<Compiled>) {
    let counter = Counter::new(session);
    let pasting = counter.clone();
    let was_pasted = StoredValue::new(false);
    session.follow_late(move |page, before| {
        if page.is_awaited()
            || before.is_some_and(|before| before.state == page.state && !before.is_awaited())
        {
            return;
        }
        let pasted = pasted(page).map(Arc::new);
        if pasted.is_none() && !was_pasted.get_value() {
            return; // what a server told stays
        }
        was_pasted.set_value(pasted.is_some());
        let now = session.compiled().get_untracked();
        let is_same = match (&now, &pasted) {
            (Some(now), Some(pasted)) => now.is_same(pasted),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            session.compiled().set(pasted.clone());
            pasting.begin(pasted);
        }
    });
    let listener = window_event_listener_untyped(EVENT, move |event| {
        let detail = js_sys::Reflect::get(&event, &JsValue::from_str("detail"));
        let text = detail.ok().and_then(|detail| detail.as_string());
        let compiled = text.and_then(|text| Compiled::of(&text)).map(Arc::new);
        let before = session.compiled().get_untracked();
        let is_same = before
            .zip(compiled.as_ref())
            .is_some_and(|(before, new)| before.is_same(new));
        if !is_same {
            session.compiled().set(compiled.clone());
            counter.begin(compiled);
        }
    });
    on_cleanup(move || listener.remove());
}

/// What was made of the source on screen, followed.
pub(crate) fn of_screen(session: Session) -> Option<Arc<Compiled>> {
    let compiled = session.compiled().get()?;
    let is_its = session.pages().with(|page| compiled.is_of(&page.state));
    is_its.then_some(compiled)
}

/// Counts listings, the newest alone.
#[derive(Clone)]
struct Counter(Rc<Counting>);

struct Counting {
    session: Session,
    client: RefCell<Option<Client>>,
    under_way: RefCell<Option<UnderWay>>,
    /// The last that were counted, the newest behind.
    kept: RefCell<VecDeque<CompiledAnswer>>,
}

/// What is being counted.
#[derive(Clone)]
struct UnderWay {
    compiled: Arc<Compiled>,
    listing: State,
    question: Question,
    /// What ran first.
    first: Option<Answer>,
}

impl Counter {
    fn new(session: Session) -> Self {
        Self(Rc::new(Counting {
            session,
            client: RefCell::new(None),
            under_way: RefCell::new(None),
            kept: RefCell::default(),
        }))
    }

    /// What the same listing of the same question costs, if it was counted before.
    fn kept(&self, compiled: &Arc<Compiled>, listing: &State) -> Option<CompiledAnswer> {
        let kept = self.0.kept.borrow();
        let question = Question::of(listing);
        let same = |one: &&CompiledAnswer| one.question == question && one.listing == *listing;
        let found = kept.iter().find(same)?;
        Some(CompiledAnswer {
            compiled: Arc::clone(compiled),
            ..found.clone()
        })
    }

    fn keep(&self, answer: &CompiledAnswer) {
        let mut kept = self.0.kept.borrow_mut();
        kept.push_back(answer.clone());
        while kept.len() > MOST_KEPT {
            kept.pop_front();
        }
    }

    /// Begins with a listing, if there is one; whatever was counted before is dropped.
    fn begin(&self, compiled: Option<Arc<Compiled>>) {
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.cancel();
        }
        self.0.under_way.replace(None);
        self.0.session.take_code(None);
        let listing = compiled.as_ref().and_then(|compiled| compiled.listing());
        let (Some(compiled), Some(listing)) = (compiled, listing) else {
            return;
        };
        if let Some(kept) = self.kept(&compiled, &listing) {
            return self.0.session.take_code(Some(kept));
        }
        let options = Question::of(&listing).kernel_options();
        let (counter, text) = (
            self.clone(),
            reader::text(&listing.source).map(str::to_owned),
        );
        if let Some(text) = text {
            reader::ask_for(text, options, move || counter.ask_first(compiled, listing));
        }
    }

    /// Runs what was read as far as the page's first answer.
    fn ask_first(&self, compiled: Arc<Compiled>, listing: State) {
        // Another text may have come while the worker read.
        let newest = self.0.session.compiled().get_untracked();
        if !newest.is_some_and(|newest| Arc::ptr_eq(&newest, &compiled)) {
            return;
        }
        let question = Question::of(&listing);
        self.0.under_way.replace(Some(UnderWay {
            compiled,
            listing,
            question: question.clone(),
            first: None,
        }));
        self.ask(Task::First, &question, &At::Selection(Selection::default()));
    }

    fn ask(&self, task: Task, question: &Question, at: &At) {
        let counter = self.clone();
        let mut client = self.0.client.borrow_mut();
        let client = client.get_or_insert_with(|| {
            Client::of_worker("compiled", Task::First, move |heard| counter.hear(heard))
        });
        client.clone().ask_for(task, question, at);
    }

    /// Where the worker fails, the page stays with what was predicted.
    fn hear(&self, heard: Heard) {
        let Some(under_way) = self.0.under_way.borrow().clone() else {
            return;
        };
        let question = under_way.question.clone();
        match heard {
            Heard::Response(Response::First { run, .. }) => {
                let answer = question.unrun().with_first(run);
                let outcome = answer.outcome.as_ref();
                let is_run = outcome.is_some_and(|one| one.blocks_done >= one.blocks_total);
                if is_run || answer.is_extrapolated {
                    return self.take(under_way, answer);
                }
                self.0.under_way.replace(Some(UnderWay {
                    first: Some(answer),
                    ..under_way
                }));
                self.ask(Task::Count, &question, &At::Nothing);
            }
            Heard::Response(Response::Counted(whole)) => {
                let answer = under_way.first.as_ref();
                if let Some(answer) = answer.and_then(|first| first.with_whole(whole)) {
                    self.take(under_way, answer);
                }
            }
            Heard::Response(_) | Heard::Failed(_) => {}
        }
    }

    /// Shows what was counted, where it is what the server counted.
    fn take(&self, under_way: UnderWay, mut answer: Answer) {
        self.0.under_way.replace(None);
        let assumed = under_way.compiled.assumed.iter();
        let assumed = assumed.map(|(name, value)| assumption(name, *value));
        answer.diagnostics.extend(assumed);
        if under_way.compiled.has_totals(&answer) {
            let counted = CompiledAnswer {
                compiled: under_way.compiled,
                listing: under_way.listing,
                question: under_way.question,
                answer: Arc::new(answer),
            };
            self.keep(&counted);
            self.0.session.take_code(Some(counted));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Compiled;
    use lanescope_share::{Source, State, encode};

    #[test]
    fn lines_are_taken_apart() {
        let of = |text: &str| State {
            source: Source::Kernel(text.to_owned()),
            ..State::default()
        };
        let state = of("__global__ void f(float* a) { a[0] = 1; }");
        let (link, code) = (encode(&state), encode(&of("/*0000*/ EXIT ;\n")));
        let text = format!(
            "link\t{link}\nfile\tk.cu\ncode\t{code}\ntotal\tshared load\t9\nerror\t2\texpected a \";\"\n"
        );
        let compiled = Compiled::of(&text).expect("a text of the server");
        assert!(compiled.is_of(&state));
        let other = of("");
        assert!(!compiled.is_of(&other));
        let mut wider = state.clone();
        wider.launch.grid = [2, 1, 1];
        assert!(!compiled.is_of(&wider));
        let totals = compiled.totals.as_ref();
        assert_eq!(totals.and_then(|all| all.get("shared load")), Some(&9));
        assert_eq!(compiled.errors, [(2, "expected a \";\"".to_owned())]);
        let Some(Source::Kernel(listing)) = compiled.listing().map(|one| one.source) else {
            panic!("no listing");
        };
        assert!(listing.contains("EXIT") && listing.contains("//k.cu:1 __global__"));
        for other in [
            "",
            "link\t",
            "total\t1",
            "link\tv=9\n",
            &format!("link\t{link}\nwhat\n"),
        ] {
            assert_eq!(Compiled::of(other), None, "{other}");
        }
    }
}
