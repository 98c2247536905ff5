//! Sizes of a launch's buffers, as the host code of the same text allocates them.

use crate::shape::host_arguments;
use lanescope_cuda::source::{HostLaunch, host_launch};
use lanescope_frontend::{Argument, ArgumentValue, Buffer, Language, NamedLaunch, Program};

/// What every allocation of host code that is read has in its name.
const ALLOCATES: &str = "Malloc";

/// Gives the buffers of `launch` whose size nobody gave the one that the host code of `source` allocates, where the launch is
/// that of the host code: its grid, its block and its numbers. Of another launch, or where a size is no constant, nothing is taken.
/// Returns the names of the buffers that got one.
pub fn take_host_sizes(
    launch: &mut NamedLaunch,
    program: &Program,
    source: &str,
    defines: &[(String, String)],
) -> Vec<String> {
    if !source.contains(ALLOCATES) || Language::of(source) != Language::Cuda {
        return Vec::new();
    }
    let host = host_launch(source, program.name(), defines);
    let Some(host) = host.filter(|host| is_of_host(launch, program, host)) else {
        return Vec::new();
    };
    let sizes = host_sizes(program, &host);
    let held = sizes.filter(|(name, elements)| hold(&mut launch.arguments, name, *elements));
    held.map(|(name, _)| name).collect()
}

/// Whether a launch is that of the host code, as far as that is constant.
fn is_of_host(launch: &NamedLaunch, program: &Program, host: &HostLaunch) -> bool {
    let block = program.block().or(host.block);
    let is_given = |(name, value): (&str, i64)| {
        let mut given = launch.arguments.iter().rev();
        let given = given.find(|one| one.name == name);
        given.is_some_and(|one| one.value == ArgumentValue::Integer(value))
    };
    host.grid == Some(launch.grid)
        && block == Some(launch.block)
        && launch.values.iter().all(Option::is_none)
        && host_arguments(program, host).all(is_given)
}

/// The elements of each buffer that the host allocates for the launch.
fn host_sizes<'p>(
    program: &'p Program,
    host: &'p HostLaunch,
) -> impl Iterator<Item = (String, u64)> + 'p {
    let parameters = program.parameters().iter();
    parameters.filter_map(|parameter| {
        let array = program.arrays().get(parameter.array?.index())?;
        let passed = parameter.passed.filter(|passed| passed.offset == 0)?;
        let position = usize::try_from(passed.position).ok()?;
        let bytes = host.pointed_bytes.get(position).copied().flatten()?;
        let elements = bytes / array.element_bytes.max(1);
        (elements > 0).then(|| (parameter.name.clone(), elements))
    })
}

/// Gives a buffer its elements, where nobody did; returns whether it got them.
fn hold(arguments: &mut Vec<Argument>, name: &str, elements: u64) -> bool {
    let given = arguments
        .iter_mut()
        .rev()
        .find(|argument| argument.name == name);
    match given.map(|one| &mut one.value) {
        Some(ArgumentValue::Buffer(buffer)) => {
            let is_open = buffer.elements.is_none();
            buffer.elements.get_or_insert(elements);
            is_open
        }
        Some(ArgumentValue::Integer(_) | ArgumentValue::Real(_)) => false,
        None => {
            arguments.push(Argument {
                name: name.to_owned(),
                value: ArgumentValue::Buffer(Buffer {
                    elements: Some(elements),
                    ..Buffer::default()
                }),
            });
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Question, analyse, found_launch};
    use lanescope_frontend::DiagnosticKind;
    use lanescope_share::{Device, Source, State};

    /// `out[i] = in[i + 1]` of 1,024 threads, over so many floats of `in`.
    fn question(allocated: &str, change: impl FnOnce(&mut State)) -> Question {
        let text = format!(
            "__global__ void k(const float* in, float* out, int n) {{
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) out[i] = in[i + 1];
            }}
            int main() {{
              const int N = 1024;
              float *a, *b;
              cudaMalloc(&a, {allocated} * sizeof(float));
              cudaMalloc(&b, N * sizeof(float));
              k<<<N / 256, 256>>>(a, b, N);
            }}"
        );
        let mut state = State {
            launch: found_launch(&text, &Device::default()),
            source: Source::Kernel(text),
            ..State::default()
        };
        change(&mut state);
        let mut question = Question::of(&state, 100_000).unwrap();
        question.take_host_sizes(&state.launch.defines);
        question
    }

    fn is_outside(question: Question) -> bool {
        let analysis = analyse(question);
        let mut diagnostics = analysis.diagnostics.iter();
        diagnostics.any(|diagnostic| matches!(diagnostic.kind, DiagnosticKind::OutOfBounds { .. }))
    }

    #[test]
    fn an_index_behind_what_the_host_allocates_is_out_of_bounds() {
        assert!(is_outside(question("N", |_| ())));
        assert!(!is_outside(question("(N + 1)", |_| ())));
        assert!(!is_outside(question("elsewhere", |_| ())));
    }

    #[test]
    fn another_launch_than_the_hosts_has_buffers_of_no_size() {
        let other = |state: &mut State| state.launch.grid = [2, 1, 1];
        assert!(!is_outside(question("N", other)));
        let other = |state: &mut State| {
            state.launch.arguments = vec![("n".to_owned(), "1000".to_owned())];
        };
        assert!(!is_outside(question("N", other)));
    }

    #[test]
    fn a_size_that_is_given_stays() {
        let given = |state: &mut State| {
            let size = ("in".to_owned(), "1025".to_owned());
            state.launch.arguments.push(size);
        };
        assert!(!is_outside(question("N", given)));
    }
}
