//! Kernels from `ir`'s text form.

use lanescope_ir::Kernel;

/// The kernel of these blocks, which it holds to [`Kernel::verify`].
pub(crate) fn read(blocks: &str) -> Kernel {
    let kernel: Kernel = match format!("kernel \"k\" {{\n{blocks}\n}}").parse() {
        Ok(kernel) => kernel,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(kernel.verify(), Ok(()));
    kernel
}
