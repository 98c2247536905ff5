__global__ void transpose_unroll4_col(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
  for (unsigned k = 0; k < 4; k++) {
    unsigned row = first + k * blockDim.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
