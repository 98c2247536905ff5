//! What several files of tests ask: the fixes of a kernel's text.

use crate::written::advise;
use lanescope_fixes::{Advice, Question, Source};
use lanescope_frontend::{Argument, ArgumentValue, Budget, NamedLaunch};
use lanescope_model::Device;
use lanescope_query::SourceReader;

/// The fixes of `text` under a launch, with integers as arguments.
pub(crate) fn advised(text: &str, launch: NamedLaunch, arguments: &[(&str, i64)]) -> Advice {
    advised_on(<&Device>::default(), text, launch, arguments)
}

/// The same on a device.
pub(crate) fn advised_on(
    device: &Device,
    text: &str,
    launch: NamedLaunch,
    arguments: &[(&str, i64)],
) -> Advice {
    let source = Source::kernel(text);
    let argument = |(name, value): &(&str, i64)| Argument {
        name: (*name).to_owned(),
        value: ArgumentValue::Integer(*value),
    };
    let question = Question {
        source: &source,
        reader: &SourceReader::default(),
        launch: NamedLaunch {
            arguments: arguments.iter().map(argument).collect(),
            ..launch
        },
        device,
        budget: Budget::default(),
        registers: None,
    };
    advise(&question)
}
