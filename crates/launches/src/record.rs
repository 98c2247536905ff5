//! One recorded launch.

use crate::{RecordedArgument, plain_name};

/// One recorded launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchRecord {
    /// The kernel's name as the source has it; `None` where only the mangled one was recorded.
    pub kernel: Option<String>,
    /// The name that the compiler gave it.
    pub mangled: Option<String>,
    /// The template's arguments in order, as text.
    pub template_arguments: Vec<String>,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u64,
    /// In the order of the kernel's parameters.
    pub arguments: Vec<RecordedArgument>,
}

impl LaunchRecord {
    /// The kernel's name as the source has it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let mangled = || self.mangled.as_deref().map(plain_name);
        self.kernel.as_deref().or_else(mangled)
    }

    /// The same with the template's arguments, as in `reduce<256, float>`.
    #[must_use]
    pub fn instance(&self) -> Option<String> {
        let name = self.name()?;
        Some(match self.template_arguments.as_slice() {
            [] => name.to_owned(),
            arguments => format!("{name}<{}>", arguments.join(", ")),
        })
    }
}
