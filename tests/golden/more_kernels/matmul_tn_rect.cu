// C (M x N) = A^T B, A is K x M and B is K x N, all row-major.
__global__ void matmul_tn_rect(const float *A, const float *B, float *C, int K, int M, int N)
{
    __shared__ float As[8][32];
    __shared__ float Bs[8][32];
    float acc[4] = {0};
    int m0 = blockIdx.y * 32, n0 = blockIdx.x * 32;
    for (int k0 = 0; k0 < K; k0 += 8) {
        As[threadIdx.y][threadIdx.x] = A[(k0 + threadIdx.y) * M + m0 + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * N + n0 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            for (int r = 0; r < 4; r++)
                acc[r] += As[k][threadIdx.y + 8 * r] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        C[(m0 + threadIdx.y + 8 * r) * N + n0 + threadIdx.x] = acc[r];
}
