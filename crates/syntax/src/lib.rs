//! Lexer, preprocessor and recursive-descent parser of CUDA C and of index expressions.
//!
//! Text becomes a [`tree::Tree`] in which every node has its place, and [`Diagnostic`]s: parsing never fails. The
//! stages are functions on lists of tokens, so that each can be had alone.
//!
//! ```
//! use lanescope_syntax::{Sink, lexer, parser, preprocessor, printer};
//!
//! let source = "#define N 32\n__global__ void k(float *a) { a[threadIdx.x + N] = 0; }";
//! let mut sink = Sink::new(source);
//! let tokens = preprocessor::preprocess(lexer::lex(source, &mut sink), &[], &mut sink);
//! let tree = parser::parse_source(tokens, &mut sink);
//! assert!(sink.into_list().is_empty());
//! assert!(printer::source(&tree).contains("threadIdx.x + 32"));
//! ```
//!
//! Left out: what a name or a type means, sizes, overloads and templates' instances. Which names are types is guessed
//! from declarations alone. Diagnostics of later stages have their kinds here too, because one list holds all that is
//! said of a source.

mod bundle;
mod construct;
mod contents;
pub mod diagnostic;
mod dialect;
mod headers;
mod includes;
pub mod lexer;
mod limits;
mod moves;
mod nearest;
mod need;
mod nested;
pub mod parser;
pub mod preprocessor;
pub mod printer;
pub mod reach;
pub mod scalar;
pub mod sink;
pub mod span;
pub mod token;
pub mod tree;
mod wire;

pub use bundle::{
    BundledFile, MOST_GATHERED_BYTES, bundle, bundled_files, gather, line_in_file, path_beside,
};
pub use construct::Construct;
pub use contents::Contents;
pub use diagnostic::{Diagnostic, DiagnosticKind, Fix, Severity, Thread};
pub use dialect::Dialect;
pub use includes::includes;
pub use limits::Limits;
pub use moves::Moves;
pub use nearest::Nearest;
pub use need::within_limits;
pub use scalar::Scalar;
pub use sink::Sink;
pub use span::{Lines, Span};
