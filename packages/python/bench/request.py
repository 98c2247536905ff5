"""Requests a second, beside NumPy and, where it is installed, tensor-layouts doing the same.

python packages/python/bench/request.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import lanescope

WARPS = 1_000_000


def patterns() -> dict[str, npt.NDArray[np.uint64]]:
    """A million warps each: what kernels do, and what nobody does."""
    warp, lane = np.arange(WARPS)[:, None], np.arange(32)
    random = np.random.default_rng(7).integers(0, 1 << 14, size=(WARPS, 32)) * 4
    found = {
        "rows": warp * 128 + lane * 4,
        "strides": lane * (warp % 33) * 4,
        "swizzled": ((lane ^ warp % 32) * 4 + lane * 128),
        "random": random,
    }
    return {name: addresses.astype(np.uint64) for name, addresses in found.items()}


def in_numpy(addresses: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Wavefronts of loads of 4 bytes a lane: the most distinct words of one bank."""
    words = np.sort(addresses >> np.uint64(2), axis=1)
    is_new = np.ones(words.shape, dtype=np.bool_)
    is_new[:, 1:] = words[:, 1:] != words[:, :-1]
    slots = (np.arange(len(words))[:, None] * 32 + (words & np.uint64(31)).astype(np.int64))[is_new]
    return np.bincount(slots, minlength=len(words) * 32).reshape(-1, 32).max(axis=1)


def seconds(call: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """The best of some runs, on the clock and of all processors."""
    best = (float("inf"), float("inf"))
    for _ in range(times):
        wall, processor = time.perf_counter(), time.process_time()
        call()
        best = min(best, (time.perf_counter() - wall, time.process_time() - processor))
    return best


def beside_tensor_layouts(warps: int = 3_300) -> None:
    """Strides, as layouts of a warp, one call each."""
    try:
        from tensor_layouts import Layout
        from tensor_layouts.analysis import bank_conflicts
    except ImportError:
        print("tensor-layouts is not installed")
        return
    strides = np.arange(warps) % 33
    layouts = [Layout(32, int(stride)) for stride in strides]
    begun = time.perf_counter()
    theirs = [bank_conflicts(layout, element_bytes=4)["max_ways"] for layout in layouts]
    took = time.perf_counter() - begun
    ours = lanescope.request(strides[:, None] * np.arange(32) * 4).ways
    agree = int((ours == np.array(theirs)).sum())
    print(f"strides   tensor-layouts {warps / took / 1e6:.4f}; n-way agrees for {agree} of {warps}")


def main() -> None:
    print(f"{WARPS:,} warps, {os.cpu_count()} processors; million requests a second")
    for name, addresses in patterns().items():
        counted = lanescope.request(addresses).wavefronts
        sample = addresses[:100_000]
        if not (in_numpy(sample) == counted[:100_000]).all():
            raise SystemExit(f"{name}: NumPy counts otherwise")
        wall, processor = seconds(lambda: lanescope.request(addresses))
        by_sectors, _ = seconds(lambda: lanescope.request(addresses, space="global"))
        numpy, _ = seconds(lambda: in_numpy(sample), times=1)
        print(
            f"{name:9} shared {WARPS / wall / 1e6:6.1f} (two free cores {2 * WARPS / processor / 1e6:5.1f}, by their time)"
            f"   global {WARPS / by_sectors / 1e6:6.1f}   NumPy {len(sample) / numpy / 1e6:6.2f}"
        )
    beside_tensor_layouts()


if __name__ == "__main__":
    main()
