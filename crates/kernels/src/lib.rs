//! The lab's catalogue: every reduction, transpose, ceiling and probe that may
//! run on a visitor's GPU, as data.
//!
//! A [`Kernel`] is a WGSL text with `override` tunables, the ranges these may
//! take, the workgroups a [`Problem`] needs, the bytes it moves, a CUDA-like
//! twin for prediction, and a CPU reference. Nothing here touches a GPU.
//!
//! ```
//! use lanescope_kernels::{Kernel, KernelId, Problem};
//!
//! let kernel = Kernel::of(KernelId::ReduceSequential);
//! let problem = Problem::Length(8 * 256);
//! let values = kernel.defaults();
//! // 8 workgroups of 256 lanes leave 8 partial sums, which one more adds.
//! assert_eq!(kernel.workgroups(problem, &values), 8);
//! assert_eq!(kernel.traffic(problem).read_bytes, 8 * 256 * 4);
//! ```
//!
//! Left out: running and timing (`lanescope-lab`), prediction
//! (`lanescope-model`), and any text a visitor typed.

mod catalogue;
mod element;
mod family;
mod grid;
mod kernel;
mod kernel_id;
mod noise;
mod parameter;
mod problem;
mod reference;
mod shape;
mod traffic;

pub use element::Element;
pub use family::Family;
pub use grid::Grid;
pub use kernel::{FILL_WGSL, Kernel};
pub use kernel_id::KernelId;
pub use noise::{Fill, noise};
pub use parameter::{Parameter, Stage, Values};
pub use problem::Problem;
pub use reference::{f32_sum_bound, reference_sum_f32, reference_sum_u32};
pub use shape::Shape;
pub use traffic::Traffic;
