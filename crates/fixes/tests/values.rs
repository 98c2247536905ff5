//! No fix changes what a kernel computes, value by value: kernels run on random data before and after, and look up in
//! `probe` what they have left in `out`, so that every value is an address.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::written;

use lanescope_fixes::{Advice, FixKind, Question, Reader, Source, Version};
use lanescope_frontend::{Access, ArgumentValue, Budget, Buffer, Contents, NamedLaunch, execute};
use lanescope_model::Device;
use lanescope_query::SourceReader;

const THREADS: u32 = 128;

fn launch(blocks: u32) -> NamedLaunch {
    let random = |seed| {
        ArgumentValue::Buffer(Buffer {
            contents: Contents::Random(seed),
            ..Buffer::default()
        })
    };
    let launch = NamedLaunch::new([blocks, 1, 1], [THREADS, 1, 1]);
    launch.with("in", random(7)).with("out", random(9))
}

fn advised(text: &str, launch: &NamedLaunch) -> Advice {
    let question = Question {
        source: &Source::kernel(text),
        reader: &SourceReader::default(),
        launch: launch.clone(),
        device: <&Device>::default(),
        budget: Budget::default(),
        registers: None,
    };
    written::advise(&question)
}

/// Every value of `out` after each block, in its bits: what the kernel looks up when it is made to.
fn values(text: &str, launch: &NamedLaunch) -> Vec<u64> {
    let (body, end) = text.rsplit_once('}').unwrap();
    let looked_up = format!(
        "{body}  __syncthreads();
  for (int z = threadIdx.x; z < 1024; z += blockDim.x) probe[__float_as_uint(out[z])] = 1;
}}{end}"
    );
    let parsed = SourceReader::default().read(&Source::kernel(&looked_up), Version::Written);
    assert!(
        parsed.diagnostics.is_empty(),
        "{looked_up}\n{:?}",
        parsed.diagnostics
    );
    let program = parsed.program;
    let probe = program
        .arrays()
        .iter()
        .position(|array| array.name == "probe")
        .unwrap();
    let base = program.arrays()[probe].base;
    let mut seen = Vec::new();
    let mut look = |access: &Access<'_>| {
        let array = program.site(access.site).and_then(|site| site.array);
        if array.is_some_and(|id| id.0 as usize == probe) {
            let lanes = access.request.active.iter();
            seen.extend(lanes.map(|lane| access.request.addresses[lane] - base));
        }
        true
    };
    let outcome = execute(&program, launch, 32, Budget::default(), &mut look);
    assert_eq!(outcome.end, lanescope_frontend::End::Complete);
    seen
}

/// The fixed sources of this kind, each of which computes the same as `text`.
fn fixed(text: &str, blocks: u32, is_wanted: impl Fn(&FixKind) -> bool) -> Vec<String> {
    fixed_under(text, &launch(blocks), is_wanted)
}

fn fixed_under(
    text: &str,
    launch: &NamedLaunch,
    is_wanted: impl Fn(&FixKind) -> bool,
) -> Vec<String> {
    let before = values(text, launch);
    assert!(
        before.iter().any(|value| *value != before[0]),
        "nothing is computed"
    );
    let suggestions = advised(text, launch).suggestions.into_iter();
    let wanted = suggestions.filter(|suggestion| is_wanted(&suggestion.kind));
    wanted
        .map(|suggestion| {
            let text = suggestion.source.text();
            assert_eq!(values(&text, &suggestion.launch), before, "{text}");
            text
        })
        .collect()
}

fn widened(body: &str) -> Vec<String> {
    let text = format!(
        "__global__ void k(const float* in, float* out, unsigned char* probe) {{\n{body}\n}}"
    );
    fixed(&text, 2, |kind| matches!(kind, FixKind::Widen { .. }))
}

/// The only fixed source, which holds these lines.
fn holds(found: &[String], lines: &str) {
    let [text] = found else {
        panic!("{found:#?}");
    };
    assert!(text.contains(lines), "{text}");
}

#[test]
fn neighbours_of_global_memory() {
    let found = widened(
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[4 * i] + 2.0f * in[4 * i + 1];
  float b = in[4 * i + 2] * in[4 * i + 3];
  out[2 * i] = a - b;
  out[2 * i + 1] = a + b;",
    );
    holds(
        &found,
        "  reinterpret_cast<float2*>(out)[i] = make_float2(a - b, a + b);",
    );
}

#[test]
fn neighbours_that_a_loop_goes_through() {
    let found = widened(
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  #pragma unroll
  for (int j = 0; j < 4; j++)
    sum += in[4 * i + j] * (j + 1);
  out[i] = sum;",
    );
    holds(
        &found,
        "  __align__(16) float in4[4];
  *reinterpret_cast<float4*>(in4) = reinterpret_cast<const float4*>(in)[i];
  #pragma unroll
  for (int j = 0; j < 4; j++)
    sum += in4[j] * (j + 1);",
    );
}

#[test]
fn neighbours_that_a_long_loop_goes_through() {
    let found = widened(
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < 16; j++) {
    sum += in[16 * i + j] * j;
  }
  out[i] = sum;",
    );
    holds(
        &found,
        "  for (int j = 0; j < 16; j += 4) {
    __align__(16) float in4[4];
    *reinterpret_cast<float4*>(in4) = *reinterpret_cast<const float4*>(&in[16 * i + j]);
    #pragma unroll
    for (int turn = 0; turn < 4; turn++) {
      sum += in4[turn] * (j + turn);
    }
  }",
    );
}

#[test]
fn neighbours_copied_by_a_loop_are_loaded_and_stored_at_once() {
    let found = widened(
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++) out[4 * i + j] = in[4 * i + j] * 3.0f;",
    );
    holds(
        &found,
        "for (int j = 0; j < 4; j++) out4[j] = in4[j] * 3.0f;
  reinterpret_cast<float4*>(out)[i] = *reinterpret_cast<const float4*>(out4);",
    );
}

#[test]
fn neighbours_in_a_body_without_braces() {
    let found = widened(
        "  float sum = 0.0f;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    sum += in[2 * i] - in[2 * i + 1];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;",
    );
    holds(
        &found,
        "  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    const float2 in2 = reinterpret_cast<const float2*>(in)[i];
    sum += in2.x - in2.y;
  }",
    );
}

#[test]
fn neighbours_of_two_blocks_of_the_text() {
    let found = widened(
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i % 3 == 0) {
    sum = in[2 * i] + in[2 * i + 1];
  } else {
    sum = in[2 * i] - in[2 * i + 1];
  }
  out[i] = sum;",
    );
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].matches("reinterpret_cast").count(),
        2,
        "{}",
        found[0]
    );
}

const FILLED: &str = "  __shared__ float s[512];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int j = 0; j < 4; j++) s[t + 128 * j] = in[t + 128 * j];
  __syncthreads();\n";

#[test]
fn neighbours_of_shared_memory() {
    let found = widened(&format!(
        "{FILLED}  out[i] = s[4 * t] + 2.0f * s[4 * t + 1] - s[4 * t + 2] * s[4 * t + 3];"
    ));
    assert!(found.is_empty(), "a compiler joins them: {found:#?}");
}

#[test]
fn neighbours_of_shared_memory_in_a_loop() {
    let found = widened(&format!(
        "{FILLED}  float sum = 0.0f;
  for (int j = 0; j < 4; j++) sum += s[4 * t + j] * (j + 1);
  out[i] = sum;"
    ));
    assert!(found.is_empty(), "a compiler joins them: {found:#?}");
}

#[test]
fn neighbours_of_a_row_of_shared_memory() {
    let found = widened(
        "  __shared__ float tile[16][32];
  int t = threadIdx.x, x = t % 8, y = t / 8;
  for (int j = 0; j < 4; j++) tile[t / 32 + 4 * j][t % 32] = in[t + 128 * j];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = tile[y][4 * x] - tile[y][4 * x + 1] + tile[y][4 * x + 2] * tile[y][4 * x + 3];",
    );
    assert!(found.is_empty(), "a compiler joins them: {found:#?}");
}

#[test]
fn what_is_written_between_two_reads_keeps_them_apart() {
    for between in [
        "__syncthreads(); s[t] = a; __syncthreads();",
        "s[2 * t + 1] = a;",
        "s[(2 * t + 3) % 512] = a;",
    ] {
        let found = widened(&format!(
            "{FILLED}  float a = s[2 * t];
  {between}
  out[i] = a + s[2 * t + 1];"
        ));
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn rows_that_are_not_aligned_stay() {
    let found = widened(
        "  __shared__ float tile[16][33];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  tile[y][x] = in[t];
  tile[y][x + 16] = in[t + 128];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = tile[y][2 * x] - tile[y][2 * x + 1];",
    );
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn structures_of_arrays() {
    for (fields, sum) in [
        ("float x, y;", "p[j].x - 2.0f * p[i].y"),
        ("float x, y, z;", "p[j].x - 2.0f * p[i].y + p[j].z"),
        (
            "float x; double y; int z;",
            "p[j].x - (float)p[i].y + p[j].z",
        ),
    ] {
        let third = if fields.contains('z') {
            "p[i].z = i * 31 % 17;"
        } else {
            ""
        };
        let text = format!(
            "struct S {{ {fields} }};
__global__ void k(S* p, float* out, unsigned char* probe) {{
  int i = threadIdx.x, j = (5 * i + 3) % 128;
  p[i].x = i * 7919 % 1013;
  p[i].y = i * 104729 % 997;
  {third}
  __syncthreads();
  out[i] = {sum};
}}"
        );
        let found = fixed(&text, 1, |kind| *kind == FixKind::SplitGlobal);
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].contains("p_x[j]"), "{}", found[0]);
    }
}

#[test]
fn fixes_of_every_other_kind() {
    let text = "__global__ void k(const float* in, float* out, unsigned char* probe) {
  __shared__ float tile[32][32];
  int t = threadIdx.x, x = t % 32, y = t / 32;
  for (int j = 0; j < 8; j++) tile[y + 4 * j][x] = in[(y + 4 * j) * 32 + x];
  __syncthreads();
  for (int j = 0; j < 8; j++) out[(y + 4 * j) * 32 + x] = tile[x][y + 4 * j];
}";
    let found = fixed(text, 1, |_| true);
    assert!(found.len() >= 2, "{found:#?}");
}

/// A thread reads and writes its own elements, and nobody else's.
#[test]
fn neighbours_that_are_read_and_written() {
    for (body, lines) in [
        (
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* own = out;
  out[4 * i] = in[i];
  out[4 * i + 1] = out[4 * i] + 1.0f;
  out[4 * i + 2] += out[4 * i + 1];
  out[4 * i + 3] = out[4 * i + 2] * out[4 * i];",
            "  *reinterpret_cast<float4*>(out4) = reinterpret_cast<const float4*>(out)[i];\n  out4[0] = in[i];\n  out4[1] = out4[0] + 1.0f;",
        ),
        (
            "  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i] + out[i];
  out[i + 1]++;
  out[i + 2] *= 3.0f;
  out[i + 3] -= out[i + 1];",
            "  out4[3] -= out4[1];\n  *reinterpret_cast<float4*>(&out[i]) = *reinterpret_cast<const float4*>(out4);",
        ),
    ] {
        let body = body.replace("  float* own = out;\n", "");
        holds(&widened(&body), lines);
    }
}

/// Between two barriers a thread reads and writes its own elements of a shared array.
#[test]
fn neighbours_of_shared_memory_that_are_read_and_written() {
    let body = |between: &str| {
        format!(
            "{FILLED}  s[4 * t] += 1.0f;
  s[4 * t + 1] *= 2.0f;
{between}  s[4 * t + 2] += s[4 * t];
  s[4 * t + 3] -= s[4 * t + 1];
  __syncthreads();
  out[i] = s[t] + s[t + 128] * s[t + 256] - s[t + 384];"
        )
    };
    holds(
        &widened(&body("")),
        "  reinterpret_cast<float4*>(s)[t] = *reinterpret_cast<const float4*>(s4);\n  __syncthreads();",
    );
    // No copy is held over a barrier.
    holds(
        &widened(&body("  __syncthreads();\n")),
        "  s2[1] *= 2.0f;\n  *reinterpret_cast<float2*>(&s[4 * t]) = *reinterpret_cast<const float2*>(s2);\n  __syncthreads();",
    );
    for between in [
        "  s[(4 * t + 5) % 512] = 2.0f;\n",
        "  float* own = s + 4 * t; own[3] = 2.0f;\n",
    ] {
        let found = widened(&body(between));
        let stores = found
            .iter()
            .filter(|text| text.contains("float4*>(s)[t] = "));
        assert_eq!(stores.count(), 0, "{between}{found:#?}");
    }
}

/// The pitch is known at run time alone, so that a compiler joins nothing; pointers into the array count as the array.
#[test]
fn neighbours_of_rows_of_any_pitch() {
    let text = |uses: &str| {
        format!(
            "__device__ void set(float* place) {{ *place = 2.0f; }}
__global__ void k(const float* in, float* out, unsigned char* probe, int pitch) {{
  __shared__ float smem[1024];
  float* a = smem;
  float* b = smem + 512;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, r = t / 8, c = t % 8;
  for (int j = 0; j < 4; j++) {{ a[t + 128 * j] = in[t + 128 * j]; b[t + 128 * j] = in[t + 128 * j]; }}
  __syncthreads();
  const float* row = b + r * pitch;
{uses}
}}"
        )
    };
    let of = |uses: &str, pitch: i64| {
        let wanted = |kind: &FixKind| matches!(kind, FixKind::Widen { .. });
        let launch = launch(2).with("pitch", ArgumentValue::Integer(pitch));
        fixed_under(&text(uses), &launch, wanted)
    };
    let uses = "  float2 sum = make_float2(a[r * pitch + 4 * c] + a[r * pitch + 4 * c + 1], row[4 * c] - row[4 * c + 1]);
  out[i] = sum.x * sum.y + a[r * pitch + 4 * c + 2] * a[r * pitch + 4 * c + 3] - row[4 * c + 2] + row[4 * c + 3];";
    holds(
        &of(uses, 32),
        "  const float4 a4 = *reinterpret_cast<const float4*>(&a[r * pitch + 4 * c]);\n  const float4 row4 = reinterpret_cast<const float4*>(row)[c];",
    );
    // The rows begin anywhere.
    assert!(of(uses, 33).is_empty());
    // Every lane of a warp reads the same place: there is no conflict, yet four reads are four wavefronts.
    let uses = "  float sum = 0.0f;
  for (int j = 0; j < 4; j++) sum += a[t / 32 * pitch + j] * (j + c);
  out[i] = sum + row[c];";
    holds(
        &of(uses, 32),
        "*reinterpret_cast<const float4*>(&a[t / 32 * pitch]);",
    );
    // Another pointer may write what is read.
    for between in [
        "smem[r] = 2.0f;",
        "b[-512 + 4 * c]++;",
        "set(smem + 4 * c);",
    ] {
        let uses = format!(
            "  float x = a[r * pitch + 4 * c] + a[r * pitch + 4 * c + 1];
  {between}
  out[i] = x + a[r * pitch + 4 * c + 2] + a[r * pitch + 4 * c + 3] + row[c];"
        );
        let found = of(&uses, 32);
        let across = found.iter().filter(|text| text.contains("float4"));
        assert_eq!(across.count(), 0, "{between}{found:#?}");
    }
}

/// Other threads read what one writes, or the statements between use the array in another way.
#[test]
fn what_threads_share_is_not_held_in_copies() {
    for body in [
        // The neighbour's element.
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i] += in[i]; out[4 * i + 1] += 1.0f; out[4 * i + 2] += 1.0f; out[4 * i + 3] += out[4 * i + 4];",
        // An element that the text does not tell apart.
        "  int i = blockIdx.x * blockDim.x + threadIdx.x; int j = 4 * i;
  out[4 * i] += in[i]; out[4 * i + 1] += out[j]; out[4 * i + 2] += 1.0f; out[4 * i + 3] += 1.0f;",
        // A barrier.
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i] += in[i]; out[4 * i + 1] += 1.0f; __syncthreads(); out[4 * i + 2] += 1.0f; out[4 * i + 3] += 1.0f;",
    ] {
        let found = widened(body);
        let copies = found.iter().filter(|text| text.contains("float4"));
        assert_eq!(copies.count(), 0, "{body}\n{found:#?}");
    }
}
