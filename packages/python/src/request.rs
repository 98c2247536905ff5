//! Single requests, many at once: one row of addresses a warp.

use crate::raised;
use anyhow::bail;
use lanescope_model::{Device, LaneMask, MAX_LANES, Operation, Request, Space, Width};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods as _,
};
use pyo3::prelude::*;
use std::thread;

/// Counts of a request: wavefronts, ideal, conflicts, ways of shared memory; units, ideal units, bytes used and bytes
/// moved of global memory.
const COUNTS: usize = 4;

/// What all requests of a call have in common.
struct Kind {
    device: Device,
    space: Space,
    operation: Operation,
    width: Width,
    /// Whether a negative address can stand among those that are given as unsigned.
    is_signed: bool,
}

/// What a call takes besides addresses: width, space, operation, device, and whether addresses were signed.
type Words = (u64, String, String, String, bool);

/// The device of this id.
pub(crate) fn device(id: &str) -> anyhow::Result<Device> {
    Ok(lanescope_query::device(&lanescope_share::Device::Known(
        id.to_owned(),
    ))?)
}

impl Kind {
    fn of((width, space, operation, id, is_signed): &Words) -> anyhow::Result<Self> {
        let space = match space.as_str() {
            "shared" => Space::Shared,
            "global" => Space::Global,
            other => bail!("no space `{other}`; there are shared and global"),
        };
        let Some(width) = Width::from_bytes(*width) else {
            bail!("no width of {width} bytes a lane; there are 1, 2, 4, 8 and 16");
        };
        let operation = match operation.as_str() {
            "load" => Operation::Load,
            "store" => Operation::Store,
            "atomic" => Operation::Atomic,
            "reduction" => Operation::Reduction,
            "increment" => Operation::Increment,
            "compare_and_swap" => Operation::CompareAndSwap,
            "ldmatrix.x1" => Operation::MatrixLoad { matrices: 1 },
            "ldmatrix.x2" => Operation::MatrixLoad { matrices: 2 },
            "ldmatrix.x4" => Operation::MatrixLoad { matrices: 4 },
            "stmatrix.x1" => Operation::MatrixStore { matrices: 1 },
            "stmatrix.x2" => Operation::MatrixStore { matrices: 2 },
            "stmatrix.x4" => Operation::MatrixStore { matrices: 4 },
            other => bail!(
                "no operation `{other}`; there are load, store, atomic, reduction, increment, compare_and_swap, \
                 ldmatrix.x1|x2|x4 and stmatrix.x1|x2|x4"
            ),
        };
        Ok(Self {
            device: device(id)?,
            space,
            operation,
            width,
            is_signed: *is_signed,
        })
    }

    fn count(&self, addresses: &[u64], active: LaneMask) -> Result<[u32; COUNTS], String> {
        let request = Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active,
            addresses,
        };
        match self.space {
            Space::Shared => self.device.shared_counts(&request).map(|counts| {
                [
                    counts.wavefronts,
                    counts.ideal_wavefronts,
                    counts.conflicts,
                    counts.ways,
                ]
            }),
            Space::Global => self.device.global_counts(&request).map(|counts| {
                [
                    counts.units,
                    counts.ideal_units,
                    counts.bytes_used,
                    counts.bytes_moved,
                ]
            }),
        }
        .map_err(|unknown| unknown.to_string())
    }
}

/// An address as it stands in an array.
trait Address: Element + Copy + Sync {
    /// The addresses of a warp; those that are not as wide as the model's are widened into `wide`.
    fn widened<'a>(row: &'a [Self], wide: &'a mut [u64; MAX_LANES]) -> &'a [u64];

    /// Whether the sign bit is set.
    fn is_negative(self) -> bool;
}

impl Address for u64 {
    fn widened<'a>(row: &'a [Self], _: &'a mut [u64; MAX_LANES]) -> &'a [u64] {
        row
    }

    fn is_negative(self) -> bool {
        self >> 63 == 1
    }
}

impl Address for u32 {
    fn widened<'a>(row: &'a [Self], wide: &'a mut [u64; MAX_LANES]) -> &'a [u64] {
        for (to, from) in wide.iter_mut().zip(row) {
            *to = u64::from(*from);
        }
        wide.get(..row.len()).unwrap_or_default()
    }

    fn is_negative(self) -> bool {
        self >> 31 == 1
    }
}

/// The counts of rows of 64-bit addresses, `[warp][count]`.
#[pyfunction]
pub(crate) fn request_u64<'py>(
    py: Python<'py>,
    addresses: PyReadonlyArray2<'py, u64>,
    active: Option<PyReadonlyArray1<'py, u64>>,
    words: Words,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    counted(py, &addresses, active.as_ref(), &words, threads)
}

/// The counts of rows of 32-bit addresses, `[warp][count]`.
#[pyfunction]
pub(crate) fn request_u32<'py>(
    py: Python<'py>,
    addresses: PyReadonlyArray2<'py, u32>,
    active: Option<PyReadonlyArray1<'py, u64>>,
    words: Words,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    counted(py, &addresses, active.as_ref(), &words, threads)
}

fn counted<'py, A: Address>(
    py: Python<'py>,
    addresses: &PyReadonlyArray2<'py, A>,
    active: Option<&PyReadonlyArray1<'py, u64>>,
    words: &Words,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let kind = Kind::of(words).map_err(raised)?;
    let &[warps, lanes] = addresses.shape() else {
        return Err(raised(anyhow::anyhow!("addresses have two dimensions")));
    };
    let rows = addresses.as_slice()?;
    let masks = active.map(|masks| masks.as_slice()).transpose()?;
    let counts = py
        .detach(|| all(&kind, rows, masks, [warps, lanes], threads))
        .map_err(raised)?;
    PyArray1::from_vec(py, counts).reshape([warps, COUNTS])
}

/// The counts of all rows, on so many threads.
fn all<A: Address>(
    kind: &Kind,
    rows: &[A],
    masks: Option<&[u64]>,
    [warps, lanes]: [usize; 2],
    threads: usize,
) -> anyhow::Result<Vec<u32>> {
    if lanes == 0 || lanes > MAX_LANES {
        bail!("a warp has 1 to {MAX_LANES} lanes, not {lanes}");
    }
    if masks.is_some_and(|masks| masks.len() != warps) {
        bail!("one mask a warp");
    }
    let mut counts = vec![0; warps * COUNTS];
    let share = warps.div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let parts = counts
            .chunks_mut(share * COUNTS)
            .zip(rows.chunks(share * lanes))
            .enumerate();
        let workers: Vec<_> = parts
            .map(|(at, (counts, rows))| {
                let masks = masks.and_then(|masks| masks.get(at * share..));
                scope.spawn(move || part(kind, rows, masks, lanes, at * share, counts))
            })
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(_) => bail!("a thread failed; please report it"),
            })
    })?;
    Ok(counts)
}

/// The counts of some rows, the first of which is `first`.
fn part<A: Address>(
    kind: &Kind,
    rows: &[A],
    masks: Option<&[u64]>,
    lanes: usize,
    first: usize,
    counts: &mut [u32],
) -> anyhow::Result<()> {
    let whole = LaneMask::first(lanes);
    let mut wide = [0; MAX_LANES];
    let warps = rows
        .chunks_exact(lanes)
        .zip(counts.chunks_exact_mut(COUNTS));
    for (warp, (row, counts)) in warps.enumerate() {
        let mask = masks.and_then(|masks| masks.get(warp)).copied();
        let active = mask.map_or(whole, |mask| LaneMask(mask & whole.0));
        if kind.is_signed && row.iter().fold(false, |any, one| any | one.is_negative()) {
            let negative = (0_u32..)
                .zip(row)
                .find(|(lane, address)| active.0 >> lane & 1 == 1 && address.is_negative());
            if let Some((lane, _)) = negative {
                bail!(
                    "the address of warp {}, lane {lane} is negative",
                    first + warp
                );
            }
        }
        match kind.count(A::widened(row, &mut wide), active) {
            Ok(counted) => counts.copy_from_slice(&counted),
            Err(unknown) => bail!(
                "warp {}: no number on {}: {unknown}",
                first + warp,
                kind.device.id()
            ),
        }
    }
    Ok(())
}
