//! A kernel emitted, run on a GPU and in the simulator.

use std::sync::Arc;

use lanescope_emit::{BufferSource, Emitted, Limits, Options, emit};
use lanescope_ir::Kernel;
use lanescope_kernels::Traffic;
use lanescope_lab::plan::Check;
use lanescope_lab::{Content, Fault, Gpu, Launch, Machine, Verifier};
use lanescope_simt::{self as simt, Contents, ParameterValue};

pub(crate) fn gpu() -> Option<Gpu> {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return None;
    }
    Some(pollster::block_on(Gpu::open(None)).expect("no GPU; LANESCOPE_GPU=none if there is none"))
}

/// A launch with all that it needs.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared_bytes: u64,
    /// Whether the text may use 16-bit floats where the device has them.
    pub(crate) has_half: bool,
    /// Lanes of a warp.
    pub(crate) lanes: u32,
    /// Bytes of buffers and scalars, by the parameter's position.
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Clone)]
pub(crate) enum Argument {
    Buffer(Vec<u8>),
    Scalar(Vec<u8>),
}

impl Case {
    pub(crate) fn emitted(&self, kernel: &Kernel, gpu: &Gpu) -> Result<Emitted, String> {
        let limits = gpu.limits();
        let options = Options {
            block: self.block,
            grid: self.grid,
            dynamic_shared_bytes: self.dynamic_shared_bytes,
            lanes: self.lanes,
            limits: Limits {
                shared_bytes: limits.workgroup_bytes,
                threads: limits.invocations,
                subgroup_lanes: limits.subgroup_lanes,
                half: limits.half && self.has_half,
                ..Limits::default()
            },
            is_watched: false,
        };
        emit(kernel, &options).map_err(|refusal| refusal.to_string())
    }

    fn launch(&self) -> simt::Launch {
        let value = |argument: &Argument| match argument {
            Argument::Buffer(bytes) => ParameterValue::Buffer {
                bytes: Some(bytes.len() as u64),
                base_offset: 0,
                contents: Contents::Bytes(bytes.clone().into()),
                offset_in_allocation: 0,
            },
            Argument::Scalar(bytes) => ParameterValue::Bytes(bytes.clone()),
        };
        simt::Launch {
            grid: self.grid,
            block: self.block,
            dynamic_shared_bytes: self.dynamic_shared_bytes,
            parameters: self.arguments.iter().map(value).collect(),
            ..simt::Launch::default()
        }
    }

    /// The words that each buffer of the text holds in the end, where the simulator knows them.
    pub(crate) fn expected(&self, kernel: &Kernel, emitted: &Emitted) -> Vec<Vec<Option<u32>>> {
        let budget = simt::Budget::default();
        let launch = self.launch();
        let (outcome, memory) =
            simt::execute_storing(kernel, &launch, self.lanes, budget, &mut simt::Nobody);
        assert_eq!(outcome.end, simt::End::Complete);
        let words = |position: u32| {
            let bytes = self.bytes(position).len();
            let known = memory.parameter(kernel, position as usize, bytes);
            let word = |four: &[Option<u8>]| {
                let four: Option<Vec<u8>> = four.iter().copied().collect();
                Some(u32::from_le_bytes(four?.try_into().ok()?))
            };
            known.chunks_exact(4).map(word).collect()
        };
        emitted
            .bindings
            .iter()
            .map(|binding| match binding.source {
                BufferSource::Parameter(position) => words(position),
                BufferSource::Array(_) => Vec::new(),
            })
            .collect()
    }

    fn bytes(&self, position: u32) -> Vec<u8> {
        match &self.arguments[position as usize] {
            Argument::Buffer(bytes) | Argument::Scalar(bytes) => bytes.clone(),
        }
    }

    fn image(&self, kernel: &Kernel) -> Vec<u8> {
        let mut image = Vec::new();
        for (parameter, argument) in kernel.parameters.iter().zip(&self.arguments) {
            let at = parameter.offset as usize;
            image.resize(image.len().max(at + parameter.bytes as usize), 0);
            if let Argument::Scalar(bytes) = argument {
                image[at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
        image
    }

    /// Runs the text and compares all that the simulator knows.
    pub(crate) async fn verify(
        &self,
        kernel: &Kernel,
        emitted: &Emitted,
        expected: &[Vec<Option<u32>>],
        gpu: &mut Gpu,
    ) -> Result<(), Fault> {
        self.verify_within(kernel, emitted, expected, 0, gpu).await
    }

    /// Runs the text and compares words that are known, of floats within some units in the last place.
    pub(crate) async fn verify_within(
        &self,
        kernel: &Kernel,
        emitted: &Emitted,
        expected: &[Vec<Option<u32>>],
        ulps: u32,
        gpu: &mut Gpu,
    ) -> Result<(), Fault> {
        let contents: Vec<Content> = emitted
            .bindings
            .iter()
            .zip(expected)
            .map(|(binding, expected)| Content {
                bytes: match binding.source {
                    BufferSource::Parameter(position) => self.bytes(position).into(),
                    BufferSource::Array(id) => {
                        let bytes = kernel.arrays[id.index()].bytes.unwrap_or(4);
                        vec![0; usize::try_from(bytes).unwrap()].into()
                    }
                },
                check: Check::Values {
                    expected: Arc::from(expected.as_slice()),
                    ulps,
                },
            })
            .collect();
        let launch = Launch {
            emitted,
            grid: self.grid,
            parameters: &self.image(kernel),
            contents: &contents,
            traffic: Traffic {
                read_bytes: 0,
                written_bytes: 0,
            },
        };
        let plan = launch.plan(&gpu.limits())?;
        let program = gpu.prepare(&plan, 1).await?;
        gpu.poison(program).await?;
        gpu.run(program, 1).await?;
        for (buffer, check) in &plan.results {
            let found = gpu.read(program, *buffer, 0, check.elements()).await?;
            Verifier::default().compare(check, 0, &found)?;
        }
        Ok(())
    }
}
