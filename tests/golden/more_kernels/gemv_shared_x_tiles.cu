__global__ void gemv_shared_x_tiles(const float *A, const float *x, float *y, int m, int n)
{
    __shared__ float xs[64];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (n + 63) / 64; ++t) {
        int idx = t * 64 + threadIdx.x;
        xs[threadIdx.x] = idx < n ? x[idx] : 0.0f;
        __syncthreads();
        if (row < m) {
            int end = min(64, n - t * 64);
            for (int k = 0; k < end; ++k)
                sum += A[row * n + t * 64 + k] * xs[k];
        }
        __syncthreads();
    }
    if (row < m) y[row] = sum;
}
