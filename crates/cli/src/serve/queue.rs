//! One compilation at a time: the newest. What it supersedes is ended, with all that it has started.

use crate::clock;
use lanescope_query::Stop;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What comes sooner after another request is taken for typing that goes on.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a compilation and its count may take.
const LIMIT: Duration = Duration::from_secs(45);

/// The most bytes of answers that are kept.
const MOST_KEPT_BYTES: usize = 64 << 20;

/// What an answer depends on, as a digest.
pub(super) type Key = [u8; 32];

/// Requests, of which the newest is worked on.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Held by the one that works.
    turn: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The number of the newest request.
    newest: u64,
    running: Option<Stop>,
    kept: VecDeque<(Key, Arc<str>)>,
}

impl State {
    fn keep(&mut self, key: Key, answer: Arc<str>) {
        self.kept.push_back((key, answer));
        let bytes = |kept: &VecDeque<(Key, Arc<str>)>| -> usize {
            kept.iter().map(|(_, answer)| answer.len()).sum()
        };
        while self.kept.len() > 1 && bytes(&self.kept) > MOST_KEPT_BYTES {
            self.kept.pop_front();
        }
    }
}

impl Queue {
    /// The answer of `work`, or one that is kept; `None` when a newer request has come. What fails is not kept.
    pub(super) fn answer(
        &self,
        key: Key,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) -> Option<anyhow::Result<Arc<str>>> {
        let number = self.supersede();
        if let Some(kept) = self.kept(key) {
            return Some(Ok(kept));
        }
        thread::sleep(PAUSE);
        if !self.is_newest(number) {
            return None;
        }
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + LIMIT;
        let stop = self.begin(number, deadline)?;
        let answer = clock::as_task(&stop, deadline, || catch_unwind(AssertUnwindSafe(work)));
        drop(turn);
        let mut state = self.state();
        if state.newest != number {
            return None;
        }
        state.running = None;
        Some(match answer {
            Ok(Ok(answer)) => {
                let answer: Arc<str> = answer.into();
                state.keep(key, answer.clone());
                Ok(answer)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(anyhow::anyhow!(
                "the count failed; this is a bug of Lanescope"
            )),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what runs; returns the number of a new request.
    fn supersede(&self) -> u64 {
        let mut state = self.state();
        if let Some(running) = state.running.take() {
            running.stop();
        }
        state.newest += 1;
        state.newest
    }

    fn kept(&self, key: Key) -> Option<Arc<str>> {
        let state = self.state();
        let found = state.kept.iter().find(|(kept, _)| *kept == key);
        found.map(|(_, answer)| answer.clone())
    }

    fn is_newest(&self, number: u64) -> bool {
        self.state().newest == number
    }

    fn begin(&self, number: u64, deadline: Instant) -> Option<Stop> {
        let mut state = self.state();
        let stop = Stop::when(move || Instant::now() >= deadline);
        state.running = (state.newest == number).then(|| stop.clone());
        state.running.as_ref()?;
        Some(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_newest_of_many_is_worked_on_and_kept() {
        let (queue, runs) = (Queue::default(), AtomicUsize::new(0));
        let work = |number: u8| {
            queue.answer([number; 32], || {
                runs.fetch_add(1, Ordering::Relaxed);
                Ok(number.to_string())
            })
        };
        let answers: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..50)
                .map(|number| scope.spawn(move || work(number)))
                .collect();
            threads
                .into_iter()
                .filter_map(|thread| thread.join().ok()?)
                .collect()
        });
        assert!(!answers.is_empty());
        let newest = answers
            .last()
            .and_then(|one| one.as_ref().ok())
            .expect("an answer");
        let before = runs.load(Ordering::Relaxed);
        let again = work(newest.parse().expect("a number"))
            .expect("an answer")
            .expect("kept");
        assert_eq!((&*again, runs.load(Ordering::Relaxed)), (&**newest, before));
    }

    #[test]
    fn what_is_superseded_is_told_to_stop() {
        let queue = Queue::default();
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                queue.answer([1; 32], || {
                    let stop = clock::stop();
                    while !stop.is_stopped() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    Ok("first".to_owned())
                })
            });
            while queue.state().running.is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            let second = queue.answer([2; 32], || Ok("second".to_owned()));
            assert_eq!(second.and_then(Result::ok).as_deref(), Some("second"));
            assert!(first.join().expect("an end").is_none());
        });
    }

    #[test]
    fn a_panic_is_an_error_of_its_own_request() {
        let queue = Queue::default();
        assert!(
            queue
                .answer([1; 32], || panic!("on purpose"))
                .is_some_and(|one| one.is_err())
        );
        assert!(
            queue
                .answer([1; 32], || Ok(String::new()))
                .is_some_and(|one| one.is_ok())
        );
    }
}
