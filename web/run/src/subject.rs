//! The kernel that a link shows, as written, with its launch.

use std::sync::Arc;

use lanescope_frontend::{Argument, ArgumentValue, Buffer, Contents, Severity, is_wgsl};
use lanescope_query::{Compiler, Question, kernel_options};
use lanescope_run::Refusal;
use lanescope_share::{self as share, Source, State};
use lanescope_wgsl::Interface;

use crate::message::Chosen;

/// Most requests of warps that are counted.
const MOST_REQUESTS: u64 = 4_000_000;

/// Seed of random contents.
const SEED: u64 = 1;

/// Bytes of files, by the buffers' names.
pub(crate) type Files = Vec<(String, Arc<[u8]>)>;

/// The state that a link describes.
///
/// # Errors
/// When it shows no kernel.
pub(crate) fn opened(fragment: &str) -> Result<State, Refusal> {
    let opened = share::decode(fragment).map_err(|_| Refusal::NoKernel)?;
    match opened.state.source {
        Source::Kernel(_) => Ok(opened.state),
        Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => {
            Err(Refusal::NoKernel)
        }
    }
}

/// The kernel of a state as written, with its launch.
///
/// # Errors
/// When the text has no kernel, or a mistake.
pub(crate) fn question(state: &State) -> Result<Question, Refusal> {
    let question = match &state.source {
        Source::Kernel(text) if is_wgsl(text) => {
            let parsed = lanescope_wgsl::parse(text, &kernel_options(state));
            Question::with(state, parsed, text.clone(), MOST_REQUESTS)
        }
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => Question::compiled(state, MOST_REQUESTS, Compiler::None),
    };
    let mut question = question.map_err(|_| Refusal::NoKernel)?;
    question.take_host_sizes(&state.launch.defines);
    let mut diagnostics = question.parsed.diagnostics.iter();
    if diagnostics.any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return Err(Refusal::NoKernel);
    }
    Ok(question)
}

/// What the kernel of a state in WGSL binds; nothing where it is in another language.
pub(crate) fn interface(state: &State) -> Option<Interface> {
    match &state.source {
        Source::Kernel(text) if is_wgsl(text) => {
            lanescope_wgsl::read(text, &kernel_options(state)).1
        }
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => None,
    }
}

/// The names of the kernel's buffers.
pub(crate) fn buffers(question: &Question) -> Vec<String> {
    let parameters = question.parsed.program.parameters().iter();
    let buffers = parameters.filter(|parameter| parameter.array.is_some());
    buffers.map(|buffer| buffer.name.clone()).collect()
}

/// Has buffers hold what the reader chose.
pub(crate) fn choose(question: &mut Question, contents: &[(String, Chosen)], files: &Files) {
    for (name, chosen) in contents {
        let held = match chosen {
            Chosen::Zeros => Contents::Zero,
            Chosen::Iota => Contents::Iota,
            Chosen::Random => Contents::Random(SEED),
            Chosen::File => {
                if let Some((_, bytes)) = files.iter().find(|(of, _)| of == name) {
                    let given = (name.clone(), Arc::clone(bytes));
                    question.launch.contents.push(given);
                }
                continue;
            }
        };
        hold(&mut question.launch.arguments, name, held);
    }
}

fn hold(arguments: &mut Vec<Argument>, name: &str, contents: Contents) {
    let given = arguments.iter_mut().find(|argument| argument.name == name);
    match given.map(|one| &mut one.value) {
        Some(ArgumentValue::Buffer(buffer)) => buffer.contents = contents,
        Some(value) => {
            *value = ArgumentValue::Buffer(Buffer {
                elements: elements(value),
                contents,
                ..Buffer::default()
            });
        }
        None => arguments.push(Argument {
            name: name.to_owned(),
            value: ArgumentValue::Buffer(Buffer {
                contents,
                ..Buffer::default()
            }),
        }),
    }
}

/// The elements that a number says of a buffer.
fn elements(value: &ArgumentValue) -> Option<u64> {
    match value {
        ArgumentValue::Integer(number) => u64::try_from(*number).ok(),
        ArgumentValue::Real(_) => None,
        ArgumentValue::Buffer(buffer) => buffer.elements,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_share::Launch;

    #[test]
    fn chosen_contents_keep_the_size_that_the_launch_says() {
        let state = State {
            source: Source::Kernel(
                "__global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }"
                    .to_owned(),
            ),
            launch: Launch {
                block: [32, 1, 1],
                arguments: vec![("in".to_owned(), "64".to_owned())],
                ..Launch::default()
            },
            ..State::default()
        };
        let state = opened(&share::encode(&state)).unwrap();
        let mut question = question(&state).unwrap();
        assert_eq!(buffers(&question), ["in", "out"]);
        let chosen = [
            ("in".to_owned(), Chosen::Iota),
            ("out".to_owned(), Chosen::Random),
        ];
        choose(&mut question, &chosen, &Vec::new());
        let buffer = |name: &str| {
            let mut all = question.launch.arguments.iter();
            match all.find(|one| one.name == name).map(|one| &one.value) {
                Some(ArgumentValue::Buffer(buffer)) => *buffer,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(buffer("in").elements, Some(64));
        assert_eq!(buffer("in").contents, Contents::Iota);
        assert_eq!(buffer("out").contents, Contents::Random(SEED));
    }

    #[test]
    fn wgsl_is_read_with_what_it_binds() {
        let text = "override SIDE: u32 = 8;
            @group(0) @binding(0) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(SIDE)
            fn fill(@builtin(global_invocation_id) at: vec3<u32>) { out[at.x] = SIDE; }";
        let state = State {
            source: Source::Kernel(text.to_owned()),
            launch: Launch {
                defines: vec![("SIDE".to_owned(), "16".to_owned())],
                ..Launch::default()
            },
            ..State::default()
        };
        assert_eq!(buffers(&question(&state).unwrap()), ["out"]);
        let interface = interface(&state).unwrap();
        assert_eq!(interface.workgroup_size, [16, 1, 1]);
        assert_eq!(interface.constants, [("SIDE".to_owned(), 16.0)]);
    }

    #[test]
    fn what_is_no_kernel_is_refused() {
        assert_eq!(opened("e=a[threadIdx.x]").err(), Some(Refusal::NoKernel));
        let state = State {
            source: Source::Kernel("__global__ void k(int* a) { a[ }".to_owned()),
            ..State::default()
        };
        assert_eq!(question(&state).err(), Some(Refusal::NoKernel));
    }
}
