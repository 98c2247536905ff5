//! The compiler's passes take work that grows with a source, not with the iterations of its nests.

use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::Kernel;
use lanescope_optimizer::{Profile, optimize_while, optimize_within};
use std::cell::Cell;
use std::rc::Rc;

fn kernel(body: &str) -> Kernel {
    let source = format!("__global__ void k(float *p, int n) {{ {body} }}");
    read(&source, &KernelOptions::default())
        .kernel
        .expect("a kernel")
}

fn nest(depth: usize, end: &str) -> Kernel {
    let loops = (0..depth).map(|at| format!("for (int a{at} = 0; a{at} < {end}; ++a{at}) "));
    kernel(&(loops.collect::<String>() + "p[threadIdx.x] += 1;"))
}

/// The least work, as a power of two, within which the passes come to their end.
fn work(kernel: &Kernel) -> u32 {
    let is_enough = |bits: &u32| {
        let work = 1_u64 << bits;
        optimize_within(kernel, &Profile::NVCC_13_SM_90, work).is_complete
    };
    (8..26).find(is_enough).expect("an end")
}

#[test]
fn a_nest_takes_work_that_grows_with_its_depth() {
    let works = [8, 16, 32, 60].map(|depth| work(&nest(depth, "3")));
    // Twice the depth is at most eight times the work.
    let steps = works.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
    assert!(steps.max() <= Some(3), "{works:?}");
    assert!(works[3] <= 21, "{works:?}");
}

#[test]
fn a_nest_whose_ends_the_launch_tells_is_no_dearer() {
    assert!(work(&nest(60, "n")) <= 21);
}

#[test]
fn the_passes_ask_whether_to_go_on() {
    let asked = Rc::new(Cell::new(0));
    let seen = Rc::clone(&asked);
    let keep_going = move || {
        seen.set(seen.get() + 1);
        seen.get() < 4
    };
    let kernel = nest(60, "3");
    let optimized = optimize_while(&kernel, &Profile::NVCC_13_SM_90, 1 << 24, keep_going);
    assert!(!optimized.is_complete);
    // Once told to end they do not go on.
    assert_eq!(asked.get(), 4);
}
