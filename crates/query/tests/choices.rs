//! What a compiler may treat otherwise: each reason by kernels of its own, and kernels that leave it nothing.

use lanescope_cuda::{KernelOptions, read};
use lanescope_optimizer::{ChoiceKind, choices};

/// Work enough for every kernel here.
const WORK: u64 = 1 << 20;

/// By access as written: why a compiler may treat it otherwise.
fn named(body: &str) -> Vec<(String, ChoiceKind)> {
    let source = format!(
        "struct alignas(16) Pair {{ float a, b; }}; struct alignas(16) Three {{ float a, b, c; }};\n\
         __global__ void k(float *o, const float *i, const float4 *v, const Pair *p, int *c, int n) {{\n\
         __shared__ float s[64][33]; int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;\n{body}\n}}"
    );
    let parsed = read(&source, &KernelOptions::default());
    assert!(
        parsed.diagnostics.is_empty(),
        "{body}: {:?}",
        parsed.diagnostics
    );
    let kernel = parsed.kernel.expect("a kernel");
    let found = choices(&kernel, WORK).into_iter();
    found
        .map(|one| (kernel.sites[one.site.index()].text.clone(), one.kind))
        .collect()
}

fn kinds(body: &str) -> Vec<ChoiceKind> {
    let mut kinds: Vec<ChoiceKind> = named(body).into_iter().map(|(_, kind)| kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn nothing_is_left_to_a_compiler() {
    for body in [
        // A copy, a guard, a transpose.
        "o[g] = i[g];",
        "if (g < n) o[g] = i[g];",
        "if (g >= n) return; o[g] = 2 * i[g];",
        "s[threadIdx.y][t] = i[g]; __syncthreads(); o[g] = s[t][threadIdx.y];",
        // A tree of sums, with a barrier in each round, that all lanes make as many of.
        "s[0][t] = i[g]; __syncthreads(); for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[0][t] += s[0][t + d]; \
         __syncthreads(); } if (t == 0) o[blockIdx.x] = s[0][0];",
        // Neighbours in global memory, where no type says how they are aligned.
        "o[2 * g] = i[g]; o[2 * g + 1] = 1;",
        // All of a vector.
        "float4 x = v[g]; o[g] = x.x + x.y + x.z + x.w;",
        // Rows of a matrix, column by column: iterations lie apart.
        "float sum = 0; for (int r = 0; r < n; r++) sum += i[r * 4096 + g]; o[g] = sum;",
    ] {
        assert_eq!(named(body), [], "{body}");
    }
}

#[test]
fn accesses_of_the_same_bytes_are_named() {
    for body in [
        "o[g] = i[g] + i[g];",
        "o[g] = i[g]; o[g] = 2;",
        "s[0][t] = i[g]; o[g] = s[0][t];",
        // In every iteration.
        "float sum = 0; for (int r = 0; r < n; r++) sum += i[t]; o[g] = sum;",
        // In neighbouring iterations.
        "float sum = 0; for (int r = 0; r < n; r++) sum += i[r * 32 + t] * i[r * 32 + t + 32]; o[g] = sum;",
    ] {
        assert_eq!(kinds(body), [ChoiceKind::Repeated], "{body}");
    }
}

#[test]
fn neighbours_that_may_be_joined_are_named() {
    for body in [
        "s[0][2 * t] = i[g]; s[0][2 * t + 1] = 1; __syncthreads(); o[g] = s[0][t];",
        "o[g] = p[g].a + p[g].b;",
        "s[0][t] = i[g]; __syncthreads(); float sum = 0; for (int r = 0; r < n; r++) sum += s[t][r]; o[g] = sum;",
    ] {
        assert!(kinds(body).contains(&ChoiceKind::Adjacent), "{body}");
    }
}

#[test]
fn what_is_needed_only_in_part_is_named() {
    for body in [
        "float4 x = v[g]; o[g] = x.x;",
        "float x = i[g]; o[g] = 1;",
        "c[g] = c[g + 4096] & 255;",
        "s[0][t] = i[g]; o[g] = 1;",
    ] {
        assert!(kinds(body).contains(&ChoiceKind::PartlyUsed), "{body}");
    }
}

#[test]
fn lanes_that_part_are_named() {
    for body in [
        "if (t & 1) o[g] = i[g]; else o[g + n] = i[g + 4096];",
        "o[g] = t < 7 ? i[g] : i[g + 4096];",
        "switch (t & 3) { case 0: o[g] = 1; break; case 1: o[g + n] = 2; }",
        "if (t < n) o[g] = 1; c[g] = 2; if (t < n) o[g + 4096] = 3;",
    ] {
        assert!(kinds(body).contains(&ChoiceKind::Branch), "{body}");
    }
    for body in [
        "for (int r = t; r < n; r += 32) o[r * 64] = 1;",
        "for (int r = 0; ; r++) { if (r * t > n) break; o[r * 64] = 1; }",
        "int r = 0; while (true) { o[r * 64 + t] = 1; if (++r > n) break; if (r * 3 > n) break; }",
    ] {
        assert!(kinds(body).contains(&ChoiceKind::Loop), "{body}");
    }
}

#[test]
fn private_memory_and_places_of_a_whole_warp_are_named() {
    let body = "float r[4]; for (int k = 0; k < 4; k++) r[k] = i[k * 4096 + g]; o[g] = r[t & 3];";
    assert!(kinds(body).contains(&ChoiceKind::PrivateMemory));
    assert!(kinds("atomicAdd(c, 1);").contains(&ChoiceKind::Aggregation));
}

#[test]
fn a_kernel_that_takes_too_much_work_is_named_whole() {
    let source = "__global__ void k(float *o) { o[threadIdx.x] = 1; }";
    let kernel = read(source, &KernelOptions::default())
        .kernel
        .expect("a kernel");
    let found = choices(&kernel, 0);
    assert!(found.iter().all(|one| one.kind == ChoiceKind::NotAnalysed) && found.len() == 1);
}

#[test]
fn loads_that_one_side_of_a_branch_needs_are_named() {
    for body in [
        "float v = i[g]; if (t % 2 == 0) o[g] = v;",
        "float v = i[g] + 1; float w = v * v; if (g < n) { w += 1; o[g] = w; }",
        // The branch is on what was loaded elsewhere.
        "float v = i[g]; if (c[g] > 3) o[g] = v;",
    ] {
        assert_eq!(
            named(body),
            [("i[g]".to_owned(), ChoiceKind::Branch)],
            "{body}"
        );
    }
    for body in [
        // It decides the branch.
        "float v = i[g]; if (v > 3) o[g] = 1;",
        // It is needed behind the branch too.
        "float v = i[g]; if (t % 2 == 0) v += 1; o[g] = v;",
    ] {
        assert_eq!(named(body), [], "{body}");
    }
}

#[test]
fn stores_of_structures_with_padding_are_named() {
    for body in [
        "Three x{}; x.b = 1; ((Three *)o)[g] = x;",
        "Three x; x.a = t; x.b = g; x.c = n; ((Three *)o)[g] = x;",
    ] {
        assert_eq!(kinds(body), [ChoiceKind::PartlyUsed], "{body}");
    }
}
