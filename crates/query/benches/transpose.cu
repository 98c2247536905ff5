// Transpose of a square matrix through a padded tile.
__global__ void transpose(const float *in, float *out, int side)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < side && y + j < side)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < side && y + j < side)
            out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}
