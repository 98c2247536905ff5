__global__ void copy_row(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = in[row * columns + column];
}
