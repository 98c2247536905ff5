//! What waits until the source rests for a moment.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::set_timeout_with_handle;

const DELAY: Duration = Duration::from_millis(120);

/// One thing to do at rest; whatever comes later takes its place.
#[derive(Clone, Default)]
pub(crate) struct Debounce(Rc<RefCell<Option<TimeoutHandle>>>);

impl Debounce {
    /// Does `act` when nothing else was asked for a moment.
    pub(crate) fn then(&self, act: impl FnOnce() + 'static) {
        if let Some(waiting) = self.0.take() {
            waiting.clear();
        }
        let act: Box<dyn FnOnce()> = Box::new(act);
        self.0.replace(set_timeout_with_handle(act, DELAY).ok());
    }
}
