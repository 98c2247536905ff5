// A(:, j) -= tau * v * (v' * A(:, j)); column-major, one column a block
__global__ void householder_apply_columns(float *A, const float *v, float tau, int m)
{
    __shared__ float red[128];
    float *a = A + blockIdx.x * m;
    float dot = 0.f;
    for (int i = threadIdx.x; i < m; i += blockDim.x) dot += v[i] * a[i];
    red[threadIdx.x] = dot;
    __syncthreads();
#pragma unroll
    for (int s = 64; s >= 1; s /= 2) {
        if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
        __syncthreads();
    }
    const float w = tau * red[0];
    for (int i = threadIdx.x; i < m; i += blockDim.x) a[i] -= w * v[i];
}
