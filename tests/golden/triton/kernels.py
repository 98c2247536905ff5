"""Ten Triton kernels for compute capability 10.0, small enough that their PTX and SASS lie beside this file.

`python kernels.py` compiles them anew; it wants `triton` from PyPI and `cuobjdump`, and no GPU.
"""

import os
import pathlib
import re
import subprocess

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

HERE = pathlib.Path(__file__).parent


@triton.jit
def softmax(x, y, n, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); m = c < n
    v = tl.load(x + r*n + c, mask=m, other=-float('inf'))
    e = tl.exp(v - tl.max(v, 0)); tl.store(y + r*n + c, e / tl.sum(e, 0), mask=m)


@triton.jit
def layer_norm(x, w, b, y, n, B: tl.constexpr):
    r = tl.program_id(0); c = tl.arange(0, B); m = c < n
    v = tl.load(x + r*n + c, mask=m, other=0.)
    mu = tl.sum(v, 0)/n; d = tl.where(m, v-mu, 0.); var = tl.sum(d*d, 0)/n
    tl.store(y + r*n + c, d*tl.rsqrt(var+1e-5)*tl.load(w+c, mask=m, other=0.)+tl.load(b+c, mask=m, other=0.), mask=m)


@triton.jit
def add(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0)*B + tl.arange(0, B); m = i < n
    tl.store(z+i, tl.load(x+i, mask=m)+tl.load(y+i, mask=m), mask=m)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0)*BM + tl.arange(0, BM); j = tl.program_id(1)*BN + tl.arange(0, BN)
    k = tl.arange(0, BK); acc = tl.zeros((BM, BN), tl.float32)
    for q in range(0, K, BK):
        acc = tl.dot(tl.load(a + i[:,None]*K + (q+k)[None,:]), tl.load(b + (q+k)[:,None]*N + j[None,:]), acc)
    tl.store(c + i[:,None]*N + j[None,:], acc.to(tl.float16))


@triton.jit
def matmul_small(a, b, c, K, BM: tl.constexpr):
    i = tl.arange(0, BM); acc = tl.zeros((BM, BM), tl.float32)
    for q in range(0, K, BM):
        acc += tl.dot(tl.load(a + i[:,None]*K + (q+i)[None,:]), tl.load(b + (q+i)[:,None]*BM + i[None,:]))
    tl.store(c + i[:,None]*BM + i[None,:], acc)


@triton.jit
def matmul_tma(ap, bp, cp, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(ap, [M, K], [K, 1], [BM, BK]); b = tl.make_tensor_descriptor(bp, [K, N], [N, 1], [BK, BN])
    c = tl.make_tensor_descriptor(cp, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0)*BM; j = tl.program_id(1)*BN; acc = tl.zeros((BM, BN), tl.float32)
    for q in range(0, K, BK):
        acc = tl.dot(a.load([i, q]), b.load([q, j]), acc)
    c.store([i, j], acc.to(tl.float16))


@triton.jit
def copy_tma(ap, cp, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(ap, [M, N], [N, 1], [BM, BN]); c = tl.make_tensor_descriptor(cp, [M, N], [N, 1], [BM, BN])
    i = tl.program_id(0)*BM; j = tl.program_id(1)*BN
    c.store([i, j], a.load([i, j]) * 2)


@triton.jit
def flash(q, k, v, o, T, s, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0)*BM + tl.arange(0, BM); h = tl.program_id(1)*T*D; d = tl.arange(0, D); n = tl.arange(0, BN)
    qq = tl.load(q + h + i[:,None]*D + d[None,:]); m = tl.full((BM,), -float('inf'), tl.float32); l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, T, BN):
        kk = tl.load(k + h + (t+n)[None,:]*D + d[:,None]); p = tl.dot(qq, kk)*s
        m2 = tl.maximum(m, tl.max(p, 1)); p = tl.exp2(p - m2[:,None]); al = tl.exp2(m-m2); l = l*al + tl.sum(p, 1)
        acc = acc*al[:,None]; acc = tl.dot(p.to(tl.float16), tl.load(v + h + (t+n)[:,None]*D + d[None,:]), acc); m = m2
    tl.store(o + h + i[:,None]*D + d[None,:], (acc/l[:,None]).to(tl.float16))


@triton.jit
def transpose(x, y, M, N, B: tl.constexpr):
    i = tl.program_id(0)*B + tl.arange(0, B); j = tl.program_id(1)*B + tl.arange(0, B)
    tl.store(y + j[:,None]*M + i[None,:], tl.trans(tl.load(x + i[:,None]*N + j[None,:])))


@triton.jit
def histogram(x, h, n, B: tl.constexpr):
    i = tl.program_id(0)*B + tl.arange(0, B); m = i < n
    tl.atomic_add(h + tl.load(x+i, mask=m, other=0) % 256, 1, mask=m)


f32, f16, i = "*fp32", "*fp16", "i32"
KERNELS = [
 (softmax, dict(x=f32,y=f32,n=i), dict(B=256), 4), (layer_norm, dict(x=f32,w=f32,b=f32,y=f32,n=i), dict(B=256), 4), (add, dict(x=f32,y=f32,z=f32,n=i), dict(B=256), 4),
 (matmul, dict(a=f16,b=f16,c=f16,M=i,N=i,K=i), dict(BM=64,BN=16,BK=16), 4), (matmul_small, dict(a=f32,b=f32,c=f32,K=i), dict(BM=16), 4),
 (matmul_tma, dict(ap=f16,bp=f16,cp=f16,M=i,N=i,K=i), dict(BM=64,BN=16,BK=32), 4), (copy_tma, dict(ap=f16,cp=f16,M=i,N=i), dict(BM=16,BN=16), 4),
 (flash, dict(q=f16,k=f16,v=f16,o=f16,T=i,s='fp32'), dict(BM=64,BN=16,D=16), 4), (transpose, dict(x=f32,y=f32,M=i,N=i) , dict(B=16), 4), (histogram, dict(x='*i32',h='*i32',n=i), dict(B=256), 4)]


def shortened(listing):
    """A listing of cuobjdump without encodings."""
    lines = (re.sub(r"\s*/\* 0x[0-9a-f]{16} \*/", "", line).strip() for line in listing.splitlines())
    return "".join(line + "\n" for line in lines if line)


for kernel, arguments, constants, warps in KERNELS:
    types = {**arguments, **{name: "constexpr" for name in constants}}
    at = enumerate(arguments.values())
    attributes = {(n,): [["tt.divisibility", 16]] for n, of in at if of[0] == "*" or of == i}
    source = ASTSource(kernel, types, constexprs=constants, attrs=attributes)
    compiled = triton.compile(source, target=GPUTarget("cuda", 100, 32), options={"num_warps": warps})
    name = kernel.__name__
    (HERE / f"{name}.ptx").write_text(compiled.asm["ptx"])
    object_file = HERE / f"{name}.cubin"
    object_file.write_bytes(compiled.asm["cubin"])
    listing = subprocess.run(["cuobjdump", "-sass", object_file], check=True, capture_output=True, text=True)
    (HERE / f"{name}.sass").write_text(shortened(listing.stdout))
    object_file.unlink()
