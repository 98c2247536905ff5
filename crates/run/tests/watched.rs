//! Launches whose indices depend on data, run on a device (or lavapipe): what leaves its array is found in a first run.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_lab::{DeviceLimits, Gpu, Machine, TimingRules, Unattended};
use lanescope_locale::emit::Note;
use lanescope_query::{Compiler, Question};
use lanescope_run::{Counts, Failure, Ready, Setting, Verdict, measure};
use lanescope_share::{Launch, Source, State};

/// Threads of a launch that is larger than its simulation may be.
const THREADS: u32 = 64 * BLOCKS;
const BLOCKS: u32 = 512;

/// A launch of which the simulator sees the first few blocks.
fn ready(source: &str, arguments: &[(&str, String)], limits: DeviceLimits) -> Ready {
    let pair = |(name, value): &(&str, String)| ((*name).to_owned(), value.clone());
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            block: [64, 1, 1],
            grid: [BLOCKS, 1, 1],
            arguments: arguments.iter().map(pair).collect(),
            ..Launch::default()
        },
        ..State::default()
    };
    let question = Question::compiled(&state, 100_000, Compiler::None).unwrap();
    let mut setting = Setting::of(limits);
    setting.budget.requests = 200;
    setting.budget.steps = 4_000;
    Ready::of(&question, Counts::default(), &setting).unwrap()
}

/// The device of this machine. One that is missing is a failure, unless `LANESCOPE_GPU=none` says that there is none.
fn gpu() -> Option<Gpu> {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return None;
    }
    Some(pollster::block_on(Gpu::open(None)).unwrap())
}

fn run(gpu: &mut Gpu, ready: Ready) -> Result<Verdict, Failure> {
    let rules = TimingRules::of_adapter(true);
    let report = pollster::block_on(measure(gpu, &[ready], &rules, &Unattended))?;
    Ok(report.launches[0].verdict)
}

#[test]
fn an_index_that_data_sends_outside_is_found_in_the_run() {
    let Some(mut gpu) = gpu() else { return };
    let limits = gpu.limits();
    let scattered = |of: &str, value: &str| {
        format!(
            "__global__ void k(const int* at, {of}* out) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[at[i]] = {value};
}}"
        )
    };
    let added = "__global__ void k(const int* at, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[at[i]], 1);
}";
    let gathered = "__global__ void k(const int* at, float4* out, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = out[at[i]].x + 1.0f;
}";
    let cases = [
        scattered("int", "i"),
        scattered("unsigned char", "1"),
        scattered("float2", "make_float2(1.0f, 2.0f)"),
        added.to_owned(),
        gathered.to_owned(),
    ];
    for source in cases {
        let of = |elements: u32| {
            let mut arguments = vec![
                ("at", format!("{THREADS},iota")),
                ("out", elements.to_string()),
            ];
            if source.contains("sum") {
                arguments.push(("sum", format!("{THREADS}")));
            }
            ready(&source, &arguments, limits)
        };
        let inside = of(THREADS);
        assert!(inside.unverifiable().is_some());
        assert!(inside.notes().contains(&Note::WatchedFirst), "{source}");
        assert_eq!(run(&mut gpu, inside), Ok(Verdict::Unverified), "{source}");
        let outside = run(&mut gpu, of(THREADS - 1));
        let (name, line) = ("out".to_owned(), 3);
        assert_eq!(outside, Err(Failure::Outside { name, line }), "{source}");
    }
}

#[test]
fn shared_memory_is_watched_too() {
    let Some(mut gpu) = gpu() else { return };
    let source = |last: u32| {
        format!(
            "__global__ void k(const int* at, int* out) {{
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[at[i] / {last}] = i;
  __syncthreads();
  out[i] = tile[threadIdx.x];
}}"
        )
    };
    let arguments = [
        ("at", format!("{THREADS},iota")),
        ("out", THREADS.to_string()),
    ];
    let inside = ready(&source(BLOCKS), &arguments, gpu.limits());
    assert_eq!(run(&mut gpu, inside), Ok(Verdict::Unverified));
    let outside = ready(&source(BLOCKS / 2), &arguments, gpu.limits());
    let (name, line) = ("tile".to_owned(), 4);
    assert_eq!(run(&mut gpu, outside), Err(Failure::Outside { name, line }));
}

#[test]
fn a_launch_that_is_proved_to_stay_inside_is_not_watched() {
    let source = "__global__ void k(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}";
    let ready = ready(source, &[], DeviceLimits::PROMISED);
    assert!(ready.unverifiable().is_some());
    let is_said = |note: &Note| matches!(note, Note::WatchedFirst | Note::Unwatched);
    assert!(!ready.notes().iter().any(is_said));
}

#[test]
fn where_no_buffer_is_left_it_is_said_that_nothing_is_checked() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let parameters = names.map(|name| format!("int* {name}")).join(", ");
    let stores = names.map(|name| format!("{name}[at[i]] = i;")).join(" ");
    let source = format!(
        "__global__ void k(const int* at, {parameters}) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {stores}
}}"
    );
    let mut arguments = vec![("at", format!("{THREADS},iota"))];
    arguments.extend(names.map(|name| (name, THREADS.to_string())));
    let ready = ready(&source, &arguments, DeviceLimits::PROMISED);
    assert!(
        ready.notes().contains(&Note::Unwatched),
        "{:?}",
        ready.notes()
    );
}
