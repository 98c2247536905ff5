//! The lanes that read or write a tile.

use std::ops::Range;

use lanescope_model::{LaneMask, Operation, Request, Space, Width};

use super::syntax::{Access, Pattern, Threads};
use super::{Diagnostic, Fault, Layout, Placement};

/// Lanes of the warps that a layout text speaks of.
const WARP: u64 = 32;
/// The most requests of one text.
pub(super) const MAX_REQUESTS: usize = 1_024;
/// Bytes of a row of an 8x8 matrix of 16-bit elements.
const MATRIX_ROW_BYTES: u64 = 16;

/// One memory instruction of one warp on the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRequest {
    /// Bytes of the text that asked for it.
    pub span: Range<usize>,
    /// The warp, from 0.
    pub warp: u64,
    /// Which of the warp's instructions for this access, from 0.
    pub step: u64,
    /// What is done.
    pub operation: Operation,
    /// Whether it is `cp.async`: the store half of a copy from global memory, whose real cost
    /// also depends on the source.
    pub asynchronous: bool,
    /// Whether matrices are transposed on the way; it changes no address.
    pub transposed: bool,
    /// Bytes a lane.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
    /// `[lane]`: byte addresses; 0 for a lane that is off.
    pub addresses: Vec<u64>,
    /// `[lane]`: row and column of the first element that the lane touches.
    pub elements: Vec<Option<(u64, u64)>>,
}

impl LaneRequest {
    /// The request as the model takes it.
    #[must_use]
    pub fn request(&self) -> Request<'_> {
        Request {
            space: Space::Shared,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &self.addresses,
        }
    }
}

/// The requests of one access, at most `room` of them.
pub(super) fn requests(
    access: &Access,
    span: &Range<usize>,
    placement: &Placement,
    room: usize,
) -> Result<Vec<LaneRequest>, Diagnostic> {
    let plan = Plan {
        access,
        span,
        placement,
        room,
    };
    if access.everywhere {
        plan.everywhere()
    } else {
        plan.once()
    }
}

pub(super) struct Plan<'a> {
    pub(super) access: &'a Access,
    pub(super) span: &'a Range<usize>,
    pub(super) placement: &'a Placement,
    pub(super) room: usize,
}

pub(super) type Planned = Result<Vec<LaneRequest>, Diagnostic>;

impl Plan<'_> {
    /// The access where it stands.
    fn once(&self) -> Planned {
        match &self.access.pattern {
            Pattern::ThreadValue(Threads::Layout(layout)) => self.thread_value(layout),
            Pattern::ThreadValue(Threads::Encoding(encoding)) => self.distributed(encoding),
            Pattern::Row => self.grid(1, WARP.min(self.vectors_across()?), false),
            Pattern::Column => self.column(),
            Pattern::Lanes { down, across } => self.grid(*down, *across, self.runs_down()?),
            Pattern::Matrix {
                matrices,
                down,
                transposed,
            } => self.matrix(*matrices, *down, *transposed),
            Pattern::AsyncCopy { bytes } => self.async_copy(*bytes),
        }
    }

    /// The access again and again, each next to the one before, as long as whole ones fit.
    fn everywhere(&self) -> Planned {
        let first = self.once()?;
        let [only] = first.as_slice() else {
            return Ok(first);
        };
        let (tall, wide) = self.footprint(only);
        let (row, column) = self.access.at;
        let rows = (row..self.placement.rows()).step_by(tall);
        let mut requests = Vec::new();
        for row in rows {
            for column in (column..self.placement.columns()).step_by(wide) {
                let access = Access {
                    at: (row, column),
                    ..self.access.clone()
                };
                // What does not fit whole is not done.
                let Ok(more) = (Plan {
                    access: &access,
                    ..*self
                })
                .once() else {
                    continue;
                };
                requests.extend(more);
                if requests.len() > self.room {
                    return self.fail(Fault::Requests {
                        wanted: requests.len() as u64,
                        most: MAX_REQUESTS,
                    });
                }
            }
        }
        for (step, request) in (0..).zip(&mut requests) {
            request.step = step;
        }
        Ok(requests)
    }

    /// Rows and columns that a request covers.
    fn footprint(&self, request: &LaneRequest) -> (usize, usize) {
        let count = request.width.bytes() / self.placement.element_bytes().max(1);
        let down = self.runs_down_by(count);
        let (mut tall, mut wide) = (0, 0);
        for (row, column) in request.elements.iter().flatten() {
            let (more_rows, more_columns) = if down { (count, 1) } else { (1, count) };
            tall = tall.max(row + more_rows - self.access.at.0);
            wide = wide.max(column + more_columns - self.access.at.1);
        }
        (to_lane(tall.max(1)), to_lane(wide.max(1)))
    }

    pub(super) fn fail<T>(&self, fault: Fault) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.span.clone(), fault))
    }

    pub(super) const fn operation(&self) -> Operation {
        if self.access.store {
            Operation::Store
        } else {
            Operation::Load
        }
    }

    /// Elements of one lane's access, and its width.
    fn vector(&self) -> Result<(u64, Width), Diagnostic> {
        let element = self.placement.element_bytes();
        let bytes = self.access.bits.map_or(element, |bits| bits / 8);
        match Width::from_bytes(bytes) {
            Some(width) if bytes.is_multiple_of(element) && bytes >= element => {
                Ok((bytes / element, width))
            }
            _ => self.fail(Fault::Bits {
                bits: bytes.saturating_mul(8),
                element: element * 8,
            }),
        }
    }

    fn vectors_across(&self) -> Result<u64, Diagnostic> {
        let (elements, _) = self.vector()?;
        let left = self.placement.columns().saturating_sub(self.access.at.1);
        Ok((left / elements).max(1))
    }

    pub(super) fn request(
        &self,
        warp: u64,
        step: u64,
        width: Width,
        operation: Operation,
    ) -> LaneRequest {
        LaneRequest {
            span: self.span.clone(),
            warp,
            step,
            operation,
            asynchronous: false,
            transposed: false,
            width,
            active: LaneMask::NONE,
            addresses: vec![0; 32],
            elements: vec![None; 32],
        }
    }

    /// Whether `count` elements from the access's first on lie side by side down a column and not
    /// along a row: vectors of a column-major (M-major) layout run down.
    fn runs_down_by(&self, count: u64) -> bool {
        let (row, column) = self.access.at;
        let bytes = self.placement.element_bytes();
        let step = |down: u64, across: u64| {
            let first = self.placement.address(row, column)?;
            let next = self.placement.address(row + down, column + across)?;
            Some(next == first + bytes)
        };
        count > 1 && step(0, 1) != Some(true) && step(1, 0) == Some(true)
    }

    fn runs_down(&self) -> Result<bool, Diagnostic> {
        let (count, _) = self.vector()?;
        Ok(self.runs_down_by(count))
    }

    /// Puts lane `lane` on element `(row, column)` and its `count - 1` neighbours to the right,
    /// or below.
    fn place(
        &self,
        request: &mut LaneRequest,
        lane: usize,
        (row, column): (u64, u64),
        count: u64,
        down: bool,
    ) -> Result<(), Diagnostic> {
        let addresses = (0..count).map(|more| match down {
            true => self.placement.address(row.saturating_add(more), column),
            false => self.placement.address(row, column.saturating_add(more)),
        });
        let Some(addresses) = addresses.collect::<Option<Vec<u64>>>() else {
            return self.fail(Fault::OutsideTile {
                lane,
                at: [row, column],
                tile: [self.placement.rows(), self.placement.columns()],
            });
        };
        self.put(request, lane, (row, column), &addresses)
    }

    pub(super) fn put(
        &self,
        request: &mut LaneRequest,
        lane: usize,
        element: (u64, u64),
        addresses: &[u64],
    ) -> Result<(), Diagnostic> {
        let Some(&first) = addresses.first() else {
            return Ok(());
        };
        let bytes = self.placement.element_bytes();
        let adjacent = addresses
            .windows(2)
            .all(|pair| pair[1] == pair[0].wrapping_add(bytes));
        let needed = bytes * addresses.len() as u64;
        if !adjacent || first % needed != 0 {
            let bytes = needed;
            return self.fail(if adjacent {
                Fault::Unaligned { bytes, lane }
            } else {
                Fault::Torn { bytes, lane }
            });
        }
        if let (Some(address), Some(at)) = (
            request.addresses.get_mut(lane),
            request.elements.get_mut(lane),
        ) {
            *address = first;
            *at = Some(element);
            request.active.0 |= 1 << lane;
        }
        Ok(())
    }

    /// All lanes down a column, each with a vector.
    fn column(&self) -> Planned {
        let (count, _) = self.vector()?;
        if !self.runs_down()? {
            return self.grid(WARP.min(self.placement.rows()), 1, false);
        }
        let left = self.placement.rows().saturating_sub(self.access.at.0);
        self.grid(WARP.min((left / count).max(1)), 1, true)
    }

    /// So many lanes down and across; vectors run to the right or down.
    fn grid(&self, down: u64, across: u64, runs_down: bool) -> Planned {
        let lanes = down.saturating_mul(across);
        if lanes == 0 || lanes > WARP {
            return self.fail(Fault::Lanes {
                down,
                across,
                most: WARP,
            });
        }
        let (count, width) = self.vector()?;
        let (tall, wide) = if runs_down { (count, 1) } else { (1, count) };
        let mut request = self.request(0, 0, width, self.operation());
        for lane in 0..lanes {
            let row = self.access.at.0.saturating_add(lane / across * tall);
            let column = self.access.at.1.saturating_add(lane % across * wide);
            self.place(&mut request, to_lane(lane), (row, column), count, runs_down)?;
        }
        Ok(vec![request])
    }

    /// Lane i gives row i % 8 of matrix i / 8; `down` matrices lie below each other, the next
    /// beside. The rows of a matrix are rows of the tile, or columns where those are contiguous.
    fn matrix(&self, matrices: u8, down: u64, transposed: bool) -> Planned {
        let count = MATRIX_ROW_BYTES / self.placement.element_bytes();
        let operation = if self.access.store {
            Operation::MatrixStore { matrices }
        } else {
            Operation::MatrixLoad { matrices }
        };
        let mut request = self.request(0, 0, Width::Bytes16, operation);
        request.transposed = transposed;
        let (below, runs_down) = (down.max(1), self.runs_down_by(count));
        let (tall, wide) = if runs_down { (count, 8) } else { (8, count) };
        for lane in 0..u64::from(matrices) * 8 {
            let (matrix, line) = (lane / 8, lane % 8);
            let (more_rows, more_columns) = if runs_down { (0, line) } else { (line, 0) };
            let row = self
                .access
                .at
                .0
                .saturating_add(matrix % below * tall + more_rows);
            let column = self
                .access
                .at
                .1
                .saturating_add(matrix / below * wide + more_columns);
            self.place(&mut request, to_lane(lane), (row, column), count, runs_down)?;
        }
        Ok(vec![request])
    }

    /// Lane i copies the i-th piece of the tile, along its contiguous axis.
    fn async_copy(&self, bytes: u64) -> Planned {
        let element = self.placement.element_bytes();
        let Some(width) = Width::from_bytes(bytes).filter(|_| matches!(bytes, 4 | 8 | 16)) else {
            return self.fail(Fault::CopyBytes);
        };
        if bytes < element || !bytes.is_multiple_of(element) {
            return self.fail(Fault::PartOfElement { bytes, element });
        }
        let count = bytes / element;
        let runs_down = self.runs_down_by(count);
        let (rows, columns) = (self.placement.rows(), self.placement.columns());
        let (along, lines) = if runs_down {
            (rows, columns)
        } else {
            (columns, rows)
        };
        let pieces = (along / count).max(1);
        let mut request = self.request(0, 0, width, Operation::Store);
        request.asynchronous = true;
        for lane in 0..WARP.min(pieces.saturating_mul(lines)) {
            let (line, piece) = (lane / pieces, lane % pieces * count);
            let (row, column) = if runs_down {
                (piece, line)
            } else {
                (line, piece)
            };
            let row = self.access.at.0.saturating_add(row);
            let column = self.access.at.1.saturating_add(column);
            self.place(&mut request, to_lane(lane), (row, column), count, runs_down)?;
        }
        Ok(vec![request])
    }

    /// Mode 0 of `layout` is the thread, the rest the value; it gives the tile's index.
    fn thread_value(&self, layout: &Layout) -> Planned {
        let [threads, values @ ..] = layout.modes() else {
            return self.fail(Fault::ThreadValueModes);
        };
        let values = values
            .iter()
            .fold(1, |size: u64, mode| size.saturating_mul(mode.size()));
        let threads = threads.size();
        let (count, width) = self.vector()?;
        if values % count != 0 {
            return self.fail(Fault::Values { values, count });
        }
        let wanted = threads.div_ceil(WARP).saturating_mul(values / count);
        if wanted > self.room as u64 {
            return self.fail(Fault::Requests {
                wanted,
                most: MAX_REQUESTS,
            });
        }
        let mut requests = Vec::new();
        for warp in 0..threads.div_ceil(WARP) {
            for step in 0..values / count {
                requests.push(self.thread_value_step(
                    layout,
                    threads,
                    (warp, step),
                    (count, width),
                )?);
            }
        }
        Ok(requests)
    }

    fn thread_value_step(
        &self,
        layout: &Layout,
        threads: u64,
        (warp, step): (u64, u64),
        (count, width): (u64, Width),
    ) -> Result<LaneRequest, Diagnostic> {
        let mut request = self.request(warp, step, width, self.operation());
        let shift = self
            .access
            .at
            .0
            .saturating_add(self.access.at.1.saturating_mul(self.placement.rows()));
        for lane in 0..WARP.min(threads - warp * WARP) {
            let thread = warp * WARP + lane;
            let indices = (0..count).map(|value| {
                u64::try_from(layout.offset_at(thread, step * count + value))
                    .ok()?
                    .checked_add(shift)
                    .filter(|index| *index < self.placement.size())
            });
            let Some(indices) = indices.collect::<Option<Vec<u64>>>() else {
                return self.fail(Fault::ThreadOutside {
                    thread,
                    size: self.placement.size(),
                });
            };
            let addresses: Option<Vec<u64>> = indices
                .iter()
                .map(|index| self.placement.address_of(*index))
                .collect();
            let Some(addresses) = addresses else {
                return self.fail(Fault::ThreadBelow(thread));
            };
            let first = indices.first().copied().unwrap_or(0);
            let element = (first % self.placement.rows(), first / self.placement.rows());
            self.put(&mut request, to_lane(lane), element, &addresses)?;
        }
        Ok(request)
    }
}

pub(super) fn to_lane(lane: u64) -> usize {
    usize::try_from(lane).unwrap_or(usize::MAX)
}
