#define TILE_W 64
#define TILE_H 16
__global__ void transpose_rect_64x16(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE_H][TILE_W + 1];
    int x = blockIdx.x * TILE_W + threadIdx.x;
    int y = blockIdx.y * TILE_H + threadIdx.y;
    for (int j = 0; j < TILE_H; j += 4)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    // the transposed tile is 16 wide and 64 high: renumber the threads
    int t = threadIdx.y * TILE_W + threadIdx.x;
    int tx = t % TILE_H;
    int ty = t / TILE_H;
    for (int j = 0; j < TILE_W; j += 16)
        out[(blockIdx.x * TILE_W + ty + j) * height + blockIdx.y * TILE_H + tx] = tile[tx][ty + j];
}
