__global__ void stencil_9point_box(const float* a, float* b, int w, int h) {
  __shared__ float t[10][34];
  int gx = blockIdx.x * 30 + (int)threadIdx.x - 1;
  int gy0 = blockIdx.y * 8 - 1;
  // 34 columns by 10 rows, the block is 32 x 8
  for (int ly = threadIdx.y; ly < 10; ly += 8) {
    for (int lx = threadIdx.x; lx < 34; lx += 32) {
      int x = min(max(gx + lx - (int)threadIdx.x, 0), w - 1);
      int y = min(max(gy0 + ly, 0), h - 1);
      t[ly][lx] = a[y * w + x];
    }
  }
  __syncthreads();
  int x = gx + 1, y = gy0 + 1 + threadIdx.y;
  if (threadIdx.x < 30 && x < w && y < h) {
    float sum = 0.f;
#pragma unroll
    for (int dy = 0; dy < 3; dy++)
#pragma unroll
      for (int dx = 0; dx < 3; dx++) sum += t[threadIdx.y + dy][threadIdx.x + dx];
    b[y * w + x] = sum / 9.f;
  }
}
