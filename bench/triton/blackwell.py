"""Triton kernels for compute capability 10.0, compiled without a GPU and counted by the command line.

`python bench/triton/blackwell.py [--lanescope FILE] [--seconds N]` wants `triton` from PyPI. Each kernel has to end in
time (10 seconds unless said otherwise), counted, or with what is not modelled named. Triton brings the disassembler.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TARGET = GPUTarget("cuda", 100, 32)


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < n
    values = tl.load(x + row * n + column, mask=mask, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * n + column, powers / tl.sum(powers, 0), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + row[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + column[None, :])
        total += tl.dot(left, right)
    tl.store(c + row[:, None] * N + column[None, :], total.to(tl.float16))


@triton.jit
def attention(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, D)
    head = tl.program_id(1) * n * D
    query = tl.load(q + head + row[:, None] * D + depth[None, :])
    most = tl.full((BM,), -float("inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        at = start + tl.arange(0, BN)
        key = tl.load(k + head + at[None, :] * D + depth[:, None])
        score = tl.dot(query, key) * scale
        new_most = tl.maximum(most, tl.max(score, 1))
        powers = tl.exp(score - new_most[:, None])
        shrink = tl.exp(most - new_most)
        weight = weight * shrink + tl.sum(powers, 1)
        value = tl.load(v + head + at[:, None] * D + depth[None, :])
        total = total * shrink[:, None] + tl.dot(powers.to(tl.float16), value)
        most = new_most
    tl.store(o + head + row[:, None] * D + depth[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def tma_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total += tl.dot(left.load([row, k]), right.load([column, k]).T)
    out.store([row, column], total.to(tl.float16))


@triton.jit
def tma_copy(a, c, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(a, [M, N], [N, 1], [BM, BN])
    target = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    target.store(at, source.load(at) * 2)


@triton.jit
def sum_rows(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.load(x + row * n + start + tl.arange(0, BLOCK))
    tl.store(y + row, tl.sum(total, 0))


@triton.jit
def layer_norm(x, w, b, y, n, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < n
    values = tl.load(x + row * n + column, mask=mask, other=0.0)
    centred = tl.where(mask, values - tl.sum(values, 0) / n, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, 0) / n + epsilon)
    weights = tl.load(w + column, mask=mask)
    bias = tl.load(b + column, mask=mask)
    tl.store(y + row * n + column, centred * scale * weights + bias, mask=mask)


@triton.jit
def transpose(x, y, M, N, B: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    column = tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x + row[:, None] * N + column[None, :])
    tl.store(y + column[:, None] * M + row[None, :], tl.trans(tile))


@triton.jit
def prefix_sum(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.cumsum(tl.load(x + at), 0))


@triton.jit
def histogram(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(y + values % 64, 1, mask=at < n)


PRODUCT = {"M": 512, "N": 512, "K": 512}
TILE = {"BM": 128, "BN": 128, "BK": 64}
HALF, FLOAT = "*fp16", "*fp32"
# Kernel, types of pointers, numbers, constants, warps, grid.
KERNELS = [
    (softmax, {"x": FLOAT, "y": FLOAT}, {"n": 1000}, {"BLOCK": 1024}, 4, "512"),
    (matmul, {"a": HALF, "b": HALF, "c": HALF}, PRODUCT, TILE, 4, "4,4"),
    (
        attention,
        {"q": HALF, "k": HALF, "v": HALF, "o": HALF},
        {"n": 1024, "scale": 0.125},
        {"BM": 128, "BN": 64, "D": 64},
        4,
        "8,4",
    ),
    (tma_matmul, {"a": HALF, "b": HALF, "c": HALF}, PRODUCT, TILE, 4, "4,4"),
    (tma_copy, {"a": FLOAT, "c": FLOAT}, {"M": 512, "N": 512}, {"BM": 64, "BN": 64}, 4, "8,8"),
    (sum_rows, {"x": FLOAT, "y": FLOAT}, {"n": 4096}, {"BLOCK": 1024}, 4, "256"),
    (
        layer_norm,
        {"x": FLOAT, "w": FLOAT, "b": FLOAT, "y": FLOAT},
        {"n": 1000, "epsilon": 1e-5},
        {"BLOCK": 1024},
        4,
        "256",
    ),
    (transpose, {"x": FLOAT, "y": FLOAT}, {"M": 512, "N": 512}, {"B": 64}, 4, "8,8"),
    (prefix_sum, {"x": FLOAT, "y": FLOAT}, {"n": 4096}, {"BLOCK": 1024}, 4, "4"),
    (histogram, {"x": "*i32", "y": "*i32"}, {"n": 4096}, {"BLOCK": 1024}, 4, "4"),
]


def compiled(kernel, pointers, numbers, constants, warps):
    """The kernel as Triton compiles it, pointers and sizes multiples of 16."""
    types = pointers | {name: "i32" if isinstance(one, int) else "fp32" for name, one in numbers.items()}
    signature = types | dict.fromkeys(constants, "constexpr")
    aligned = [at for at, name in enumerate(types) if name in pointers or numbers[name] % 16 == 0]
    attributes = {(at,): [["tt.divisibility", 16]] for at in aligned}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=TARGET, options={"num_warps": warps})


def counted(lanescope, path, kernel, launch, seconds, environment):
    """What the command line says of a compiled kernel, in how many seconds."""
    command = [lanescope, "kernel", path, "--device", "sm_100", "--format", "json", *launch]
    start = time.monotonic()
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        return False, f"{kernel}: no answer in {seconds} s"
    took = time.monotonic() - start
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        return False, f"{kernel}: {ran.stderr.strip()}"
    reasons = [one["message"] for one in answer["reasons"]]
    is_said = answer["status"] == "counted" or bool(reasons)
    return is_said, f"{kernel}: {answer['status']} in {took:.1f} s {'; '.join(reasons)[:200]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanescope", default="lanescope", help="the command line")
    parser.add_argument("--seconds", type=float, default=10, help="time for each kernel")
    options = parser.parse_args()
    tools = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
    environment = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    is_right = True
    with tempfile.TemporaryDirectory() as folder:
        for kernel, pointers, numbers, constants, warps, grid in KERNELS:
            made = compiled(kernel, pointers, numbers, constants, warps)
            name = kernel.__name__
            path = pathlib.Path(folder) / f"{name}.cubin"
            path.write_bytes(made.asm["cubin"])
            launch = ["--grid", grid, "--block", str(32 * made.metadata.num_warps)]
            launch += ["--dynamic-shared", str(made.metadata.shared)]
            for at, value in enumerate(numbers.values(), len(pointers)):
                launch += ["--arg", f"{at}={value}"]
            is_said, line = counted(
                options.lanescope, path, name, launch, options.seconds, environment
            )
            print(line)
            is_right &= is_said
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
