"""Triton kernels that the tests and the tutorial count. Imported only where Triton is."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, y_ptr, factor_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    factor = tl.load(factor_ptr + row)
    x = tl.load(x_ptr + row * columns + at, mask=inside)
    tl.store(y_ptr + row * columns + at, x * factor, mask=inside)


@triton.jit
def softmax(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * columns + at, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def transpose(x_ptr, y_ptr, rows, columns, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x_ptr + i[:, None] * columns + j[None, :], mask=(i[:, None] < rows) & (j[None, :] < columns))
    turned = tl.trans(tile)
    tl.store(y_ptr + j[:, None] * rows + i[None, :], turned, mask=(j[:, None] < columns) & (i[None, :] < rows))


@triton.jit
def normalize(x_ptr, weight_ptr, bias_ptr, y_ptr, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(inside, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    weight = tl.load(weight_ptr + at, mask=inside)
    bias = tl.load(bias_ptr + at, mask=inside)
    y = centred / tl.sqrt(variance + epsilon) * weight + bias
    tl.store(y_ptr + row * columns + at, y, mask=inside)


@triton.jit
def gemm(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_at = a_ptr + m[:, None] * K + k[None, :]
    b_at = b_ptr + k[:, None] * N + n[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        total += tl.dot(tl.load(a_at), tl.load(b_at))
        a_at += BK
        b_at += BK * N
    tl.store(c_ptr + m[:, None] * N + n[None, :], total)


@triton.jit
def gather(x_ptr, at_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + tl.load(at_ptr + i)))
