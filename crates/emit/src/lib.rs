//! Kernels of the intermediate representation as WGSL text that runs on a GPU.
//!
//! [`emit`] takes a kernel as written and the launch's block, and gives a text with all that is needed to run it: which
//! binding holds which parameter, the words of its uniform, the workgroup's size, where lines come from, and in what the
//! text differs from the kernel ([`Note`]). What WGSL has no word for is refused by name ([`Refusal`]).
//!
//! ```
//! use lanescope_cuda::{KernelOptions, read};
//! use lanescope_emit::{Options, emit};
//!
//! let source = "__global__ void scale(float* v, float by, int n) {
//!   int i = blockIdx.x * blockDim.x + threadIdx.x;
//!   if (i < n) v[i] *= by;
//! }";
//! let kernel = read(source, &KernelOptions::default()).kernel.expect("a kernel");
//! let options = Options { block: [64, 1, 1], ..Options::default() };
//! let emitted = emit(&kernel, &options).expect("text");
//! assert!(emitted.text.contains("var<storage, read_write> v: array<f32>;"));
//! assert_eq!(emitted.entry, "scale");
//! assert_eq!(emitted.workgroup_size, [64, 1, 1]);
//! ```
//!
//! Control flow is structured by dominators, control at barriers made uniform by masks, 64-bit integers are words where
//! ranges prove it. Left out: running the text, and WGSL texts, which run as they are.

mod access;
mod arithmetic;
mod assemble;
mod atomic;
mod comparison;
mod constant_fold;
mod converge;
mod conversion;
mod document;
mod emitted;
mod exchange;
mod expression;
mod fences;
mod float;
mod index;
mod kinds;
mod library;
mod memory;
mod names;
mod node;
mod ranges;
mod refusal;
mod simplify;
mod statement;
mod structure;
mod uniform;
mod uniform_block;
mod unroll;
mod value;
mod watch;
mod wide;
mod writer;

pub use assemble::emit;
pub use emitted::{Binding, BufferSource, Emitted, Limits, Options, Uniform, Watch};
pub use kinds::Scalar;
pub use lanescope_locale::emit::Note;
pub use refusal::{Refusal, RefusalKind};
pub use uniform_block::{Field, FieldValue};
