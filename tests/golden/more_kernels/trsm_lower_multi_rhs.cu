// solve L X = B, 24 x 24 lower triangle in shared, each thread owns several right-hand sides
__global__ void trsm_lower_multi_rhs(const float *L, float *B, int n, int nrhs)
{
    __shared__ float sL[24][25];
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int e = t; e < n * n; e += 128) sL[e / n][e % n] = (e % n <= e / n) ? L[e] : 0.f;
    __syncthreads();
    const int col = blockIdx.x * 28 + t;
    if (t >= 28 || col >= nrhs) return;
    for (int i = 0; i < n; ++i) {
        float s = B[i * nrhs + col];
        for (int j = 0; j < i; ++j) s -= sL[i][j] * B[j * nrhs + col];
        B[i * nrhs + col] = s / (sL[i][i] + 1.f);
    }
}
