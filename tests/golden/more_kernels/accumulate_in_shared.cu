__global__ void accumulate_in_shared(const float* a, float* out, int n) {
  __shared__ float acc[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  acc[t] = 0.f;
  for (int k = 0; k < n; ++k) acc[t] += a[k * 128 + i];
  out[i] = acc[t];
}
