//! Variables of CUDA source whose memory is promoted to registers.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::{AddressSpace, Kernel, Op};

fn kernel(body: &str) -> Kernel {
    let source = format!(
        "__device__ unsigned bits(int i) {{ return *reinterpret_cast<unsigned*>(&i); }}
         __global__ void k(int* out, int n) {{ {body} }}"
    );
    let parsed = read(&source, &KernelOptions::default());
    assert_eq!(parsed.diagnostics, [], "{source}");
    let kernel = parsed.kernel.expect("a kernel");
    assert_eq!(kernel.verify(), Ok(()));
    kernel
}

fn local_accesses(body: &str) -> usize {
    let kernel = kernel(body);
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let is_local =
        |site: lanescope_ir::SiteId| kernel.sites[site.index()].space == AddressSpace::Local;
    all.filter(|one| match &one.op {
        Op::Load { site, .. } | Op::Store { site, .. } => is_local(*site),
        _ => false,
    })
    .count()
}

#[test]
fn variables_whose_bits_are_read_through_a_pointer_are_registers() {
    assert_eq!(local_accesses("int i = n; out[bits(i)] = i;"), 0);
    let in_loop = "int i = n; while (i > 0) { out[bits(i)] = i; i -= 2; }";
    assert_eq!(local_accesses(in_loop), 0);
}

#[test]
fn variables_whose_accesses_are_not_known_stay_in_memory() {
    // An element that the thread chooses;
    assert_ne!(
        local_accesses("int a[4] = {1, 2, 3, 4}; out[a[n & 3]] = 1;"),
        0
    );
    // parts of a whole;
    let parts = "int i = n; out[reinterpret_cast<unsigned char*>(&i)[1]] = i;";
    assert_ne!(local_accesses(parts), 0);
    // what only some threads have stored.
    let maybe = "int a[1]; if (threadIdx.x < n) a[0] = 1; out[a[0]] = 1;";
    assert_ne!(local_accesses(maybe), 0);
}

#[test]
fn truths_are_bytes_in_memory_and_predicates_in_registers() {
    let member = "struct Flag { signed char n; bool is; };
        Flag flags[2] = {Flag{6, n > 3}, Flag{4, n > 5}}; Flag one; one = flags[1];
        if (one.is) out[one.n] = n;";
    assert_eq!(local_accesses(member), 0);
    let shared =
        "union { bool is; unsigned char byte; } both; both.byte = n; if (both.is) out[0] = n;";
    kernel(shared);
    let back = "union { bool is; unsigned char byte; } both; both.is = n > 3; out[both.byte] = n;";
    kernel(back);
}
