//! The text form: [`Kernel`] as text that a person can read and write, and back.
//!
//! Tests of passes are written in it. Printing and reading give the same kernel again, for every kernel whose
//! indices are in range ([`Kernel::verify`]).
//!
//! ```text
//! kernel      = 'kernel' string { header } '{' { declaration } { block } '}' ;
//! header      = 'stage' '=' name | 'shared' '=' number | 'shared_zeroed' '=' number | 'shared_base' '=' number
//!             | 'local' '=' number | 'barriers' '=' number | 'block' '=' number ',' number ',' number ;
//! declaration = 'registers' { register }
//!             | 'file' string
//!             | 'place' number number '..' number [ number ':' number ] [ 'origin' number ':' number ]
//!             | 'parameter' string [ string ] 'offset' '=' number 'bytes' '=' number [ 'scalar' '=' type ]
//!               [ 'array' '=' array ] [ at ]
//!             | 'variable' string { integer } [ at ]
//!             | array string space string 'size' '=' number { option } [ at ]
//!             | site string operation space type 'bytes' '=' number { option } [ at ]
//!             | 'unroll' block number
//!             | 'code' number block ;
//! block       = 'b' number ':' { line } ;
//! line        = [ '@' [ '!' ] register ] [ result { ',' result } '=' ] name { '.' name } { argument } [ at ] ;
//! result      = register | '_' ;
//! argument    = operand | site | '[' operand [ '+' index ] [ ( '+' | '-' ) number ] ']' | array | 'b' number | 'c' number
//!             | string | '_' ;
//! operand     = register | number ;
//! index       = register | 'const' number ;
//! register    = ( 'p' | 'y' | 'h' | 'r' | 'd' ) number ;
//! at          = '#' number ;
//! array       = 'a' number ;
//! site        = 's' number ;
//! ```
//!
//! A register's letter says its width: `p` 1 bit, `y` 8, `h` 16, `r` 32, `d` 64; its number is its index among all
//! registers. Blocks, sites and arrays are numbered in order from 0. Commas between arguments are for the eye. `_` stands for
//! a result or an operand that is not there; at the end of either list it is left out, unless it counts the elements of an
//! access or of an unpacked word. Names, modifiers and their order follow from the table of operations ([`crate::Op`]). A
//! line ends with its line or at a `;`; `//` starts a comment. A line's `#3` is its place, by index.

mod field;
mod lexer;
mod names;
mod parser;
mod printer;

pub(crate) use field::{Form, Line, Textual};
pub(crate) use parser::Arguments;
pub use parser::TextError;

use crate::Kernel;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        printer::kernel(self, f)
    }
}

impl FromStr for Kernel {
    type Err = TextError;

    /// Reads the text form. Call [`Kernel::verify`] before the kernel is used.
    fn from_str(text: &str) -> Result<Self, TextError> {
        parser::kernel(text)
    }
}
