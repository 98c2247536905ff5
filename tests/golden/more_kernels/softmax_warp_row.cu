template <int COLS>
__global__ void softmax_warp_row(const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float v[COLS / 32];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < COLS / 32; ++i) {
    v[i] = x[row * COLS + i * 32 + threadIdx.x];
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < COLS / 32; ++i) {
    v[i] = __expf(v[i] - m);
    s += v[i];
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
#pragma unroll
  for (int i = 0; i < COLS / 32; ++i) y[row * COLS + i * 32 + threadIdx.x] = v[i] / s;
}
