template <typename T> __device__ T *advance(T *p, int n) { return p + n; }
__global__ void permute_nhwc_to_nchw(const float *x, float *y, int C, int HW)
{
    __shared__ float tile[32][33];
    x = advance(x, blockIdx.z * C * HW);
    y = advance(y, blockIdx.z * C * HW);
    int c = blockIdx.x * 32 + threadIdx.x;
    int p = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < C && p + j < HW)
            tile[threadIdx.y + j][threadIdx.x] = x[(p + j) * C + c];
    __syncthreads();
    p = blockIdx.y * 32 + threadIdx.x;
    c = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (c + j >= C || p >= HW) continue;
        y[(c + j) * HW + p] = tile[threadIdx.x][threadIdx.y + j];
    }
}
