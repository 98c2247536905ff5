__global__ void triangle_rows_sum(const float* a, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 64 + t];
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k <= t; k++) sum += s[k];
  out[blockIdx.x * 64 + t] = sum;
}
