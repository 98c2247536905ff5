// Blocks along a diagonal of the matrix run together, so that they fall on different partitions of DRAM.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int block_y = blockIdx.x;
  int block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = block_x * 32 + threadIdx.x;
  int y = block_y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = block_y * 32 + threadIdx.x;
  y = block_x * 32 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
