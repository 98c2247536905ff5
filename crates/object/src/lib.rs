//! ELF objects of NVIDIA's compilers ("cubin"): what a listing of their code does not say.
//!
//! Read are the architecture, each kernel's parameters with their places (`.nv.info`), the bytes of static shared
//! memory, and what the constant banks hold as the object is loaded. The code itself stays what it is: bytes, which
//! NVIDIA's disassemblers print. Programs, objects of the host's compiler and fat binaries are told by [`container`];
//! the cubins and PTX texts in them are [`entries`]. What an object says travels with a listing as lines of text
//! ([`Object::to_text`]).
//!
//! ```
//! use lanescope_object::{Container, ObjectError, container, read};
//!
//! assert_eq!(container(b"__global__ void f() {}"), None);
//! assert_eq!(container(&[0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0]), Some(Container::FatBinary));
//! assert_eq!(read(b"\x7fELF"), Err(ObjectError::Truncated));
//! ```
//!
//! Left out: debugging information and relocations, except that a bank whose words the linker fills in is not given.

mod attribute;
mod container;
mod elf;
mod error;
mod fat_binary;
mod lz4;
mod object;
mod text;
mod zstandard;

pub use container::{Container, container};
pub use error::ObjectError;
pub use fat_binary::{Entry, EntryKind, entries};
pub use object::{Constant, KernelInfo, Object, ParameterPlace, read};
pub use text::is_object_line;
