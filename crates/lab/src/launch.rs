//! Plans of kernels that somebody else wrote, emitted as WGSL.

use std::sync::Arc;

use lanescope_emit::{BufferSource, Emitted};
use lanescope_kernels::Traffic;

use crate::plan::{BufferPlan, Check, Checks, Plan, Role, Shader, Step};
use crate::{DeviceLimits, Fault};

/// What one buffer of a launch holds before, and what it must hold after.
#[derive(Clone, Debug)]
pub struct Content {
    /// Its bytes before the launch.
    pub bytes: Arc<[u8]>,
    /// What its words must be in the end.
    pub check: Check,
}

/// A launch of an emitted kernel.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The text.
    pub emitted: &'a Emitted,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// The bytes of all parameters, by the kernel's offsets.
    pub parameters: &'a [u8],
    /// The contents of the text's buffers, in the order of its bindings.
    pub contents: &'a [Content],
    /// Bytes that count towards bandwidth.
    pub traffic: Traffic,
}

impl Launch<'_> {
    /// What it takes to run it on a device of these limits.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] or [`Fault::Unavailable`] if the device cannot.
    pub fn plan(&self, limits: &DeviceLimits) -> Result<Plan, Fault> {
        let mut buffers = Vec::new();
        let mut bindings = Vec::new();
        let mut results = Vec::new();
        for (binding, content) in self.emitted.bindings.iter().zip(self.contents) {
            let bytes = (content.bytes.len() as u64).next_multiple_of(16).max(16);
            if bytes > limits.array_bytes() {
                let fits_bytes = limits.array_bytes();
                return Err(Fault::TooLarge { bytes, fits_bytes });
            }
            let number = buffer_number(binding.source);
            let role = Role::Data(Arc::clone(&content.bytes), number);
            bindings.push((binding.binding, buffers.len()));
            if content.check != Check::Nothing {
                results.push((buffers.len(), content.check.clone()));
            }
            buffers.push(BufferPlan { role, bytes });
        }
        if let Some(binding) = self.emitted.uniform {
            let bytes = self.emitted.uniform_bytes(self.parameters, self.grid);
            bindings.push((binding, buffers.len()));
            buffers.push(BufferPlan {
                bytes: (bytes.len() as u64).next_multiple_of(16).max(16),
                role: Role::Uniform(bytes.into()),
            });
        }
        let workgroups = self.emitted.dispatch(self.grid, limits.workgroups);
        let workgroups = workgroups.ok_or_else(|| Fault::Unavailable {
            needs: format!(
                "more than {} workgroups along one dimension",
                limits.workgroups
            ),
        })?;
        Ok(Plan {
            buffers,
            steps: vec![Step::Dispatch {
                shader: Shader {
                    text: self.emitted.text.clone().into(),
                    entry: self.emitted.entry.clone().into(),
                    constants: Vec::new(),
                    checks: Checks::On,
                },
                bindings,
                workgroups,
            }],
            results,
            traffic: self.traffic,
        })
    }
}

/// A number that no other buffer of the text has.
const fn buffer_number(source: BufferSource) -> u32 {
    match source {
        BufferSource::Parameter(position) => position * 2,
        BufferSource::Array(id) => id.0 * 2 + 1,
    }
}
