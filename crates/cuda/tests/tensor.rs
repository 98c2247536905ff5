//! Matrix loads and stores, asynchronous copies and object barriers of a source are the operations that PTX gives.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::{parse_kernel, read};
use lanescope_frontend::{ArgumentValue, KernelOptions, NamedLaunch, Program, Severity};
use lanescope_ir::{Kernel, Op};
use lanescope_model::{Device, Operation, Space};
use lanescope_query::parse_compiled;
use lanescope_simt::{Access, AsyncCopyAccess, Budget, End, Observer, execute};
use std::collections::BTreeMap;

/// Sums by what is counted and the line that it stands on.
struct Counts<'k> {
    device: &'static Device,
    kernel: &'k Kernel,
    sums: BTreeMap<(&'static str, u32), u64>,
}

impl Counts<'_> {
    fn add(&mut self, name: &'static str, site: lanescope_ir::SiteId, count: u32) {
        let place = self.kernel.sites[site.index()].place;
        let line = self.kernel.places[place.index()].line;
        *self.sums.entry((name, line)).or_default() += u64::from(count);
    }

    fn total(&self, name: &str) -> u64 {
        let all = self.sums.iter().filter(|((known, _), _)| *known == name);
        all.map(|(_, count)| count).sum()
    }
}

impl Observer for Counts<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space == Space::Global {
            let counts = self.device.global_counts(request).unwrap();
            self.add("global_sectors", access.site, counts.units);
            return true;
        }
        let counts = self.device.shared_counts(request).unwrap();
        let name = match request.operation {
            Operation::MatrixLoad { .. } => "matrix_load_wavefronts",
            Operation::MatrixStore { .. } => "matrix_store_wavefronts",
            Operation::Store => "shared_store_wavefronts",
            _ => "shared_load_wavefronts",
        };
        self.add(name, access.site, counts.wavefronts);
        true
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        let counts = self.device.async_copy_counts(&copy.copy).unwrap();
        self.add("async_copy_wavefronts", copy.site, counts.wavefronts);
        true
    }
}

fn counts<'k>(program: &'k Program, launch: &NamedLaunch) -> Counts<'k> {
    let kernel = program.lowered().unwrap();
    assert_eq!(kernel.verify(), Ok(()));
    let mut counts = Counts {
        device: Device::by_id("cc9.0").unwrap(),
        kernel,
        sums: BTreeMap::new(),
    };
    let launch = program.simt_launch(launch).unwrap();
    let ran = execute(kernel, &launch, 32, Budget::default(), &mut counts);
    assert_eq!(ran.end, End::Complete);
    counts
}

/// What a kernel costs, as written and as nvcc 13 compiles it; nothing of it may be unread.
fn check(source: &str, options: &KernelOptions, launch: &NamedLaunch, expected: &[(&str, u64)]) {
    for parsed in [
        parse_kernel(source, options),
        parse_compiled(source, options),
    ] {
        let unread: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|one| one.severity() != Severity::Note)
            .collect();
        assert!(unread.is_empty(), "{unread:#?}");
        let counts = counts(&parsed.program, launch);
        for (name, count) in expected {
            assert_eq!(counts.total(name), *count, "{name}: {:?}", counts.sums);
        }
    }
}

#[test]
fn what_ldmatrix_reads_is_read() {
    // SASS of nvcc 13 for sm_90: 16 wavefronts of stores (rows of 80 bytes: 2-way), 2 of the matrix load.
    let source = "#include <cuda_fp16.h>
__global__ void frag(const uint4* in, unsigned* out) {
  __shared__ __align__(16) half tile[16][40];
  int r = threadIdx.x / 4, c = threadIdx.x % 4;
  *(uint4*)&tile[r][c * 8] = in[threadIdx.x];
  *(uint4*)&tile[r + 8][c * 8] = in[threadIdx.x + 32];
  __syncthreads();
  unsigned p = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x & 15][8]), a, b;
  asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];\" : \"=r\"(a), \"=r\"(b) : \"r\"(p) : \"memory\");
  out[threadIdx.x] = a + b;
}";
    let expected = [
        ("matrix_load_wavefronts", 2),
        ("shared_store_wavefronts", 16),
        ("global_sectors", 36),
    ];
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    check(source, &KernelOptions::default(), &launch, &expected);
    let parsed = parse_kernel(source, &KernelOptions::default());
    let counts = counts(&parsed.program, &launch);
    assert_eq!(counts.sums[&("matrix_load_wavefronts", 9)], 2);
}

#[test]
fn fragments_in_shared_memory_are_loaded_by_ldmatrix() {
    // SASS of nvcc 13 for sm_90: 8 wavefronts for both fragments.
    let source = "#include <mma.h>
using namespace nvcuda::wmma;
template <int PITCH> __global__ void square(const half* m, half* out) {
  __shared__ half tile[16 * PITCH];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i / 16 * PITCH + i % 16] = m[i];
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, half> c;
  fill_fragment(c, __float2half(0.f));
  load_matrix_sync(a, tile, PITCH);
  load_matrix_sync(b, tile, PITCH);
  mma_sync(c, a, b, c);
  store_matrix_sync(out, c, 16, mem_row_major);
}";
    let options = KernelOptions {
        defines: vec![("PITCH".to_owned(), "24".to_owned())],
        ..KernelOptions::default()
    };
    let expected = [
        ("matrix_load_wavefronts", 8),
        ("shared_store_wavefronts", 8),
        ("global_sectors", 48),
    ];
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    check(source, &options, &launch, &expected);
}

#[test]
fn fragments_of_a_shape_that_is_not_modelled_make_no_request() {
    let source = "#include <mma.h>
using namespace nvcuda::wmma;
__global__ void square(double* out) {
  __shared__ double tile[256];
  fragment<matrix_a, 8, 8, 4, double, row_major> a;
  fragment<accumulator, 8, 8, 4, double> c;
  load_matrix_sync(a, tile, 4);
  store_matrix_sync(tile, c, 8, mem_row_major);
  out[threadIdx.x] = tile[threadIdx.x];
}";
    let parsed = parse_kernel(source, &KernelOptions::default());
    let said: Vec<String> = parsed.diagnostics.iter().map(ToString::to_string).collect();
    let is_named = |text: &String| text.contains("wmma_shape_not_modelled");
    assert!(!said.is_empty() && said.iter().all(is_named), "{said:?}");
    let counts = counts(&parsed.program, &NamedLaunch::new([1, 1, 1], [32, 1, 1]));
    let expected = [
        (("global_sectors", 9), 8),
        (("shared_load_wavefronts", 9), 2),
    ];
    assert_eq!(counts.sums, BTreeMap::from(expected));
}

#[test]
fn asynchronous_copies_have_a_shared_side() {
    // SASS of nvcc 13 for sm_90 (LDGSTS): each lane's word in one bank, 32-way.
    let source = "__global__ void k(const float* in, float* out) {
  __shared__ float box[32][32];
  unsigned s = (unsigned)__cvta_generic_to_shared(&box[threadIdx.x][threadIdx.y]);
  asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(s), \"l\"(in + threadIdx.y * 32 + threadIdx.x));
  asm volatile(\"cp.async.wait_all;\");
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = box[threadIdx.y][threadIdx.x];
}";
    let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
    let expected = [
        ("async_copy_wavefronts", 1024),
        ("shared_load_wavefronts", 32),
        ("shared_store_wavefronts", 0),
    ];
    check(source, &KernelOptions::default(), &launch, &expected);
    let parsed = parse_kernel(source, &KernelOptions::default());
    let counts = counts(&parsed.program, &launch);
    assert_eq!(counts.sums[&("async_copy_wavefronts", 4)], 1024);

    let column = "#include <cuda_pipeline.h>
__global__ void stage(const float2* in, float2* out) {
  __shared__ float2 box[16][16];
  const int r = threadIdx.x / 16, c = threadIdx.x % 16;
  __pipeline_memcpy_async(&box[c][r], &in[blockIdx.x * 256 + threadIdx.x], sizeof(float2));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = box[r][c];
}";
    let launch = NamedLaunch::new([1, 1, 1], [256, 1, 1]);
    let expected = [
        ("async_copy_wavefronts", 256),
        ("shared_load_wavefronts", 16),
    ];
    check(column, &KernelOptions::default(), &launch, &expected);
}

#[test]
fn sizes_of_copies_may_be_operands() {
    // SASS of nvcc 13 for sm_90: 64 wavefronts for 16 copies; 500 of 512 lanes read.
    let source = "__device__ __forceinline__ void fetch(void* dst, const void* src, bool on) {
  unsigned d = (unsigned)__cvta_generic_to_shared(dst);
  int bytes = on ? 16 : 0;
  asm volatile(\"cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\\n\" :: \"r\"(d), \"l\"(src), \"n\"(16), \"r\"(bytes));
}
__global__ void rows(const float4* in, float4* out, int n) {
  __shared__ float4 buf[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  fetch(&buf[threadIdx.x], in + i, i < n);
  asm volatile(\"cp.async.commit_group;\\n\" ::);
  asm volatile(\"cp.async.wait_group %0;\\n\" :: \"n\"(0));
  __syncthreads();
  if (i < n) out[i] = buf[127 - threadIdx.x];
}";
    let launch = NamedLaunch::new([4, 1, 1], [128, 1, 1]).with("n", ArgumentValue::Integer(500));
    let expected = [
        ("async_copy_wavefronts", 64),
        ("shared_load_wavefronts", 63),
        ("global_sectors", 250),
    ];
    check(source, &KernelOptions::default(), &launch, &expected);
}

/// The operations of a kernel whose body is one statement.
fn operations(statement: &str) -> Vec<Op> {
    let source = format!(
        "__global__ void k(float4* in, float4* out, int n) {{
           __shared__ float4 box[64];
           __shared__ unsigned long long bar[2];
           unsigned to = (unsigned)__cvta_generic_to_shared(&box[threadIdx.x]);
           unsigned at = (unsigned)__cvta_generic_to_shared(&bar[0]);
           unsigned a = 0, b = 0, c = 0, d = 0;
           {statement}
           out[threadIdx.x].x = a + b + c + d;
         }}"
    );
    let parsed = read(&source, &KernelOptions::default());
    let severe = |one: &&lanescope_cuda::Diagnostic| one.severity() != Severity::Note;
    let unread: Vec<_> = parsed.diagnostics.iter().filter(severe).collect();
    assert!(unread.is_empty(), "{statement}: {unread:#?}");
    let kernel = parsed.kernel.unwrap();
    assert_eq!(kernel.verify(), Ok(()));
    let blocks = kernel.blocks.into_iter();
    blocks
        .flat_map(|block| block.instructions)
        .map(|one| one.op)
        .collect()
}

#[test]
fn every_form_of_a_copy_is_one_operation() {
    // Bytes, whether some of them are not read, whether L1 is passed by.
    let forms = [
        (
            "cp.async.ca.shared.global [%0], [%1], 4;",
            (4, false, false),
        ),
        (
            "cp.async.ca.shared::cta.global [%0], [%1], 16;",
            (16, false, false),
        ),
        (
            "cp.async.cg.shared.global [%0], [%1], 16;",
            (16, false, true),
        ),
        (
            "cp.async.cg.shared.global.L2::128B [%0], [%1], %3;",
            (16, false, true),
        ),
        (
            "cp.async.cg.shared.global [%0], [%1], %3, %2;",
            (16, true, true),
        ),
        (
            "cp.async.ca.shared.global [%0+8], [%1+8], 8, 4;",
            (8, true, false),
        ),
        (
            "{ .reg .pred p; setp.ne.b32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; }",
            (4, true, false),
        ),
        (
            "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %4;",
            (16, false, true),
        ),
    ];
    for (form, expected) in forms {
        let statement = format!(
            "asm volatile(\"{form}\" :: \"r\"(to), \"l\"(in + threadIdx.x), \"r\"(n), \"n\"(16), \"l\"(0ull));"
        );
        let found = operations(&statement).into_iter().find_map(|op| match op {
            Op::AsyncCopy {
                bytes,
                source_bytes,
                bypasses_l1,
                ..
            } => Some((bytes, source_bytes.is_some(), bypasses_l1)),
            _ => None,
        });
        assert_eq!(found, Some(expected), "{form}");
    }
}

#[test]
fn matrices_are_loaded_and_stored_by_one_operation() {
    let load =
        "asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\"
        : \"=r\"(a), \"=r\"(b), \"=r\"(c), \"=r\"(d) : \"r\"(to));";
    let store = "asm volatile(\"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};\"
        :: \"r\"(to), \"r\"(a), \"r\"(b));";
    let is_load =
        |op: &Op| matches!(op, Op::MatrixLoad { dst, transposed: true, .. } if dst.len() == 4);
    let is_store =
        |op: &Op| matches!(op, Op::MatrixStore { src, transposed: false, .. } if src.len() == 2);
    assert_eq!(operations(load).iter().filter(|op| is_load(op)).count(), 1);
    assert_eq!(
        operations(store).iter().filter(|op| is_store(op)).count(),
        1
    );
}

#[test]
fn copies_in_bulk_and_object_barriers_are_operations() {
    let count = |statement: &str, is: fn(&Op) -> bool| {
        let operations = operations(statement);
        operations.iter().filter(|op| is(op)).count()
    };
    let is_bulk: fn(&Op) -> bool = |op| matches!(op, Op::BulkAccess { .. });
    let is_barrier: fn(&Op) -> bool = |op| matches!(op, Op::ObjectBarrier { .. });
    let bulk = "asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\"
        :: \"r\"(to), \"l\"(in), \"r\"(1024), \"r\"(at) : \"memory\");";
    assert_eq!(count(bulk, is_bulk), 1);
    let back = "asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\" :: \"l\"(out), \"r\"(to), \"r\"(64));
        asm volatile(\"cp.async.bulk.commit_group;\"); asm volatile(\"cp.async.bulk.wait_group.read 0;\");";
    assert_eq!(count(back, is_bulk), 1);
    let arrive = "asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" :: \"r\"(at), \"r\"(1));
        asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" :: \"r\"(at), \"r\"(1024));
        asm volatile(\"cp.async.mbarrier.arrive.noinc.shared.b64 [%0];\" :: \"r\"(at));";
    assert_eq!(count(arrive, is_barrier), 3);
    // The loop that waits is followed: a wait finds its phase complete.
    let wait = "asm volatile(\"{\\n.reg .pred P1;\\nLAB_WAIT:\\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\\n\"
        \"@P1 bra DONE;\\nbra LAB_WAIT;\\nDONE:\\n}\" :: \"r\"(at), \"r\"(0));";
    assert_eq!(count(wait, is_barrier), 1);
    let tested = "int done = 0; while (!done)
        asm volatile(\"{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }\"
          : \"=r\"(done) : \"r\"(at), \"r\"(0));";
    assert_eq!(count(tested, is_barrier), 1);
}
