#include <cuda_fp16.h>
#define TS 16
__global__ void hgemm_smem_half_acc(const __half *a, const __half *b, __half *c, int M, int N, int K)
{
    __shared__ __half s_a[TS][TS + 2], s_b[TS][TS + 2];
    int row = blockIdx.y * TS + threadIdx.y, col = blockIdx.x * TS + threadIdx.x;
    __half sum = __float2half(0.0f);
    for (int t = 0; t < (K + TS - 1) / TS; ++t) {
        s_a[threadIdx.y][threadIdx.x] = a[row * K + t * TS + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(t * TS + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            sum = __hfma(s_a[threadIdx.y][k], s_b[k][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < M && col < N) c[row * N + col] = sum;
}
