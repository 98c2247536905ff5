__global__ void quad_store_tile(const float* in, float* out) {
  __shared__ float t[4][132];
  int x = threadIdx.x, y = threadIdx.y, b = blockIdx.x * 512 + y * 128;
  for (int k = 0; k < 4; k++) t[y][x * 4 + k] = in[b + x + k * 32];
  __syncthreads();
  for (int k = 0; k < 4; k++) out[b + x + k * 32] = t[y][x + k * 32];
}
