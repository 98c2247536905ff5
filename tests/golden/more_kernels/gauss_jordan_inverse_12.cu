// augmented [A | I] in shared, 12 x 24 threads
__global__ void gauss_jordan_inverse_12(const float *M, float *Minv)
{
    __shared__ float aug[12][24];
    int x = threadIdx.x, y = threadIdx.y;
    aug[y][x] = x < 12 ? M[blockIdx.x * 144 + y * 12 + x] + (x == y ? 3.f : 0.f) : (x - 12 == y ? 1.f : 0.f);
    __syncthreads();
    for (int k = 0; k < 12; k++) {
        float pivot = aug[k][k];
        __syncthreads();
        if (y == k) aug[k][x] /= pivot;
        __syncthreads();
        float f = aug[y][k];
        __syncthreads();
        if (y != k) aug[y][x] -= f * aug[k][x];
        __syncthreads();
    }
    if (x >= 12) Minv[blockIdx.x * 144 + y * 12 + x - 12] = aug[y][x];
}
