__global__ void transpose_sectors(const float* in, float* out, unsigned columns, unsigned rows) {
  __shared__ float tile[64 * 32];
  unsigned corner_x = blockIdx.y * 32;
  unsigned corner_y = blockIdx.x * 56;
  unsigned lane = threadIdx.x % 32;
  unsigned line = threadIdx.x / 32;
  for (unsigned k = 0; k < 8; k++) {
    unsigned down = line + k * 8;
    unsigned column = min(corner_x + lane, columns - 1);
    unsigned row = min(max(corner_y + down, 8u) - 8, rows - 1);
    tile[down * 32 + (lane ^ (down % 32))] = in[row * columns + column];
  }
  __syncthreads();
  unsigned early = ((corner_x + line) * rows + corner_y) % 8;
  unsigned column = corner_y + lane - early;
  unsigned y = lane + 8 - early;
  unsigned far = min(y + 32, 63u);
  for (unsigned k = 0; k < 4; k++) {
    unsigned x = line + k * 8;
    float near_one = tile[y * 32 + (x ^ (y % 32))];
    float far_one = tile[far * 32 + (x ^ (far % 32))];
    unsigned at = (corner_x + x) * rows + column;
    if (corner_x + x < columns && column < rows) out[at] = near_one;
    if (corner_x + x < columns && lane < 24 && column + 32 < rows) out[at + 32] = far_one;
  }
}
