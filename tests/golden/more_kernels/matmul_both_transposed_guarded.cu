// C[M x N] = A^T[M x K] * B^T[K x N];  A stored K x M, B stored N x K
__global__ void matmul_both_transposed_guarded(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sa[16][16];
    __shared__ float sb[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
    float c = 0.f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        sa[ty][tx] = (k0 + ty < K && i0 + tx < M) ? A[(k0 + ty) * M + i0 + tx] : 0.f;
        sb[ty][tx] = (j0 + ty < N && k0 + tx < K) ? B[(j0 + ty) * K + k0 + tx] : 0.f;
        __syncthreads();
        const int lim = min(16, K - k0);
        for (int k = 0; k < lim; k++)
            c += sa[k][ty] * sb[tx][k];
        __syncthreads();
    }
    if (i0 + ty < M && j0 + tx < N)
        C[(i0 + ty) * N + j0 + tx] = c;
}
