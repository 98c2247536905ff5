//! Plans of kernels that somebody else wrote, in WGSL or emitted as it.

use std::borrow::Cow;
use std::sync::Arc;

use lanescope_emit::{BufferSource, Emitted};
use lanescope_kernels::Traffic;

use crate::plan::{BufferPlan, Check, Checks, Plan, Role, Shader, Slot, Step};
use crate::{DeviceLimits, Fault};

/// What one buffer of a launch holds before, and what it must hold after.
#[derive(Clone, Debug)]
pub struct Content {
    /// Its bytes before the launch.
    pub bytes: Arc<[u8]>,
    /// What its words must be in the end.
    pub check: Check,
}

/// A launch of a kernel that somebody else wrote.
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
            let granule = binding.granule_bytes.max(4);
            let whole = (content.bytes.len() as u64).next_multiple_of(granule);
            let bytes = whole.max(granule).max(binding.least_bytes);
            if bytes > limits.array_bytes() {
                let fits_bytes = limits.array_bytes();
                return Err(Fault::TooLarge { bytes, fits_bytes });
            }
            let number = buffer_number(binding.source);
            let role = match binding.is_uniform {
                true => Role::Uniform(Arc::clone(&content.bytes)),
                false => Role::Data(Arc::clone(&content.bytes), number),
            };
            let slot = Slot {
                group: binding.group,
                binding: binding.binding,
            };
            bindings.push((slot, buffers.len()));
            if content.check != Check::Nothing {
                results.push((buffers.len(), content.check.clone()));
            }
            buffers.push(BufferPlan { role, bytes });
        }
        for uniform in &self.emitted.uniforms {
            let bytes = uniform.bytes(self.parameters, self.grid);
            let slot = Slot {
                group: uniform.group,
                binding: uniform.binding,
            };
            bindings.push((slot, buffers.len()));
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
                    constants: self.constants(),
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

impl Launch<'_> {
    /// Values of the text's overrides.
    fn constants(&self) -> Vec<(Cow<'static, str>, f64)> {
        let all = self.emitted.constants.iter();
        all.map(|(name, value)| (name.clone().into(), *value))
            .collect()
    }
}

/// A number that no other buffer of the text has.
const fn buffer_number(source: BufferSource) -> u32 {
    match source {
        BufferSource::Parameter(position) => position * 2,
        BufferSource::Array(id) => id.0 * 2 + 1,
    }
}
