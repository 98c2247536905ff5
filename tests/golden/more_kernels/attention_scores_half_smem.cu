#include <cuda_fp16.h>
#define HD 32
__global__ void attention_scores_half_smem(const half *Q, const half *K, float *S, int T, float scale)
{
    __shared__ half q[16][HD];
    __shared__ half k[16][HD + 2];
    const int bh = blockIdx.z;
    const half2 *Q2 = (const half2 *)(Q + (bh * T + blockIdx.y * 16) * HD);
    const half2 *K2 = (const half2 *)(K + (bh * T + blockIdx.x * 16) * HD);
    // 16 x 32 halves = 16 x 16 half2, one per thread
    *(half2 *)&q[threadIdx.y][2 * threadIdx.x] = Q2[threadIdx.y * (HD / 2) + threadIdx.x];
    *(half2 *)&k[threadIdx.y][2 * threadIdx.x] = K2[threadIdx.y * (HD / 2) + threadIdx.x];
    __syncthreads();
    const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float dot = -INFINITY;
    if (j <= i) {
        dot = 0.f;
        for (int d = 0; d < HD; d++)
            dot += __half2float(q[threadIdx.y][d]) * __half2float(k[threadIdx.x][d]);
        dot *= scale;
    }
    S[(bh * T + i) * T + j] = dot;
}
