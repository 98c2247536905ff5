#define EACH 16
__global__ void transpose_scalar(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[64 * 64];
  unsigned x = threadIdx.x % 64;
  unsigned y = threadIdx.x / 64;
  for (unsigned k = 0; k < EACH; k++) {
    unsigned down = y + k * (64 / EACH);
    unsigned column = min(blockIdx.y * 64 + x, columns - 1);
    unsigned row = min(blockIdx.x * 64 + down, rows - 1);
    tile[down * 64 + (x ^ down)] = in[row * columns + column];
  }
  __syncthreads();
  for (unsigned k = 0; k < EACH; k++) {
    unsigned down = y + k * (64 / EACH);
    unsigned out_column = blockIdx.x * 64 + x;
    unsigned out_row = blockIdx.y * 64 + down;
    if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[x * 64 + (x ^ down)];
  }
}
