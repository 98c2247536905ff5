// one warp averages one channel of one image
__global__ void global_avgpool_warp_channels(const float *x, float *y, int C, int HW)
{
    int c = blockIdx.x * blockDim.y + threadIdx.y;
    int n = blockIdx.y;
    const float *p = x + (n * C + c) * HW;
    float s = 0;
    for (int i = threadIdx.x; i < HW; i += warpSize) s += __ldg(p + i);
    s += __shfl_xor_sync(0xffffffff, s, 16);
    s += __shfl_xor_sync(0xffffffff, s, 8);
    s += __shfl_xor_sync(0xffffffff, s, 4);
    s += __shfl_xor_sync(0xffffffff, s, 2);
    s += __shfl_xor_sync(0xffffffff, s, 1);
    if (threadIdx.x == 0) y[n * C + c] = s / HW;
}
