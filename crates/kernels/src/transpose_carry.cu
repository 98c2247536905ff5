#define WIDTH 64
#define STEPS 4
__global__ void transpose_carry(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[64 * WIDTH];
  unsigned x = threadIdx.x % WIDTH;
  unsigned y = threadIdx.x / WIDTH;
  unsigned lane = threadIdx.x % 64;
  unsigned corner_x = blockIdx.y * WIDTH;
  unsigned corner_y = blockIdx.x * STEPS * 56;
  unsigned column = min(corner_x + x, columns - 1);
  float carried[2];
  for (unsigned k = 0; k < 2; k++) carried[k] = in[min(max(corner_y, 8u) - 8 + y + 4 * k, rows - 1) * columns + column];
  for (unsigned step = 0; step < STEPS && corner_y < rows + 7; step++) {
    float fresh[14];
    for (unsigned k = 0; k < 14; k++) fresh[k] = in[min(corner_y + y + 4 * k, rows - 1) * columns + column];
    for (unsigned k = 0; k < 2; k++) tile[(y + 4 * k) * WIDTH + (x ^ (y + 4 * k))] = carried[k];
    for (unsigned k = 0; k < 14; k++) tile[(y + 8 + 4 * k) * WIDTH + (x ^ (y + 8 + 4 * k))] = fresh[k];
    carried[0] = fresh[12];
    carried[1] = fresh[13];
    __syncthreads();
    for (unsigned k = 0; k < 16; k++) {
      unsigned down = threadIdx.x / 64 + k * (WIDTH / 16);
      unsigned out_row = corner_x + down;
      unsigned early = out_row * rows % 8;
      unsigned from = 8 - early + lane;
      unsigned out_column = corner_y + lane - early;
      if (lane < 56 && out_row < columns && out_column < rows)
        out[out_row * rows + out_column] = tile[from * WIDTH + (down ^ from)];
    }
    __syncthreads();
    corner_y += 56;
  }
}
