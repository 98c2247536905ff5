//! Kernels and long programs, read and run by a worker: the page goes on answering, and shows what they do when it has come.
//!
//! An expression, a layout and a short listing run in the page itself, within the keystroke. What is asked of a text that
//! was changed since is dropped.

use std::cell::RefCell;
use std::collections::VecDeque;

use lanescope_query::Read;
use lanescope_share::Selection;

use crate::answer::{Answer, FirstRun, Inside, Place, Question, Seen, insides, seen};
use crate::page::Page;
use crate::session::Session;
use crate::tasks;
use crate::work::{At, Client, Heard, Response, Task};

type Reply = Box<dyn FnOnce(Option<Response>)>;

/// One thing to look at.
struct Ask {
    task: Task,
    question: Question,
    at: At,
    reply: Reply,
}

/// What is asked, one thing after another.
#[derive(Default)]
struct Desk {
    client: Option<Client>,
    under_way: Option<Reply>,
    waiting: VecDeque<Ask>,
}

/// A question, what was read of its source, if that is the worker's, and what ran.
type First = (Question, Option<Read>, Option<FirstRun>);

/// What the worker found last of a question.
#[derive(Default)]
struct Found {
    first: Option<First>,
    seen: Option<(Question, Place, Vec<Seen>)>,
    /// What was asked last of each.
    requested_first: Option<Question>,
    requested_seen: Option<(Question, Place)>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::default());
    static FOUND: RefCell<Found> = RefCell::new(Found::default());
}

/// Has `task` done, whose answer goes to `told`; `None` where there is none. A task of the same kind that still waits is
/// dropped.
pub(crate) fn ask(
    task: Task,
    question: &Question,
    at: At,
    reply: impl FnOnce(Option<Response>) + 'static,
) {
    let ask = Ask {
        task,
        question: question.clone(),
        at,
        reply: Box::new(reply),
    };
    DESK.with_borrow_mut(|desk| {
        if task == Task::First {
            // Whatever is under way or waits is of another text.
            desk.under_way = None;
            desk.waiting.clear();
        }
        desk.waiting.retain(|other| other.task != task);
        desk.waiting.push_back(ask);
    });
    next();
}

/// Asks for what waits longest, unless something is under way.
fn next() {
    let request = DESK.with_borrow_mut(|desk| {
        if desk.under_way.is_some() {
            return None;
        }
        let ask = desk.waiting.pop_front()?;
        let client = desk
            .client
            .get_or_insert_with(|| Client::new(Task::Look, hear));
        desk.under_way = Some(ask.reply);
        Some((client.clone(), ask.task, ask.question, ask.at))
    });
    if let Some((client, task, question, at)) = request {
        client.ask_for(task, &question, &at);
    }
}

fn hear(heard: Heard) {
    let response = match heard {
        Heard::Response(response) if !response.is_last() => return,
        Heard::Response(response) => Some(response),
        Heard::Failed(_) => None,
    };
    if let Some(reply) = DESK.with_borrow_mut(|desk| desk.under_way.take()) {
        reply(response);
    }
    next();
}

/// The answer to `question`; `None` while a worker runs its program.
pub(crate) fn answer(question: &Question) -> Option<Answer> {
    let of_worker = |unrun: Option<Answer>| {
        FOUND.with_borrow(|found| {
            let (of, read, run) = found.first.as_ref()?;
            let unrun = match read {
                Some(read) => Answer::unrun(&question.state, read.clone()),
                None => unrun?,
            };
            (of == question).then(|| unrun.with_first(run.clone()))
        })
    };
    if question.is_read_by_worker() {
        return of_worker(None);
    }
    match question.left_to_worker() {
        Some(unrun) => of_worker(Some(unrun)),
        None => Some(crate::answer::answer(question)),
    }
}

/// What `answer` to `question` does at `place`; `None` while a worker looks at it.
pub(crate) fn look(question: &Question, answer: &Answer, place: &Place) -> Option<Vec<Inside>> {
    if !question.is_left_to_worker(answer) {
        return Some(insides(answer, place, &seen(answer, place)));
    }
    FOUND.with_borrow(|found| match &found.seen {
        Some((of, at, seen)) if of == question && at == place => Some(insides(answer, place, seen)),
        _ => None,
    })
}

/// Asks for what the page is to show and nobody has looked at yet.
pub(crate) fn follow(session: Session) {
    session.follow(move |page, _| {
        if page.is_awaited() {
            ask_first(session, page);
        } else if let Some(place) = page.awaited_place() {
            ask_seen(session, page.question(), place);
        }
    });
}

fn ask_first(session: Session, page: &Page) {
    let question = page.latest_question().clone();
    let is_new = FOUND.with_borrow_mut(|found| {
        let is_new = found.requested_first.as_ref() != Some(&question);
        found.requested_first = Some(question.clone());
        is_new
    });
    if !is_new {
        return;
    }
    let selection = Selection {
        values: Vec::new(),
        ..page.state.selection.clone()
    };
    let request = question.clone();
    ask(
        Task::First,
        &question,
        At::Selection(selection),
        move |reply| {
            take_first(request, reply);
            tasks::then(move || session.look_again());
        },
    );
}

fn take_first(question: Question, reply: Option<Response>) {
    FOUND.with_borrow_mut(|found| {
        if let Some(Response::First {
            read,
            run,
            place,
            seen,
        }) = reply
        {
            found.first = Some((question.clone(), read, run));
            found.seen = Some((question, place, seen));
        } else {
            // No worker can be had: better late than never.
            let read = question.read();
            let run = Answer::unrun(&question.state, read.clone()).first_run();
            found.first = Some((question, Some(read.without_code()), run));
        }
    });
}

fn ask_seen(session: Session, question: &Question, place: &Place) {
    let request = (question.clone(), place.clone());
    let is_new = FOUND.with_borrow_mut(|found| {
        let is_new = found.requested_seen.as_ref() != Some(&request);
        found.requested_seen = Some(request.clone());
        is_new
    });
    if !is_new {
        return;
    }
    ask(
        Task::Look,
        question,
        At::Place(place.clone()),
        move |reply| {
            let (question, place) = request;
            if let Some(Response::Seen(seen)) = reply {
                FOUND.with_borrow_mut(|found| found.seen = Some((question, place, seen)));
                tasks::then(move || session.look_again());
            }
        },
    );
}
