#define N 16
// one-sided Jacobi: eight column pairs are rotated at once, pairs by a round-robin tournament
__global__ void jacobi_onesided_tournament(float *A, float *V, int sweeps)
{
    __shared__ float col[N][N];         // col[c][r]
    const int r = threadIdx.x, p = threadIdx.y;
    float *g = A + blockIdx.x * N * N;
    for (int c = p; c < N; c += 8) col[c][r] = g[r * N + c];
    __syncthreads();
    for (int step = 0; step < sweeps * (N - 1); ++step) {
        int s = step % (N - 1);
        int i = p == 0 ? N - 1 : (s + p) % (N - 1);
        int j = (s + (N - 1) - p) % (N - 1);
        float x = col[i][r], y = col[j][r];
        float alpha = x * x, beta = y * y, gamma = x * y;
        for (int o = 8; o > 0; o >>= 1) {
            alpha += __shfl_xor_sync(0xffffffff, alpha, o, 16);
            beta += __shfl_xor_sync(0xffffffff, beta, o, 16);
            gamma += __shfl_xor_sync(0xffffffff, gamma, o, 16);
        }
        float zeta = (beta - alpha) / (2.0f * gamma + 1e-20f);
        float t = copysignf(1.0f, zeta) / (fabsf(zeta) + sqrtf(1.0f + zeta * zeta));
        float cs = rsqrtf(1.0f + t * t), sn = cs * t;
        col[i][r] = cs * x - sn * y;
        col[j][r] = sn * x + cs * y;
        __syncthreads();
    }
    for (int c = p; c < N; c += 8) g[r * N + c] = col[c][r];
    if (p == 0) {
        float s = 0;
        for (int k = 0; k < N; k++) s += col[r][k] * col[r][k];
        V[blockIdx.x * N + r] = sqrtf(s);
    }
}
