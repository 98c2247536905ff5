//! What the compiler of this machine made of the kernel on screen, as `lanescope serve` tells the page that it gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use lanescope_share::{Source, decode_kept};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::session::Session;

/// What a page is told by: an event of the window, whose `detail` is a text of lines.
const EVENT: &str = "lanescope:compiled";

/// What was made of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compiled {
    /// The text.
    source: String,
    /// Wavefronts or sectors of a line and an operation: as predicted, and as counted in the machine code.
    costs: BTreeMap<(u32, String), [u64; 2]>,
    /// Lines and what is wrong there.
    pub(crate) errors: Vec<(u32, String)>,
}

impl Compiled {
    /// Takes the lines apart: `link`, the fragment of the page's state, first; then `cost`, line, operation, predicted and
    /// counted, and `error`, line and text, with tabs between. `None` of another text.
    fn of(text: &str) -> Option<Self> {
        let (link, rest) = text.split_once('\n')?;
        let state = decode_kept(link.strip_prefix("link\t")?).ok()?.state;
        let Source::Kernel(source) = state.source else {
            return None;
        };
        let mut compiled = Self {
            source,
            ..Self::default()
        };
        for line in rest.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                ["cost", line, op, predicted, counted] => {
                    let key = (line.parse().ok()?, (*op).to_owned());
                    let cost = compiled.costs.entry(key).or_default();
                    for (sum, one) in cost.iter_mut().zip([predicted, counted]) {
                        *sum = sum.saturating_add(one.parse().ok()?);
                    }
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

    /// Whether it is of this source.
    pub(crate) fn is_of(&self, source: &Source) -> bool {
        matches!(source, Source::Kernel(text) if *text == self.source)
    }

    /// What a line's operation takes, as predicted and as counted.
    pub(crate) fn cost(&self, line: u32, op: &str) -> Option<[u64; 2]> {
        self.costs.get(&(line, op.to_owned())).copied()
    }
}

/// Follows what the page is told.
pub(crate) fn follow(session: Session) {
    let told = window_event_listener_untyped(EVENT, move |event| {
        let detail = js_sys::Reflect::get(&event, &JsValue::from_str("detail"));
        let text = detail.ok().and_then(|detail| detail.as_string());
        let compiled = text.and_then(|text| Compiled::of(&text));
        session.compiled().set(compiled.map(Arc::new));
    });
    on_cleanup(move || told.remove());
}

/// What was made of the source on screen, followed.
pub(crate) fn of_screen(session: Session) -> Option<Arc<Compiled>> {
    let compiled = session.compiled().get()?;
    let is_its = session
        .pages()
        .with(|page| compiled.is_of(&page.state.source));
    is_its.then_some(compiled)
}

#[cfg(test)]
mod tests {
    use super::Compiled;
    use lanescope_share::{Source, State, encode};

    #[test]
    fn lines_are_taken_apart() {
        let source = Source::Kernel("__global__ void f(float* a) { a[0] = 1; }".to_owned());
        let link = encode(&State {
            source: source.clone(),
            ..State::default()
        });
        let text = format!(
            "link\t{link}\ncost\t3\tshared load\t8\t9\ncost\t3\tshared load\t1\t1\nerror\t2\texpected a \";\"\n"
        );
        let compiled = Compiled::of(&text).expect("a text of the server");
        assert!(compiled.is_of(&source) && !compiled.is_of(&Source::Kernel(String::new())));
        assert_eq!(compiled.cost(3, "shared load"), Some([9, 10]));
        assert_eq!(compiled.cost(3, "shared store"), None);
        assert_eq!(compiled.errors, [(2, "expected a \";\"".to_owned())]);
        for other in [
            "",
            "link\t",
            "cost\t1",
            "link\tv=9\n",
            &format!("link\t{link}\nwhat\n"),
        ] {
            assert_eq!(Compiled::of(other), None, "{other}");
        }
    }
}
