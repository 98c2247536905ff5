"""Single requests of warps, counted many at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _lanescope
from .errors import LanescopeError, called

#: Warps from which on several threads are used.
_MANY = 20_000

Operation = Literal[
    "load",
    "store",
    "atomic",
    "reduction",
    "increment",
    "compare_and_swap",
    "ldmatrix.x1",
    "ldmatrix.x2",
    "ldmatrix.x4",
    "stmatrix.x1",
    "stmatrix.x2",
    "stmatrix.x4",
]


@dataclass(frozen=True)
class SharedRequests:
    """What requests to shared memory cost; each array has one number a warp."""

    #: Passes over the banks.
    wavefronts: npt.NDArray[np.uint32]
    #: Passes without any conflict.
    ideal_wavefronts: npt.NDArray[np.uint32]
    #: Wavefronts less ideal wavefronts.
    conflicts: npt.NDArray[np.uint32]
    #: n of n-way; 0 where no lane is on.
    ways: npt.NDArray[np.uint32]


@dataclass(frozen=True)
class GlobalRequests:
    """What requests to global memory cost; each array has one number a warp."""

    #: Sectors; lines or transactions on devices whose counters count those.
    sectors: npt.NDArray[np.uint32]
    #: The fewest that hold the bytes asked for.
    ideal_sectors: npt.NDArray[np.uint32]
    bytes_used: npt.NDArray[np.uint32]
    bytes_moved: npt.NDArray[np.uint32]


def _counts(
    addresses: npt.ArrayLike,
    active: npt.ArrayLike | None,
    words: tuple[int, str, str, str],
    threads: int | None,
) -> npt.NDArray[np.uint32]:
    given = np.asarray(addresses)
    if given.ndim == 0:
        raise LanescopeError("addresses are an array; its last axis is the lanes of a warp")
    if not np.issubdtype(given.dtype, np.integer):
        raise LanescopeError(f"addresses are whole numbers of bytes, not {given.dtype}")
    is_signed = np.issubdtype(given.dtype, np.signedinteger)
    is_short = given.dtype.itemsize <= 4
    if given.dtype.itemsize < 4:
        given = given.astype(np.int32 if is_signed else np.uint32)
    lanes = given.shape[-1]
    rows = np.ascontiguousarray(given).reshape(-1, lanes) if lanes else given.reshape(0, 0)
    masks = None if active is None else _masks(np.asarray(active), given.shape)
    if threads is None:
        threads = (os.cpu_count() or 1) if len(rows) >= _MANY else 1
    all_words = (*words, bool(is_signed))
    if is_short:
        counts = called(_lanescope.request_u32, rows.view(np.uint32), masks, all_words, threads)
    else:
        counts = called(_lanescope.request_u64, rows.view(np.uint64), masks, all_words, threads)
    return counts.reshape(*given.shape[:-1], 4)


def _masks(active: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    if active.dtype != np.bool_:
        raise LanescopeError("`active` is an array of bool, one a lane")
    lanes = shape[-1]
    rows = np.broadcast_to(active, shape).reshape(-1, lanes)
    bits = np.zeros(len(rows), dtype=np.uint64)
    for lane in range(min(lanes, 64)):
        bits |= rows[:, lane].astype(np.uint64) << np.uint64(lane)
    return bits


@overload
def request(
    addresses: npt.ArrayLike,
    *,
    width: int = 4,
    space: Literal["shared"] = "shared",
    operation: Operation = "load",
    active: npt.ArrayLike | None = None,
    device: str = "cc9.0",
    threads: int | None = None,
) -> SharedRequests: ...


@overload
def request(
    addresses: npt.ArrayLike,
    *,
    width: int = 4,
    space: Literal["global"],
    operation: Operation = "load",
    active: npt.ArrayLike | None = None,
    device: str = "cc9.0",
    threads: int | None = None,
) -> GlobalRequests: ...


def request(
    addresses: npt.ArrayLike,
    *,
    width: int = 4,
    space: Literal["shared", "global"] = "shared",
    operation: Operation = "load",
    active: npt.ArrayLike | None = None,
    device: str = "cc9.0",
    threads: int | None = None,
) -> SharedRequests | GlobalRequests:
    """Counts requests of warps: one instruction of one warp each.

    The last axis of ``addresses`` is the lanes of a warp (at most 64), in bytes; all axes before it are kept, so that
    ``request(a).ways`` has the shape ``a.shape[:-1]``. ``active`` (bool, broadcast to the addresses) says which lanes
    take part. ``width`` is bytes a lane. For ``ldmatrix.x4`` and its kin lanes give the addresses of 16-byte rows.

    The interpreter's lock is released; many warps are shared out over ``threads`` (all processors).
    """
    if space not in ("shared", "global"):
        raise LanescopeError(f"no space `{space}`; there are shared and global")
    counts = _counts(addresses, active, (width, space, operation, device), threads)
    columns = [counts[..., at] for at in range(4)]
    return SharedRequests(*columns) if space == "shared" else GlobalRequests(*columns)
