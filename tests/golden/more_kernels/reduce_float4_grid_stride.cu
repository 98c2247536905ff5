__global__ void reduce_float4_grid_stride(const float* __restrict__ in, float* out, int n4)
{
    __shared__ float warp_sum[6];
    float sum = 0.0f;
    const float4* in4 = reinterpret_cast<const float4*>(in);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += blockDim.x * gridDim.x)
    {
        float4 v = in4[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    #pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, offset);

    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    if (lane == 0) warp_sum[wid] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
    {
        float total = 0.0f;
        for (int w = 0; w < blockDim.x / warpSize; w++) total += warp_sum[w];
        out[blockIdx.x] = total;
    }
}
