// Comparisons of pairs of halves that write a predicate for each half.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Stores for the lower half, and to the upper 64 elements for the upper one.
__device__ void answer(int *out, int low, int high)
{
    if (low)
        out[threadIdx.x * 8] = 1;
    if (high)
        out[(threadIdx.x + 64) * 8] = 2;
}

extern "C" __global__ void apart(const __half2 *a, const __half2 *b, int *out)
{
    __half2 x = a[threadIdx.x], y = b[threadIdx.x];
    answer(out, __hgt(__low2half(x), __low2half(y)), __hgt(__high2half(x), __high2half(y)));
}

// What holds of lanes from 7 on.
extern "C" __global__ void conditioned(const unsigned *a, const unsigned *b, int *out)
{
    int low, high;
    asm("{.reg .pred p, q, c; setp.gt.u32 c, %4, 6; setp.lt.and.f16x2 p|q, %2, %3, c;"
        "selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q;}"
        : "=r"(low), "=r"(high) : "r"(a[threadIdx.x]), "r"(b[threadIdx.x]), "r"(threadIdx.x));
    answer(out, low, high);
}

// What does not hold of lanes from 7 on, and holds of the others.
extern "C" __global__ void either_way(const unsigned *a, const unsigned *b, int *out)
{
    int low, high;
    asm("{.reg .pred p, q, c; setp.gt.u32 c, %4, 6; setp.geu.xor.bf16x2 p|q, %2, %3, c;"
        "selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q;}"
        : "=r"(low), "=r"(high) : "r"(a[threadIdx.x]), "r"(b[threadIdx.x]), "r"(threadIdx.x));
    answer(out, low, high);
}
