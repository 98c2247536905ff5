//! Counting every block of a launch: elsewhere, with progress, to be cancelled. What takes some seconds at most is counted
//! without being asked for.

use std::cell::RefCell;
use std::rc::Rc;

use crate::answer::{Answer, Question, Whole};
use crate::element::{El, el};
use crate::rest::Rest;
use crate::session::Session;
use crate::words::{Language, Message};
use crate::work::{Client, Failure, Heard, Response, Task};
use lanescope_cuda::source::End;

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

/// The elements, and the question that is counted.
struct Counter {
    session: Session,
    row: El,
    start: El,
    cancel: El,
    progress: El,
    said: El,
    asked: RefCell<Option<(Task, Question)>>,
    /// What was counted, or tried to be, without being asked for.
    tried: RefCell<Option<Question>>,
    standing: RefCell<Standing>,
}

/// A button that counts all blocks, where only some were counted.
pub(crate) fn build(session: Session) -> El {
    let counter = Rc::new(Counter::new(session));
    let hearing = Rc::clone(&counter);
    let client = Client::new(Task::Count, move |heard| hearing.hear(heard));
    let row = counter.row.clone();
    let (started, asked) = (Rc::clone(&counter), client.clone());
    let start = counter.start.clone();
    row.add(&start.on("click", move |_| started.begin(Task::Count, &asked)));
    let (cancelled, ended) = (Rc::clone(&counter), client.clone());
    let cancel = counter.cancel.clone();
    row.add(&cancel.on("click", move |_| cancelled.stop(&ended)));
    row.add(&counter.progress);
    row.add(&counter.said);
    let (resting, unasked) = (Rc::clone(&counter), client.clone());
    let rest = Rest::default();
    session.follow_late(move |page, before| {
        if before.is_none_or(|before| before.question() != page.question()) {
            resting.tried.replace(None);
        }
        let (counter, client) = (Rc::clone(&resting), unasked.clone());
        rest.then(move || counter.begin_unasked(&client));
    });
    session.follow(move |page, before| {
        if before.is_none_or(|before| before.question() != page.question()) {
            counter.stop(&client);
        } else if before.is_some_and(|before| before.language != page.language) {
            counter.show(page.language);
        }
        counter.row.show(is_partial(&page.answer));
    });
    row
}

/// Whether only some blocks of a launch are counted.
fn is_partial(answer: &Answer) -> bool {
    let outcome = answer.outcome.as_ref();
    let is_partial = outcome.is_some_and(|outcome| outcome.blocks_done < outcome.blocks_total);
    is_partial && !answer.program.sites().is_empty()
}

impl Counter {
    fn new(session: Session) -> Self {
        let button = |testid: &str| {
            el("button")
                .set("type", "button")
                .class("button small")
                .testid(testid)
        };
        let progress = el("progress").set("hidden", "").testid("count-progress");
        Self {
            session,
            row: el("div").class("controls"),
            start: session.say(button("count-all"), Message::CountAll),
            cancel: session.say(button("cancel").set("hidden", ""), Message::Cancel),
            progress: session.name(progress, "aria-label", Message::CountAll),
            said: el("span")
                .class("hint")
                .testid("progress")
                .set("role", "status"),
            asked: RefCell::new(None),
            tried: RefCell::new(None),
            standing: RefCell::new(Standing::Idle),
        }
    }

    fn begin(&self, task: Task, client: &Client) {
        let page = self.session.page();
        let total = page.answer.launch.grid_blocks();
        self.asked.replace(Some((task, page.question().clone())));
        self.stand(Standing::UnderWay { done: 0, total });
        client.ask_for(task, page.question());
    }

    /// Counts what the page shows a part of, once.
    fn begin_unasked(&self, client: &Client) {
        let page = self.session.page();
        let was_tried = self.tried.borrow().as_ref() == Some(page.question());
        if was_tried || self.asked.borrow().is_some() || !is_partial(&page.answer) {
            return;
        }
        self.tried.replace(Some(page.question().clone()));
        self.begin(Task::CountAtOnce, client);
    }

    fn stop(&self, client: &Client) {
        client.cancel();
        self.asked.replace(None);
        self.stand(Standing::Idle);
    }

    fn hear(&self, heard: Heard) {
        self.stand(match heard {
            Heard::Response(Response::Progress { done, total }) => {
                Standing::UnderWay { done, total }
            }
            Heard::Response(Response::Counted(whole)) => self.take(whole),
            Heard::Response(Response::Fixed(_)) => Standing::Failed(Failure::Broken),
            Heard::Failed(failure) => Standing::Failed(failure),
        });
    }

    /// Puts the sums in the place of those of a part.
    fn take(&self, whole: Whole) -> Standing {
        let page = self.session.page();
        let Some(asked) = self.asked.take() else {
            return Standing::Idle;
        };
        let (task, asked) = asked;
        // What nobody has asked for may end early.
        let is_left = task == Task::CountAtOnce && whole.outcome.end != End::Completed;
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

    fn stand(&self, standing: Standing) {
        self.standing.replace(standing);
        self.show(self.session.page().language);
    }

    fn show(&self, language: Language) {
        let standing = *self.standing.borrow();
        let is_under_way = matches!(standing, Standing::UnderWay { .. });
        self.start.show(!is_under_way);
        self.cancel.show(is_under_way);
        self.progress.show(is_under_way);
        self.said.put_text(&match standing {
            Standing::Idle => String::new(),
            Standing::UnderWay { done, total } => {
                self.progress.put("max", &total.to_string());
                self.progress.put("value", &done.to_string());
                language.say(&Message::Counting { done, total })
            }
            Standing::Failed(failure) => language.say(&Message::WorkFailed(failure)),
        });
    }
}
