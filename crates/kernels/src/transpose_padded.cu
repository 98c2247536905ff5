__global__ void transpose_padded(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[32][33];
  unsigned column = blockIdx.x * 32 + threadIdx.x;
  unsigned row = blockIdx.y * 32 + threadIdx.y;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
  __syncthreads();
  unsigned out_column = blockIdx.y * 32 + threadIdx.x;
  unsigned out_row = blockIdx.x * 32 + threadIdx.y;
  if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y];
}
