// X = L * B with L lower triangular: the sum over k stops at the diagonal.
__global__ void trmm_lower_left(const double* __restrict__ L, const double* __restrict__ B, int n, int m, double* X)
{
    __shared__ double Ls[8][8];
    __shared__ double Bs[8][16];
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    double acc = 0;
    for (int t = 0; t <= blockIdx.y; t++) {
        if (threadIdx.x < 8) {
            int c = t * 8 + threadIdx.x;
            Ls[threadIdx.y][threadIdx.x] = c <= row ? L[row * n + c] : 0.0;
        }
        Bs[threadIdx.y][threadIdx.x] = B[(t * 8 + threadIdx.y) * m + col];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            acc += Ls[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    X[row * m + col] = acc;
}
