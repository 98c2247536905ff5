__global__ void early_exit_rows(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 4 + threadIdx.y;
  if (x >= w) return;
  if (y >= h) return;
  float v = in[y * w + x];
  if (x & 1) v += in[y * w + x - 1];
  out[y * w + x] = v;
}
