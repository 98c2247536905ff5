//! Loads of kernels through the L1 view.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Budget, KernelOptions, NamedLaunch, SiteId, execute};
use lanescope_tally::{L1Counts, L1View};

/// Two loads of the same `lines` lines, one after the other, by a warp.
fn counts(lines: u32, cache_bytes: u64) -> [L1Counts; 3] {
    let source = format!(
        "__global__ void f(volatile float* a, float* b) {{
             float sum = 0;
             for (int i = 0; i < {lines}; i++) sum += a[32 * i + threadIdx.x];
             for (int i = 0; i < {lines}; i++) sum += a[32 * i + threadIdx.x];
             b[threadIdx.x] = sum;
         }}"
    );
    let program = parse_kernel(&source, &KernelOptions::default()).program;
    let launch = NamedLaunch::new([2, 1, 1], [32, 1, 1]);
    let mut view = L1View::new(cache_bytes);
    execute(&program, &launch, 32, Budget::default(), &mut view);
    [
        view.counts(),
        view.of_site(SiteId(0)),
        view.of_site(SiteId(1)),
    ]
}

fn sectors(requested: u64, distinct: u64, fetched: u64) -> L1Counts {
    L1Counts {
        requested,
        distinct,
        fetched,
    }
}

#[test]
fn what_fits_is_fetched_once_a_block() {
    let first = sectors(32, 32, 32);
    let second = sectors(32, 32, 0);
    assert_eq!(counts(4, 4 * 128), [sectors(64, 32, 32), first, second]);
}

#[test]
fn what_is_a_line_too_large_is_fetched_each_time() {
    let each = sectors(40, 40, 40);
    assert_eq!(counts(5, 4 * 128), [sectors(80, 40, 80), each, each]);
}
