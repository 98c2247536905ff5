__global__ void block_3d_permute(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float b[8][8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 8 + threadIdx.z;
  b[threadIdx.z][threadIdx.y][threadIdx.x] = in[(z * ny + y) * nx + x];
  __syncthreads();
  int ox = blockIdx.z * 8 + threadIdx.x, oy = blockIdx.y * 8 + threadIdx.y, oz = blockIdx.x * 8 + threadIdx.z;
  out[(oz * ny + oy) * nz + ox] = b[threadIdx.x][threadIdx.y][threadIdx.z];
}
