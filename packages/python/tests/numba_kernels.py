"""Numba kernels that the tests count. Imported only where Numba is."""

from __future__ import annotations

from numba import cuda, float32


@cuda.jit
def transpose(out, given):
    tile = cuda.shared.array((32, 32), float32)
    x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    y = cuda.blockIdx.y * 32 + cuda.threadIdx.y
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = given[y, x]
    cuda.syncthreads()
    out[cuda.blockIdx.x * 32 + cuda.threadIdx.y, cuda.blockIdx.y * 32 + cuda.threadIdx.x] = tile[
        cuda.threadIdx.x, cuda.threadIdx.y
    ]


def scaled(out, given, factor, count):
    at = cuda.grid(1)
    if at < count:
        out[at] = factor * given[2 * at]
