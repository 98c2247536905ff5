//! What `__launch_bounds__` says of a kernel.

use lanescope_syntax::preprocessor::preprocess_bundle;
use lanescope_syntax::sink::Sink;

use super::Text;

/// The most threads that a block of `kernel` may have, where `__launch_bounds__` says so and it is a constant.
#[must_use]
pub fn most_threads(source: &str, kernel: &str, defines: &[(String, String)]) -> Option<u32> {
    let mut sink = Sink::deaf();
    let tokens = preprocess_bundle(source, defines, &mut sink);
    let text = Text {
        source,
        tokens: &tokens,
    };
    let bounds = (0..tokens.len()).filter(|at| text.is_name(*at, "__launch_bounds__"));
    bounds.into_iter().find_map(|at| {
        let (parts, after) = text.parts(at + 1)?;
        let head = (after..tokens.len()).take_while(|at| !text.is(*at, "{") && !text.is(*at, ";"));
        let mut names = head.filter(|at| text.is(at + 1, "("));
        let is_own = names.next().is_some_and(|at| text.is_name(at, kernel));
        let threads = is_own.then(|| text.whole(parts.first()?)).flatten()?;
        u32::try_from(threads).ok().filter(|threads| *threads > 0)
    })
}
