//! What follows from a long text and need not be seen at once: one thing after another, in tasks so short that no frame of
//! the screen is missed.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use js_sys::Date;
use lanescope_share::Source;
use leptos::prelude::set_timeout;

/// What follows from so many bytes of text may take longer than a frame.
const LONG: usize = 32 * 1_024;

/// A task that took so many milliseconds takes no further turn.
const TASK_MS: f64 = 5.0;

type Turn = Box<dyn FnOnce()>;

thread_local! {
    /// What follows from a source that is not long is done at once.
    static IS_LONG: Cell<bool> = const { Cell::new(false) };
    static WAITING: RefCell<VecDeque<Turn>> = const { RefCell::new(VecDeque::new()) };
    /// Until when the present task takes turns.
    static END: Cell<f64> = const { Cell::new(0.0) };
}

/// Whether what follows from `source` takes long.
pub(crate) const fn is_long(source: &Source) -> bool {
    matches!(source, Source::Kernel(text) | Source::Trace(text) if text.len() >= LONG)
}

/// To be called before anything follows from `source`.
pub(crate) fn follow(source: &Source) {
    IS_LONG.set(is_long(source));
}

/// To be called as a task begins whose work is taken in turns.
pub(crate) fn begin() {
    if IS_LONG.get() {
        END.set(Date::now() + TASK_MS);
    }
}

/// Does `act` when it is its turn: at once where nothing waits and the task is young, else in another one.
pub(crate) fn then(act: impl FnOnce() + 'static) {
    let is_first = WAITING.with_borrow(VecDeque::is_empty);
    if is_first && !(IS_LONG.get() && END.get() <= Date::now()) {
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
