#include <cuda_fp16.h>
// block = one token; cos/sin built once in shared, then applied to all heads (dim/2 = 24 pairs)
__global__ void rotary_neox_half_table(__half *qk, int heads, int dim, float base)
{
    __shared__ float cs[24], sn[24];
    const int i = threadIdx.x, half_dim = dim >> 1;
    if (threadIdx.y == 0 && i < half_dim) {
        float freq = powf(base, -2.0f * i / dim);
        sincosf(blockIdx.x * freq, &sn[i], &cs[i]);
    }
    __syncthreads();
    __half *tok = qk + blockIdx.x * heads * dim;
    for (int h = threadIdx.y; h < heads; h += blockDim.y) {
        __half *p = tok + h * dim;
        float a = __half2float(p[i]), b = __half2float(p[i + half_dim]);
        p[i] = __float2half(a * cs[i] - b * sn[i]);
        p[i + half_dim] = __float2half(b * cs[i] + a * sn[i]);
    }
}
