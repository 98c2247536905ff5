__global__ void block_10x10x4_rotate(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float cube[4][10][10];
    int x = blockIdx.x * 10 + threadIdx.x;
    int y = blockIdx.y * 10 + threadIdx.y;
    int z = blockIdx.z * 4 + threadIdx.z;
    cube[threadIdx.z][threadIdx.y][threadIdx.x] = in[(z * ny + y) * nx + x];
    __syncthreads();
    // x <-> y, and z the other way round
    float v = cube[3 - threadIdx.z][threadIdx.x][threadIdx.y];
    int ox = blockIdx.y * 10 + threadIdx.x;
    int oy = blockIdx.x * 10 + threadIdx.y;
    int oz = (gridDim.z - 1 - blockIdx.z) * 4 + threadIdx.z;
    if (oz < nz) out[(oz * nx + oy) * ny + ox] = v;
}
