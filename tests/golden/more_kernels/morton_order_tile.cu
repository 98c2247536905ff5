__device__ unsigned int spread_bits(unsigned int x)
{
    x &= 0xff;
    x = (x | (x << 4)) & 0x0f0f;
    x = (x | (x << 2)) & 0x3333;
    x = (x | (x << 1)) & 0x5555;
    return x;
}

__global__ void morton_order_tile(const float *image, float *morton, int width)
{
    __shared__ float z[256];
    unsigned int code = spread_bits(threadIdx.x) | spread_bits(threadIdx.y) << 1;
    z[code] = image[(blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    unsigned int tile = spread_bits(blockIdx.x) | spread_bits(blockIdx.y) << 1;
    unsigned int linear = threadIdx.y * 16 + threadIdx.x;
    morton[tile * 256 + linear] = z[linear];
}
