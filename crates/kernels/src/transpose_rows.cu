__global__ void transpose_rows(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[32][33];
  for (unsigned k = 0; k < 32; k += 8) {
    unsigned column = min(blockIdx.x * 32 + threadIdx.x, columns - 1);
    unsigned row = min(blockIdx.y * 32 + threadIdx.y + k, rows - 1);
    tile[threadIdx.y + k][threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();
  for (unsigned k = 0; k < 32; k += 8) {
    unsigned out_column = blockIdx.y * 32 + threadIdx.x;
    unsigned out_row = blockIdx.x * 32 + threadIdx.y + k;
    if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y + k];
  }
}
