__global__ void bool_mask_tile(const bool* in, bool* out) {
  __shared__ bool m[16][16];
  int x = threadIdx.x, y = threadIdx.y, b = blockIdx.x * 256;
  m[y][x] = in[b + y * 16 + x];
  __syncthreads();
  bool any = m[x][y] || m[y][15 - x];
  out[b + y * 16 + x] = any;
}
