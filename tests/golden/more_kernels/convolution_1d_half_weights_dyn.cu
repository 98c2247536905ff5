#include <cuda_fp16.h>
extern __shared__ __half cache[];
__global__ void convolution_1d_half_weights_dyn(const __half *x, const __half *w, __half *y, int n, int radius)
{
    __half *wts = cache + blockDim.x + 2 * radius;
    if (threadIdx.x <= 2 * radius) wts[threadIdx.x] = w[threadIdx.x];
    int base = (int)(blockIdx.x * blockDim.x) - radius;
    for (int i = threadIdx.x; i < blockDim.x + 2 * radius; i += blockDim.x) {
        int g = base + i;
        cache[i] = (g >= 0 && g < n) ? x[g] : __float2half(0.f);
    }
    __syncthreads();
    float acc = 0.f;
    for (int k = -radius; k <= radius; ++k)
        acc += __half2float(cache[threadIdx.x + radius + k]) * __half2float(wts[k + radius]);
    y[blockIdx.x * blockDim.x + threadIdx.x] = __float2half_rn(acc);
}
