//! The link that opens what a compiler made, launched as it was counted: a page that counts it says the same.

use lanescope_compiled::{Known, with_objects};
use lanescope_object::Object;
use lanescope_query::Analysis;
use lanescope_share::{Device, GuessedShape, Launch, Source, State, encode};

/// The fragment that opens `listing`, with what its object says, in the launch that `compiled` was counted in. Numbers and
/// arrays are those that were `given` by the names of the source, or else those that its host code passes.
pub(super) fn code_link(
    listing: &str,
    object: Option<&Object>,
    compiled: &Analysis,
    (known, given): (&Known, &[(String, String)]),
) -> String {
    let text = object.and_then(|object| with_objects(listing, std::slice::from_ref(object)));
    let question = &compiled.question;
    let launch = &question.launch;
    encode(&State {
        source: Source::Kernel(text.unwrap_or_else(|| listing.to_owned())),
        launch: Launch {
            kernel: Some(compiled.program().name().to_owned()),
            grid: launch.grid,
            block: launch.block,
            guessed: GuessedShape {
                grid: question.is_shape_guessed,
                block: question.is_shape_guessed,
            },
            dynamic_shared_bytes: u32::try_from(launch.dynamic_shared_bytes).unwrap_or(u32::MAX),
            arguments: arguments(known, given),
            ..Launch::default()
        },
        device: Device::Known(question.device.id().to_owned()),
        ..State::default()
    })
}

/// Arguments by place, as compiled code knows them.
fn arguments(known: &Known, given: &[(String, String)]) -> Vec<(String, String)> {
    let parameters = known.parameters.iter().enumerate();
    let texts = parameters.filter_map(|(at, parameter)| {
        let text = given.iter().find(|(name, _)| *name == parameter.name);
        let text = text.map(|(_, text)| text.clone());
        let value = text.or_else(|| parameter.value.map(|value| value.to_string()))?;
        Some((format!("param_{at}"), value))
    });
    texts.collect()
}
