//! ELF objects of NVIDIA's compilers ("cubin"): what a listing of their code does not say.
//!
//! Read are the architecture, each kernel's parameters with their places (`.nv.info`), the bytes of static shared
//! memory, and what the constant banks hold as the object is loaded. The code itself stays what it is: bytes, which
//! NVIDIA's disassemblers print. Programs, objects of the host's compiler and fat binaries are told by [`container`];
//! the cubins in them are taken out by `cuobjdump -xelf all`.
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
mod object;

pub use container::{Container, container};
pub use error::ObjectError;
pub use object::{Constant, KernelInfo, Object, ParameterPlace, read};
