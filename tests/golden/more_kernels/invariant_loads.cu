__global__ void invariant_loads(const float* __restrict__ in, const float* __restrict__ w, float* __restrict__ out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = w[t];
  __syncthreads();
  float acc = 0.f;
  for (int k = 0; k < n; k++) acc += s[63 - t] * in[blockIdx.x * 64 + t] + s[k];
  out[blockIdx.x * 64 + t] = acc;
}
