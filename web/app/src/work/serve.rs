//! The worker's half.

use js_sys::{Date, Function, Uint8Array};
use lanescope_wire::Wire as _;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::inspection::inspected;
use super::request::{Request, Task};
use super::response::{Response, numbered};
use super::slices::effort;
use crate::answer::{Whole, answer, find_fixes};

/// How often it is told how far the work is, in milliseconds.
const PAUSE_MS: f64 = 100.0;

/// Does what `request` asks and calls `tell` with bytes, the last time with the answer. Returns
/// whether there was one: bytes of another build ask nothing.
#[wasm_bindgen]
pub fn work(request: &[u8], tell: &Function) -> bool {
    let Some((round, request)) = request.split_first_chunk() else {
        return false;
    };
    let round = u32::from_le_bytes(*round);
    perform(request, Date::now, &mut |response| {
        let bytes = Uint8Array::from(numbered(round, response).as_slice());
        // A page that is gone hears nothing.
        let _ = tell.call1(&JsValue::NULL, &bytes);
    })
}

/// The same with a clock that tells milliseconds.
fn perform(request: &[u8], now: impl Fn() -> f64, tell: &mut dyn FnMut(&Response)) -> bool {
    let Some(request) = Request::of_bytes(request) else {
        return false;
    };
    let (task, at) = (request.task, request.at.clone());
    let Some(question) = request.opened() else {
        return false;
    };
    let mut reported_at = now();
    let mut is_due = || {
        let is_due = now() - reported_at >= PAUSE_MS;
        if is_due {
            reported_at = now();
        }
        is_due
    };
    let found = match task {
        Task::Count | Task::CountAtOnce => {
            let answer = answer(&question);
            let total = answer.launch.grid_blocks();
            let effort = effort(task);
            let mut progress = |done: u64| {
                if is_due() {
                    tell(&Response::Progress { done, total });
                }
            };
            Whole::count(&answer, effort, &mut progress).map(Response::Counted)
        }
        Task::Fix => find_fixes(&question, &mut |step| {
            if let Some(advice) = step.found {
                tell(&Response::Found(advice.clone()));
            }
            if is_due() {
                let (done, total) = (step.progress.done.into(), step.progress.planned.into());
                tell(&Response::Progress { done, total });
            }
        })
        .map(Response::Fixed),
        Task::First | Task::Look | Task::Strip | Task::L1 | Task::Devices => {
            inspected(task, &question, &at)
        }
    };
    if let Some(found) = &found {
        tell(found);
    }
    found.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Question;
    use crate::work::at::At;
    use crate::work::slices::Slices;
    use lanescope_share::{Launch, Source, State};
    use std::cell::Cell;

    fn question(text: &str, grid: u32, arguments: &[(&str, &str)]) -> Question {
        let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        Question::of(&State {
            source: Source::Kernel(text.to_owned()),
            launch: Launch {
                grid: [grid, 1, 1],
                block: [128, 1, 1],
                arguments: arguments.iter().map(pair).collect(),
                ..Launch::default()
            },
            ..State::default()
        })
    }

    fn performed(task: Task, question: &Question) -> Vec<Response> {
        let mut all = Vec::new();
        // A clock that goes on by a second whenever it is looked at.
        let clock = Cell::new(0.0);
        let now = || clock.replace(clock.get() + 1_000.0);
        let bytes = Request::new(task, question, &At::Nothing).to_bytes();
        assert!(perform(&bytes, now, &mut |response| all.push(response.clone())));
        all
    }

    fn in_slices(task: Task, question: &Question) -> Response {
        let mut slices = Slices::begin(task, question, &At::Nothing).unwrap();
        loop {
            let response = slices.step();
            if response.is_last() {
                return response;
            }
        }
    }

    const REDUCE: &str = include_str!("../../../../tests/golden/kernels/reduce_interleaved.cu");
    const STRIDED: &str = "__global__ void k(float* out) {
        __shared__ float s[256];
        s[threadIdx.x * 2] = 1.0f;
        __syncthreads();
        out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x];
    }";

    #[test]
    fn all_blocks_are_counted_with_progress_and_as_in_slices() {
        let question = question(REDUCE, 256, &[("n", "32768")]);
        let responses = performed(Task::Count, &question);
        let (last, before) = responses.split_last().unwrap();
        let Response::Counted(whole) = last else {
            panic!("{last:?}");
        };
        assert!(whole.outcome.exact());
        assert_eq!(whole.outcome.blocks_total, 256);
        assert!(whole.sites.iter().any(|site| site.shared.conflicts > 0));
        assert!(!before.is_empty());
        for one in before {
            assert!(
                matches!(one, Response::Progress { done, total: 256 } if *done < 256),
                "{one:?}"
            );
        }
        assert_eq!(&in_slices(Task::Count, &question), last);
        assert_eq!(Response::of_bytes(&last.to_bytes()).as_ref(), Some(last));
    }

    #[test]
    fn a_block_of_many_requests_is_counted_to_its_end() {
        let text = "__global__ void k(float* a) {
            for (int i = 0; i < 20000; ++i) a[i * 128 + threadIdx.x] = 1.0f;
        }";
        let responses = performed(Task::Count, &question(text, 2, &[]));
        let Some(Response::Counted(whole)) = responses.last() else {
            panic!("{responses:?}");
        };
        assert!(whole.outcome.exact());
        assert_eq!(whole.outcome.requests, 2 * 4 * 20_000);
    }

    #[test]
    fn what_is_wrong_only_in_the_last_block_is_found() {
        let question = question(STRIDED, 4096, &[("out", "524287")]);
        let now = answer(&question);
        // Its class is another one than that of all others, so that the first answer finds it, too.
        assert!(!now.outcome.as_ref().unwrap().exact() && now.is_extrapolated);
        assert_eq!(now.diagnostics.len(), 1, "{:?}", now.diagnostics);
        let responses = performed(Task::Count, &question);
        let Some(Response::Counted(whole)) = responses.last() else {
            panic!("{responses:?}");
        };
        let whole = now.with_whole(whole.clone()).unwrap();
        assert_eq!(whole.diagnostics.len(), 1, "{:?}", whole.diagnostics);
        assert_eq!(whole.diagnostics[0].kind.code(), "out-of-bounds");
    }

    #[test]
    fn sums_of_another_program_are_refused() {
        let responses = performed(Task::Count, &question(STRIDED, 2, &[]));
        let Some(Response::Counted(whole)) = responses.last().cloned() else {
            panic!("{responses:?}");
        };
        let other = answer(&question(REDUCE, 2, &[]));
        assert!(other.with_whole(whole).is_none());
    }

    #[test]
    fn fixes_are_found_with_progress_and_as_in_slices() {
        let question = question(STRIDED, 1, &[]);
        let responses = performed(Task::Fix, &question);
        let (last, before) = responses.split_last().unwrap();
        let Response::Fixed(advice) = last else {
            panic!("{last:?}");
        };
        assert!(!advice.suggestions.is_empty());
        assert!(!before.is_empty() && before.iter().all(|one| !one.is_last()));
        let found = before.iter().filter_map(|one| match one {
            Response::Found(advice) => Some(advice.suggestions.len()),
            _ => None,
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found, (1..=advice.suggestions.len()).collect::<Vec<_>>());
        assert_eq!(&in_slices(Task::Fix, &question), last);
        assert_eq!(Response::of_bytes(&last.to_bytes()).as_ref(), Some(last));
    }

    #[test]
    fn bytes_that_ask_nothing_are_told_so() {
        let bytes = Request::new(Task::Count, &question(STRIDED, 1, &[]), &At::Nothing).to_bytes();
        let clock = || 0.0;
        assert!(!perform(&bytes[1..], clock, &mut |_| {}));
        assert!(!perform(&[], clock, &mut |_| {}));
    }
}
