//! What a measurement asks of a GPU.

use std::rc::Rc;

use web_time::Instant;

use super::pass::{elapsed_ticks, record};
use super::{Gpu, STAGING_WORDS, rejected, word};
use crate::plan::Plan;
use crate::{Clock, DeviceLimits, Fault, Machine, Program};

impl Machine for Gpu {
    fn limits(&self) -> DeviceLimits {
        self.limits
    }

    fn clock(&self) -> Clock {
        if self.clock.is_some() {
            Clock::Device
        } else {
            Clock::Wall
        }
    }

    async fn prepare(&mut self, plan: &Plan, sets: u32) -> Result<Program, Fault> {
        self.alive()?;
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let built = self.build(plan, sets);
        let (internal, validation, memory) = (internal.pop(), validation.pop(), memory.pop());
        self.finish().await?;
        if memory.await.is_some() {
            self.clear();
            let bytes = plan.buffers.iter().map(|b| b.bytes).sum::<u64>() * u64::from(sets);
            return Err(Fault::OutOfMemory { bytes });
        }
        if let Some(error) = validation.await.or(internal.await) {
            self.clear();
            return Err(rejected(&error));
        }
        self.programs.push(Rc::new(built?));
        Ok(Program(self.programs.len() - 1))
    }

    async fn poison(&mut self, program: Program) -> Result<(), Fault> {
        let prepared = self.prepared(program)?;
        for (buffer, fill) in &prepared.fills {
            self.fill(buffer, *fill)?;
        }
        for (buffer, bytes) in &prepared.data {
            self.restore(buffer, bytes);
        }
        self.finish().await
    }

    async fn run(&mut self, program: Program, repeats: u32) -> Result<f64, Fault> {
        let prepared = self.prepared(program)?;
        let runs = prepared
            .sets
            .iter()
            .cycle()
            .take(usize::try_from(repeats).unwrap_or(1));
        let mut encoder = self.encoder();
        record(&mut encoder, runs.flatten(), self.clock.as_ref());
        let begun = Instant::now();
        self.submit(encoder)?;
        let Some(clock) = &self.clock else {
            self.finish().await?;
            return Ok(begun.elapsed().as_secs_f64() * 1e9);
        };
        let bytes = self.mapped(&clock.mapped, 16).await?;
        self.alive()?;
        Ok(elapsed_ticks(&bytes) * f64::from(self.queue.get_timestamp_period()))
    }

    async fn read(
        &mut self,
        program: Program,
        buffer: usize,
        first: u64,
        elements: u64,
    ) -> Result<Vec<u32>, Fault> {
        let message = "no such buffer".to_owned();
        let output = self.prepared(program)?.buffers.get(buffer).cloned();
        let output = output.ok_or(Fault::Rejected { message })?;
        let mut words = Vec::new();
        for start in (first..first + elements).step_by(STAGING_WORDS) {
            let count = (first + elements - start).min(STAGING_WORDS as u64);
            let staging = self.staging();
            let mut encoder = self.encoder();
            encoder.copy_buffer_to_buffer(&output, start * 4, &staging, 0, count * 4);
            self.submit(encoder)?;
            let bytes = self.mapped(&staging, count * 4).await?;
            words.extend(bytes.chunks_exact(4).map(word));
        }
        Ok(words)
    }

    fn clear(&mut self) {
        self.programs.clear();
        self.pool.values().for_each(wgpu::Buffer::destroy);
        self.pool.clear();
    }
}

impl Gpu {
    fn staging(&mut self) -> wgpu::Buffer {
        let device = &self.device;
        let make = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: STAGING_WORDS as u64 * 4,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        self.staging.get_or_insert_with(make).clone()
    }
}
