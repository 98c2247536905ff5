//! What other crates' sums of u32 reach on this machine's GPU, timed as the lab times its own:
//! the slope between N and 2N runs, N doubled until they take 20 ms, the median of 15; arrays
//! smaller than four times the cache in turn. One line a measurement.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use lampshade::{Context, Reducer, U32Reduction};
use wgpu::{Buffer, BufferUsages};

const SAMPLES: usize = 15;
const PASS_SECONDS: f64 = 20e-3;
/// The values wrap, so that a sum of few of them would be seen.
const STEP: u32 = 2_654_435_761;

fn main() -> Result<()> {
    let lengths: Vec<u32> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let lengths = if lengths.is_empty() {
        vec![1 << 28, 1 << 24]
    } else {
        lengths
    };
    pollster::block_on(measure(&lengths))
}

async fn measure(lengths: &[u32]) -> Result<()> {
    let context = Context::init().await.context("no GPU")?;
    println!(
        "{} ({:?})",
        context.adapter_info.name, context.adapter_info.backend
    );
    for &length in lengths {
        let sets = (256_u64 << 20).div_ceil(u64::from(length) * 4).clamp(1, 4);
        let mut bench = Bench::new(&context, length, sets);
        bench.verify().await?;
        let seconds = bench.seconds()?;
        let rate = f64::from(length) * 4e-9 / seconds;
        println!(
            "lampshade_sum_u32_{length:<12} {:10.4} ms {rate:8.1} GB/s",
            seconds * 1e3
        );
    }
    Ok(())
}

struct Bench<'a> {
    context: &'a Context,
    reducer: Reducer,
    length: u32,
    inputs: Vec<Buffer>,
    output: Buffer,
}

impl<'a> Bench<'a> {
    fn new(context: &'a Context, length: u32, sets: u64) -> Self {
        let buffer = |size, usage| {
            context.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let inputs: Vec<_> = (0..sets)
            .map(|_| buffer(u64::from(length) * 4, usage))
            .collect();
        let chunk = 1 << 22;
        for first in (0..length).step_by(chunk as usize) {
            let values = first..length.min(first.saturating_add(chunk));
            let bytes: Vec<u8> = values
                .flat_map(|i| i.wrapping_mul(STEP).to_le_bytes())
                .collect();
            for input in &inputs {
                context
                    .queue
                    .write_buffer(input, u64::from(first) * 4, &bytes);
            }
        }
        Self {
            context,
            reducer: Reducer::from_context(context),
            length,
            inputs,
            output: buffer(4, usage),
        }
    }

    /// Seconds that `runs` of them take on the wall's clock, recording left out.
    fn elapsed(&mut self, runs: usize) -> Result<f64> {
        let mut encoder = self
            .context
            .device
            .create_command_encoder(&Default::default());
        for input in self.inputs.iter().cycle().take(runs) {
            let sum = U32Reduction::Sum;
            self.reducer
                .record_reduce(&mut encoder, input, &self.output, self.length, sum)?;
        }
        let commands = encoder.finish();
        let begun = Instant::now();
        self.context.queue.submit([commands]);
        self.context
            .device
            .poll(wgpu::PollType::wait_indefinitely())?;
        Ok(begun.elapsed().as_secs_f64())
    }

    fn seconds(&mut self) -> Result<f64> {
        let mut runs = 1;
        while self.elapsed(runs)? < PASS_SECONDS {
            runs *= 2;
        }
        let mut slopes = Vec::new();
        for _ in 0..SAMPLES {
            let (once, twice) = (self.elapsed(runs)?, self.elapsed(2 * runs)?);
            slopes.push((twice - once) / runs as f64);
        }
        slopes.sort_by(f64::total_cmp);
        Ok(slopes[SAMPLES / 2])
    }

    async fn verify(&mut self) -> Result<()> {
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
        let wanted = (0..self.length).fold(0_u32, |sum, i| sum.wrapping_add(i.wrapping_mul(STEP)));
        ensure!(
            u32::from_le_bytes(bytes) == wanted,
            "a wrong sum of {}",
            self.length
        );
        Ok(())
    }
}
