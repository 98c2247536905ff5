//! Known answers on whole sources.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::written;

use lanescope_fixes::{
    Advice, FixKind, FixSearch, Note, Place, Proof, Question, Source, Suggestion, advise,
    advise_as_found,
};
use lanescope_frontend::{Argument, ArgumentValue, Budget, Buffer, NamedLaunch};
use lanescope_model::{Device, Operation};
use lanescope_query::SourceReader;
use lanescope_wire::Wire as _;

fn asked(source: &Source, launch: NamedLaunch) -> Advice {
    let question = Question {
        source,
        reader: &SourceReader::default(),
        launch,
        device: <&Device>::default(),
        budget: Budget {
            requests: 1_000_000,
            steps: 50_000_000,
            ..Budget::default()
        },
        registers: None,
    };
    let advice = written::advise(&question);
    // What a worker tells its page is the same.
    assert_eq!(Advice::of_bytes(&advice.to_bytes()).as_ref(), Some(&advice));
    advice
}

fn fix(text: &str, grid: [u32; 3], block: [u32; 3], arguments: &[(&str, i64)]) -> Advice {
    let launch = NamedLaunch {
        arguments: arguments
            .iter()
            .map(|(name, value)| integer(name, *value))
            .collect(),
        ..NamedLaunch::new(grid, block)
    };
    asked(&Source::kernel(text), launch)
}

fn integer(name: &str, value: i64) -> Argument {
    Argument {
        name: name.to_owned(),
        value: ArgumentValue::Integer(value),
    }
}

fn find(advice: &Advice, kind: impl Fn(&FixKind) -> bool) -> Option<&Suggestion> {
    advice
        .suggestions
        .iter()
        .find(|suggestion| kind(&suggestion.kind))
}

fn is_pad(kind: &FixKind) -> bool {
    matches!(
        kind,
        FixKind::Place(Place::Pad { .. } | Place::PadEvery { .. })
    )
}

fn is_xor(kind: &FixKind) -> bool {
    matches!(
        kind,
        FixKind::Place(Place::Swizzle(_) | Place::RowXor { .. })
    )
}

fn tiled(side: u32, of: &str) -> String {
    format!(
        "__global__ void k(const {of}* in, {of}* out, int n) {{
  __shared__ {of} tile[{side}][{side}];
  int x = blockIdx.x * {side} + threadIdx.x, y = blockIdx.y * {side} + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];  // by rows
  __syncthreads();
  x = blockIdx.y * {side} + threadIdx.x; y = blockIdx.x * {side} + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y]; /* tile by columns */
}}"
    )
}

#[test]
fn a_32_by_32_transpose_is_freed_by_a_pad_of_1_and_by_an_xor() {
    let advice = fix(&tiled(32, "float"), [2, 2, 1], [32, 32, 1], &[("n", 64)]);
    let pad = find(&advice, is_pad).unwrap();
    assert_eq!(pad.snippet, "tile[32][33]");
    assert_eq!(
        (
            pad.totals[0].shared.wavefronts,
            pad.totals[1].shared.wavefronts
        ),
        (4224, 256)
    );
    assert_eq!(
        pad.occupancy.map(|occupancy| occupancy.shared_bytes),
        [4096, 4224]
    );
    let xor = find(&advice, is_xor).unwrap();
    assert_eq!(xor.snippet, "tile[threadIdx.y][threadIdx.x ^ threadIdx.y]");
    assert_eq!(xor.totals[1].shared.conflicts(), 0);
    assert_eq!(xor.proof, Proof::SameAccesses);
    assert_eq!(advice.suggestions[0].kind, pad.kind, "the simplest first");
    let bound = Note::Bound {
        array: "tile".to_owned(),
        wavefronts: 256,
    };
    assert!(advice.notes.contains(&bound), "{:?}", advice.notes);
}

#[test]
fn the_rest_of_the_text_stays_as_it_is() {
    let text = tiled(32, "float");
    let advice = fix(&text, [2, 2, 1], [32, 32, 1], &[("n", 64)]);
    let pad = find(&advice, is_pad).unwrap();
    assert_eq!(
        pad.source.text(),
        text.replace("tile[32][32]", "tile[32][33]")
    );
    let xor = find(&advice, is_xor).unwrap();
    let expected = text
        .replace(
            "tile[threadIdx.y][threadIdx.x] =",
            "tile[threadIdx.y][threadIdx.x ^ threadIdx.y] =",
        )
        .replace(
            "tile[threadIdx.x][threadIdx.y];",
            "tile[threadIdx.x][threadIdx.y ^ threadIdx.x];",
        );
    assert_eq!(xor.source.text(), expected);
}

#[test]
fn only_an_xor_frees_a_16_by_16_tile() {
    let advice = fix(&tiled(16, "float"), [2, 2, 1], [16, 16, 1], &[("n", 32)]);
    assert_eq!(
        find(&advice, is_xor).unwrap().totals[1].shared.conflicts(),
        0
    );
    let pads = advice
        .suggestions
        .iter()
        .filter(|suggestion| is_pad(&suggestion.kind));
    assert!(pads.clone().all(|pad| pad.totals[1].shared.conflicts() > 0));
}

#[test]
fn a_padding_that_does_not_help_gives_way_to_an_xor() {
    let text = tiled(16, "float").replace("tile[16][16]", "tile[16][16 + 1]");
    let advice = fix(&text, [2, 2, 1], [16, 16, 1], &[("n", 32)]);
    let first = &advice.suggestions[0];
    assert!(
        matches!(first.kind, FixKind::Narrowed(Place::Swizzle(_))),
        "{advice:#?}"
    );
    assert_eq!(first.totals[1].shared.conflicts(), 0);
    assert!(first.source.text().contains("float tile[16][16];"));
}

#[test]
fn tiles_of_other_types_are_freed() {
    for (of, side) in [
        ("double", 32),
        ("short", 32),
        ("unsigned char", 32),
        ("float4", 16),
    ] {
        let advice = fix(
            &tiled(side, of),
            [1, 1, 1],
            [side, side, 1],
            &[("n", side.into())],
        );
        let best = advice.suggestions.first();
        assert_eq!(
            best.map(|best| best.totals[1].shared.conflicts()),
            Some(0),
            "{of}: {advice:#?}"
        );
    }
}

#[test]
fn a_64_by_64_tile_is_freed_within_16384_bytes() {
    let text = tiled(64, "float")
        .replace("threadIdx.y]", "threadIdx.y + j]")
        .replace("[threadIdx.y", "[threadIdx.y + j");
    let text = text
        .replace("  tile[", "  for (int j = 0; j < 64; j += 16) tile[")
        .replace("  out[", "  for (int j = 0; j < 64; j += 16) out[");
    let text = text
        .replace("[threadIdx.y + j + j]", "[threadIdx.y + j]")
        .replace("y * n", "(y + j) * n");
    let advice = fix(&text, [1, 1, 1], [64, 16, 1], &[("n", 64)]);
    let within: Vec<_> = advice
        .suggestions
        .iter()
        .filter(|fix| fix.occupancy[1].shared_bytes <= 16_384)
        .collect();
    assert!(
        within
            .iter()
            .any(|fix| is_xor(&fix.kind) && fix.totals[1].shared.conflicts() == 0),
        "{text} {advice:#?}"
    );
    assert!(within.iter().all(|fix| !is_pad(&fix.kind)));
}

#[test]
fn an_interleaved_reduction_becomes_sequential() {
    for guard in ["index < blockDim.x", "index + s < blockDim.x"] {
        let text = format!(
            "__global__ void reduce(const int* in, int* out) {{
  __shared__ int sdata[256];
  int tid = threadIdx.x;
  sdata[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {{
    int index = 2 * s * tid;
    if ({guard}) sdata[index] += sdata[index + s];
    __syncthreads();
  }}
  if (tid == 0) out[blockIdx.x] = sdata[0];
}}"
        );
        let advice = fix(&text, [4, 1, 1], [256, 1, 1], &[]);
        let first = &advice.suggestions[0];
        assert_eq!(
            (&first.kind, first.proof),
            (&FixKind::Sequential, Proof::SameSums),
            "{advice:#?}"
        );
        assert_eq!(first.totals[1].shared.conflicts(), 0);
        // 35 conflicts of stores a block, as counted; loads meet twice as often.
        assert_eq!(first.totals[0].shared.conflicts(), 4 * 3 * 35);
        assert!(
            first
                .source
                .text()
                .contains("for (int s = blockDim.x / 2; s > 0; s >>= 1)")
        );
    }
}

#[test]
fn blellochs_scan_pads_by_one_after_every_32() {
    let text = "__global__ void scan(float* out, const float* in, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, offset = 1;
  temp[2 * thid] = in[2 * thid];
  temp[2 * thid + 1] = in[2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  __syncthreads();
  out[2 * thid] = temp[2 * thid];
}";
    let launch = NamedLaunch {
        dynamic_shared_bytes: 4096,
        arguments: vec![integer("n", 1024)],
        ..NamedLaunch::new([1, 1, 1], [512, 1, 1])
    };
    let advice = asked(&Source::kernel(text), launch);
    let pad = advice.suggestions.iter().find(|fix| {
        fix.kind
            == FixKind::Place(Place::PadEvery {
                group: 32,
                elements: 1,
            })
    });
    let pad = pad.unwrap_or_else(|| panic!("{advice:#?}"));
    assert!(
        pad.source
            .text()
            .contains("temp[bi + (bi >> 5)] += temp[ai + (ai >> 5)];")
    );
    assert_eq!(pad.launch.dynamic_shared_bytes, 4224);
    assert_eq!(pad.totals[1].shared.conflicts(), 0);
}

#[test]
fn strides_of_2_4_and_16_are_freed() {
    for stride in [2, 4, 16] {
        let text = format!(
            "__global__ void k(float* out) {{ __shared__ float s[{}]; s[threadIdx.x * {stride}] = 1.0f; __syncthreads(); out[threadIdx.x] = s[threadIdx.x * {stride}]; }}",
            256 * stride
        );
        let advice = fix(&text, [1, 1, 1], [256, 1, 1], &[]);
        assert_eq!(
            advice.suggestions[0].totals[1].shared.conflicts(),
            0,
            "{stride}"
        );
    }
}

#[test]
fn structures_of_2_and_4_words_are_split_and_3_are_free() {
    for (fields, conflicts) in [("x, y", true), ("x, y, z", false), ("x, y, z, w", true)] {
        let text = format!(
            "struct S {{ float {fields}; }};
__global__ void k(float* out) {{
  __shared__ S s[128];
  s[threadIdx.x].x = 1.0f;
  __syncthreads();
  s[threadIdx.x].y = s[127 - threadIdx.x].x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].y;
}}"
        );
        let advice = fix(&text, [1, 1, 1], [128, 1, 1], &[]);
        let split = find(&advice, |kind| *kind == FixKind::SplitShared);
        assert_eq!(
            split.map(|split| split.totals[1].shared.conflicts()),
            conflicts.then_some(0),
            "{fields}: {advice:#?}"
        );
        assert!(split.is_none_or(|split| split.snippet == "s_x[threadIdx.x]"));
    }
}

#[test]
fn a_histogram_says_that_it_depends_on_data() {
    let text = "__global__ void h(const int* in, int* out) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 256 + threadIdx.x] & 255], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}";
    let launch = NamedLaunch::new([2, 1, 1], [256, 1, 1]);
    let advice = asked(&Source::kernel(text), launch);
    let said = Note::DataDependent {
        array: "bins".to_owned(),
    };
    assert!(advice.notes.contains(&said), "{advice:#?}");
}

#[test]
fn a_naive_transpose_is_staged() {
    for (load, store) in [("y * n + x", "x * n + y"), ("x * n + y", "y * n + x")] {
        let text = format!(
            "__global__ void t(const float* in, float* out, int n) {{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[{store}] = in[{load}];
}}"
        );
        // 48 is no multiple of the block: the guard counts.
        for n in [64, 48] {
            let advice = fix(&text, [2, 2, 1], [32, 32, 1], &[("n", n)]);
            let staged = find(&advice, |kind| *kind == FixKind::Stage)
                .unwrap_or_else(|| panic!("{advice:#?}"));
            assert_eq!(staged.proof, Proof::SameSums);
            assert_eq!(
                staged.totals[1].global.units,
                staged.totals[1].global.ideal,
                "{n} {}",
                staged.source.text()
            );
            assert_eq!(staged.totals[1].shared.conflicts(), 0);
        }
    }
}

#[test]
fn columns_copied_by_rows_swap_the_axes() {
    let text = "__global__ void c(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[x * n + y];
}";
    let advice = fix(text, [2, 2, 1], [32, 32, 1], &[("n", 64)]);
    let swap = find(&advice, |kind| *kind == FixKind::SwapAxes).unwrap();
    assert_eq!(swap.proof, Proof::ThreadsExchanged);
    assert_eq!(swap.totals[1].global.units * 8, swap.totals[0].global.units);
}

#[test]
fn structures_in_global_memory_are_split() {
    let text = "struct vec3 { float x, y, z; };
__global__ void k(const vec3* p, float* out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = p[i].x; }";
    let advice = fix(text, [2, 1, 1], [256, 1, 1], &[]);
    let split = find(&advice, |kind| *kind == FixKind::SplitGlobal).unwrap();
    assert!(
        split
            .source
            .text()
            .contains("const float* p_x, const float* p_y, const float* p_z")
    );
    assert_eq!(split.totals[1].global.units, split.totals[1].global.ideal);
}

#[test]
fn rows_that_begin_anywhere_are_set_apart() {
    let indexed = "__global__ void k(const float* in, float* out, int n) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < n) out[y * n + x] = in[y * n + x];
}";
    let named = "__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * n + threadIdx.x;
  if (threadIdx.x < n) out[i] = in[i];
}";
    for text in [indexed, named] {
        let advice = fix(text, [8, 1, 1], [128, 1, 1], &[("n", 99)]);
        let pitch = find(&advice, |kind| matches!(kind, FixKind::Pitch { .. }))
            .unwrap_or_else(|| panic!("{advice:#?}"));
        let kind = FixKind::Pitch {
            arrays: vec!["in".to_owned(), "out".to_owned()],
            from: 99,
            to: 104,
        };
        assert_eq!(pitch.kind, kind);
        assert_eq!(pitch.totals[1].global.units, pitch.totals[1].global.ideal);
        assert!(pitch.launch.arguments.contains(&integer("pitch", 104)));
        assert!(pitch.source.text().contains("int n, int pitch)"));
        assert!(
            pitch.source.text().contains("< n)"),
            "the bound stays: {}",
            pitch.source.text()
        );
    }
}

#[test]
fn a_pitch_that_is_a_parameter_is_another_argument() {
    let text = "__global__ void k(const float* in, float* out, int pitch) {
  out[blockIdx.x * pitch + threadIdx.x] = in[blockIdx.x * pitch + threadIdx.x];
}";
    let advice = fix(text, [8, 1, 1], [96, 1, 1], &[("pitch", 99)]);
    let pitch = find(&advice, |kind| matches!(kind, FixKind::Pitch { .. }))
        .unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(pitch.source.text(), text);
    assert_eq!(pitch.launch.arguments, [integer("pitch", 104)]);
}

#[test]
fn rows_of_declared_arrays_are_set_apart() {
    let text = "__device__ float in[8][99];
__global__ void k(float* out) { if (threadIdx.x < 96) out[blockIdx.x * 96 + threadIdx.x] = in[blockIdx.x][threadIdx.x]; }";
    let advice = fix(text, [8, 1, 1], [96, 1, 1], &[]);
    let pitch = find(&advice, |kind| matches!(kind, FixKind::Pitch { .. }))
        .unwrap_or_else(|| panic!("{advice:#?}"));
    assert!(pitch.source.text().contains("in[8][104]"));
    assert_eq!(pitch.totals[1].global.units, pitch.totals[1].global.ideal);
}

#[test]
fn neighbours_are_taken_at_once() {
    let text = "__global__ void k(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[4 * i] + in[4 * i + 1];
  float b = in[4 * i + 2] * in[4 * i + 3];
  out[2 * i] = a - b;
  out[2 * i + 1] = a + b;
}";
    let advice = fix(text, [2, 1, 1], [128, 1, 1], &[]);
    let wide = find(&advice, |kind| *kind == FixKind::Widen { bytes: 16 })
        .unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(wide.proof, Proof::SameElements);
    let expected = "
  const float4 in4 = reinterpret_cast<const float4*>(in)[i];
  float a = in4.x + in4.y;
  float b = in4.z * in4.w;
  reinterpret_cast<float2*>(out)[i] = make_float2(a - b, a + b);
}";
    assert!(
        wide.source.text().ends_with(expected),
        "{}",
        wide.source.text()
    );
    assert_eq!(
        wide.snippet,
        "const float4 in4 = reinterpret_cast<const float4*>(in)[i];"
    );
    assert_eq!(wide.totals[1].global.units, wide.totals[1].global.ideal);
    assert_eq!(wide.totals[1].global.requests, 2 * 2 * 4);
}

#[test]
fn neighbours_that_are_not_aligned_stay() {
    let text = "__global__ void k(const float* in, float* out) {
  int i = 2 + 3 * threadIdx.x;
  out[threadIdx.x] = in[i] + in[i + 1];
}";
    let advice = fix(text, [2, 1, 1], [128, 1, 1], &[]);
    assert!(find(&advice, |kind| matches!(kind, FixKind::Widen { .. })).is_none());
}

#[test]
fn a_buffer_that_begins_anywhere_is_aligned() {
    let text = "__global__ void k(const float* in, float* out) { int i = blockIdx.x * 128 + threadIdx.x; out[i] = in[i]; }";
    let buffer = ArgumentValue::Buffer(Buffer {
        base_offset: 4,
        ..Buffer::default()
    });
    let launch = NamedLaunch::new([2, 1, 1], [128, 1, 1]).with("in", buffer);
    let advice = asked(&Source::kernel(text), launch);
    let aligned =
        find(&advice, |kind| *kind == FixKind::AlignBase).unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(
        aligned.totals[1].global.units,
        aligned.totals[1].global.ideal
    );
    let moved = ArgumentValue::Buffer(Buffer::default());
    assert_eq!(aligned.launch.arguments[0].value, moved);
}

#[test]
fn progress_is_told_and_may_end_the_search() {
    let source = Source::kernel(&tiled(32, "float"));
    let question = Question {
        source: &source,
        reader: &SourceReader::default(),
        launch: NamedLaunch::new([1, 1, 1], [32, 32, 1]),
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    let mut told = Vec::new();
    let whole = advise(&question, &mut |progress| {
        told.push(progress);
        true
    });
    assert_eq!(told.len(), whole.suggestions.len());
    assert!(told.windows(2).all(|pair| pair[0].done + 1 == pair[1].done));
    assert!(
        told.iter()
            .all(|progress| progress.done <= progress.planned)
    );
    let cut = advise(&question, &mut |_| false);
    assert_eq!(cut.suggestions.len(), 1);
}

/// A kernel's text, the array that conflicts most, the block's sides, and the numbers that it is launched with.
type Pasted = (
    &'static str,
    &'static str,
    [u32; 3],
    &'static [(&'static str, i64)],
);

/// Kernels of the page's stories.
const PASTED: [Pasted; 2] = [
    (
        include_str!("../../../tests/e2e/texts/attention.cu"),
        "queries",
        [32, 1, 1],
        &[("length", 64)],
    ),
    (
        include_str!("../../../tests/e2e/texts/gemm.cu"),
        "left",
        [16, 16, 1],
        &[("m", 64), ("n", 64), ("k", 32)],
    ),
];

#[test]
fn what_is_found_is_told_at_once_the_costliest_array_first() {
    for (text, array, block, arguments) in PASTED {
        let source = Source::kernel(text);
        let arguments = arguments.iter();
        let question = Question {
            source: &source,
            reader: &SourceReader::default(),
            launch: NamedLaunch {
                arguments: arguments
                    .map(|(name, value)| integer(name, *value))
                    .collect(),
                ..NamedLaunch::new([1, 1, 1], block)
            },
            device: <&Device>::default(),
            budget: Budget::default(),
            registers: None,
        };
        let mut told: Vec<(u32, Vec<Suggestion>)> = Vec::new();
        let whole = advise_as_found(&question, &mut |step| {
            let found = step.found.map(|advice| advice.suggestions.clone());
            told.extend(found.map(|found| (step.progress.done, found)));
            true
        });
        assert_eq!(told.len(), whole.suggestions.len(), "{array}");
        let (runs, first) = &told[0];
        assert_eq!(*runs, 2, "{array}: the first change that is tried is a fix");
        assert_eq!(first[0].array, array);
        let costliest = whole.arrays.iter().max_by_key(|one| one.now.conflicts());
        assert_eq!(costliest.map(|one| &*one.name), Some(array));
        // No later one gains a tenth more on that array.
        let gain =
            |one: &Suggestion| one.array_totals[0].wavefronts - one.array_totals[1].wavefronts;
        let own = whole.suggestions.iter().filter(|one| one.array == array);
        let best = own.map(gain).max().unwrap();
        assert!(gain(&first[0]) * 10 >= best * 9, "{array}");
        for (at, (_, found)) in told.iter().enumerate() {
            assert_eq!(found.len(), at + 1);
            assert!(found.iter().all(|one| whole.suggestions.contains(one)));
        }
    }
}

#[test]
fn a_search_in_steps_finds_the_same() {
    let text = include_str!("../benches/hundred_lines.cu");
    let source = Source::kernel(text);
    let question = Question {
        source: &source,
        reader: &SourceReader::default(),
        launch: NamedLaunch {
            arguments: vec![integer("width", 250), integer("height", 250)],
            ..NamedLaunch::new([2, 1, 1], [256, 1, 1])
        },
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    let whole = written::advise(&question);
    let mut search = FixSearch::new();
    let mut steps = 0;
    let last = loop {
        let (advice, progress) = search.advance(&question, 1);
        steps += 1;
        match progress {
            Some(progress) => assert!(progress.done <= progress.planned),
            None => break advice,
        }
    };
    assert!(steps > 10, "{steps}");
    assert_eq!(last, whole);
}

#[test]
fn expressions_are_fixed_too() {
    let source = Source::Expression {
        declarations: "float tile[32][32]".to_owned(),
        accesses: "tile[ty][tx] = 0\ntile[tx][ty]".to_owned(),
        bare: Operation::Load,
    };
    let advice = asked(&source, NamedLaunch::new([1, 1, 1], [32, 32, 1]));
    let xor = find(&advice, is_xor).unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(
        xor.source.text(),
        "float tile[32][32]\ntile[ty][tx ^ ty] = 0\ntile[tx][ty ^ tx]"
    );
}

#[test]
fn pointers_and_macros_are_left_alone() {
    let text = "#define T(i, j) tile[i][j]
__global__ void k(float* out) {
  __shared__ float tile[32][32];
  T(threadIdx.y, threadIdx.x) = 1.0f;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = T(threadIdx.x, threadIdx.y);
}";
    let advice = fix(text, [1, 1, 1], [32, 32, 1], &[]);
    assert!(find(&advice, is_xor).is_none());
    // A pad changes the declaration alone, whatever spells the uses.
    assert_eq!(
        find(&advice, is_pad).unwrap().totals[1].shared.conflicts(),
        0
    );
}

#[test]
fn nothing_is_said_of_what_is_well() {
    let text =
        "__global__ void k(const float* in, float* out) { int i = threadIdx.x; out[i] = in[i]; }";
    let advice = fix(text, [1, 1, 1], [256, 1, 1], &[]);
    assert_eq!(
        (advice.suggestions.len(), advice.notes),
        (0, vec![Note::NothingToFix])
    );
}
