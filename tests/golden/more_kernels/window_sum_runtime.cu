__global__ void window_sum_runtime(const float* a, float* out, int w) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 128 + t];
  s[t + 64] = a[blockIdx.x * 128 + t + 64];
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k < w; k++) sum += s[t + k] * s[t + k + 1];
  out[blockIdx.x * 64 + t] = sum;
}
