//! What all pages say alike, in English.

use crate::label::LabelWords;

pub(crate) const WORDS: &LabelWords = &LabelWords {
    playground: "Playground",
    lab: "Lab",
    stories: "Stories",
    skip_to_answer: "Skip to the answer",
    trust: "Every rule has its source. An H200's counters agree on 2,310 of 2,312 \
             requests and 577 of 589 kernels.",
    expression: "Expression",
    expression_source: "Declarations, then accesses",
    accesses: "accesses, one per line",
    bare: "Bare accesses are",
    grid: "grid",
    block: "block",
    device: "device",
    metrics: "Numbers, with the profiler's names",
    n_way: "n-way",
    warp: "warp",
    point_at_it: "Point at a lane or a word to see why; the arrow keys step.",
    used: "used",
    wasted: "moved, not used",
    not_moved: "not moved",
    share: "Share",
    source_text: "Source",
    open_in_lanescope: "Open in Lanescope",
    inside_shared: "Inside one request",
    inside_global: "Global memory, one request",
};

pub(crate) const fn switch_theme() -> &'static str {
    "Switch between light and dark"
}
