// Comparisons of halves: alone, of pairs, unordered, with constants, and of bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void scalar(const __half *a, const __half *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__hgt(a[i], b[i]))
        out[i * 8] = 1;
}

extern "C" __global__ void both(const __half2 *a, const __half2 *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__hble2(a[i], b[i]))
        out[i * 8] = 1;
}

extern "C" __global__ void either(const __half2 *a, const __half2 *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = a[i], y = b[i];
    if (__hlt(__low2half(x), __low2half(y)) || __heq(__high2half(x), __high2half(y)))
        out[i * 8] = 1;
}

extern "C" __global__ void unordered(const __half2 *a, const __half2 *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__hbgeu2(a[i], b[i]))
        out[i * 8] = 1;
}

extern "C" __global__ void constant(const __half2 *a, const __half2 *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = a[i];
    if (__hgt(__high2half(x), __float2half(0.25f)) && __hlt(__low2half(x), __float2half(0.75f)))
        out[i * 8] = 1;
}

extern "C" __global__ void brain(const __nv_bfloat16 *a, const __nv_bfloat16 *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__hge(a[i], b[i]))
        out[i * 8] = 1;
}
