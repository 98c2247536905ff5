__global__ void accumulate_in_global(const float* __restrict__ a, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0.f;
  for (int k = 0; k < n; ++k) out[i] += a[k * 128 + i];
}
