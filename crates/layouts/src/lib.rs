//! Layouts as people write them: CuTe's shapes and strides, swizzles, TMA boxes and Triton's
//! shared encodings, and the lanes that read and write through them.
//!
//! Everything starts from text and ends in byte addresses: [`parse`] gives a [`Document`] (always,
//! with [`Diagnostic`]s where something is wrong), whose [`Placement`] says where each element of
//! the tile lies and whose [`LaneRequest`]s are requests as `lanescope_model` takes them.
//!
//! ```
//! // A row-major 8x8 tile of 32-bit words, the column XORed with the row; lanes down a column.
//! let document = lanescope_layouts::parse("type f32\nSwizzle<3,0,3> o (8,8):(8,1)\nload lanes 8x1");
//! assert!(document.diagnostics.is_empty());
//! let words: Vec<u64> = document.requests[0].addresses[..8].iter().map(|byte| byte / 4).collect();
//! assert_eq!(words, [0, 9, 18, 27, 36, 45, 54, 63]);
//! ```
//!
//! # Conventions
//! - Coordinates count from the left, as in CuTe: the leftmost mode of a shape runs fastest.
//! - Mode 0 of the tile is its row, mode 1 its column; further modes continue the column.
//! - `Swizzle<B,M,S>` is CuTe's: `S` is the distance between the two groups of bits. Code that
//!   gives the absolute position instead (M+S) is read after the line `shift absolute`.
//! - A swizzle acts on element numbers; after the line `swizzle bytes` it acts on byte offsets.
//!
//! - After a pointer (`smem_ptr[16b](unset)`), and in operand layouts, it acts on byte addresses.
//! - The element type that a layout's text gives is its type; else the line `type` says it.
//!
//! # Grammar
//! ```ebnf
//! document   = { [ statement ] ( newline | ";" ) } ;
//! statement  = [ NAME ":" ] statement | "type" NAME | "swizzle" ( "elements" | "bytes" ) | "shift" ( "relative" | "absolute" )
//!            | "base" NUMBER | definition | operation | access | expression ;
//! definition = [ "using" ] { qualifier } [ NAME ] NAME "=" expression | ( "#" | "!" ) NAME "=" expression ;
//! operation  = a line of MLIR: "ttg.local_load", "ttg.local_store" and "ttg.local_alloc" are layouts with accesses ;
//! access     = [ "load" | "store" ] pattern { "at" "(" NUMBER "," NUMBER ")" | "bits" NUMBER | "cluster" | "everywhere" }
//!            | ( "ld" | "st" ) { "." NAME } [ pattern ] | a copy atom of CuTe's ;
//! pattern    = "tv" expression | "row" | "column" | "lanes" NUMBER "x" NUMBER
//!            | ( "ldmatrix" | "stmatrix" ) { "." NAME } [ "as" NUMBER "x" NUMBER ]
//!            | "cp" "." "async" NUMBER | encoding | "tensor" "<" dimensions "," encoding ">" ;
//! expression = sum { "o" sum } ;
//! sum        = factor { ( "+" | "-" ) factor } ;
//! factor     = term { ( "*" | "/" ) term } ;
//! term       = ( swizzle | pointer | box | encoding | memory | call | tiler | tuple [ ":" stride ] | NAME ) [ "{}" ] ;
//! stride     = tuple [ "over" "F2" ] | "row" | "col" ;
//! swizzle    = ( "Swizzle" | "Sw" | "S" ) "<" NUMBER "," NUMBER "," [ "-" ] NUMBER ">" ;
//! pointer    = ( "smem_ptr" | "ptr" ) "[" NUMBER "b" "]" "(" ( "unset" | NUMBER ) ")" ;
//! box        = "tma" "<" ( "none" | "32B" | "64B" | "128B" ) ">" tuple ;
//! encoding   = "#" NAME { "." NAME } [ "<" [ pads ] [ "{" settings "}" ] { "," setting } ">" ] [ "on" extents ] ;
//! memory     = "!" NAME { "." NAME } "<" dimensions "," encoding { "," anything } ">" ;
//! dimensions = NUMBER { "x" NUMBER } "x" NAME ;
//! extents    = tuple | NUMBER { "x" NUMBER } ;
//! call       = path [ "<" arguments ">" ] [ "(" arguments ")" ] ;
//! arguments  = [ [ NAME "=" ] expression { "," [ NAME "=" ] expression } ] ;
//! tiler      = "<" arguments ">" ;
//! tuple      = [ "-" ] NUMBER | "Int" "<" NUMBER ">" | "(" tuple { "," tuple } ")" ;
//! ```
//! `_8` is read as `8`, `∘` as `o`; namespaces, quotes and comments say nothing.

mod algebra;
mod bit_matrix;
mod default_access;
mod diagnostic;
mod distributed;
mod divide;
mod document;
mod element;
mod encoding;
mod error;
mod evaluate;
mod fault;
pub mod find;
mod lanes;
mod lexer;
mod map;
mod notation;
mod operand;
mod parser;
mod product;
mod snippet;
mod strided;
mod swizzle;
mod syntax;
mod tile;
mod tiler;
mod tma;
mod xor_mode;
mod xor_table;

pub use algebra::{coalesce, complement, composition, left_inverse, right_inverse};
pub use default_access::with_access;
pub use diagnostic::{Diagnostic, Severity};
pub use divide::{flat_divide, logical_divide, tiled_divide, zipped_divide};
pub use document::{Document, ShiftConvention, SwizzleUnit, parse};
pub use error::LayoutError;
pub use fault::{Fault, Wanted};
pub use find::find;
pub use lanes::LaneRequest;
pub use map::{Map, Placement, Stage};
pub use operand::Operand;
pub use product::{
    blocked_product, flat_product, logical_product, raked_product, tiled_product, zipped_product,
};
pub use snippet::{Snippet, snippets};
pub use strided::{Layout, Mode, Nest};
pub use swizzle::Swizzle;
pub use tile::{Tile, TileCell};
pub use tiler::Tiler;
pub use tma::TmaSwizzle;
pub use xor_mode::XorMode;
pub use xor_table::XorTable;
