//! What stands in emitted texts, and what is refused.
#![allow(clippy::unwrap_used)]

use lanescope_cuda::{KernelOptions, read};
use lanescope_emit::{
    BufferSource, Emitted, FieldValue, Limits, Note, Options, Refusal, RefusalKind, emit,
};

fn options() -> Options {
    Options {
        block: [64, 1, 1],
        dynamic_shared_bytes: 1024,
        ..Options::default()
    }
}

fn tried(source: &str, options: &Options) -> Result<Emitted, Refusal> {
    let parsed = read(source, &KernelOptions::default());
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let emitted = emit(&kernel, options)?;
    assert_eq!(
        lanescope_wgsl::validate(&emitted.text),
        Ok(()),
        "{}",
        emitted.text
    );
    Ok(emitted)
}

fn emitted(body: &str) -> Emitted {
    let source = format!("__global__ void k(float* v, const int* c, int n) {{\n{body}\n}}");
    tried(&source, &options()).unwrap_or_else(|refusal| panic!("{refusal}: {body}"))
}

fn refused(source: &str) -> (RefusalKind, u32) {
    let refusal = tried(source, &options()).unwrap_err();
    (refusal.kind, refusal.place.line)
}

#[test]
fn buffers_and_scalars_are_known_by_their_parameters() {
    let one = emitted("v[threadIdx.x] = c[threadIdx.x] + n;");
    let sources: Vec<_> = one
        .bindings
        .iter()
        .map(|one| (one.source, one.is_written))
        .collect();
    let expected = [(0, true), (1, false)];
    assert_eq!(
        sources,
        expected.map(|(at, written)| (BufferSource::Parameter(at), written))
    );
    let [uniform] = one.uniforms.as_slice() else {
        panic!("{:?}", one.uniforms);
    };
    assert_eq!((uniform.group, uniform.binding), (0, 2));
    assert_eq!(uniform.fields[0].value, FieldValue::Parameter(16));
    let mut image = vec![0; 16];
    image.extend(7_u32.to_le_bytes());
    assert_eq!(uniform.bytes(&image, [1; 3]), 7_u32.to_le_bytes());
    let line = one
        .text
        .lines()
        .position(|line| line.contains("v["))
        .unwrap();
    assert_eq!(one.source_line(u32::try_from(line).unwrap() + 1), Some(2));
}

#[test]
fn a_return_before_a_barrier_becomes_a_mask() {
    let one = emitted(
        "__shared__ float s[64];
        int i = blockIdx.x * 64 + threadIdx.x;
        if (i >= n) return;
        s[threadIdx.x] = v[i];
        __syncthreads();
        v[i] = s[63 - threadIdx.x];",
    );
    assert!(one.notes.contains(&Note::Masked));
    assert!(!one.text.contains("return"), "{}", one.text);
    // One that all threads of a block make is a return.
    let one = emitted("if (blockIdx.x * 64 >= n) return; __syncthreads(); v[0] = 1.0f;");
    assert!(!one.notes.contains(&Note::Masked));
}

#[test]
fn loops_with_barriers_stay_loops_where_all_threads_turn_them_alike() {
    let bounded = |bound: &str| {
        emitted(&format!(
            "__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads();
            for (int i = 0; i < {bound}; ++i) {{ s[threadIdx.x] += i; __syncthreads(); }}
            v[threadIdx.x] = s[threadIdx.x];"
        ))
    };
    assert!(!bounded("n").notes.contains(&Note::LoopVote));
    assert!(!bounded("c[0]").notes.contains(&Note::LoopVote));
    assert!(bounded("c[threadIdx.x]").notes.contains(&Note::LoopVote));
    let one = bounded("s[0]");
    assert!(
        one.text.contains("workgroupUniformLoad(&s[0u])"),
        "{}",
        one.text
    );
    assert!(!one.notes.contains(&Note::LoopVote));
}

#[test]
fn loops_whose_turns_the_text_decides_are_written_out() {
    let count = |body: &str, what: &str| emitted(body).text.matches(what).count();
    let counted = "for (int k = 0; k < 5; k++) v[threadIdx.x + k * n] = k;";
    assert_eq!((count(counted, "loop {"), count(counted, "v[")), (0, 5));
    let halved = "for (int s = 16; s > 0; s >>= 1) v[threadIdx.x + s * n] = s;";
    assert_eq!((count(halved, "loop {"), count(halved, "v[")), (0, 5));
    for kept in [
        "for (int s = blockDim.x / 2; s > 0; s >>= 1) v[threadIdx.x + s] = s;",
        "for (int k = 0; k < 5000; k++) v[threadIdx.x + k * n] = k;",
        "for (int k = 0; k < 5; k++) { if (c[k] == n) break; v[threadIdx.x + k * n] = k; }",
        "#pragma unroll 1\nfor (int k = 0; k < 5; k++) v[threadIdx.x + k * n] = k;",
        "for (int k = 0; k < 5; k += c[k]) v[threadIdx.x + k * n] = k;",
        "for (int k = 0; k < 0; k++) v[threadIdx.x + k * n] = k;",
    ] {
        assert_eq!((count(kept, "loop {"), count(kept, "v[")), (1, 1), "{kept}");
    }
    // Of a nest whose inner turns the outer ones decide, the inner loop stays.
    let nest = "for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) v[i * n + j] = j;";
    assert_eq!((count(nest, "loop {"), count(nest, "v[")), (3, 3));
}

#[test]
fn barriers_order_a_buffer_only_behind_an_access_to_one_that_is_read_and_written() {
    let fences = |body: &str| emitted(body).text.matches("storageBarrier").count();
    let shared = "__shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads();";
    assert_eq!(fences(&format!("{shared} v[n] = s[c[0] & 63];")), 0);
    let told = "v[threadIdx.x] = 1; __syncthreads(); float x = v[63 - threadIdx.x]; __syncthreads(); v[threadIdx.x] = x;";
    assert_eq!(fences(told), 2);
    assert_eq!(fences(&format!("{shared} {told}")), 2);
    assert_eq!(fences(&format!("{told} __syncthreads(); {shared}")), 3);
    let turned = "for (int i = 0; i < n; i++) { __syncthreads(); v[threadIdx.x] += i; }";
    assert_eq!(fences(turned), 1);
}

#[test]
fn widths_decide_the_type_of_a_buffer() {
    let of = |body: &str| {
        let one = emitted(body);
        (one.bindings[0].element.clone(), one.notes)
    };
    assert_eq!(of("v[threadIdx.x] = 1.0f;").0, "f32");
    let wide = "float4 q = ((float4*)v)[threadIdx.x]; ((float4*)v)[threadIdx.x + n] = q;";
    assert_eq!(of(wide).0, "vec4<f32>");
    let (element, notes) = of("float4 q = ((float4*)v)[threadIdx.x]; v[n] = q.x;");
    assert_eq!(element, "u32");
    assert!(notes.contains(&Note::SeveralWidths("v".into())));
    let read = emitted("float4 q = ((float4*)c)[threadIdx.x]; v[n] = q.x + ((float*)c)[n];");
    assert_eq!(read.bindings[1].element, "vec4<f32>");
    assert!(!read.notes.contains(&Note::SeveralWidths("c".into())));
    let mixed = emitted("float4 q = ((float4*)c)[threadIdx.x]; v[n] = q.x + c[n];");
    assert_eq!(mixed.bindings[1].element, "u32");
    let (element, notes) = of("atomicAdd(&v[0], 1.0f);");
    assert_eq!(element, "atomic<u32>");
    assert!(notes.contains(&Note::FloatAtomics("v".into())));
    let (element, notes) = of("((unsigned char*)v)[threadIdx.x] = n;");
    assert_eq!(element, "atomic<u32>");
    assert!(notes.contains(&Note::NarrowStores("v".into())));
}

#[test]
fn sizes_of_64_bits_are_words_where_ranges_prove_it() {
    let one = emitted(
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) v[i] = 0.0f;",
    );
    assert!(!one.text.contains("vec2<u32>"), "{}", one.text);
    let one = emitted("long long i = (long long)n * n; v[i & 63] = i > 5000000000 ? 1.0f : 2.0f;");
    assert!(
        one.text.contains("wide_i32") || one.text.contains("multiply_64"),
        "{}",
        one.text
    );
}

#[test]
fn constants_that_compilers_refuse_are_computed_before() {
    let one =
        emitted("v[0] = 1e38f * 1e38f; v[1] = 1.0f / 0.0f; v[2] = c[0] << 40; v[3] = c[0] / 0;");
    assert!(one.text.contains("bits_7f800000"), "{}", one.text);
}

#[test]
fn a_watched_text_notes_what_it_accesses_outside() {
    let source = "__global__ void k(const float* outside, float4* v, unsigned char* bytes, int n) {
      __shared__ int s[32];
      s[threadIdx.x] = 1;
      v[n].x = outside[n] + s[n];
      bytes[n] = 1;
    }";
    let plain = tried(source, &options()).unwrap();
    assert!(plain.watch.is_none() && !plain.text.contains("note_outside"));
    let watched = Options {
        is_watched: true,
        ..options()
    };
    let one = tried(source, &watched).unwrap();
    let watch = one.watch.as_ref().unwrap();
    assert_eq!(
        watch.binding as usize,
        one.bindings.len() + one.uniforms.len()
    );
    for binding in &one.bindings {
        let own = (binding.name.clone(), Some(binding.source));
        assert!(watch.memories.contains(&own), "{own:?} {watch:?}");
    }
    assert_eq!(
        one.text.matches("note_outside(").count(),
        1 + 5,
        "{}",
        one.text
    );
    assert!(one.text.contains(", 32u, 4u);"), "{}", one.text);
    let mut limits = watched.limits;
    limits.buffers = 3;
    let full = tried(source, &Options { limits, ..watched }).unwrap_err();
    let (buffers, most) = (4, 3);
    assert_eq!(full.kind, RefusalKind::TooManyBuffers { buffers, most });
}

#[test]
fn large_grids_are_folded() {
    let source = "__global__ void k(float* v) { v[blockIdx.x] = gridDim.x; }";
    let options = Options {
        grid: [1 << 20, 1, 1],
        ..options()
    };
    let one = tried(source, &options).unwrap();
    assert!(one.folds && one.notes.contains(&Note::Folded));
    let [x, y, z] = one.dispatch([1 << 20, 1, 1], 65_535).unwrap();
    assert!(x <= 65_535 && z == 1 && x * y >= 1 << 20);
    assert_eq!(
        tried(source, &self::options())
            .unwrap()
            .dispatch([1 << 20, 1, 1], 65_535),
        None
    );
}

#[test]
fn what_wgsl_has_no_word_for_is_refused_with_its_line() {
    let kernel = |parameters: &str, body: &str| {
        refused(&format!("__global__ void k({parameters}) {{\n{body}\n}}"))
    };
    assert_eq!(
        kernel("double* v", "v[threadIdx.x] *= 2.0;"),
        (RefusalKind::Double, 2)
    );
    let wide = "unsigned long long* v";
    assert_eq!(
        kernel(wide, "atomicAdd(v, 1ull);"),
        (RefusalKind::WideAtomic, 2)
    );
    let (kind, line) = kernel(
        "float* a, float* b, int n",
        "float* p = n > 3 ? a : b;\np[0] = 1;",
    );
    assert!(
        matches!(kind, RefusalKind::SeveralBuffers { .. }),
        "{kind:?}"
    );
    assert_eq!(line, 3);
    let shared = "volatile __shared__ float s[64]; s[threadIdx.x] = v[0];\nv[0] = s[3];";
    assert_eq!(kernel("float* v", shared).0, RefusalKind::LockStep);
    assert_eq!(
        kernel("int* v", "v[0] = 1;\n__threadfence();").0,
        RefusalKind::Fence
    );
}

#[test]
fn blocks_and_arrays_over_the_devices_limits_are_refused_with_the_number() {
    let source = "__global__ void k(float* v) { __shared__ float s[8192]; s[threadIdx.x] = 1; v[0] = s[5]; }";
    let with = |block, limits| {
        tried(
            source,
            &Options {
                block,
                limits,
                ..options()
            },
        )
        .map_err(|one| one.kind)
    };
    assert_eq!(
        with([512, 1, 1], Limits::PROMISED),
        Err(RefusalKind::BlockTooLarge {
            threads: 512,
            most: 256
        })
    );
    assert_eq!(
        with([64, 1, 1], Limits::PROMISED),
        Err(RefusalKind::SharedTooLarge {
            bytes: 32_768,
            most: 16_384
        })
    );
    assert!(with([64, 1, 1], Limits::default()).is_ok());
}

#[test]
fn clocks_are_refused() {
    let text = r#"kernel "k" stage=source shared=0 {
  place 0 0..0
  place 1 4..9 7:3
  parameter "v" "int*" offset=0 bytes=8 array=a0 #0
  a0 "v" global "int" size=4 align=256 #0
  s0 "v[0]" store generic i32 bytes=4 array=a0 #0
b0:
  d0 = special.address.0
  r1 = special.unpredictable #1
  store s0 [d0], r1
  exit
}
"#;
    let refusal = emit(&text.parse().unwrap(), &options()).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.place.line),
        (RefusalKind::Unpredictable, 7)
    );
}

#[test]
fn shuffles_and_votes_are_subgroup_operations_where_subgroups_are_the_warps() {
    let source = "__global__ void k(float* v, const int* c, int n) {
        float own = v[threadIdx.x];
        own += __shfl_down_sync(0xffffffff, own, 16);
        if (threadIdx.x < n) own += __any_sync(0xffffffff, own > 2.0f);
        v[threadIdx.x] = own;
    }";
    let with = |block, subgroup_lanes| {
        let limits = Limits {
            subgroup_lanes,
            ..Limits::default()
        };
        let options = Options {
            block,
            limits,
            ..options()
        };
        tried(source, &options).unwrap()
    };
    let own = with([64, 1, 1], 32);
    assert!(own.notes.contains(&Note::Subgroups), "{:?}", own.notes);
    assert!(!own.notes.contains(&Note::Exchanges), "{:?}", own.notes);
    assert!(own.text.contains("subgroupShuffle(") && own.text.contains("subgroupBallot("));
    assert_eq!(own.workgroup_bytes, 0, "{}", own.text);
    // Other widths, blocks along two axes and warps that are not full go through workgroup memory.
    for (block, lanes) in [
        ([64, 1, 1], 0),
        ([64, 1, 1], 16),
        ([32, 2, 1], 32),
        ([48, 1, 1], 32),
    ] {
        let other = with(block, lanes);
        assert!(!other.text.contains("subgroup"), "{}", other.text);
        assert!(other.notes.contains(&Note::Exchanges), "{:?}", other.notes);
    }
}

#[test]
fn halves_are_f16_where_the_device_has_them_and_parts_of_words_elsewhere() {
    let source = "#include <cuda_fp16.h>
__global__ void k(const half* a, half* b, half2* pairs) {
  __shared__ half tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = tile[63 - threadIdx.x] + tile[1];
  pairs[threadIdx.x] = pairs[threadIdx.x + 64];
}";
    let words = tried(source, &options()).unwrap();
    assert!(!words.text.contains("f16;"), "{}", words.text);
    assert!(words.notes.contains(&Note::NarrowStores("b".to_owned())));
    let mut half = options();
    half.limits.half = true;
    let halves = tried(source, &half).unwrap();
    let elements: Vec<&str> = halves
        .bindings
        .iter()
        .map(|one| one.element.as_str())
        .collect();
    assert_eq!(elements, ["f16", "f16", "u32"]);
    assert!(halves.text.starts_with("enable f16;"), "{}", halves.text);
    assert!(
        halves.text.contains("tile: array<f16, 64>;"),
        "{}",
        halves.text
    );
    assert_eq!(halves.workgroup_bytes, 128);
    assert!(
        !halves
            .notes
            .iter()
            .any(|one| matches!(one, Note::NarrowStores(_)))
    );
}

#[test]
fn a_half_outside_of_its_array_is_refused() {
    let source = "#include <cuda_fp16.h>
__global__ void k(half* b) {
  __shared__ half tile[64];
  tile[64] = b[threadIdx.x];
  b[threadIdx.x] = tile[1];
}";
    let mut half = options();
    half.limits.half = true;
    let refusal = tried(source, &half).unwrap_err();
    assert!(matches!(refusal.kind, RefusalKind::OutOfBounds { .. }));
}
