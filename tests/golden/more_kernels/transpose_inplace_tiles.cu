// Blocks on and below the diagonal swap a tile with its mirror image.
__global__ void transpose_inplace_tiles(float *m, int n)
{
    __shared__ float lower[16][17];
    __shared__ float upper[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    if (blockIdx.y > blockIdx.x) {
        int lx = blockIdx.x * 16 + tx, ly = blockIdx.y * 16 + ty;
        int ux = blockIdx.y * 16 + tx, uy = blockIdx.x * 16 + ty;
        lower[ty][tx] = m[ly * n + lx];
        upper[ty][tx] = m[uy * n + ux];
        __syncthreads();
        m[uy * n + ux] = lower[tx][ty];
        m[ly * n + lx] = upper[tx][ty];
    } else if (blockIdx.x == blockIdx.y) {
        int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
        lower[ty][tx] = m[y * n + x];
        __syncthreads();
        m[y * n + x] = lower[tx][ty];
    }
}
