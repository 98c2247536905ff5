//! Launches made ready without a GPU: what is taken, what is refused.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_lab::plan::Role;
use lanescope_lab::{DeviceLimits, Fault};
use lanescope_locale::Language;
use lanescope_locale::emit::RefusalKind;
use lanescope_query::{Compiler, Question};
use lanescope_run::{Counts, Given, Ready, Refusal, Setting, Taken};
use lanescope_share::{Launch, Source, State};

fn ready(source: &str, block: u32, arguments: &[(&str, &str)]) -> Result<Ready, Refusal> {
    let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            block: [block, 1, 1],
            grid: [2, 1, 1],
            arguments: arguments.iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    let question = Question::compiled(&state, 100_000, Compiler::None).unwrap();
    let mut setting = Setting::of(DeviceLimits::PROMISED);
    setting.budget.steps = 2_000_000;
    setting.memory_bytes = 1 << 20;
    Ready::of(&question, Counts::default(), &setting)
}

#[test]
fn buffers_that_nobody_gave_are_sized_filled_and_planned() {
    let text = "__global__ void k(const float* in, float* out) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = in[2 * i];
    }";
    let ready = ready(text, 32, &[]).unwrap();
    let taken = |name: &str, given| Taken {
        name: name.to_owned(),
        given,
    };
    assert_eq!(
        ready.taken,
        [
            taken("in", Given::Random(127)),
            taken("out", Given::Random(64)),
        ]
    );
    assert!(ready.is_verifiable());
    assert_eq!(ready.traffic.total_bytes(), 4 * (127 + 64));
    let plan = ready.plan(&DeviceLimits::PROMISED).unwrap();
    let roles: Vec<&Role> = plan.buffers.iter().map(|one| &one.role).collect();
    assert!(matches!(roles[0], Role::Data(bytes, _) if bytes.len() == 508));
}

#[test]
fn a_launch_that_never_ends_is_refused_and_one_that_ends_late_is_not() {
    let endless = "__global__ void k(int* a) { while (a[0] == 0) { a[1 + threadIdx.x] += 1; } }";
    let refusal = ready(endless, 32, &[("a", "64,zero")]).unwrap_err();
    assert!(matches!(refusal, Refusal::Endless { .. }), "{refusal:?}");
    let unsized_buffer = "__global__ void k(int* a) { while (true) { a[threadIdx.x] += 1; } }";
    let refusal = ready(unsized_buffer, 32, &[]).unwrap_err();
    assert!(matches!(refusal, Refusal::Endless { .. }), "{refusal:?}");
    let turns = "__global__ void k(int* a) { int s = 0; for (unsigned i = 0; i < 2147483648u; ++i) s ^= i * a[0]; a[threadIdx.x] = s; }";
    let refusal = ready(turns, 32, &[("a", "64,iota")]).unwrap_err();
    assert!(matches!(refusal, Refusal::Endless { .. }), "{refusal:?}");
    let short = "__global__ void k(int* a) { int s = 0; for (int i = 0; i < 2000; ++i) s ^= i * a[0]; a[threadIdx.x] = s; }";
    assert!(
        ready(short, 32, &[("a", "64,iota")])
            .unwrap()
            .is_verifiable()
    );
}

#[test]
fn what_cannot_run_is_refused_by_name_and_line() {
    let store = "__global__ void k(int* a) {\n  a[threadIdx.x + 1] = 1;\n}";
    let refusal = ready(store, 32, &[("a", "32")]).unwrap_err();
    assert_eq!(refusal, Refusal::OutOfBounds { line: 2 });
    let double = "__global__ void k(double* a) {\n  a[threadIdx.x] *= 2.0;\n}";
    let refusal = ready(double, 32, &[("a", "64")]).unwrap_err();
    let kind = RefusalKind::Double;
    assert_eq!(refusal, Refusal::Untranslated { line: 2, kind });
    let large = ready(store, 32, &[("a", "1073741824")]).unwrap_err();
    let fits_bytes = 1 << 20;
    let bytes = 1 << 32;
    assert_eq!(
        large,
        Refusal::Device(Fault::TooLarge { bytes, fits_bytes })
    );
    for refusal in [refusal, large] {
        let said = Language::ALL.map(|language| refusal.text(language));
        assert!(said.iter().all(|text| !text.is_empty()) && said[0] != said[1]);
    }
}

#[test]
fn a_buffer_that_begins_inside_its_memory_begins_at_its_start_here_and_it_is_said() {
    let copy = "__global__ void k(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }";
    let arguments = [("a", "64,iota,offset:4"), ("b", "32,zero")];
    let moved = ready(copy, 32, &arguments).unwrap();
    assert_eq!(moved.moved, ["a"]);
    assert!(moved.is_verifiable());
    assert!(
        ready(copy, 32, &[("a", "64,iota"), ("b", "32,zero")])
            .unwrap()
            .moved
            .is_empty()
    );
}

#[test]
fn a_wide_number_times_an_index_chooses_no_buffer() {
    let tile = "__global__ void k(const float* in, float* out, size_t pitch) {
        out[threadIdx.x] = in[threadIdx.y * pitch + threadIdx.x];
    }";
    let arguments = [("in", "64,iota"), ("out", "64,zero"), ("pitch", "8")];
    assert!(ready(tile, 32, &arguments).unwrap().is_verifiable());
}

#[test]
fn bytes_count_as_far_as_the_launch_goes_into_its_buffers() {
    let copy = "__global__ void k(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }";
    let large = ready(copy, 32, &[("a", "4096,iota"), ("b", "4096,zero")]).unwrap();
    assert_eq!(
        (large.traffic.read_bytes, large.traffic.written_bytes),
        (128, 128)
    );
}
