//! cubek-reduce's sum of a whole tensor, through CubeCL's wgpu runtime.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use cubecl::Device;
use cubecl::client::Client;
use cubecl::ir::{ElemType, FloatKind, UIntKind};
use cubecl::server::Handle;
use cubecl::std::tensor::TensorHandle;

use crate::element::Element;
use crate::peer::{self, Peer};

/// Its caller chooses how many cubes (workgroups) share the work: some choices.
pub const CUBES: [u32; 6] = [512, 2048, 4096, 8192, 16_384, 65_535];

/// Its sum of arrays of one length.
pub struct Sum {
    client: Client,
    cubes: u32,
    element: Element,
    length: usize,
    inputs: Vec<Handle>,
}

impl Sum {
    /// With its arrays on the device.
    pub fn new(length: u32, cubes: u32, element: Element) -> Result<Self> {
        let device = Device::wgpu(Default::default()).map_err(|error| anyhow!("{error:?}"))?;
        let client = device.client();
        let bytes: Vec<u8> = peer::values(length, element)
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let inputs = (0..peer::arrays(length))
            .map(|_| client.create_from_slice(&bytes))
            .collect();
        Ok(Self {
            client,
            cubes,
            element,
            length: length as usize,
            inputs,
        })
    }

    /// Adds the sums of as many arrays as `runs` says to one number.
    fn launch(&self, runs: usize) -> Result<Handle> {
        let kind = match self.element {
            Element::F32 => ElemType::Float(FloatKind::F32),
            Element::U32 => ElemType::UInt(UIntKind::U32),
        };
        let output = self.client.create_from_slice(&[0; 4]);
        let tensor = |handle: &Handle, length: usize| {
            TensorHandle::new_contiguous([length], handle.clone(), kind).binding()
        };
        for input in self.inputs.iter().cycle().take(runs) {
            let (input, output) = (tensor(input, self.length), tensor(&output, 1));
            cubek_reduce::shared_sum(&self.client, input, output, self.cubes, kind)
                .map_err(|error| anyhow!("{error:?}"))?;
        }
        Ok(output)
    }
}

impl Peer for Sum {
    fn name(&self) -> String {
        format!("cubek-reduce 0.3.1, {} cubes", self.cubes)
    }

    fn element(&self) -> Element {
        self.element
    }

    fn elapsed(&mut self, runs: usize) -> Result<Duration> {
        let begun = Instant::now();
        let output = self.launch(runs)?;
        self.client
            .read_one(output)
            .map_err(|error| anyhow!("{error:?}"))?;
        Ok(begun.elapsed())
    }

    fn is_right(&mut self, length: u32) -> Result<bool> {
        let output = self.launch(1)?;
        let bytes = self.client.read_one(output);
        let bytes = bytes.map_err(|error| anyhow!("{error:?}"))?;
        let bits = u32::from_le_bytes(bytes[..4].try_into()?);
        Ok(self.element.is_sum(bits, length))
    }
}
