__global__ void copy_col(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = in[row * columns + column];
}
