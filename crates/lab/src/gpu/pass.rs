//! Passes of compute work, and the clock that times them on the GPU.

use super::Command;

/// The two timestamps of a pass and where they are read.
pub(super) struct PassClock {
    pub(super) queries: wgpu::QuerySet,
    pub(super) resolved: wgpu::Buffer,
    pub(super) mapped: wgpu::Buffer,
}

impl PassClock {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            mapped: buffer(wgpu::BufferUsages::MAP_READ),
        }
    }
}

/// Records the commands, consecutive dispatches in one pass, with a timestamp
/// before the first and one after the last.
pub(super) fn record<'a>(
    encoder: &mut wgpu::CommandEncoder,
    commands: impl Iterator<Item = &'a Command>,
    clock: Option<&PassClock>,
) {
    stamp(encoder, clock, Some(0), None);
    let mut pass = None;
    for command in commands {
        match command {
            Command::Dispatch(pipeline, groups, workgroups) => {
                let descriptor = wgpu::ComputePassDescriptor::default();
                let pass = pass.get_or_insert_with(|| {
                    encoder.begin_compute_pass(&descriptor).forget_lifetime()
                });
                pass.set_pipeline(pipeline);
                for (at, group) in (0..).zip(groups) {
                    pass.set_bind_group(at, group, &[]);
                }
                pass.dispatch_workgroups(workgroups[0], workgroups[1], workgroups[2]);
            }
            Command::Copy(source, destination) => {
                pass = None;
                encoder.copy_buffer_to_buffer(source, 0, destination, 0, source.size());
            }
        }
    }
    drop(pass);
    stamp(encoder, clock, None, Some(1));
    if let Some(clock) = clock {
        encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
        encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.mapped, 0, 16);
    }
}

/// An empty pass that writes a timestamp.
fn stamp(
    encoder: &mut wgpu::CommandEncoder,
    clock: Option<&PassClock>,
    begin: Option<u32>,
    end: Option<u32>,
) {
    let Some(clock) = clock else { return };
    drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: None,
        timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        }),
    }));
}

/// Ticks between the two timestamps, 0 if they are out of order.
#[expect(
    clippy::cast_precision_loss,
    reason = "a run lasts far less than 2^52 ticks"
)]
pub(super) fn elapsed_ticks(bytes: &[u8]) -> f64 {
    let stamp = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |t, byte| t << 8 | u64::from(*byte))
    };
    match bytes.split_at_checked(8) {
        Some((begin, end)) => stamp(end).saturating_sub(stamp(begin)) as f64,
        None => 0.0,
    }
}
