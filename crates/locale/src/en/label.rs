//! What all pages say alike, in English.

use crate::label::Label;

pub(crate) const fn text(label: Label) -> &'static str {
    match label {
        Label::Playground => "Playground",
        Label::Lab => "Lab",
        Label::Stories => "Stories",
        Label::SkipToAnswer => "Skip to the answer",
        Label::SwitchTheme => "Switch between light and dark",
        Label::Trust => {
            "Every rule has its source. An H200's counters agree on 2,310 of 2,312 \
             requests and 577 of 589 kernels."
        }
        Label::Expression => "Expression",
        Label::Kernel => "Kernel",
        Label::Layout => "Layout",
        Label::Examples => "Examples",
        Label::ExpressionSource => "Declarations, then accesses",
        Label::Accesses => "accesses, one per line",
        Label::Bare => "Bare accesses are",
        Label::Launch => "Launch",
        Label::Grid => "grid",
        Label::Block => "block",
        Label::Device => "device",
        Label::NotAShape => "one to three numbers from 1, such as 32, 8",
        Label::Metrics => "Numbers, with the profiler's names",
        Label::NWay => "n-way",
        Label::Warp => "warp",
        Label::PointAtIt => "Point at a lane or a word to see why; the arrow keys step.",
        Label::Used => "used",
        Label::Wasted => "moved, not used",
        Label::NotMoved => "not moved",
        Label::Share => "Share",
        Label::SourceText => "Source",
        Label::OpenInLanescope => "Open in Lanescope",
        Label::InsideShared => "Inside one request",
        Label::InsideGlobal => "Global memory, one request",
    }
}
