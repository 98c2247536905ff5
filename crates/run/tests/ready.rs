//! Launches made ready without a GPU: what is taken, what is refused.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_lab::DeviceLimits;
use lanescope_lab::plan::{Role, Slot, Step};
use lanescope_locale::Language;
use lanescope_locale::emit::RefusalKind;
use lanescope_query::{Compiler, Question, kernel_options};
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
        is_sized: false,
    };
    assert_eq!(
        ready.taken,
        [
            taken("in", Given::Random(127)),
            taken("out", Given::Random(64)),
        ]
    );
    assert!(ready.unverifiable().is_none());
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
            .unverifiable()
            .is_none()
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
    let fits_bytes = DeviceLimits::PROMISED.array_bytes();
    let (name, bytes) = ("a".to_owned(), 1 << 32);
    assert_eq!(
        large,
        Refusal::LargeBuffer {
            name,
            bytes,
            fits_bytes
        }
    );
    let (bytes, fits_bytes) = (4 << 20, 1 << 20);
    let in_all = ready(store, 32, &[("a", "1048576")]).unwrap_err();
    assert_eq!(in_all, Refusal::Memory { bytes, fits_bytes });
    assert!(in_all.to_string().contains("4,194,304 bytes in all"));
    for refusal in [refusal, large, in_all] {
        let said = [Language::English, Language::Chinese].map(|language| refusal.text(language));
        assert!(said.iter().all(|text| !text.is_empty()) && said[0] != said[1]);
    }
}

#[test]
fn a_buffer_that_begins_inside_its_memory_begins_at_its_start_here_and_it_is_said() {
    let copy = "__global__ void k(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }";
    let arguments = [("a", "64,iota,offset:4"), ("b", "32,zero")];
    let moved = ready(copy, 32, &arguments).unwrap();
    assert_eq!(moved.moved, ["a"]);
    assert!(moved.unverifiable().is_none());
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
    assert!(
        ready(tile, 32, &arguments)
            .unwrap()
            .unverifiable()
            .is_none()
    );
}

#[test]
fn buffers_that_host_code_sizes_hold_numbers_where_no_address_depends_on_them() {
    let given = |body: &str, arguments: &[(&str, &str)]| -> Vec<(String, Given, bool)> {
        let source = format!(
            "__global__ void k(const int* a, int* b) {{ {body} }}
            int main() {{ int *a, *b; cudaMalloc(&a, 256); cudaMalloc(&b, 128); k<<<2, 32>>>(a, b); }}"
        );
        let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let state = State {
            source: Source::Kernel(source),
            launch: Launch {
                block: [32, 1, 1],
                grid: [2, 1, 1],
                arguments: arguments.iter().map(pair).collect(),
                ..Launch::default()
            },
            ..State::default()
        };
        let mut question = Question::compiled(&state, 100_000, Compiler::None).unwrap();
        question.take_host_sizes(&[]);
        let setting = Setting::of(DeviceLimits::PROMISED);
        let ready = Ready::of(&question, Counts::default(), &setting).unwrap();
        let taken = ready.taken.into_iter();
        taken
            .map(|one| (one.name, one.given, one.is_sized))
            .collect()
    };
    let sized = |name: &str, given| (name.to_owned(), given, true);
    let copy = "b[threadIdx.x] = a[threadIdx.x];";
    assert_eq!(
        given(copy, &[]),
        [sized("a", Given::Random(64)), sized("b", Given::Random(32))]
    );
    assert_eq!(
        given(copy, &[("a", "64"), ("b", "zero")]),
        [sized("b", Given::Random(32))]
    );
    assert_eq!(
        given("b[a[threadIdx.x]] = 1;", &[]),
        [sized("a", Given::Zeros(64)), sized("b", Given::Zeros(32))]
    );
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

/// A kernel of whole programs that a run has a page's patience for.
fn patient(source: &str, kernel: &str, launch: Launch) -> Result<Ready, Refusal> {
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            kernel: Some(kernel.to_owned()),
            ..launch
        },
        ..State::default()
    };
    let question = Question::compiled(&state, 100_000, Compiler::None).unwrap();
    let mut setting = Setting::of(DeviceLimits {
        invocations: 1024,
        ..DeviceLimits::PROMISED
    });
    setting.budget.requests = 20_000;
    setting.budget.steps = 200_000;
    Ready::of(&question, Counts::default(), &setting)
}

#[test]
fn large_launches_have_sizes_without_being_run_whole() {
    let argument = |name: &str, value: u32| (name.to_owned(), value.to_string());
    let reductions = include_str!("../../lab/tests/emitted/reductions.cu");
    let elements = 2048 * 2048;
    let launch = Launch {
        block: [256, 1, 1],
        grid: [elements / 256, 1, 1],
        dynamic_shared_bytes: 1024,
        arguments: vec![argument("n", elements)],
        ..Launch::default()
    };
    for kernel in ["divergent", "sequential"] {
        let ready = patient(reductions, kernel, launch.clone()).unwrap();
        let sizes: Vec<Given> = ready.taken.iter().map(|one| one.given).collect();
        assert_eq!(
            sizes,
            [
                Given::Random(u64::from(elements)),
                Given::Random(u64::from(elements / 256))
            ]
        );
        assert!(ready.unverifiable().is_some());
    }
    let transposes = include_str!("../../lab/tests/emitted/transposes.cu");
    let side = 4096;
    let launch = Launch {
        block: [32, 32, 1],
        grid: [side / 32, side / 32, 1],
        arguments: vec![argument("nx", side), argument("ny", side)],
        ..Launch::default()
    };
    let ready = patient(transposes, "tiled", launch).unwrap();
    let sizes: Vec<Given> = ready.taken.iter().map(|one| one.given).collect();
    let all = u64::from(side) * u64::from(side);
    assert_eq!(sizes, [Given::Random(all), Given::Random(all)]);
}

#[test]
fn an_index_outside_in_a_block_that_no_simulation_reaches_is_refused() {
    let source = "__global__ void k(float* out) {\n  out[blockIdx.x * 32 + threadIdx.x] = 1.0f;\n}";
    let launch = |elements: u32| Launch {
        block: [32, 1, 1],
        grid: [1 << 20, 1, 1],
        arguments: vec![("out".to_owned(), elements.to_string())],
        ..Launch::default()
    };
    let refusal = patient(source, "k", launch((1 << 25) - 1)).unwrap_err();
    assert_eq!(refusal, Refusal::OutOfBounds { line: 2 });
    assert!(patient(source, "k", launch(1 << 25)).is_ok());
}

/// A kernel in WGSL, and what it binds.
fn as_it_is(source: &str, arguments: &[(&str, &str)]) -> Result<Ready, Refusal> {
    let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid: [2, 1, 1],
            arguments: arguments.iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    let (parsed, interface) = lanescope_wgsl::read(source, &kernel_options(&state));
    let question = Question::with(&state, parsed, source.to_owned(), 100_000).unwrap();
    let setting = Setting::of(DeviceLimits::PROMISED);
    Ready::as_it_is(&question, &interface.unwrap(), Counts::default(), &setting)
}

#[test]
fn wgsl_keeps_its_text_its_bindings_and_the_bytes_of_its_uniform() {
    let text = "struct Shape { last: u32, by: f32 }
        @group(0) @binding(1) var<uniform> shape: Shape;
        @group(1) @binding(0) var<storage, read_write> all: array<f32>;
        @compute @workgroup_size(32)
        fn scale(@builtin(global_invocation_id) at: vec3<u32>) {
            if (at.x <= shape.last) { all[at.x] *= shape.by; }
        }";
    let ready = as_it_is(
        text,
        &[("all", "33,iota"), ("shape.last", "32"), ("shape.by", "2")],
    );
    let ready = ready.unwrap();
    assert_eq!(
        (ready.emitted.text.as_str(), ready.emitted.entry.as_str()),
        (text, "scale")
    );
    assert!(
        ready.unverifiable().is_none() && ready.changes_its_input() && ready.notes().is_empty()
    );
    let plan = ready.plan(&DeviceLimits::PROMISED).unwrap();
    let Some(Step::Dispatch {
        bindings,
        workgroups,
        ..
    }) = plan.steps.first()
    else {
        panic!("{:?}", plan.steps);
    };
    assert_eq!(*workgroups, [2, 1, 1]);
    let slot = |group, binding| Slot { group, binding };
    assert_eq!(bindings.as_slice(), [(slot(1, 0), 0), (slot(0, 1), 1)]);
    // `arrayLength` sees as many elements as the launch says.
    assert_eq!(plan.buffers[0].bytes, 4 * 33);
    let uniform: Vec<u8> = [32_u32.to_le_bytes(), 2_f32.to_le_bytes()].concat();
    assert_eq!(plan.buffers[1].role, Role::Uniform(uniform.into()));
}

#[test]
fn wgsl_that_the_device_has_no_room_for_is_refused_by_name() {
    let wide = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @compute @workgroup_size(512) fn k(@builtin(local_invocation_index) i: u32) { a[i] = i; }";
    let kind = RefusalKind::BlockTooLarge {
        threads: 512,
        most: 256,
    };
    assert_eq!(
        as_it_is(wide, &[]).unwrap_err(),
        Refusal::Untranslated { line: 0, kind }
    );
    let outside = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @compute @workgroup_size(32) fn k(@builtin(local_invocation_index) i: u32) {
            a[i + 1u] = i;
        }";
    let refusal = as_it_is(outside, &[("a", "32")]).unwrap_err();
    assert_eq!(refusal, Refusal::OutOfBounds { line: 3 });
}
