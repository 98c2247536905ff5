__global__ void cholesky_tile_24(double *A, int lda)
{
    __shared__ double s[24][25];
    const int i = threadIdx.y, j = threadIdx.x;
    A += blockIdx.x * 24 * lda;
    s[i][j] = A[i * lda + j];
    __syncthreads();
    for (int k = 0; k < 24; ++k) {
        if (i == k && j == k) s[k][k] = sqrt(s[k][k] + 1.0);
        __syncthreads();
        if (j == k && i > k) s[i][k] /= s[k][k];
        __syncthreads();
        if (i > k && j > k && j <= i) s[i][j] -= s[i][k] * s[j][k];
        __syncthreads();
    }
    A[i * lda + j] = j <= i ? s[i][j] : 0.0;
}
