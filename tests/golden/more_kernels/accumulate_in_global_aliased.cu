__global__ void accumulate_in_global_aliased(const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0.f;
  for (int k = 0; k < n; ++k) out[i] += a[k * 128 + i];
}
