__global__ void transpose_naive_col(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}
