#define TILE 32
__global__ void transpose_swizzled(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[TILE][TILE];
  unsigned column = blockIdx.x * TILE + threadIdx.x;
  unsigned row = blockIdx.y * TILE + threadIdx.y;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[row * columns + column];
  __syncthreads();
  unsigned out_column = blockIdx.y * TILE + threadIdx.x;
  unsigned out_row = blockIdx.x * TILE + threadIdx.y;
  if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}
