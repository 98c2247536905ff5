__global__ void block_17x5_tile(const float *in, float *out, int w, int h)
{
    __shared__ float tile[5][17];
    int x = blockIdx.x * 17 + threadIdx.x;
    int y = blockIdx.y * 5 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    // turned by 180 degrees
    out[(h - 1 - y) * w + (w - 1 - x)] = tile[threadIdx.y][threadIdx.x] + tile[4 - threadIdx.y][16 - threadIdx.x];
}
