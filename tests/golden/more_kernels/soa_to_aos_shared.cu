__global__ void soa_to_aos_shared(const float* r, const float* g, const float* b, float* rgb) {
  __shared__ float s[64 * 3];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[3 * t] = r[i];
  s[3 * t + 1] = g[i];
  s[3 * t + 2] = b[i];
  __syncthreads();
  float* o = rgb + blockIdx.x * 192;
  for (int k = 0; k < 3; ++k) o[t + 64 * k] = s[t + 64 * k];
}
