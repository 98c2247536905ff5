__global__ void transpose_unroll4_row(const float* in, float* out, unsigned columns, unsigned rows) {
  unsigned first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  for (unsigned k = 0; k < 4; k++) {
    unsigned column = first + k * blockDim.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
