// column-major A, columns divided over blockIdx.y, x chunk in shared
__global__ void gemv_split_columns(const float *A, const float *x, float *partial, int m, int n)
{
    __shared__ float xs[24];
    int per = (n + gridDim.y - 1) / gridDim.y;
    int j0 = blockIdx.y * per;
    if (threadIdx.x < per && j0 + threadIdx.x < n) xs[threadIdx.x] = x[j0 + threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        float s = 0;
        const float *a = A + (size_t)j0 * m + i;
        for (int j = 0; j < per && j0 + j < n; ++j, a += m)
            s = fmaf(*a, xs[j], s);
        partial[blockIdx.y * m + i] = s;
    }
}
