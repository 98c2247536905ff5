__global__ void early_return_guard_2d(const float* in, float* out, int w, int h) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  float c = in[i];
  float l = x > 0 ? in[i - 1] : c;
  float r = x < w - 1 ? in[i + 1] : c;
  float u = y > 0 ? in[i - w] : c;
  float d = y < h - 1 ? in[i + w] : c;
  out[i] = c + 0.25f * (l + r + u + d - 4.f * c);
}
