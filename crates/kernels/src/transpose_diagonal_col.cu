__global__ void transpose_diagonal_col(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned linear = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned tile_y = linear % gridDim.y;
  unsigned tile_x = (linear / gridDim.y + tile_y) % gridDim.x;
  unsigned row = tile_x * blockDim.x + threadIdx.x;
  unsigned column = tile_y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}
