//! lampshade's reducer.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use lampshade::{Context, Reducer, U32Reduction};
use wgpu::{Buffer, BufferUsages};

use crate::element::Element;
use crate::peer::{self, Peer};

/// Its sum of arrays of one length.
pub struct Sum {
    context: Context,
    reducer: Reducer,
    length: u32,
    inputs: Vec<Buffer>,
    output: Buffer,
}

impl Sum {
    /// With its arrays on the device.
    pub fn new(length: u32) -> Result<Self> {
        let context = pollster::block_on(Context::init()).context("no GPU")?;
        let buffer = |size| {
            context.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let inputs: Vec<_> = (0..peer::arrays(length))
            .map(|_| buffer(u64::from(length) * 4))
            .collect();
        fill(&context, &inputs, &peer::values(length, Element::U32));
        Ok(Self {
            reducer: Reducer::from_context(&context),
            output: buffer(4),
            context,
            length,
            inputs,
        })
    }
}

/// Writes `values` to each of `inputs`, piece by piece.
fn fill(context: &Context, inputs: &[Buffer], values: &[u32]) {
    const PIECE: usize = 1 << 22;
    for (index, piece) in values.chunks(PIECE).enumerate() {
        let bytes: Vec<u8> = piece.iter().flat_map(|value| value.to_le_bytes()).collect();
        for input in inputs {
            let offset = (index * PIECE * 4) as u64;
            context.queue.write_buffer(input, offset, &bytes);
        }
    }
}

impl Peer for Sum {
    fn name(&self) -> String {
        "lampshade 0.13.0".to_owned()
    }

    /// It sums no floats.
    fn element(&self) -> Element {
        Element::U32
    }

    fn elapsed(&mut self, runs: usize) -> Result<Duration> {
        let device = &self.context.device;
        let mut encoder = device.create_command_encoder(&Default::default());
        for input in self.inputs.iter().cycle().take(runs) {
            let sum = U32Reduction::Sum;
            self.reducer
                .record_reduce(&mut encoder, input, &self.output, self.length, sum)?;
        }
        let commands = encoder.finish();
        let begun = Instant::now();
        self.context.queue.submit([commands]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(begun.elapsed())
    }

    fn is_right(&mut self, length: u32) -> Result<bool> {
        self.elapsed(1)?;
        let device = &self.context.device;
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.output, 0, &staging, 0, 4);
        self.context.queue.submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Read, 0..4, |_| {});
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let bytes: [u8; 4] = staging.get_mapped_range(0..4)?[..].try_into()?;
        Ok(Element::U32.is_sum(u32::from_le_bytes(bytes), length))
    }
}
