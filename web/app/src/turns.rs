//! What follows from a page and need not be seen at once: one thing after another, in tasks so short that no frame of the
//! screen is missed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use js_sys::Date;
use leptos::prelude::set_timeout;

/// A task that took so many milliseconds takes no further turn.
const TASK_MS: f64 = 5.0;

type Turn = Box<dyn FnOnce()>;

thread_local! {
    static WAITING: RefCell<VecDeque<Turn>> = const { RefCell::new(VecDeque::new()) };
    /// Until when the present task takes turns.
    static END: Cell<f64> = const { Cell::new(0.0) };
}

/// To be called as a task begins whose work is taken in turns.
pub(crate) fn begin() {
    END.set(Date::now() + TASK_MS);
}

/// Does `act` when it is its turn: at once where nothing waits and the task is young, else in another one.
pub(crate) fn then(act: impl FnOnce() + 'static) {
    let is_first = WAITING.with_borrow(VecDeque::is_empty);
    if is_first && Date::now() < END.get() {
        return act();
    }
    WAITING.with_borrow_mut(|waiting| waiting.push_back(Box::new(act)));
    if is_first {
        set_timeout(take, Duration::ZERO);
    }
}

/// Takes turns for a while. The one that is taken still waits, so that what it asks for comes after the others.
fn take() {
    begin();
    while let Some(act) = next() {
        act();
        let is_over = WAITING.with_borrow_mut(|waiting| {
            waiting.pop_front();
            waiting.is_empty()
        });
        if !is_over && Date::now() >= END.get() {
            set_timeout(take, Duration::ZERO);
            return;
        }
    }
}

/// The turn that is to be taken, whose place is kept.
fn next() -> Option<Turn> {
    WAITING.with_borrow_mut(|waiting| {
        let first = waiting.front_mut()?;
        Some(std::mem::replace(first, Box::new(|| ())))
    })
}
