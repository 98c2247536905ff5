// Walsh-Hadamard transform, one row of 2^log2n elements per block, half as many threads
__global__ void hadamard_rows_shared(const float *x, float *y, float scale, int log2n)
{
    __shared__ float row[256];
    const int n = 1 << log2n;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        row[i] = x[blockIdx.x * n + i];
    for (int s = 0; s < log2n; ++s) {
        __syncthreads();
        const int h = 1 << s;
        const int lo = threadIdx.x & (h - 1);
        const int i = ((threadIdx.x - lo) << 1) + lo;
        const float a = row[i], b = row[i + h];
        row[i] = a + b;
        row[i + h] = a - b;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = row[i] * scale;
}
