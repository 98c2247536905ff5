#include <cuda_fp16.h>
#define QK4_0 32
// ggml: 32 weights in 18 bytes
typedef struct {
    half    d;
    unsigned char qs[QK4_0 / 2];
} block_q4_0;

static __device__ __forceinline__ float2 dequantize_q4_0(const block_q4_0 *x, const int ib, const int iqs)
{
    const float d = __half2float(x[ib].d);
    const int vui = x[ib].qs[iqs];
    float2 v;
    v.x = (float)((vui & 0xF) - 8) * d;
    v.y = (float)((vui >> 4) - 8) * d;
    return v;
}

__global__ void dequant_gemv_q4_0(const block_q4_0 *vx, const float *y, float *dst, const int ncols)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int tid = threadIdx.x;
    float tmp = 0.0f;
    for (int i = 0; i < ncols; i += 64) {
        const int col = i + 2 * tid;
        const int ib = (row * ncols + col) / QK4_0;
        const int iqs = (col % QK4_0) / 2;
        const int iybs = col - col % QK4_0;
        const float2 v = dequantize_q4_0(vx, ib, iqs);
        tmp += v.x * y[iybs + iqs];
        tmp += v.y * y[iybs + iqs + QK4_0 / 2];
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        tmp += __shfl_xor_sync(0xffffffff, tmp, mask, 32);
    if (tid == 0) dst[row] = tmp;
}
