#define TILE 24
#define ROWS 12
__global__ void transpose_short_24(short *odata, const short *idata, int width, int height)
{
    __shared__ short tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int in = x + y * width;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[in + i * width];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    int out = x + y * height;
    for (int i = 0; i < TILE; i += ROWS)
        odata[out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
