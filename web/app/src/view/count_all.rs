//! Counting every block of a launch: elsewhere, with progress, to be cancelled. What takes some seconds at most is counted
//! without being asked for.

use std::sync::Arc;

use lanescope_frontend::End;
use lanescope_locale::page;
use leptos::prelude::*;

use crate::answer::{Answer, Question, Whole};
use crate::debounce::Debounce;
use crate::page::Page;
use crate::session::Session;
use crate::words;
use crate::work::{At, Client, Failure, Heard, Response, Task};

/// Where the count stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Idle,
    /// Blocks counted, and all blocks.
    UnderWay {
        done: u64,
        total: u64,
    },
    Failed(Failure),
}

/// The count and the question that it answers. A handle: copies are the same count.
#[derive(Clone, Copy)]
struct Counter {
    session: Session,
    standing: RwSignal<Standing>,
    asked: StoredValue<Option<(Task, Question)>, LocalStorage>,
    /// What was counted, or tried to be, without being asked for.
    tried: StoredValue<Option<Question>, LocalStorage>,
}

/// A worker's client, as closures that live as long as the page share it.
type HeldClient = StoredValue<Client, LocalStorage>;

/// A button that counts all blocks, where only some were counted.
#[component]
pub(crate) fn CountAll(session: Session) -> impl IntoView {
    let counter = Counter {
        session,
        standing: RwSignal::new(Standing::Idle),
        asked: StoredValue::new_local(None),
        tried: StoredValue::new_local(None),
    };
    let client = Client::new(Task::Count, move |heard| counter.hear(heard));
    let client = StoredValue::new_local(client);
    counter.follow(client);
    let is_partial = session.of_page(|page| is_partial(&page.answer));
    let is_under_way = move || matches!(counter.standing.get(), Standing::UnderWay { .. });
    let extent = move || match counter.standing.get() {
        Standing::UnderWay { done, total } => [done, total].map(|blocks| Some(blocks.to_string())),
        Standing::Idle | Standing::Failed(_) => [None, None],
    };
    let said = move || match counter.standing.get() {
        Standing::Idle => String::new(),
        Standing::UnderWay { done, total } => page::counting(session.language(), done, total),
        Standing::Failed(failure) => session.word(words::failure(failure))().to_owned(),
    };
    view! {
        <div class="controls" hidden=move || !is_partial()>
            <button
                type="button"
                class="button small"
                data-testid="count-all"
                hidden=is_under_way
                on:click=move |_| counter.begin(Task::Count, client)
            >
                {session.word(|words| words.count_all)}
            </button>
            <button
                type="button"
                class="button small"
                data-testid="cancel"
                hidden=move || !is_under_way()
                on:click=move |_| counter.stop(client)
            >
                {session.word(|words| words.cancel)}
            </button>
            <progress
                data-testid="count-progress"
                aria-label=session.word(|words| words.count_all)
                hidden=move || !is_under_way()
                max=move || extent()[1].clone()
                value=move || extent()[0].clone()
            ></progress>
            <span class="hint" data-testid="progress" role="status">
                {said}
            </span>
        </div>
    }
}

/// Whether only some blocks of a launch are counted.
fn is_partial(answer: &Answer) -> bool {
    let outcome = answer.outcome.as_ref();
    let is_partial = outcome.is_some_and(|outcome| outcome.blocks_done < outcome.blocks_total);
    is_partial && !answer.program.sites().is_empty()
}

impl Counter {
    /// Ends what counts for another question, and begins unasked once the source rests.
    fn follow(self, client: HeldClient) {
        let pages = self.session.pages();
        let question = Memo::new(move |_| pages.with(|page| page.question().clone()));
        Effect::new(move || {
            // Read, not only tracked: a memo that nobody reads is never worked out.
            question.with(|_| ());
            self.stop(client);
        });
        let debounce = Debounce::default();
        Effect::new(move |before: Option<Arc<Page>>| {
            let page = self.session.late_pages().get();
            if before.is_none_or(|before| before.question() != page.question()) {
                self.tried.set_value(None);
            }
            debounce.then(move || self.begin_unasked(client));
            page
        });
    }

    fn begin(self, task: Task, client: HeldClient) {
        let page = self.session.page();
        let total = page.answer.launch.grid_blocks();
        self.asked.set_value(Some((task, page.question().clone())));
        self.standing.set(Standing::UnderWay { done: 0, total });
        client.with_value(|client| client.ask_for(task, page.question(), &At::Nothing));
    }

    /// Counts what the page shows a part of, once.
    fn begin_unasked(self, client: HeldClient) {
        let page = self.session.page();
        let was_tried = self
            .tried
            .with_value(|tried| tried.as_ref() == Some(page.question()));
        if was_tried || self.asked.with_value(Option::is_some) || !is_partial(&page.answer) {
            return;
        }
        self.tried.set_value(Some(page.question().clone()));
        self.begin(Task::CountAtOnce, client);
    }

    fn stop(self, client: HeldClient) {
        client.with_value(Client::cancel);
        self.asked.set_value(None);
        self.standing.set(Standing::Idle);
    }

    fn hear(self, heard: Heard) {
        self.standing.set(match heard {
            Heard::Response(Response::Progress { done, total }) => {
                Standing::UnderWay { done, total }
            }
            Heard::Response(Response::Counted(whole)) => self.take(whole),
            Heard::Response(_) => Standing::Failed(Failure::Broken),
            Heard::Failed(failure) => Standing::Failed(failure),
        });
    }

    /// Puts the sums in the place of those of a part.
    fn take(self, whole: Whole) -> Standing {
        let page = self.session.page();
        let asked = self.asked.try_update_value(Option::take).flatten();
        let Some((task, asked)) = asked else {
            return Standing::Idle;
        };
        // What nobody has asked for may end early.
        let is_left = task == Task::CountAtOnce && whole.outcome.end != End::Complete;
        if is_left || asked != *page.question() {
            return Standing::Idle;
        }
        match page.answer.with_whole(whole) {
            Some(answer) => {
                self.session.take_whole(asked, answer);
                Standing::Idle
            }
            None => Standing::Failed(Failure::Broken),
        }
    }
}
