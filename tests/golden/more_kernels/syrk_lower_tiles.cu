#define NB 16
// C = alpha * A * A^T + beta * C, lower triangle only
__global__ void syrk_lower_tiles(const float *A, float *C, int n, int k, float alpha, float beta)
{
    if (blockIdx.x > blockIdx.y) return;

    __shared__ float rows[NB][NB + 1];
    __shared__ float cols[NB][NB + 1];
    int i = blockIdx.y * NB + threadIdx.y;
    int j = blockIdx.x * NB + threadIdx.x;
    float dot = 0.0f;
    for (int kk = 0; kk < k; kk += NB) {
        rows[threadIdx.y][threadIdx.x] = A[i * k + kk + threadIdx.x];
        cols[threadIdx.y][threadIdx.x] = A[(blockIdx.x * NB + threadIdx.y) * k + kk + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int p = 0; p < NB; p++)
            dot += rows[threadIdx.y][p] * cols[threadIdx.x][p];
        __syncthreads();
    }
    if (i >= j) C[i * n + j] = alpha * dot + beta * C[i * n + j];
}
